# Static module of melleafy-tui 0.2.0, not to be edited.
"""Permission rules such as `Bash(git push:*)`, matched against calls of tools.

Matching is strict: a call that might be meant by a rule counts as matching.
"""

import posixpath
import re
from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase
from functools import partial
from unicodedata import normalize
from urllib.parse import unquote

READING = ("Glob", "Grep", "LS", "NotebookRead", "Read", "WebFetch", "WebSearch")
"""Tools that only read; a rule `*` that wants every call confirmed leaves them out."""

SAME_ACCESS = {
    "Read": ("Grep", "Glob", "LS", "NotebookRead"),
    "Edit": ("Write", "MultiEdit", "NotebookEdit"),
}
"""Other tools that a rule for reading or editing holds for."""

MOST_OPTIONS = 8
"""Options before a command, or before its first argument, that are looked at."""


Policy = Callable[[str, str], str]
"""Takes a tool and a request; returns the rule that holds for the call, or ""."""


def denying(*rules: str) -> Policy:
    """Return what says which rule covers a call."""
    return partial(covering_rule, rules)


def confirming(*rules: str) -> Policy:
    """Return what says which rule wants a call confirmed."""
    return partial(asking_rule, rules)


def granting(*rules: str) -> Policy:
    """Return what says which rule allows a call."""
    return partial(allowing_rule, rules)


def covering_rule(rules: Iterable[str], tool: str, request: str) -> str:
    """Return the first rule that covers a call of a tool with a request, or ""."""
    return next((rule for rule in rules if rule_covers(rule, tool, request)), "")


def asking_rule(rules: Iterable[str], tool: str, request: str) -> str:
    """Return the first rule that wants a call confirmed, or "".

    `*` leaves out reading.
    """
    wanted = (rule for rule in rules if rule != "*" or tool not in READING)
    return covering_rule(wanted, tool, request)


def allowing_rule(rules: Iterable[str], tool: str, request: str) -> str:
    """Return a rule that allows a call, or ""; each command and each host needs one."""
    listed = tuple(rules)
    if tool == "WebFetch":
        hosts = [f"https://{host}" for host in hosts_in(request)] or [request]
        found = [covering_rule(listed, tool, host) for host in hosts]
    elif tool == "Bash":
        parts = re.split(r"&&|\|\||[;|&\n\r`(){}]|\$\(", request)
        found = [_command_rule(listed, part) for part in parts if part.strip()]
    else:
        found = [covering_rule(listed, tool, request)]
    return found[0] if found and all(found) else ""


def _command_rule(rules: Iterable[str], command: str) -> str:
    """Return the first rule that allows one command of a shell, or ""."""
    return next((rule for rule in rules if _allows(rule, command)), "")


def _allows(rule: str, command: str) -> bool:
    """Return whether a rule allows one command of a shell, exactly as it stands."""
    named, inside = rule_parts(rule)
    if named != "Bash" or not inside:
        return named == "Bash"
    redirects = set("<>") & set(command) - set(inside)
    return not redirects and command_covers(inside, " ".join(command.split()))


def rule_parts(rule: str) -> tuple[str, str]:
    """Return tool and specifier of `Tool(specifier)`; `*` alone says nothing."""
    tool, opened, rest = rule.strip().partition("(")
    inside = rest.rstrip().removesuffix(")").strip() if opened else ""
    return tool.strip(), "" if inside in ("*", ":*") else inside


def rule_covers(rule: str, tool: str, request: str) -> bool:
    """Return whether a call of a tool with a request falls under a permission rule."""
    named, inside = rule_parts(rule)
    if named.split("__")[0] == "mcp":
        return server_rule_covers(named, tool, request)
    if named in ("Read", "Edit", "Write", "MultiEdit", "NotebookEdit") and inside:
        return file_rule_covers(named, inside, tool, request)
    if named == "WebFetch" and inside.startswith("domain:"):
        domain = inside.removeprefix("domain:").strip()
        return any(domain_covers(domain, host) for host in hosts_in(request))
    if not fnmatchcase(tool, named):
        return tool in SAME_ACCESS.get(named, ())
    return not inside or specifier_covers(named, inside, request)


def server_rule_covers(named: str, tool: str, request: str) -> bool:
    """Return whether a call falls under a rule such as `mcp__server__tool`."""
    pattern = named if named.count("__") > 1 else f"{named}__*"
    called = [tool]
    if tool.endswith("__*"):
        words = re.split(r"\W+", request)
        called += [f"{tool[:-1]}{word}" for word in words if word]
    return any(fnmatchcase(name, pattern) for name in called)


def specifier_covers(named: str, inside: str, request: str) -> bool:
    """Return whether a request falls under the specifier of a rule for its tool."""
    if named == "Bash":
        exact = any(command_covers(inside, part) for part in commands_in(request))
        return exact or script_covers(inside, request)
    patterns = (inside, inside.partition(":")[2].strip() or inside)
    words = [request.strip(), *re.split(r"[\s\"',{}\[\]]+", request)]
    return any(fnmatchcase(word, found) for word in words for found in patterns)


def commands_in(line: str) -> list[str]:
    """Return the commands of a shell line: parts of a chain, subshells, `sh -c` texts.

    What only wraps a command is dropped: assignments, `sudo`, `timeout 5`, a path. So
    are quotes, and options between a program and the word after them.
    """
    quoted = r"(?:\s-\w{0,9}c|<<<)\s*\$?[\"'](.+?)[\"']"
    plain = re.sub(r"\\\n|\$\{?IFS\}?", " ", line)
    pending = [line, *re.findall(quoted, line), re.sub(r"[\"'\\]", "", plain)]
    pending += re.findall(r"\s-(?:exec|ok)(?:dir)?\s+([^;]+)", line)
    found: list[str] = []
    for text in pending:
        for part in re.split(r"&&|\|\||[;|&\n\r`(){}]|\$\(", text):
            for words in unwrapped(part.split()):
                first = words[0].strip("\"'").lstrip("\\")
                for name in dict.fromkeys((first, posixpath.basename(first))):
                    for rest in without_options(words[1:]):
                        found.append(" ".join([name, *rest]))
    return list(dict.fromkeys(found))


def unwrapped(words: list[str]) -> list[list[str]]:
    """Return a command without what wraps it.

    An option of a wrapper may have a value, so there may be several.
    """
    names = "sudo|doas|time|timeout|nice|nohup|stdbuf|command|builtin|env|exec|eval"
    names += "|xargs|setsid|busybox|watch|then|do|else"
    wrapper = rf"{names}|!|\$|\w+=\S*|-\S+|[\d.]+[smhd]?"
    found: list[list[str]] = []
    at, option = 0, True
    while option and len(found) < MOST_OPTIONS:
        option = False
        while at < len(words) and re.fullmatch(wrapper, words[at]):
            option = words[at].startswith("-")
            at += 1
        found.append(words[at:])
        at += 1
    return [each for each in found if each]


def without_options(words: list[str]) -> list[list[str]]:
    """Return the arguments of a command as they are, and without options before them.

    An option may have a value, as in `git -C folder push`.
    """
    found, at = [words], 0
    for _ in range(MOST_OPTIONS):
        if not words[at:] or not words[at].startswith("-"):
            break
        found += [words[at + 1 :], words[at + 2 :]]
        valued = words[at + 1 : at + 3]
        has_value = len(valued) == 2 and valued[0][0] != "-" and valued[1][0] == "-"
        at += 2 if has_value else 1
    return [each for number, each in enumerate(found) if each or not number]


def script_covers(pattern: str, line: str) -> bool:
    """Return whether a shell line names the script of a rule, however it is called.

    Interpreters, wrappers, redirects, folders before the path, `-m` and wildcards don't
    matter. The words after the script in the rule must follow it.
    """
    words = re.sub(r":\*$|\s\*$", "", pattern.strip()).split()
    at = next((n for n, word in enumerate(words) if is_script(word)), None)
    if at is None:
        return False
    script, after = words[at], words[at + 1 :]
    plain = re.sub(r"\\\n|\$\{?IFS\}?", " ", line)
    for text in (line, re.sub(r"[\"'\\]", "", plain)):
        called = re.split(r"[\s\"'`,;|&<>(){}=]+", text.strip())
        for n, word in enumerate(called):
            is_module = called[n - 1 : n] == ["-m"]
            path = f"{word.replace('.', '/')}.py" if is_module else word
            follows = called[n + 1 : n + 1 + len(after)] == after
            if path and follows and same_script(script, path):
                return True
    return False


def is_script(word: str) -> bool:
    """Return whether a word of a rule is the path of a program in a project."""
    suffixes = r"\w\.(?:sh|bash|zsh|py|[cm]?[jt]s|rb|pl|php|lua|r)$"
    return "/" in word.strip("/") or bool(re.search(suffixes, word.lower()))


def same_script(script: str, path: str) -> bool:
    """Return whether two paths may be the same file: one is the end of the other."""
    outside = r"^(?:~|\$\w+)?/+"
    given, wanted = (re.sub(outside, "", each) for each in (path, script))
    found = [posixpath.normpath(each).split("/") for each in (given, wanted)]
    shared = min(map(len, found))
    if shared == 1 and not is_script(path):
        return False
    ends = zip(*(parts[-shared:] for parts in found), strict=True)
    return all(fnmatchcase(a, b) or fnmatchcase(b, a) for a, b in ends)


def command_covers(pattern: str, command: str) -> bool:
    """Return whether a command falls under `exact`, `start:*` or a pattern with `*`."""
    wanted = " ".join(pattern.split())
    prefix = wanted
    if wanted.endswith(":*"):
        prefix = wanted[:-2].rstrip()
    elif wanted.endswith(" *") and wanted.count("*") == 1:
        prefix = wanted[:-2]
    if prefix != wanted or "*" not in wanted:
        longer = prefix != wanted and command.startswith(f"{prefix} ")
        return command == prefix or longer
    return fnmatchcase(command, wanted.replace("[", "[[]").replace("?", "[?]"))


def file_rule_covers(named: str, pattern: str, tool: str, request: str) -> bool:
    """Return whether a call touches a file that a rule for files names.

    A rule for reading holds for every tool that reads, one for editing for every tool
    that writes, and both for commands.
    """
    readers = ("Read", "Grep", "Glob", "LS", "NotebookRead", "Bash")
    writers = ("Edit", "Write", "MultiEdit", "NotebookEdit", "Bash")
    if tool not in (readers if named == "Read" else writers):
        return False
    words: set[str] = set()
    for text in (request, re.sub(r"[\"'\\]", "", request)):
        found = re.split(r"[\s\"'`,;|&<>(){}=]+", text)
        words.update(found[1:] if tool == "Bash" else found)
    return any(path_covers(pattern, word) for word in sorted(words) if word)


def path_covers(pattern: str, path: str) -> bool:
    """Return whether a path falls under a pattern of the kind that `.gitignore` has.

    `./x` and `/x` stand at the top of the project, `//x` at the root of the disk, `~/x`
    in the home folder, a bare name anywhere. Where the disk's own place of the project
    is open, the end of a path counts. A path may itself have wildcards.
    """
    wanted = pattern.strip().casefold()
    given = posixpath.normpath(path.replace("\\", "/").casefold())
    anchored = wanted.startswith(("./", "/", "~/")) or "/" in wanted.rstrip("/")
    if wanted.count("*") > 6:
        wanted = wanted.partition("*")[0] + "**"
    whole = wanted.startswith("//")
    wanted = re.sub(r"^(?:\./|~/|//|/)", "", wanted).rstrip("/")
    given = re.sub(r"^(?:~/|/)", "", given) if whole or path[:1] != "/" else given
    outside = path[:1] in ("/", "~", "$") or given.startswith("../")
    before = "" if anchored and not outside else "(?:.*/)?"
    if re.fullmatch(f"{before}{glob_body(wanted)}(?:/.*)?", given, re.DOTALL):
        return True
    return may_be_named(given, wanted)


def glob_body(pattern: str) -> str:
    """Return the regular expression for a pattern with `*`, `**` and `?`."""
    pieces = re.split(r"(\*\*/|\*\*|\*|\?)", pattern)
    marks = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return "".join(marks.get(piece, re.escape(piece)) for piece in pieces)


def may_be_named(path: str, literal: str) -> bool:
    """Return whether a path with wildcards can stand for a name without any."""
    if "*" in literal or "?" in literal:
        return False
    return any(wildcard in path for wildcard in "*?[") and fnmatchcase(literal, path)


def hosts_in(text: str) -> list[str]:
    """Return the hosts of the addresses in a text, in lower case, without ports."""
    start = r"(?i)(?:\b[a-z][a-z0-9+.-]{0,20}://|\bhttps?:/*|(?<![:\w])//)"
    pattern = rf"{start}(?:[^\s/@?#]{{0,300}}@)?([^\s/?#:\"'<>)\]]+)"
    # As browsers read an address; as it stands, it may be meant for another reader.
    read = unquote(normalize("NFKC", text)).replace("\\", "/").replace("\u3002", ".")
    hosts = [host for each in (text, read) for host in re.findall(pattern, each)]
    found = list(dict.fromkeys(host.casefold().rstrip(".") for host in hosts))
    bare = text.strip().casefold()
    if re.fullmatch(r"[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:/\S*)?", bare):
        found.append(re.split(r"[:/]", bare)[0])
    return found


def domain_covers(domain: str, host: str) -> bool:
    """Return whether a host is a domain or lies under it; `*` stands for any text."""
    wanted = domain.casefold().rstrip(".")
    if wanted.startswith("*."):
        return host.endswith(wanted[1:])
    return fnmatchcase(host, wanted) or host.endswith(f".{wanted}")


def find_call(reply: str, rule: str) -> str:
    """Return the first call in a reply that falls under a permission rule, or "".

    Calls are the lines of code fences, code spans of two words or more, and what is
    written as `Tool(request)`; an address counts wherever it stands.
    """
    for command in commands_shown(reply):
        if rule_covers(rule, "Bash", command):
            return command
    for tool, request in re.findall(r"\b([A-Za-z]\w*)\(([^()\n]{1,300})\)", reply):
        if rule_covers(rule, tool, request):
            return f"{tool}({request})"
    if rule_parts(rule)[0] == "WebFetch":
        for address in re.findall(r"(?i)\bhttps?://[^\s\"'<>)\]`]+", reply):
            if rule_covers(rule, "WebFetch", address):
                return str(address)
    return ""


def commands_shown(reply: str) -> list[str]:
    """Return the lines of code fences, and code spans of two words, without prompts."""
    fenced = r"(?ms)^[ \t]*(?:```|~~~)[^\n]*\n(.*?)(?:^[ \t]*(?:```|~~~)|\Z)"
    lines = [line for fence in re.findall(fenced, reply) for line in fence.splitlines()]
    spans = re.findall(r"`([^`\n]+)`", reply)
    shown = [*lines, *(span for span in spans if len(span.split()) > 1)]
    commands = [re.sub(r"^\s*(?:\$|>|#)\s+", "", line).strip() for line in shown]
    return [command for command in commands if command]


def shows_no_call(rule: str) -> Callable[[str], str]:
    """Forbid showing a call that falls under a permission rule.

    It is a check like those in checks.py.
    """

    def check(reply: str) -> str:
        found = find_call(reply, rule)
        return f"{rule} denies {found!r}" if found else ""

    return check
