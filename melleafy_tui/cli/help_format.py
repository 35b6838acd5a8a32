"""Lays out the text of `--help`: at most 80 columns, and fewer on a narrower terminal."""

import argparse
import shutil
import textwrap
from collections.abc import Iterable, Sequence
from typing import Final

_WIDEST: Final = 80
_NARROWEST: Final = 24
_INDENT: Final = "  "


def help_width() -> int:
    """Return the columns of a line of help; `COLUMNS` wins over the terminal's width."""
    return max(min(shutil.get_terminal_size().columns, _WIDEST), _NARROWEST)


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Formats usage and options within the width of the help.

    Args:
        prog: Name of the program.
    """

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=help_width())

    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(" ".join(text.split()), width, break_on_hyphens=False)


def filled(text: str, lead: str = "", first: str = "") -> str:
    """Return a paragraph wrapped to the width of the help.

    Args:
        text: The paragraph.
        lead: What each line begins with.
        first: What the first line begins with instead.
    """
    return textwrap.fill(
        text,
        help_width(),
        initial_indent=first or lead,
        subsequent_indent=lead,
        break_on_hyphens=False,
    )


def columns(rows: Sequence[tuple[str, str]]) -> str:
    """Return names with their descriptions, which are wrapped in their own column."""
    longest = max(len(name) for name, _ in rows)
    lead = " " * (len(_INDENT) + longest + 2)
    return "\n".join(filled(about, lead, f"{_INDENT}{name:<{longest}}  ") for name, about in rows)


def examples_text(program: str, examples: Iterable[tuple[str, str]]) -> str:
    """Return the examples at the start of a command's help, each with what it does below it.

    Args:
        program: The name that each command line begins with.
        examples: Each example's words, and what it does.
    """
    lines = ["examples:"]
    for words, about in examples:
        room = (
            help_width() - len(_INDENT) * 2 - 2
        )  # a command line can be copied into a shell, whatever the width
        parts = textwrap.wrap(f"{program} {words}", room, break_on_hyphens=False, break_long_words=False)
        lines += [_INDENT + f" \\\n{_INDENT * 2}".join(parts), filled(about, _INDENT * 3)]
    return "\n".join(lines) + "\n"
