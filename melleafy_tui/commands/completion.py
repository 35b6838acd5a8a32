"""`completion`: a script that completes commands and options, made from the tables of `arguments.py`."""

import argparse
from collections.abc import Callable
from typing import Final

from melleafy_tui.commands.arguments import (
    COMMANDS,
    CONVERT,
    NAMED_COMMANDS,
    PROGRAM,
    CommandRow,
    Option,
    options_of,
)
from melleafy_tui.commands.console import Console


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the script for one shell."""
    console.lines(SCRIPTS[arguments.shell]().rstrip("\n"))
    return 0


def _flags(row: CommandRow) -> str:
    return " ".join([*(option.flag for option in options_of(row)), "--help", "--version"])


def _words(row: CommandRow) -> str:
    return " ".join(choice for positional in row.positionals for choice in positional.choices)


def _choices() -> dict[str, Option]:
    return {option.flag: option for row in COMMANDS for option in options_of(row) if option.choices}


def bash() -> str:
    """Return the script for bash."""
    names = "|".join(row.name for row in NAMED_COMMANDS)
    cases = "\n".join(
        f'    {row.name}) flags="{_flags(row)}" words="{_words(row)}" ;;' for row in NAMED_COMMANDS
    )
    values = "\n".join(
        f'    {flag}) COMPREPLY=($(compgen -W "{" ".join(option.choices)}" -- "$current")); return ;;'
        for flag, option in _choices().items()
    )
    convert = next(row for row in COMMANDS if row.name == CONVERT)
    return f"""# bash completion of {PROGRAM}; put it where your bash-completion looks, or source it
_melleafy_tui() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD-1]}}"
  local word flags="{_flags(convert)}" words="{" ".join(row.name for row in NAMED_COMMANDS)}"
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case "$word" in {names}) break ;; esac
    word=""
  done
  case "$word" in
{cases}
  esac
  case "$previous" in
{values}
  esac
  if [[ "$current" == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$current"))
  else
    COMPREPLY=($(compgen -W "$words" -- "$current") $(compgen -f -- "$current"))
  fi
}}
complete -o filenames -F _melleafy_tui {PROGRAM}
"""


def zsh() -> str:
    """Return the script for zsh, which runs the one for bash."""
    return f"#compdef {PROGRAM}\nautoload -U +X bashcompinit && bashcompinit\n{bash()}"


def fish() -> str:
    """Return the script for fish."""
    lines = [f"# fish completion of {PROGRAM}; save it as ~/.config/fish/completions/{PROGRAM}.fish"]
    for row in NAMED_COMMANDS:
        lines.append(f"complete -c {PROGRAM} -n __fish_use_subcommand -a {row.name} -d {_quoted(row.help)}")
    for row in COMMANDS:
        seen = "__fish_use_subcommand" if row.name == CONVERT else f"'__fish_seen_subcommand_from {row.name}'"
        for option in options_of(row):
            value = " -x -a " + _quoted(" ".join(option.choices)) if option.choices else ""
            value = " -r" if option.metavar and not option.choices else value
            flag = option.flag.removeprefix("--")
            lines.append(f"complete -c {PROGRAM} -n {seen} -l {flag}{value} -d {_quoted(option.help)}")
        if _words(row):
            lines.append(f"complete -c {PROGRAM} -n {seen} -f -a {_quoted(_words(row))}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


SCRIPTS: Final[dict[str, Callable[[], str]]] = {"bash": bash, "zsh": zsh, "fish": fish}
