"""`serve`: serves the wizard to a browser on loopback."""

import argparse
import gc
import secrets
import shlex
import socket
import sys
from importlib.util import find_spec
from pathlib import Path

from melleafy_tui.cli.argument_table import conversion_words
from melleafy_tui.cli.console import Console
from melleafy_tui.cli.workspace_conversion import named_decisions, open_session, refuse_standard_input
from melleafy_tui.core.errors import UsageError
from melleafy_tui.version import INSTALL_HINT

DEFAULT_PORT = 8000


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Serve the wizard until Ctrl+C.

    Raises:
        UsageError: the extra is not installed, or the port is not available.
    """
    _, decisions_path = named_decisions(arguments)
    refuse_standard_input(decisions_path, "Each page reads the decisions again")
    if find_spec("textual_serve") is None:
        raise UsageError(
            "serve needs textual-serve, which is not installed", hint=INSTALL_HINT.format("serve")
        )
    from melleafy_tui.cli.wizard_server import LOOPBACK, Admission, WizardServer, is_loopback

    open_session(arguments, console)  # what can't be opened is told here
    host = arguments.host or LOOPBACK
    with _listening(host, _port(arguments.port)) as listening:
        admission = Admission(host, listening.getsockname()[1], secrets.token_urlsafe(24))
        if not is_loopback(host):
            console.warning(f"{host} can be reached from other machines; whoever has the key acts as you.")
        server = WizardServer(_command(arguments), admission)
        console.line(f"The wizard is at {admission.address}")
        console.line("Ctrl+C ends it; each page is a wizard of its own.")
        console.out.flush()
        gc.enable()
        server.run(listening)
    console.message("The server has ended.")
    return 0


def _command(arguments: argparse.Namespace) -> str:
    """Return the command that runs one wizard with this command's options, quoted for a shell."""
    # -P: the current folder may be a downloaded workspace, and a `json.py` in it would run.
    words = [sys.executable, "-P", "-m", "melleafy_tui", str(Path(arguments.workspace).absolute())]
    words += ["--dependencies=ask", *conversion_words(arguments)]
    if arguments.force:
        words.append("--force")
    return shlex.join(words)


def _port(text: str | None) -> int:
    if text is None:
        return DEFAULT_PORT
    if not (text.isascii() and text.isdigit() and int(text) < 65_536):
        raise UsageError(
            f"{text!r} is not a port number",
            hint="Write --port as a number up to 65535; 0 takes any free one.",
        )
    return int(text)


def _listening(host: str, port: int) -> socket.socket:
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen()  # listen first, so that the printed address can be opened at once
    except OSError as error:
        raise UsageError(
            f"The server cannot listen on {host} port {port} ({error.strerror})",
            hint="Choose another with --port; --port 0 takes any free one.",
        ) from error
    return listening
