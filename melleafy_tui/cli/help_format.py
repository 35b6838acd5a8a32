"""Lays out the text of `--help`: at most 80 columns, and fewer on a narrower terminal."""

import argparse
import os
import sys
import textwrap
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Final

_WIDEST: Final = 80
_NARROWEST: Final = 24
_INDENT: Final = "  "


def help_width() -> int:
    """Return the columns of a line of help; `COLUMNS` wins over the terminal's width."""
    columns = 0
    with suppress(ValueError):
        columns = int(os.environ.get("COLUMNS", ""))
    if columns <= 0:
        with suppress(AttributeError, ValueError, OSError):  # no stream, a closed one, no terminal
            columns = os.get_terminal_size(sys.__stdout__.fileno()).columns  # type: ignore[union-attr]
    return max(min(columns or _WIDEST, _WIDEST), _NARROWEST)


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Formats usage and options within the width of the help.

    Args:
        prog: Name of the program.
    """

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=help_width())

    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(" ".join(text.split()), width, break_on_hyphens=False)


def filled(text: str, *, indent: int = 0) -> str:
    """Return a paragraph wrapped to the width of the help.

    Args:
        text: The paragraph.
        indent: Columns before each line but the first, and before the text that argparse puts in front of it.
    """
    lead = " " * indent
    wrapped = textwrap.fill(
        text, help_width(), initial_indent=lead, subsequent_indent=lead, break_on_hyphens=False
    )
    return wrapped[indent:]


def columns(rows: Sequence[tuple[str, str]]) -> str:
    """Return names with their descriptions, which are wrapped in their own column."""
    longest = max(len(name) for name, _ in rows)
    lead = " " * (len(_INDENT) + longest + 2)
    return "\n".join(
        textwrap.fill(
            about,
            help_width(),
            initial_indent=f"{_INDENT}{name:<{longest}}  ",
            subsequent_indent=lead,
            break_on_hyphens=False,
        )
        for name, about in rows
    )


def examples_text(program: str, examples: Iterable[tuple[str, str]]) -> str:
    """Return the examples at the start of a command's help, each with what it does below it.

    Args:
        program: The name that each command line begins with.
        examples: Each example's words, and what it does.
    """
    lines = ["examples:"]
    for words, about in examples:
        lines.append(_command_line(f"{program} {words}"))
        lead = _INDENT * 3
        lines.append(textwrap.fill(about, help_width(), initial_indent=lead, subsequent_indent=lead))
    return "\n".join(lines) + "\n"


def _command_line(words: str) -> str:
    """Return a command line that can be copied into a shell, whatever the width."""
    parts = textwrap.wrap(
        words, help_width() - len(_INDENT) * 2 - 2, break_on_hyphens=False, break_long_words=False
    )
    return _INDENT + f" \\\n{_INDENT * 2}".join(parts)
