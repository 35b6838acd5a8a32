"""Runs the fixtures of a package end to end, in a subprocess with the installed Mellea.

The package never runs in the current process. By default it uses the fake model server; with `live` its own backend,
with `model` a real model in this process.
"""

import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path, PurePosixPath
from typing import Final, cast

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.errors import UnusableInput
from melleafy_tui.core.models.reports import FixtureRun, FixtureStatus, SmokeReport
from melleafy_tui.core.output.emitted import find_package
from melleafy_tui.core.smoke.fake_server import CASES_PATH, FakeModelServer
from melleafy_tui.core.smoke.local_model import ANSWER_TOKENS, BACKEND, LocalModel
from melleafy_tui.core.smoke.scripted_model import PLAYS_SCRIPTS, Behaviour
from melleafy_tui.version import INSTALL_HINT

DRIVER: Final = Path(__file__).with_name("driver.py")
KEPT_VARIABLES: Final = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT", "VIRTUAL_ENV")
"""Environment variables passed to a run with the fake server; a live run gets all of them."""

ENVIRONMENT_FAULTS: Final = (
    "ConnectionError",
    "ConnectError",
    "ConnectTimeout",
    "APIConnectionError",
    "AuthenticationError",
    "ResponseError",
)
"""Names of exceptions that mean a missing or refusing backend; the pipeline's own error has them as its cause."""

MEMORY: Final = PurePosixPath("fixtures/memory/MEMORY.md")
"""The made-up memory of a package that searches the agent's own."""

_BEFORE_ANY_CALL: Final = "InputError"
_REPLY_LENGTH: Final = 200
_POLL_SECONDS: Final = 0.1

Event = Mapping[str, object]


class SmokeRequest(Struct, frozen=True):
    """Which fixtures to run, and how.

    Attributes:
        package_folder: The folder that holds `melleafy.json`, or the output folder above it.
        fixture_ids: The fixtures to run; all if empty.
        live: Use the package's own backend instead of the fake model server.
        model: Use this model, whose server runs, instead of the fake model server.
        behaviour: How the fake model server behaves.
        time_limit: Seconds for the whole run.
    """

    package_folder: Path
    fixture_ids: tuple[str, ...] = ()
    live: bool = False
    model: LocalModel | None = None
    behaviour: Behaviour = Behaviour.PLAIN
    time_limit: float = 300.0


def run_smoke(
    request: SmokeRequest,
    *,
    on_run: Callable[[FixtureRun], None] | None = None,
    cancelled: threading.Event | None = None,
) -> SmokeReport:
    """Run fixtures and report the result of each.

    Args:
        request: What to run.
        on_run: Called after each fixture, from the calling thread.
        cancelled: Set it to stop the run; the fixtures that finished are reported.

    Raises:
        UnusableInput: The folder holds no package, or the package has no fixture with that id.
    """
    package = find_package(request.package_folder)
    runs: list[FixtureRun] = []
    version = ""
    with ExitStack() as stack:
        real = request.live or request.model is not None
        server = None if real else stack.enter_context(FakeModelServer(request.behaviour))
        for event in _events(request, package, server, cancelled or threading.Event()):
            if event["event"] == "loaded":
                version = str(event["mellea"])
                continue
            run = _outcome(event, server, held=not real and request.behaviour in PLAYS_SCRIPTS)
            runs.append(run)
            if on_run is not None:
                on_run(run)
    if version:
        _refuse_unknown(request, package, runs)
    return SmokeReport(
        package_name=package.name,
        live=request.live,
        behaviour="local" if request.model else "live" if request.live else request.behaviour.value,
        mellea_version=version,
        runs=tuple(runs),
        made_up_memory="" if request.live or not has_memory(package) else MEMORY.as_posix(),
    )


def _refuse_unknown(request: SmokeRequest, package: Path, runs: Sequence[FixtureRun]) -> None:
    """Raise an error for a requested id that no fixture has, unless a fault already says why it didn't run."""
    ran = {run.fixture_id for run in runs}
    unknown = [name for name in request.fixture_ids if name not in ran]
    if unknown and not any(run.error for run in runs):
        raise UnusableInput(
            f"The package has no fixture {unknown[0]!r}",
            hint="See fixtures/__init__.py for their ids.",
            location=str(package),
        )


def _events(
    request: SmokeRequest, package: Path, server: FakeModelServer | None, cancelled: threading.Event
) -> Iterator[Event]:
    reading, writing = os.pipe()
    order = {
        "events": writing,
        "folder": str(package.parent),
        "package": package.name,
        "fixtures": list(request.fixture_ids),
        "backend": "ollama" if server else BACKEND if request.model else "",
        "model": request.model.name if request.model else "",
        "tokens": ANSWER_TOKENS,
        "server": server.url if server else "",
        "cases": CASES_PATH if server else "",
    }
    with tempfile.TemporaryDirectory() as quiet_place, os.fdopen(reading, "rb", buffering=0) as pipe:
        try:
            process = subprocess.Popen(
                [sys.executable, "-B", str(DRIVER)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(writing,),
                cwd=quiet_place,
                env=_environment(package, server or request.model, quiet_place),
                start_new_session=True,
            )
        finally:
            os.close(writing)
        try:
            assert process.stdin is not None
            process.stdin.write(json.dumps(order).encode())
            process.stdin.close()
            yield from _lines(pipe.fileno(), request.time_limit, cancelled)
        finally:
            _end(process)


def _lines(descriptor: int, time_limit: float, cancelled: threading.Event) -> Iterator[Event]:
    deadline = time.monotonic() + time_limit
    pending = b""
    finished = False
    with selectors.DefaultSelector() as selector:
        selector.register(descriptor, selectors.EVENT_READ)
        while not cancelled.is_set():
            if time.monotonic() > deadline:
                yield {"event": "stopped", "error": f"did not finish within {time_limit:g} seconds"}
                return
            if not selector.select(_POLL_SECONDS):
                continue
            piece = os.read(descriptor, 65536)
            if not piece:
                if not finished:
                    yield {
                        "event": "stopped",
                        "error": "the process that ran the package ended without a report",
                    }
                return
            *lines, pending = (pending + piece).split(b"\n")
            for line in lines:
                event = cast(Event, json.loads(line))
                finished = event["event"] in ("finished", "unloadable")
                if event["event"] != "finished":
                    yield event


def _outcome(event: Event, server: FakeModelServer | None, *, held: bool) -> FixtureRun:
    """Return the result of one event; `held` says whether the run is held against what its fixture expects."""
    error = str(event.get("error", ""))
    if event["event"] == "unloadable":
        without_mellea = str(event.get("missing", "")).split(".")[0] == "mellea"
        hint = f" ({INSTALL_HINT.format('smoke').rstrip('.')})" if without_mellea else ""
        status = FixtureStatus.ENVIRONMENT if without_mellea else FixtureStatus.FAILED
        return FixtureRun("import", status, "The package imports", error=error + hint)
    if event["event"] == "stopped":
        return FixtureRun("run", FixtureStatus.FAILED, "The run ends", error=error)
    fixture_id = str(event["id"])
    run = FixtureRun(
        fixture_id,
        FixtureStatus.FAILED,
        str(event["description"]),
        server.calls_of(fixture_id) if server else None,
        mismatches=tuple(server.faults_of(fixture_id)) if server and held else (),
    )
    return _failed(run, event, live=server is None) if error else _reply(run, event, held=held)


def _failed(run: FixtureRun, event: Event, *, live: bool) -> FixtureRun:
    """Return the result of a run that raised; an expected InputError must come before any call."""
    error, kind = str(event["error"]), str(event.get("type", ""))
    expected = str(event.get("expects_error") or "")
    if expected and expected == kind:
        if kind == _BEFORE_ANY_CALL and run.calls:
            said = f"{kind} came after {run.calls} model calls, expected before any"
            return replace(run, mismatches=(said,), error=error)
        return run if run.mismatches else replace(run, status=FixtureStatus.PASSED)
    status = FixtureStatus.ENVIRONMENT if live and _is_outside(event) else FixtureStatus.FAILED
    wrong = (f"the run raised {kind}, expected {expected}",) if expected else ()
    return replace(run, status=status, mismatches=(*run.mismatches, *wrong), error=error)


def _is_outside(event: Event) -> bool:
    """Return whether an error comes from the environment, such as a model server that isn't reachable."""
    names = (name.rsplit(".", 1)[-1] for name in cast(list[str], event.get("origin", [])))
    return any(name in ENVIRONMENT_FAULTS for name in names)


def _reply(run: FixtureRun, event: Event, *, held: bool) -> FixtureRun:
    """Return the result of a run that ended with a reply."""
    result = cast(Mapping[str, object], event.get("result", {}))
    unmet = tuple(map(_unmet, cast(list[object], result.get("unmet") or [])))
    notes = tuple(map(str, cast(list[object], result.get("notes") or [])))
    text = str(result.get("text") or "")
    skipped = bool(result.get("skipped"))
    wrong = (*run.mismatches, *cast(list[str], event.get("mismatches", []))) if held else ()
    error = "" if text.strip() or skipped else "the run ended with an empty reply"
    return replace(
        run,
        status=_status(event, failed=bool(wrong or error), unmet=bool(unmet), held=held),
        reply=text[:_REPLY_LENGTH],
        skipped=skipped,
        unmet=unmet,
        notes=notes,
        mismatches=wrong,
        error=error,
    )


def _status(event: Event, *, failed: bool, unmet: bool, held: bool) -> FixtureStatus:
    """Return the status of a run with a reply; unmet rules are expected where the fixture is held to them."""
    if failed:
        return FixtureStatus.FAILED
    if not unmet:
        return FixtureStatus.PASSED
    expected = held and event.get("expects_unmet") is not None
    return FixtureStatus.EXPECTED if expected else FixtureStatus.UNMET


def _unmet(rule: object) -> str:
    """Return an unmet rule as one line; an edited package may give only its text."""
    if not isinstance(rule, Mapping):
        return str(rule)
    said = f"{rule.get('source', '')} {rule.get('rule', '')}".strip()
    return f"{said} ({rule['reason']})" if rule.get("reason") else said


def _environment(package: Path, server: FakeModelServer | LocalModel | None, state: str) -> dict[str, str]:
    """Return the environment of a run; with a server of ours, what the package keeps goes to a temporary folder."""
    if server is None:
        return dict(os.environ)
    kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    declared = dict.fromkeys(_declared_variables(package), "stand-in")
    variable = f"{package.name.removesuffix('_mellea').upper()}_MEMORY"
    memory = {variable: str(package / MEMORY.parent)} if has_memory(package) else {}
    return {
        **kept,
        **declared,
        **memory,
        **server.environment,
        "PYTHONDONTWRITEBYTECODE": "1",
        "XDG_STATE_HOME": state,
    }


def has_memory(package: Path) -> bool:
    """Return whether a package has a made-up memory for runs on a server of ours."""
    return (package / MEMORY).is_file()


def first_parameter(package: Path) -> str:
    """Return the parameter of a package that takes the message, according to its manifest."""
    first = next(iter(_listed(package, "pipeline_parameters")), None)
    return str(first.get("name")) if isinstance(first, dict) else "message"


def _declared_variables(package: Path) -> tuple[str, ...]:
    names = _listed(package, "declared_env_vars")
    return tuple(name for name in names if isinstance(name, str) and name.isidentifier())


def _listed(package: Path, field: str) -> list[object]:
    """Return a list of the manifest; empty if it can't be read."""
    try:
        manifest = json.loads((package / "melleafy.json").read_bytes())
    except (OSError, ValueError, RecursionError):
        return []
    found = manifest.get(field) if isinstance(manifest, dict) else None
    return found if isinstance(found, list) else []


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
