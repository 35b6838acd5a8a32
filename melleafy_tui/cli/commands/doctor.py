"""`doctor`: checks what the wizard and a generated package need, and prints one line per check.

The only address it contacts is the configured backend's.
"""

import argparse
import json
import os
import platform
import shutil
import sys
from collections.abc import Mapping
from http.client import HTTPException
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final, Literal
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, build_opener

from melleafy_tui.actions.resolved_settings import resolve
from melleafy_tui.cli.console import Console, wants_lines
from melleafy_tui.cli.json_documents import Document
from melleafy_tui.cli.tables import laid_out
from melleafy_tui.core.errors import UnusableInput
from melleafy_tui.core.models.conversion_settings import Settings
from melleafy_tui.core.models.manifest import MELLEA_RANGE
from melleafy_tui.core.models.record import Record
from melleafy_tui.user_folders import config_file, state_folder
from melleafy_tui.version import INSTALL_HINT

OLLAMA_VARIABLE: Final = "OLLAMA_HOST"
OLLAMA_ADDRESS: Final = "http://localhost:11434"
_OLLAMA_PORT: Final = 11434
_PATIENCE: Final = 3.0
"""Seconds that a backend has to answer."""
_LARGEST_ANSWER: Final = 5_000_000
_SMALLEST: Final = (60, 20)


Status = Literal["ok", "warning", "failed", "unknown"]


class DoctorCheck(Record, frozen=True, kw_only=True):
    """One check of `doctor`; `unknown` if it couldn't be decided."""

    name: str
    status: Status
    message: str
    hint: str = ""


class DoctorDocument(Document, frozen=True, kw_only=True):
    """The document of `doctor --json`."""

    checks: tuple[DoctorCheck, ...]
    exit_code: int


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Run the checks and print the result of each.

    Raises:
        UnusableInput: a check failed.
    """
    configuration = resolve(arguments, environment=os.environ, config_file=config_file(os.environ))
    if console.verbose:
        from melleafy_tui.cli.workspace_conversion import tell_settings

        tell_settings(configuration, console)
    checks = tuple(check for look in CHECKS for check in look(configuration.settings))
    if arguments.local or arguments.gguf:
        checks += (_local(Path(arguments.gguf) if arguments.gguf else None),)
    failed = [check.name for check in checks if check.status == "failed"]
    console.document(DoctorDocument(checks=checks, exit_code=2 if failed else 0))
    rows = [(check.status, check.name, f"{check.message} {check.hint}".rstrip()) for check in checks]
    for line in laid_out(rows, indent="  "):  # no table: what to do must not be cut
        console.line(line)
    if failed:
        raise UnusableInput(f"Failed: {', '.join(failed)}", hint="Each failed line says what to do.")
    return 0


def _check(name: str, status: Status, message: str, hint: str = "") -> DoctorCheck:
    return DoctorCheck(name=name, status=status, message=message, hint=hint)


def _python(_: Settings) -> list[DoctorCheck]:
    return [_check("python", "ok", f"Python {platform.python_version()}")]


def _mellea(_: Settings) -> list[DoctorCheck]:
    hint = INSTALL_HINT.format("smoke")
    try:
        found = version("mellea")
    except PackageNotFoundError:
        message = "Mellea is not installed here; smoke runs and packages need it, the wizard does not."
        return [_check("mellea", "warning", message, hint)]
    if found.split(".")[:2] == ["0", "8"]:
        return [_check("mellea", "ok", f"Mellea {found}")]
    return [_check("mellea", "failed", f"Mellea {found}, and packages are made for {MELLEA_RANGE}", hint)]


def _backend(settings: Settings) -> list[DoctorCheck]:
    if settings.backend != "ollama":
        message = f"{settings.backend} was not queried; only ollama lists its models without a key."
        return [_check("backend", "unknown", message, "Run `melleafy-tui smoke PACKAGE --live` to try it.")]
    address = ollama_address(os.environ.get(OLLAMA_VARIABLE, ""))
    wanted = settings.model_id
    try:
        pulled = _pulled_models(address)
    except (OSError, HTTPException, ValueError) as fault:
        message = f"ollama at {address} does not answer ({getattr(fault, 'reason', None) or fault})."
        return [
            _check("backend", "failed", message, f"Start it with `ollama serve`, or set {OLLAMA_VARIABLE}."),
            _check("model", "unknown", f"{wanted} was not looked up."),
        ]
    model = _check("model", "ok", f"{wanted} is pulled.")
    if not {wanted, f"{wanted}:latest"} & pulled:
        hint = f"Get it with `ollama pull {wanted}`, or choose another with --model-id."
        model = _check("model", "failed", f"{wanted} is not pulled.", hint)
    return [_check("backend", "ok", f"ollama at {address} answers."), model]


def ollama_address(named: str) -> str:
    """Return ollama's address from its environment variable: `host`, `host:port` or a URL."""
    if not named.strip():
        return OLLAMA_ADDRESS
    if "://" in named:
        return named.strip().rstrip("/")
    parts = urlsplit(f"http://{named.strip()}")
    return f"http://{parts.netloc}" if parts.port else f"http://{parts.netloc}:{_OLLAMA_PORT}"


class _StayHere(HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        """Refuse redirects, which could lead away from the configured backend."""


def _pulled_models(address: str) -> frozenset[str]:
    if urlsplit(address).scheme not in ("http", "https"):
        raise ValueError("not an http address")
    opener = build_opener(ProxyHandler({}), _StayHere())
    with opener.open(f"{address}/api/tags", timeout=_PATIENCE) as answer:
        document: object = json.loads(answer.read(_LARGEST_ANSWER))
    models = document.get("models") if isinstance(document, dict) else None
    if not isinstance(models, list):
        raise ValueError("the answer is not from ollama")
    return frozenset(str(model.get("name")) for model in models if isinstance(model, dict))


def _local(gguf: Path | None) -> DoctorCheck:
    from melleafy_tui.core.smoke.local_model import find_model  # no other check needs it

    try:
        return _check("local", "ok", f"{find_model(gguf).name} is here.")
    except UnusableInput as missing:
        return _check("local", "failed", f"{missing.message}.", missing.hint)


def _colours(environment: Mapping[str, str]) -> str:
    if environment.get("NO_COLOR"):
        return "no colours (NO_COLOR)"
    if environment.get("COLORTERM") in ("truecolor", "24bit"):
        return "all colours"
    return "256 colours" if "256" in environment.get("TERM", "") else "16 colours"


def _terminal(_: Settings) -> list[DoctorCheck]:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return [_check("terminal", "unknown", "There is no terminal here; the headless commands work.")]
    environment = os.environ
    columns, rows = shutil.get_terminal_size()
    said = f"{environment.get('TERM') or 'TERM is not set'}, {columns} by {rows}, {_colours(environment)}"
    fits = columns >= _SMALLEST[0] and rows >= _SMALLEST[1]
    unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    problems = [
        text
        for wrong, text in (
            (not fits, f"The wizard needs {_SMALLEST[0]} columns and {_SMALLEST[1]} rows."),
            (not unicode, "Its locale is not UTF-8; set LANG to a UTF-8 locale."),
            (wants_lines(environment), "The wizard asks line by line here (--linear)."),
        )
        if wrong
    ]
    return [_check("terminal", "warning" if problems else "ok", f"{said}.", " ".join(problems))]


def _journal(_: Settings) -> list[DoctorCheck]:
    folder = state_folder(os.environ)
    places = (folder, *folder.parents) if folder is not None else ()
    existing = next((place for place in places if place.exists()), None)
    if existing is not None and os.access(existing, os.W_OK):
        return [_check("journal", "ok", f"Unsaved decisions are kept in {folder}.")]
    hint = "Set XDG_STATE_HOME to a folder that you can write."
    return [_check("journal", "warning", "Unsaved decisions can't be kept; a crash loses them.", hint)]


CHECKS: Final = (_python, _mellea, _backend, _terminal, _journal)
