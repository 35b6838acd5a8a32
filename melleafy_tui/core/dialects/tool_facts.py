"""Extracts facts about a tool from text: its name, addresses, method, command, workspace script."""

# ruff: noqa: E501 - a pattern is easier to read in one piece

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from melleafy_tui.core.language.wording import plain_text
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.facts import ToolFact
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.source.segments import Segment

TOOLS_HEADING: Final = re.compile(
    r"^\W*(?:tools?(?: (?:notes|guidance|usage|policy))?|local tools|工具|ツール|инструменты|herramientas|ferramentas)\W*$",
    re.IGNORECASE,
)
"""The AGENTS.md section with tool guidance, since OpenClaw moved TOOLS.md there."""

_URL = LazyRegex(r"https?://(?:\$?\{\{?[ \w.-]{0,40}\}\}?|(?<=[/=])<[\w-]{1,40}>|[^\s<>\"'`)\]}|])+")
"""An address with its placeholders: `{id}`, `{{ id }}`, `${TOKEN}`, `<id>`; a lone `}` ends it."""

_METHOD = LazyRegex(
    r"\b(GET|POST|PUT|PATCH|DELETE|HEAD)\s+[`\"']?(?=https?://)"
    r"|https?://[^\s`\"']+[`\"']?,?\s+\(?(GET|POST|PUT|PATCH|DELETE|HEAD)\b"
)
_CURL = LazyRegex(r"\bcurl\s[^\n`]{0,1000}?https?://[^\n`]{0,4000}")
_CONTINUED = LazyRegex(r"(?<![ \t])[ \t]*\\\r?\n[ \t]*")
"""The end of a shell line that continues on the next."""

_SUBSTITUTION = LazyRegex(r"\$\([^()\n]*\)")
_CURL_METHOD = LazyRegex(r"(?<!\S)(?:-\w*X[ =]?|--request[ =])[\"']?(GET|POST|PUT|PATCH|DELETE|HEAD)\b")
_CURL_IMPLIED: Final = (
    ("GET", LazyRegex(r"(?<!\S)(?:-[a-zA-Z]*G[a-zA-Z]*|--get)(?!\S)")),
    ("HEAD", LazyRegex(r"(?<!\S)(?:-[a-zA-Z]*I[a-zA-Z]*|--head)(?!\S)")),
    ("PUT", LazyRegex(r"(?<!\S)(?:-T|--upload-file)(?!\w)")),
    ("POST", LazyRegex(r"(?<!\S)(?:-[a-zA-Z]*[dF](?=[\s\"'@{])|--(?:data|json|form)(?:-\w+)*(?![\w-]))")),
)
"""The HTTP methods that curl's other options imply if none is named; the first match wins."""

_CODE = re.compile(r"`([^`\n]{2,300})`")
_COMMAND_HEAD: Final = LazyRegex(
    r"^\$?\s*(?:\./|(?:bash|sh|zsh|python3?|node|npx|uvx?|deno|bun|curl|ssh|docker|kubectl|git|gh|brew|ffmpeg|jq|rg|make|cargo|go)\s)"
)
TOOL_TEXTS: Final = frozenset({"AGENTS.md", "SKILL.md", "TOOLS.md"})
"""Files that contain tool guidance."""

SCRIPTS: Final = (".sh", ".py", ".js", ".ts", ".mjs", ".rb", ".pl", ".bash", ".zsh")
"""File endings of scripts."""

_SCRIPT = LazyRegex(
    rf"(?<![\w./-])(?:\./)?((?:[\w-]+/){{0,6}}[\w.-]+(?:{'|'.join(map(re.escape, SCRIPTS))}))(?![\w/-])"
)
_HEADING_WORDS: Final = LazyRegex(
    r"^(?:tools?|local notes|notes|what goes here|examples?|why separate.*|setup|overview)\W*$", re.IGNORECASE
)

LONGEST_PURPOSE: Final = 5
"""Maximum words after a command that can still be a name."""


@lru_cache(maxsize=64)  # many items share a heading
def is_tools_heading(heading: str) -> bool:
    """Return whether a heading of AGENTS.md starts a section of tool guidance."""
    return bool(TOOLS_HEADING.match(heading))


def tool_fact(segment: Segment, text: str, full: str, snapshot: Snapshot) -> ToolFact:
    """Return the facts about a tool in a text: name, addresses, method, command, workspace script."""
    addresses = [found.rstrip(".,;:") for found in _URL.compiled.findall(full)]
    url, called = _request(full, addresses[0]) if addresses else ("", "")
    script = next((path for path in _SCRIPT.compiled.findall(full) if snapshot.file(path) is not None), "")
    command = _command(segment, full) or _script_call(full, script)
    return ToolFact(
        name=_name(segment, text),
        urls=tuple(dict.fromkeys(addresses)),
        url=url,
        method=called,
        command=command,
        script=script,
        subtype="concrete_http" if url else "concrete_script" if script and command else "narrative",
    )


def _request(full: str, first_address: str) -> tuple[str, str]:
    """Return the address and method of the request that a text shows, both `""` if it shows none."""
    if curl := _curl_call(full):
        address = next(found.rstrip(".,;:") for found in _URL.compiled.findall(curl))
        return ("", "") if "$(" in address else (address, _curl_method(curl))
    method = _METHOD.search(full)
    return (first_address, next(filter(None, method.groups()))) if method else ("", "")


def named_scripts(snapshot: Snapshot) -> Iterator[str]:
    """Yield the scripts that a workspace's tool guidance names; they are packaged with the tool, in any folder."""
    for file in snapshot.files:
        name, text = file.path.rpartition("/")[2], file.text or ""
        if (name in TOOL_TEXTS or file.path == snapshot.primary) and any(map(text.__contains__, SCRIPTS)):
            yield from (path for path in _SCRIPT.compiled.findall(text) if snapshot.has(path))


def _curl_call(full: str) -> str:
    """Return the first curl command with an address in a text, with continued lines joined, or `""`."""
    if "curl" not in full:
        return ""
    found = _CURL.search(_CONTINUED.compiled.sub(" ", full))
    return found[0] if found and _URL.search(found[0]) else ""


def _curl_method(curl: str) -> str:
    """Return the HTTP method of a curl command: the one it names, or the one that its other options imply."""
    named = _CURL_METHOD.search(curl)
    if named:
        return named[1]
    curl = _SUBSTITUTION.compiled.sub("", curl)  # `-d` in "$(date -d yesterday)" isn't curl's
    return next((method for method, option in _CURL_IMPLIED if option.search(curl)), "GET")


def _name(segment: Segment, text: str) -> str:
    heading = _tool_heading(segment)
    if heading:
        return heading
    code = re.match(r"^[*_]{0,2}`([^`\n]{1,60})`", segment.text)
    if code and not _COMMAND_HEAD.match(code[1]):
        return code[1]
    if code:  # a command calls the tool; its purpose follows
        purpose = plain_text(segment.text[code.end() :]).strip(" *_:：—–-.")
        return purpose if 0 < len(purpose.split()) <= LONGEST_PURPOSE else ""
    bold = re.match(r"^(?:\*\*|__)([^*_\n]{1,60})(?:\*\*|__)", segment.text)
    if bold:
        return plain_text(bold[1]).rstrip(":：")
    label = re.match(r"^([^:：.!?\n]{1,40})[:：]", text)
    return label[1].strip() if label and len(label[1].split()) <= 4 else ""


def _tool_heading(segment: Segment) -> str:
    """Return the innermost heading under the section of tools that can be a tool's name, or `""`."""
    for heading in reversed(segment.section):
        if is_tools_heading(heading):
            break
        if ".md" not in heading and not _HEADING_WORDS.match(heading) and len(heading.split()) <= 6:
            return heading
    return ""


def _command(segment: Segment, full: str) -> str:
    if segment.kind == "fence" and segment.lines:
        lines = _CONTINUED.compiled.sub(" ", "\n".join(segment.lines)).split("\n")
        first = next(
            (line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")), ""
        )
        return first.removeprefix("$ ") if _COMMAND_HEAD.match(first) else ""
    return next((code.removeprefix("$ ") for code in _CODE.findall(full) if _COMMAND_HEAD.match(code)), "")


def _script_call(full: str, script: str) -> str:
    """Return the code span that calls a workspace script with its arguments, or `""`."""
    if not script:
        return ""
    return next((code for code in _CODE.findall(full) if code.removeprefix("./").split(" ")[0] == script), "")
