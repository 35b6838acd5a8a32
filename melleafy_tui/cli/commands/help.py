"""`help`: prints what `--help` prints."""

import argparse

from melleafy_tui.cli.argument_table import COMMANDS_BY_NAME, CONVERT, parser_of
from melleafy_tui.cli.console import Console


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the help for one command, or for the program."""
    console.lines(parser_of(COMMANDS_BY_NAME[arguments.name or CONVERT]).format_help().rstrip("\n"))
    return 0
