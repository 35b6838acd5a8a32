"""Prints for all commands: results on standard output, messages on standard error, no control characters."""

import json
import os
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from time import perf_counter
from typing import Final, TextIO

from melleafy_tui.cli.tables import laid_out
from melleafy_tui.core.errors import MelleafyError, OutputRefused
from melleafy_tui.core.models.visible_text import visible

_BAR_WIDTH: Final = 24
MOST_COMMANDS: Final = 20
"""Command lines that an error lists; its JSON document has all of them."""


class Console:
    """Prints the results and messages of one command.

    Attributes:
        json: Whether standard output holds one JSON document and nothing else.
        quiet: Whether only errors are printed, and what a decisions file does.
        verbose: Whether details are printed.
        color: Whether headings are bold.
        debug: Whether to print tracebacks.
        wide: Whether tables are printed whole.
        width: Cells of a table's line; None stands for those of the terminal, and for no limit elsewhere.
        out: Standard output.
        messages: Standard error.
        documents: How many JSON documents were printed; a command prints exactly one.
    """

    def __init__(
        self,
        *,
        json: bool = False,
        quiet: bool = False,
        verbose: bool = False,
        color: bool = False,
        debug: bool = False,
        wide: bool = False,
        width: int | None = None,
        out: TextIO,
        messages: TextIO,
    ) -> None:
        self.json = json
        self.quiet = quiet
        self.verbose = verbose
        self.color = color
        self.debug = debug
        self.wide = wide
        self.width = width
        self.out = out
        self.messages = messages
        self.documents = 0

    def saying_to(self, messages: TextIO) -> "Console":
        """Return a copy of this console that writes messages to another stream."""
        twin = Console(out=self.out, messages=messages)
        vars(twin).update({**vars(self), "messages": messages})
        return twin

    def line(self, text: str = "") -> None:
        """Print one line of a result, unless JSON is requested or only errors are printed."""
        if not (self.json or self.quiet):
            show(visible(text), self.out)

    def lines(self, block: str, *, always: bool = False) -> None:
        """Print several lines of a result whose line breaks are ours or those of a file that is shown.

        Args:
            block: The lines.
            always: Whether they are printed even if only errors are, because they are what was asked for.
        """
        if always or not (self.json or self.quiet):
            show(visible(block, block=True), self.out)

    def heading(self, text: str) -> None:
        """Print a heading of a result."""
        if not (self.json or self.quiet):
            shown = visible(text)
            show(f"\x1b[1m{shown}\x1b[0m" if self.color else shown, self.out)

    def table(
        self,
        rows: Sequence[Sequence[str]],
        *,
        indent: str = "  ",
        whole: Collection[int] = (),
        short: Mapping[int, Callable[[str], str]] | None = None,
    ) -> None:
        """Print rows in columns; on a terminal the widest columns are cut until a row fits its width.

        Args:
            rows: The cells of each row.
            indent: What each line begins with.
            whole: Columns that are cut last.
            short: The short forms of columns, used where the rows don't fit.
        """
        if self.json or self.quiet or not rows:
            return
        shown = [[visible(cell) for cell in row] for row in rows]
        for line in laid_out(shown, indent=indent, width=self._room(), whole=whole, short=short):
            show(line, self.out)

    def _room(self) -> int | None:
        """Return the cells that a line of a table may take, None if there is no limit."""
        if self.wide or self.width is not None or not self.out.isatty():
            return None if self.wide else self.width
        import shutil  # it takes as long to import as this module

        return shutil.get_terminal_size().columns

    def document(self, document: object) -> None:
        """Print the result as a JSON document, if JSON is requested."""
        if not self.json:
            return
        from melleafy_tui.cli.json_documents import written  # most commands print no document

        self._print_document(written(document))

    def object(self, value: object) -> None:
        """Print a JSON document even without `--json`, in ASCII, so that it can't control the terminal."""
        self._print_document(json.dumps(value, indent=2).encode("ascii"))

    def _print_document(self, text: bytes) -> None:
        # The delete character is the only ASCII control character that JSON leaves unescaped, in strings only.
        show(text.decode("ascii").replace("\x7f", "\\u007f"), self.out)
        self.documents += 1

    def message(self, text: str, *, always: bool = False) -> None:
        """Print one line on standard error; a line break in it, which a source may hold, is shown as a sign.

        Args:
            text: The line.
            always: Whether it is printed even if only errors are.
        """
        if always or not self.quiet:
            show(visible(text), self.messages)

    def detail(self, text: str) -> None:
        """Print a detail of one line on standard error, if `--verbose` is given."""
        if self.verbose:
            show(visible(text), self.messages)

    @contextmanager
    def timed(self, what: str) -> Iterator[None]:
        """Tell as a detail how long the block took.

        Args:
            what: What the block does.
        """
        started = perf_counter()
        yield
        self.detail(f"time: {what}, {perf_counter() - started:.3f} s")

    def warning(self, text: str) -> None:
        """Print a warning on standard error."""
        self.message(f"warning: {text}")

    def error(self, error: MelleafyError) -> None:
        """Print an error: what happened, where, and what to do."""
        show(visible(f"error: {error}"), self.messages)
        shown = error.commands[:MOST_COMMANDS]
        width = max((len(command) for command, _ in shown), default=0)
        for command, about in shown:
            show(visible(f"  {command:<{width}}  {about}"), self.messages)
        if len(error.commands) > len(shown):
            show(f"  … and {len(error.commands) - len(shown)} more; `detect` lists all", self.messages)

    def progress(self, done: int, total: int, what: str) -> None:
        """Draw a progress bar on a terminal; print nothing when piped."""
        if self.quiet or not self.messages.isatty():
            return
        filled = _BAR_WIDTH * done // max(total, 1)
        bar = "█" * filled + "·" * (_BAR_WIDTH - filled)
        end = "\n" if done >= total else ""
        show(f"\r\x1b[2K{bar} {done}/{total} {visible(what)[:60]}", self.messages, end)
        flush(self.messages)


def show(text: str, stream: TextIO, end: str = "\n") -> None:
    """Print to a stream; if its reader has gone (`… | head`), drop this and all later output.

    The command then goes on, so that its exit status is that of its work.

    Raises:
        OutputRefused: the stream can't be written for another reason, such as a full disk.
    """
    with _written(stream):
        print(text, file=stream, end=end)


def flush(stream: TextIO) -> None:
    """Flush a stream; raises as `show` does."""
    with _written(stream):
        stream.flush()


@contextmanager
def _written(stream: TextIO) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        _drop_output(stream)
    except OSError as error:
        _drop_output(stream)
        if stream is not sys.stderr:
            raise OutputRefused(
                f"The output can't be written: {(error.strerror or type(error).__name__).lower()}",
                hint="Check where standard output goes.",
            ) from error


def _drop_output(stream: TextIO) -> None:
    """Redirect a stream to null, so that neither the next line nor the flush at exit fails."""
    with suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)


def in_browser(environment: Mapping[str, str]) -> bool:
    """Return whether `serve` started this process; it names the driver that talks to the page."""
    return environment.get("TEXTUAL_DRIVER", "").endswith(":WebDriver")


def on_terminal() -> bool:
    """Return whether the user can be asked questions."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def wants_lines(environment: Mapping[str, str]) -> bool:
    """Return whether the environment asks for plain lines instead of screens."""
    return environment.get("ACCESSIBLE", "") not in ("", "0") or environment.get("TERM") == "dumb"
