"""Writes the manual page from the parsers of the command line; run it with `make man` when a command changes."""

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from melleafy_tui.cli.argument_table import (
    COMMANDS,
    CONVERT,
    EXITS,
    PROGRAM,
    Command,
    arguments_of,
)

PAGE: Final = Path(__file__).resolve().parents[1] / "docs" / "melleafy-tui.1"

SHARED_BY: Final = 3
"""Commands from which an option is described once for all."""

_ABOUT: Final = (
    "Converts an agent workspace, a folder of Markdown such as SOUL.md, AGENTS.md and HEARTBEAT.md, to a typed "
    "Python package on the Mellea library. Without a command the wizard opens; with --dependencies=auto, config:PATH "
    "or strict the conversion runs without a terminal. If a folder has the same name as a command, write ./NAME."
)
_FILES: Final = (
    (
        "melleafy-decisions.json",
        "Decisions beside a workspace or in its output folder; see `schema decisions`.",
    ),
    ("$XDG_CONFIG_HOME/melleafy-tui/config.toml", "Settings and keys; flags and MELLEAFY_... variables win."),
    ("$XDG_STATE_HOME/melleafy-tui/", "Journals of wizards that were interrupted, and logs of faults."),
    ("$XDG_CACHE_HOME/melleafy-tui/", "Compiled templates of packages; it may be deleted."),
)


def man_page() -> str:
    """Return the page in roff."""
    shared = _shared()
    lines = [
        '.\\" Written by scripts/make_man_page.py from the parsers of the command line.',
        f'.TH {PROGRAM.upper()} 1 "" "{PROGRAM}" "User Commands"',
        ".SH NAME",
        f"{_text(PROGRAM)} \\- convert agent workspaces to typed Python packages on Mellea",
        ".SH SYNOPSIS",
        f".B {_text(PROGRAM)}",
        "[\\fICOMMAND\\fR] \\fIWORKSPACE\\fR [\\fIoptions\\fR]",
        ".SH DESCRIPTION",
        _text(_ABOUT),
        ".SH COMMANDS",
    ]
    for command in COMMANDS:
        lines += _command(command, shared)
    lines.append(".SH OPTIONS OF SEVERAL COMMANDS")
    for row in shared:
        lines += _option(*row)
    lines += [".SH EXIT STATUS", _text(EXITS.partition(": ")[2]), ".SH FILES"]
    for name, about in _FILES:
        lines += [".TP", f".I {_text(name)}", _text(about)]
    return "\n".join(lines) + "\n"


def _rows(command: Command) -> list[tuple[str, str]]:
    """Return the options of a command as they are spelled, each with what it does."""
    return [(_spelled(each), _about(each)) for each in arguments_of(command) if each.option_strings]


def _shared() -> list[tuple[str, str]]:
    counts = Counter(row for command in COMMANDS for row in _rows(command))
    return [row for row, count in counts.items() if count >= SHARED_BY]


def _command(command: Command, shared: Sequence[tuple[str, str]]) -> Iterator[str]:
    positional = [each for each in arguments_of(command) if not each.option_strings]
    named = "" if command.name == CONVERT else f"{command.name} "
    yield f".SS {_quoted(named + ' '.join(_positional(each) for each in positional))}"
    yield _text(f"{command.help[:1].upper()}{command.help[1:]}.")
    for action in positional:
        yield from _option(_positional(action), _about(action))
    rows = _rows(command)
    for row in rows:
        if row not in shared:
            yield from _option(*row)
    also = ", ".join(
        spelled.split(", ")[-1].split(" ")[0] for spelled, about in rows if (spelled, about) in shared
    )
    yield from (".PP", _text(f"Also: {also}."), ".PP", "Examples:")
    for example in command.examples:
        yield from _option(f"{PROGRAM} {example.words}", f"{example.about[:1].upper()}{example.about[1:]}.")


def _positional(action: argparse.Action) -> str:
    return f"[{action.metavar}]" if action.nargs == "?" else str(action.metavar)


def _spelled(action: argparse.Action) -> str:
    value = "" if action.nargs == 0 else f" {action.metavar}"
    return ", ".join(action.option_strings) + value


def _about(action: argparse.Action) -> str:
    choices = ", ".join(map(str, action.choices or ()))
    text = (action.help or "").replace("%(choices)s", choices)
    return f"{text[:1].upper()}{text[1:]}."


def _option(spelled: str, about: str) -> Iterable[str]:
    return (".TP", f"\\fB{_text(spelled)}\\fR", _text(about))


def _text(text: str) -> str:
    """Return plain text that roff takes for text: no line begins a request, and hyphens can be copied."""
    plain = text.replace("\\", "\\e").replace("-", "\\-").replace("…", "...")
    return f"\\&{plain}" if plain[:1] in (".", "'") else plain


def _quoted(text: str) -> str:
    return '"' + _text(text).replace('"', "\\(dq") + '"'


def main() -> None:
    """Write the page."""
    PAGE.write_text(man_page(), encoding="utf-8")


if __name__ == "__main__":
    main()
