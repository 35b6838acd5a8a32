"""Bundled scripts and declared commands, run without a shell, with time-outs and typed errors.

Static module of melleafy-tui 0.2.0: identical in every package of that release that has
it, not to be edited.
"""

import os
import re
import selectors
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from pathlib import Path
from time import monotonic

from .tools_common import Policy, ToolError, ToolRefused, ToolTimeout, canned_answer

__all__ = ["ToolError", "ToolRefused", "ToolTimeout", "run_program", "run_script"]

MAX_BYTES = 1_000_000
END_SECONDS = 1.0
"""How long a program that was told to end is waited for."""
SCRIPTS = Path(__file__).parents[1] / "scripts"
Part = str | int | float | Decimal
"""A value in a command."""

PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "SYSTEMROOT")
"""Environment variables that every program gets; others only where they are named."""

INTERPRETERS = {
    ".py": (sys.executable,),
    ".sh": ("sh",),
    ".bash": ("bash",),
    ".zsh": ("zsh",),
    ".js": ("node",),
    ".mjs": ("node",),
    ".ts": ("node",),
    ".rb": ("ruby",),
    ".pl": ("perl",),
}
"""The command that runs a script, by its suffix."""

_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_BASH = re.compile(rb"#![^\n]*\bbash\b")


def run_script(
    name: str,
    words: Sequence[str] = (),
    *,
    parts: Mapping[str, Part | None] | None = None,
    extra: str = "",
    stdin: str = "",
    variables: Iterable[str] = (),
    denied: Policy | None = None,
    timeout: float = 20.0,
) -> str:
    """Run a script of scripts/ and return what it prints; see run_program() for the rest.

    Args:
        name: The path below scripts/.
        words: Its arguments as the source writes them; `{name}` stands for a part.
        parts: The values of `{name}`.
        extra: A free request; its words are further arguments.
        stdin: What the script reads.
        variables: Environment variables that it gets besides PASSED_ON.
        denied: Says which rule denies a command.
        timeout: Seconds for the whole run.

    """
    script = SCRIPTS / name
    if not script.is_file() or not script.resolve().is_relative_to(SCRIPTS.resolve()):
        raise ToolError(f"{name} is not in the package's scripts/")
    interpreter = INTERPRETERS.get(script.suffix, ())
    if script.suffix == ".sh" and _BASH.match(script.read_bytes()[:200]):
        interpreter = ("bash",)
    given = [*_filled(words, parts or {}), *_words(extra)]
    return _run(
        [*interpreter, str(script), *given],
        shown=[name, *given],
        stdin=stdin,
        variables=variables,
        denied=denied,
        timeout=timeout,
    )


def run_program(
    words: Sequence[str],
    *,
    parts: Mapping[str, Part | None] | None = None,
    extra: str = "",
    stdin: str = "",
    variables: Iterable[str] = (),
    denied: Policy | None = None,
    timeout: float = 20.0,
) -> str:
    """Run a program that the source names and return what it prints.

    Args:
        words: The command as the source writes it; `{name}` stands for a part. A word
            whose part is None is left out.
        parts: The values of `{name}`; none may begin an option.
        extra: A free request; its words are further arguments.
        stdin: What the program reads.
        variables: Environment variables that it gets besides PASSED_ON.
        denied: Says which rule denies a command.
        timeout: Seconds for the whole run.

    Raises:
        ToolRefused: a rule denies the command, or a value looks like an option.
        ToolTimeout: the program does not end in time.
        ToolError: it is missing, fails, or prints more than MAX_BYTES.

    """
    command = [*_filled(words, parts or {}), *_words(extra)]
    return _run(
        command,
        shown=command,
        stdin=stdin,
        variables=variables,
        denied=denied,
        timeout=timeout,
    )


def _filled(words: Sequence[str], parts: Mapping[str, Part | None]) -> list[str]:
    """Return the words with their parts.

    A part is never split, and never begins an option.
    """
    found: list[str] = []
    for word in words:
        names = _PLACEHOLDER.findall(word)
        missing = [name for name in names if name not in parts]
        if missing:
            raise ToolError(f"{words[0]}: there is no value for {missing[0]}")
        if any(parts[name] is None for name in names):
            continue
        text = _PLACEHOLDER.sub(lambda match: _plain(parts[match[1]]), word)
        if text.startswith("-") and not word.startswith("-"):
            raise ToolRefused(f"{text!r} looks like an option and is not passed on")
        found.append(text)
    return found


def _plain(part: Part | None) -> str:
    """Return a value as it stands in a command."""
    return str(part).lower() if isinstance(part, bool) else str(part)


def _words(request: str) -> list[str]:
    """Return the words of a free request, none of which may look like an option."""
    try:
        words = shlex.split(request)
    except ValueError:
        words = [request]
    for word in words:
        if word.startswith("-"):
            raise ToolRefused(f"{word!r} looks like an option and is not passed on")
    return words


def _run(
    command: list[str],
    *,
    shown: list[str],
    stdin: str,
    variables: Iterable[str],
    denied: Policy | None,
    timeout: float,
) -> str:
    """Run a command in a process group of its own, and end the group with it."""
    name, line = shown[0], shlex.join(shown)
    lines = (line, shlex.join(command))
    rules = (denied("Bash", each) for each in lines) if denied else ()
    if rule := next(filter(None, rules), ""):
        raise ToolRefused(f"{rule} denies {name}")
    known, answer = canned_answer(line)
    if known:
        return str(answer)
    try:
        given = stdin.encode()
    except UnicodeEncodeError as error:
        raise ToolError(f"{name}: {error.reason}") from None
    process = _started(name, command, piped=bool(given), variables=variables)
    try:
        printed, complaint = _output(process, given, timeout)
    except TimeoutError as error:
        raise ToolTimeout(f"{name}: {error}") from error
    except OSError as error:
        raise ToolError(f"{name}: {error}") from error
    finally:
        _end(process)
    if process.returncode:
        last = complaint.strip().rpartition("\n")[2][:300]
        raise ToolError(f"{name} ended with {process.returncode}: {last}")
    return printed


def _started(
    name: str,
    command: list[str],
    *,
    piped: bool,
    variables: Iterable[str],
) -> "subprocess.Popen[bytes]":
    """Start a command with the few environment variables that it needs, or raise ToolError."""
    passed = (*PASSED_ON, *variables)
    try:
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE if piped else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={key: os.environ[key] for key in passed if key in os.environ},
            start_new_session=True,
        )
    except FileNotFoundError as error:
        raise ToolError(f"{name}: {command[0]} is not installed") from error
    except (OSError, ValueError) as error:
        raise ToolError(f"{name}: {error}") from error


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End a program and what it started; one of another user may refuse, and is left."""
    with suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(END_SECONDS)


def _output(
    process: "subprocess.Popen[bytes]",
    stdin: bytes,
    timeout: float,
) -> tuple[str, str]:
    """Return what a program prints on standard output and standard error.

    A child that outlives the program and keeps its pipes open is not waited for.
    """
    deadline = monotonic() + timeout
    with selectors.DefaultSelector() as selector:
        pipes = _Pipes(process, stdin, selector)
        while selector.get_map():
            ended = process.poll() is not None
            ready = selector.select(0 if ended else 0.05)
            for key, _ in ready:
                pipes.serve(key.fd)
            if monotonic() > deadline:
                raise TimeoutError("it does not end in time")
            if ended and not ready:
                break
    try:
        process.wait(max(0.0, deadline - monotonic()))
    except subprocess.TimeoutExpired as error:
        raise TimeoutError("it does not end in time") from error
    out, complaint = (
        text.decode("utf-8", "replace") for text in pipes.printed.values()
    )
    return out, complaint


class _Pipes:
    """The pipes of a program."""

    def __init__(
        self,
        process: "subprocess.Popen[bytes]",
        stdin: bytes,
        selector: selectors.BaseSelector,
    ) -> None:
        """Wait for what the program prints, and for when it reads."""
        self.printed: dict[int, bytes] = {}
        self._stdin, self._rest, self._selector = process.stdin, stdin, selector
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                self.printed[pipe.fileno()] = b""
                selector.register(pipe.fileno(), selectors.EVENT_READ)
        if self._stdin is not None:
            os.set_blocking(self._stdin.fileno(), False)
            selector.register(self._stdin.fileno(), selectors.EVENT_WRITE)

    def serve(self, pipe: int) -> None:
        """Read from a pipe that has something, or write to the one that the program reads."""
        if pipe not in self.printed:
            self._write(pipe)
            return
        part = os.read(pipe, 65536)
        self.printed[pipe] += part
        if not part:
            self._selector.unregister(pipe)
        if len(self.printed[pipe]) > MAX_BYTES:
            raise OSError(f"it prints more than {MAX_BYTES} bytes")

    def _write(self, pipe: int) -> None:
        """Write what the program takes, and close the pipe at the end."""
        try:
            self._rest = self._rest[os.write(pipe, self._rest[:65536]) :]
        except BrokenPipeError:
            self._rest = b""
        if not self._rest and self._stdin is not None:
            self._selector.unregister(pipe)
            self._stdin.close()
