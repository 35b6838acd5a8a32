"""Extracts facts about a tool from text: its name, addresses, method, command, workspace script."""

import posixpath
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.dialects.named_documents import files_placed_in
from melleafy_tui.core.dialects.shell_requests import COMMAND_HEAD, is_command, program_call, tool_form
from melleafy_tui.core.language.described_use import describes_use, refuses_below, refuses_use
from melleafy_tui.core.language.examples import has_example_mark, is_bad_example, is_setup
from melleafy_tui.core.language.wording import plain_text
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.facts import ToolFact
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.source.segments import Segment, cut_segments

TOOLS_HEADING: Final = tool_form("tools_heading")
"""The AGENTS.md section with tool guidance, since OpenClaw moved TOOLS.md there."""

TOOL_LIST_HEADING: Final = tool_form("tool_list_heading")
"""Headings of AGENTS.md over lists of tools, skills or scripts."""

_URL: Final = tool_form("url", re.NOFLAG)
"""An address with its placeholders: `{id}`, `{{ id }}`, `${TOKEN}`, `<id>`; a lone `}` ends it."""

_METHOD: Final = tool_form("method", re.NOFLAG)
_CURL: Final = tool_form("curl", re.NOFLAG)
_INSTALLER: Final = tool_form("installer", re.NOFLAG)
"""A command that runs what it downloads."""
_BARE_CURL: Final = tool_form("bare_curl", re.NOFLAG)
"""A command whose address has no scheme (`curl -s "example.org/rates"`)."""
_CONTINUED = LazyRegex(r"(?<![ \t])[ \t]*\\\r?\n[ \t]*")
"""The end of a shell line that continues on the next."""

_HEADER_HOLE: Final = tool_form("header_hole", re.NOFLAG)

_SUBSTITUTION = LazyRegex(r"\$\([^()\n]*\)")
_CURL_METHOD: Final = tool_form("curl_method", re.NOFLAG)
_CURL_IMPLIED: Final = (
    ("GET", LazyRegex(r"(?<!\S)(?:-[a-zA-Z]*G[a-zA-Z]*|--get)(?!\S)")),
    ("HEAD", LazyRegex(r"(?<!\S)(?:-[a-zA-Z]*I[a-zA-Z]*|--head)(?!\S)")),
    ("PUT", LazyRegex(r"(?<!\S)(?:-T|--upload-file)(?!\w)")),
    ("POST", LazyRegex(r"(?<!\S)(?:-[a-zA-Z]*[dF](?=[\s\"'@{])|--(?:data|json|form)(?:-\w+)*(?![\w-]))")),
)
"""The HTTP methods that curl's other options imply if none is named; the first match wins."""

_SAVED: Final = tool_form("saved", re.NOFLAG)

_CODE = LazyRegex(r"`([^`\n]{2,300})`")
_SHELL_LINE: Final = tool_form("shell_line", re.NOFLAG)
"""A line that calls a script by its form."""

_GRANT: Final = LazyRegex(r"\bBash\(")
"""A shell command that the frontmatter's allowed-tools grant."""

_VERBATIM: Final = ("fence", "frontmatter")
"""Kinds of segment whose lines aren't sentences."""

TOOL_TEXTS: Final = frozenset({"AGENTS.md", "HEARTBEAT.md", "SKILL.md", "SOUL.md", "TOOLS.md"})
"""Files that contain tool guidance."""

SCRIPTS: Final = (".sh", ".py", ".js", ".ts", ".mjs", ".rb", ".pl", ".bash", ".zsh")
"""File endings of scripts."""

_CHANGED_FOLDER: Final = LazyRegex(r"^(?:\$ )?cd\s+[^\s;&|]+\s*(?:&&|;)\s*")
_CHANGE: Final = tool_form("change", re.NOFLAG)
_AS_MODULE: Final = LazyRegex(r"\bpython3?\s+-m\s+([A-Za-z_][\w.]*)")
_SCRIPT: Final = tool_form("script", re.NOFLAG)
_HEADING_WORDS: Final = tool_form("heading_words")

_WITH_DEFAULT: Final = LazyRegex(r"\$\{\w+:-([^{}$]*)\}")
"""A variable of a shell with what stands for it where it isn't set: `${API:-https://api.example}/v1`."""
_PLACED: Final = LazyRegex(r"<[\w -]{1,40}>|\{\w{1,40}\}")
"""A placeholder in a command."""

LONGEST_PURPOSE: Final = 5
"""Maximum words after a command that can still be a name."""


@lru_cache(maxsize=64)  # many items share a heading
def is_tools_heading(heading: str) -> bool:
    """Return whether a heading of AGENTS.md starts a section of tool guidance."""
    return bool(TOOLS_HEADING.match(heading))


@lru_cache(maxsize=64)  # many items share a heading
def is_tool_list_heading(heading: str) -> bool:
    """Return whether a heading is over a list of tools, skills, scripts or commands."""
    return is_tools_heading(heading) or bool(TOOL_LIST_HEADING.match(heading))


def tool_fact(segment: Segment, text: str, full: str, snapshot: Snapshot) -> ToolFact:
    """Return the facts about a tool in a text: name, addresses, method, command, workspace script."""
    full = _with_schemes(_WITH_DEFAULT.sub(r"\1", full))
    addresses = [found.rstrip(".,;:") for found in _URL.findall(full)]
    url, called = _request(full, addresses[0]) if addresses else ("", "")
    script = _workspace_script(full, snapshot)
    command = _command(segment, full) or _script_call(full, script)
    named = ToolFact(
        name=_name(segment, text), urls=tuple(dict.fromkeys(addresses)), command=command, script=script
    )
    program, shown = ("", ()) if url or script else _program_calls(segment)
    if program:
        named = replace(named, name=program, program=program.partition(" ")[0], command=shown[0])
        command = shown[0]
    target = url or (script if command else "") or program
    if not target and not addresses and (fact := _unread(segment, full, snapshot)):
        return fact
    if not target or not _is_use(segment, full, target, command):
        return replace(named, program="", subtype="narrative")
    calls = () if url else shown or tuple(dict.fromkeys(_calls(segment, PurePosixPath(script).name)))
    kind = "concrete_http" if url else "concrete_script"
    if segment.kind == "table_row":  # its heading and its column name each row
        named = replace(named, name=_row_name(segment) or program)
    return replace(named, url=url, method=called, subtype=kind, calls=calls)


def _unread(segment: Segment, full: str, snapshot: Snapshot) -> ToolFact | None:
    """Return the facts about a command of a code span whose use is ordered, and that no package can call."""
    for line in _shown_lines(segment) if segment.kind != "fence" else ():
        if not is_command(line) or not _is_use(segment, full, line, f"{line} "):
            continue
        words = line.split()
        path = next(iter(_SCRIPT.findall(line)), words[0] if words[0].startswith(("~", "/")) else "")
        name = PurePosixPath(path).stem or " ".join(words[: 2 if words[1].isalpha() else 1])
        is_near = PurePosixPath(path).name in snapshot.last_names
        reason = f"the source has no {path}{' in this place' if is_near else ''}"
        if not path or snapshot.has(path):
            reason = "it takes a shell to run it as it is written"
        return ToolFact(name=name, command=line, missing=reason, subtype="concrete_script")
    return None


def _with_schemes(full: str) -> str:
    """Return a text in which each address after `curl` has its scheme, `https` where none is written."""
    return _BARE_CURL.sub(r"\1https://\2", full) if "curl" in full else full


def _scripts_in(text: str, snapshot: Snapshot) -> Iterator[str]:
    """Yield the paths of scripts that a text shows, also behind `cd`, as modules and by their place elsewhere."""
    yield from _SCRIPT.findall(text)
    yield from (path for path in files_placed_in(text, snapshot) if path.endswith(SCRIPTS))
    for found in _CHANGE.finditer(text):
        yield from (posixpath.normpath(f"{found[1]}/{name}") for name in _SCRIPT.findall(found[2]))
    for module in _AS_MODULE.findall(text):
        path = module.replace(".", "/")
        yield from (f"{path}.py", f"{path}/__main__.py")


def _workspace_script(full: str, snapshot: Snapshot) -> str:
    found = (path for path in _scripts_in(full, snapshot) if snapshot.file(path) is not None)
    return next((path for path in found if not is_setup(PurePosixPath(path).stem)), "")


def _is_use(segment: Segment, full: str, target: str, command: str) -> bool:
    """Return whether a text orders the call of an address or a script, or describes its use."""
    if is_use_refused(segment):
        return False
    is_call = target.startswith("http") or command not in ("", target)
    return segment.kind == "fence" or describes_use(_as_clauses(segment, full), target, is_call=is_call)


def is_script_used(script: str, files: Iterable[SourceFile]) -> bool:
    """Return whether a text orders a run of a script, or describes its use.

    Args:
        script: The script's path.
        files: The Markdown files that may say so.
    """
    path = PurePosixPath(script)
    if is_setup(path.stem):
        return False
    for file in files:
        text = file.text or ""
        name = next((name for name in _script_names(path) if name in text), "")
        if name and any(_uses_script(segment, name) for segment in cut_segments(file)):
            return True
    return False


def script_calls(script: str, files: Iterable[SourceFile]) -> tuple[str, ...]:
    """Return the commands by which texts call a script, without those that they advise against."""
    name = PurePosixPath(script).name
    segments = (each for file in files if name in (file.text or "") for each in cut_segments(file))
    found = (call for each in segments if not is_use_refused(each) for call in _calls(each, name))
    return tuple(dict.fromkeys(found))


def shown_call(calls: Iterable[str]) -> str:
    """Return the first command that has a placeholder, or `""`."""
    return next((call for call in calls if _PLACED.search(call)), "")


def _calls(segment: Segment, name: str) -> Iterator[str]:
    """Yield the commands of a fence, or of code spans, that call a script."""
    for line in _shown_lines(segment):
        call = _CHANGED_FOLDER.sub("", line)
        if name in call and (_SHELL_LINE.search(call) or COMMAND_HEAD.match(call)):
            yield call


def _shown_lines(segment: Segment) -> list[str]:
    """Return the lines of a fence, else the code spans, without the sign of a prompt."""
    text = _CONTINUED.sub(" ", "\n".join(segment.lines))
    lines = text.split("\n") if segment.kind == "fence" else _CODE.findall(text)
    return [line.strip().removeprefix("$ ") for line in lines]


def _program_calls(segment: Segment) -> tuple[str, tuple[str, ...]]:
    """Return the first program of the machine that a fence or code spans call, and the commands that call it."""
    calls = [call for line in _shown_lines(segment) if (call := program_call(line, segment))]
    names = [call.name for call in calls]
    return names[0] if names else "", tuple(
        dict.fromkeys(call.line for call in calls if call.name == names[0])
    )


def _script_names(path: PurePosixPath) -> tuple[str, ...]:
    """Return the names by which a text may mean a script; a stem of one plain word means too many other things."""
    module = ".".join(path.with_suffix("").parts)
    return (
        (path.name, path.stem, f"-m {module}")
        if re.search("[_-]", path.stem)
        else (path.name, f"-m {module}")
    )


def _uses_script(segment: Segment, name: str) -> bool:
    if is_use_refused(segment):
        return False
    form = _GRANT if segment.kind == "frontmatter" else _SHELL_LINE
    if any(name in line and form.search(_CHANGED_FOLDER.sub("", line.strip())) for line in segment.lines):
        return True
    text = _as_clauses(segment, "\n".join(segment.lines))
    return (
        segment.kind not in _VERBATIM
        and name in text
        and describes_use(text, name, is_call=_shows_call(text, name))
    )


def _shows_call(text: str, name: str) -> bool:
    """Return whether a code span calls a script with an interpreter or arguments."""
    spans = [code for code in _CODE.findall(text) if name in code]
    return any(COMMAND_HEAD.match(code) or " " in code.partition(name)[2] for code in spans)


def is_use_refused(segment: Segment) -> bool:
    """Return whether what introduces a text forbids what it shows, or speaks of the past."""
    above = (
        segment.lines[:1] if segment.lines[:1] and segment.lines[0].lstrip().startswith(("#", "//")) else ()
    )
    marked = [line for line in segment.lines if has_example_mark(line)]
    near = (*marked, *above, segment.lead_in, *reversed(segment.context), *reversed(segment.section[1:]))
    if is_bad_example(near):
        return True
    return any(map(refuses_use, (*segment.context, segment.lead_in))) or any(
        map(refuses_below, segment.section[1:] or segment.section)
    )


def _as_clauses(segment: Segment, full: str) -> str:
    """Return a text as it is judged: a table's row as `column: cell` pairs, defaults for variables of a shell."""
    if segment.kind != "table_row":
        return _WITH_DEFAULT.sub(r"\1", segment.text) or full
    names = (*segment.header, *[""] * len(segment.cells))
    return "; ".join(
        f"{name}: {cell}" if name else cell for name, cell in zip(names, segment.cells, strict=False)
    )


def _request(full: str, first_address: str) -> tuple[str, str]:
    """Return the address and method of the request that a text shows, both `""` if it shows none."""
    if curl := _curl_call(full):
        address = next(found.rstrip(".,;:") for found in _URL.findall(curl))
        end = address.partition("?")[0].rstrip("/").rpartition("/")[2]
        is_partial = "$(" in address or _SAVED.search(curl) or is_setup(end)
        return ("", "") if is_partial else (address, _curl_method(curl))
    method = _METHOD.search(full)
    return (first_address, next(filter(None, method.groups()))) if method else ("", "")


def named_scripts(snapshot: Snapshot) -> Iterator[str]:
    """Yield the scripts that a workspace's tool guidance names; they are packaged with the tool, in any folder."""
    for file in snapshot.files:
        name, text = file.path.rpartition("/")[2], file.text or ""
        shows = any(map(text.__contains__, (*SCRIPTS, " -m ")))
        if shows and (name in TOOL_TEXTS or file.path == snapshot.primary):
            yield from (path for path in _scripts_in(text, snapshot) if snapshot.has(path))


def _curl_call(full: str) -> str:
    """Return the first curl command with an address in a text, with continued lines joined, or `""`."""
    if "curl" not in full or _INSTALLER.search(full):
        return ""
    found = _CURL.search(_CONTINUED.sub(" ", full))
    if found is None or not _URL.search(found[0]):
        return ""
    return _HEADER_HOLE.sub(_named_hole, found[0])


def _named_hole(hole: re.Match[str]) -> str:
    name = re.sub(r"\W+", "_", hole["name"]).upper()
    return f"{hole['header']}${name}"


def _curl_method(curl: str) -> str:
    """Return the HTTP method of a curl command: the one it names, or the one that its other options imply."""
    named = _CURL_METHOD.search(curl)
    if named:
        return named[1]
    curl = _SUBSTITUTION.sub("", curl)  # `-d` in "$(date -d yesterday)" isn't curl's
    return next((method for method, option in _CURL_IMPLIED if option.search(curl)), "GET")


def _name(segment: Segment, text: str) -> str:
    heading = _tool_heading(segment)
    if heading:
        return heading
    code = re.match(r"^[*_]{0,2}`([^`\n]{1,60})`", segment.text)
    if code and not COMMAND_HEAD.match(code[1]):
        return code[1]
    if code:  # a command calls the tool; its purpose follows
        purpose = plain_text(segment.text[code.end() :]).strip(" *_:：—–-.")
        return purpose if 0 < len(purpose.split()) <= LONGEST_PURPOSE else ""
    bold = re.match(r"^(?:\*\*|__)([^*_\n]{1,60})(?:\*\*|__)", segment.text)
    if bold:
        return plain_text(bold[1]).rstrip(":：")
    label = re.match(r"^([^:：.!?\n]{1,40})[:：]", text)
    return label[1].strip() if label and len(label[1].split()) <= 4 else ""


def _row_name(segment: Segment) -> str:
    """Return the first cell of a table's row if it can be a tool's name, or `""`."""
    cell = plain_text(segment.cells[0])
    is_name = 0 < len(cell.split()) <= LONGEST_PURPOSE and "/" not in cell and not COMMAND_HEAD.match(cell)
    return cell if is_name else ""


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
        if curl := _curl_call(full):
            return curl
        lines = _CONTINUED.sub(" ", "\n".join(segment.lines)).split("\n")
        first = next(
            (line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")), ""
        )
        return first.removeprefix("$ ") if COMMAND_HEAD.match(first) else ""
    return next((code.removeprefix("$ ") for code in _CODE.findall(full) if COMMAND_HEAD.match(code)), "")


def _script_call(full: str, script: str) -> str:
    """Return the code span that calls a workspace script with its arguments, or `""`."""
    if not script:
        return ""
    return next((code for code in _CODE.findall(full) if code.removeprefix("./").split(" ")[0] == script), "")
