# Static module of melleafy-tui 0.2.0, not to be edited.
"""Bundled scripts and programs, run without a shell, with a deadline and typed errors."""

import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from time import monotonic, sleep
from typing import IO, TypedDict, Unpack

from .tools_common import Policy, ToolError, ToolRefused, ToolTimeout, canned_answer

MAX_BYTES = 1_000_000
SECONDS = 20.0
"""How long a run may take."""
END_SECONDS = 1.0
"""How long a script that was told to end is waited for."""
PACKAGE = Path(__file__).parents[1]
SCRIPTS = PACKAGE / "scripts"

PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "SYSTEMROOT")
"""Environment variables that every script gets; others only where they are named."""

INTERPRETERS = {
    ".py": (sys.executable,),
    ".sh": ("sh",),
    ".bash": ("bash",),
    ".zsh": ("zsh",),
    ".js": ("node",),
    ".mjs": ("node",),
    ".cjs": ("node",),
    ".ts": ("node",),
    ".rb": ("ruby",),
    ".pl": ("perl",),
}
"""The command that runs a script, by its suffix."""


class Call(TypedDict, total=False):
    """What a call of a script or program takes by name.

    Args:
        parts: The values of `{name}`; none is split or begins an option. None has no
            word, and a list one for each of its values.
        options: The values of options; one that is empty or False is left out. Each value
            of a list has the option before it, those of a tuple follow it at once.
        extra: A free request; its words are further arguments.
        variables: Environment variables that it gets besides PASSED_ON.
        denied: Says which rule denies a command.
        timeout: The most seconds of the whole run instead of SECONDS.
    """

    parts: Mapping[str, object]
    options: Mapping[str, object]
    extra: str
    variables: Iterable[str]
    denied: Policy | None
    timeout: float


def run_script(name: str, words: Sequence[str] = (), **how: Unpack[Call]) -> str:
    """Run a carried script and return what it prints.

    Args:
        name: The path below scripts/, or in the package.
        words: Its arguments as the source writes them; `{name}` stands for a part, and
            `{options}` for all options.
        **how: As `Call` says.

    Raises:
        ToolRefused: a rule denies the command, or a value looks like an option.
        ToolTimeout: the script does not end in time.
        ToolError: it is missing, fails, or prints more than MAX_BYTES.
    """
    script = next((p for p in (SCRIPTS / name, PACKAGE / name) if p.is_file()), None)
    if script is None or not script.resolve().is_relative_to(PACKAGE.resolve()):
        raise ToolError(f"{name} is not in the package")
    interpreter = INTERPRETERS.get(script.suffix, ())
    if script.suffix == ".sh" and re.match(
        rb"#![^\n]*\bbash\b", script.read_bytes()[:200]
    ):
        interpreter = ("bash",)
    return _run(name, [*interpreter, str(script)], words, how)


def run_program(program: str, words: Sequence[str] = (), **how: Unpack[Call]) -> str:
    """Run a program of this machine, found where the system looks, as run_script() does."""
    return _run(program, [program], words, how)


def _run(name: str, start: Sequence[str], words: Sequence[str], how: Call) -> str:
    parts, options = how.get("parts", {}), how.get("options", {})
    given = [*_filled(words, parts, options), *_words(how.get("extra", ""))]
    command, line = [*start, *given], shlex.join([name, *given])
    denied = how.get("denied")
    rules = (denied("Bash", each) for each in (line, shlex.join(command)) if denied)
    if rule := next(filter(None, rules), ""):
        raise ToolRefused(f"{rule} denies {name}")
    known, answer = canned_answer(line)
    if known:
        return str(answer)
    passed_on = (*PASSED_ON, *how.get("variables", ()))
    with TemporaryFile() as out, TemporaryFile() as complaint:
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=complaint,
                env={key: os.environ[key] for key in passed_on if key in os.environ},
                start_new_session=True,
            )
        except FileNotFoundError as error:
            raise ToolError(f"{name}: {command[0]} is not installed") from error
        except (OSError, ValueError) as error:
            raise ToolError(f"{name}: {error}") from error
        try:
            deadline = monotonic() + how.get("timeout", SECONDS)
            _wait(process, name, (out, complaint), deadline)
        finally:
            _end(process)
        if process.returncode:
            last = _text(complaint).strip().rpartition("\n")[2][:300]
            raise ToolError(f"{name} ended with {process.returncode}: {last}")
        return _text(out)


def _filled(
    words: Sequence[str], parts: Mapping[str, object], options: Mapping[str, object]
) -> list[str]:
    """Return the words with their parts and options."""
    found = []
    for word in words:
        if word == "{options}":
            found += [each for pair in options.items() for each in _option(*pair)]
            continue
        whole = parts.get(word[1:-1], "")
        if whole is None or isinstance(whole, list):
            found += [_value(str(each)) for each in whole or ()]
            continue
        text = re.sub(r"\{(\w+)\}", lambda match: str(parts[match[1]]), word)
        found.append(text if word.startswith("-") else _value(text))
    return found


def _option(name: str, value: object) -> list[str]:
    """Return the words of an option: none where it is left out, its name alone for True."""
    if value is True:
        return [name]
    if isinstance(value, list):
        return [word for each in value for word in (name, _value(str(each)))]
    if isinstance(value, tuple):
        return [name, *(_value(str(each)) for each in value)] if value else []
    left_out = value is None or value is False or value == ""
    return [] if left_out else [name, _value(str(value))]


def _value(text: str) -> str:
    """Return a value that a script can't take for an option."""
    if text.startswith("-") and not re.fullmatch(r"-\d+(\.\d+)?", text):
        raise ToolRefused(f"{text!r} looks like an option and is not passed on")
    return text


def _words(request: str) -> list[str]:
    """Return the words of a free request, none of which may look like an option."""
    try:
        words = shlex.split(request)
    except ValueError:
        words = [request]
    return [_value(word) for word in words]


def _wait(
    process: "subprocess.Popen[bytes]",
    name: str,
    printed: Sequence[IO[bytes]],
    deadline: float,
) -> None:
    """Wait for a script's end, but not for what it leaves running."""
    while True:
        ended = process.poll() is not None
        if any(os.fstat(each.fileno()).st_size > MAX_BYTES for each in printed):
            raise ToolError(f"{name}: it prints more than {MAX_BYTES} bytes")
        if ended:
            return
        if monotonic() > deadline:
            raise ToolTimeout(f"{name}: it does not end in time")
        sleep(0.02)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End a script and what it started; one of another user may refuse, and is left."""
    with suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    with suppress(subprocess.TimeoutExpired):
        process.wait(END_SECONDS)


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "replace")
