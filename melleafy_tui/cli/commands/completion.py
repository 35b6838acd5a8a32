"""`completion`: prints a shell script that completes commands and options, made from the argparse parsers.

shtab (1.13) isn't used: it completes a command only as the first word, and after a workspace its scripts for
fish and zsh complete neither paths nor options.
"""

import argparse
from collections.abc import Callable, Iterator
from typing import Final

from melleafy_tui.cli.arguments import (
    COMMANDS,
    COMMANDS_BY_NAME,
    CONVERT,
    NAMED_COMMANDS,
    PROGRAM,
    Command,
    arguments_of,
)
from melleafy_tui.cli.console import Console


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the script for one shell."""
    console.lines(SCRIPTS[arguments.shell]().rstrip("\n"))
    return 0


def _flags(command: Command) -> str:
    return " ".join(
        flag for each in arguments_of(command) for flag in each.option_strings if flag[:2] == "--"
    )


def _words(command: Command) -> str:
    positionals = (each for each in arguments_of(command) if not each.option_strings)
    return " ".join(choice for each in positionals for choice in each.choices or ())


def _choices() -> dict[str, str]:
    """Return the allowed values of options, by flag."""
    options = (each for command in COMMANDS for each in arguments_of(command) if each.option_strings)
    return {each.option_strings[-1]: " ".join(each.choices) for each in options if each.choices}


def bash() -> str:
    """Return the script for bash."""
    names = "|".join(each.name for each in NAMED_COMMANDS)
    cases = "\n".join(
        f'    {each.name}) flags="{_flags(each)}" words="{_words(each)}" ;;' for each in NAMED_COMMANDS
    )
    values = "\n".join(
        f'    {flag}) COMPREPLY=($(compgen -W "{choices}" -- "$current")); return ;;'
        for flag, choices in _choices().items()
    )
    return f"""# bash completion of {PROGRAM}; put it where your bash-completion looks, or source it
_melleafy_tui() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD-1]}}"
  local word flags="{_flags(COMMANDS_BY_NAME[CONVERT])}" words="{" ".join(each.name for each in NAMED_COMMANDS)}"
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
    """Return the script for zsh, which runs the bash script."""
    return f"#compdef {PROGRAM}\nautoload -U +X bashcompinit && bashcompinit\n{bash()}"


def fish() -> str:
    """Return the script for fish."""
    lines = [f"# fish completion of {PROGRAM}; save it as ~/.config/fish/completions/{PROGRAM}.fish"]
    for each in NAMED_COMMANDS:
        lines.append(f"complete -c {PROGRAM} -n __fish_use_subcommand -a {each.name} -d {_quoted(each.help)}")
    for command in COMMANDS:
        named = command.name != CONVERT
        seen = f"'__fish_seen_subcommand_from {command.name}'" if named else "__fish_use_subcommand"
        lines.extend(_fish_options(command, seen))
        if words := _words(command):
            lines.append(f"complete -c {PROGRAM} -n {seen} -f -a {_quoted(words)}")
    return "\n".join(lines) + "\n"


def _fish_options(command: Command, seen: str) -> Iterator[str]:
    for option in arguments_of(command):
        flag, short = _fish_flags(option)
        if flag in ("", "help", "version"):
            continue
        value = f" -x -a {_quoted(' '.join(option.choices))}" if option.choices else ""
        value = " -r" if option.nargs != 0 and not option.choices else value
        about = (option.help or "").removesuffix(": %(choices)s")
        yield f"complete -c {PROGRAM} -n {seen} -l {flag}{short}{value} -d {_quoted(about)}"


def _fish_flags(option: argparse.Action) -> tuple[str, str]:
    """Return the long flag without its dashes, and the short one as fish takes it."""
    long = [each.removeprefix("--") for each in option.option_strings if each.startswith("--")]
    short = [f" -s {each[1]}" for each in option.option_strings if not each.startswith("--")]
    return next(iter(long), ""), next(iter(short), "")


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


SCRIPTS: Final[dict[str, Callable[[], str]]] = {"bash": bash, "zsh": zsh, "fish": fish}
