"""Runs the fixtures of a package in the interpreter that has Mellea; started by path, never imported.

Standard library only: the interpreter may not have melleafy-tui. Reads one JSON request from standard input and
writes one JSON line per event to the file descriptor that the request names. Output of the package
or Mellea goes elsewhere.
"""

import importlib
import importlib.util
import json
import os
import sys
import traceback
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from tempfile import TemporaryDirectory
from typing import Any, TextIO, cast
from unittest.mock import patch


def main() -> None:
    """Run the requested fixtures, one event line each."""
    request = json.loads(sys.stdin.read())
    with os.fdopen(request["events"], "w", encoding="utf-8") as events:
        for event in play(request):
            _send(events, event)


def play(request: Mapping[str, Any]) -> Iterator[dict[str, object]]:
    """Run the requested fixtures and yield the events, the last of which says that all ran or why none can.

    Args:
        request: What to run and where, as runner.py writes it.
    """
    sys.path.insert(0, request["folder"])
    try:
        package, fixtures = _load(request["package"])
    except BaseException as error:
        missing = error.name if isinstance(error, ModuleNotFoundError) else ""
        yield {"event": "unloadable", "error": _describe(error), "missing": missing}
        return
    if request["backend"]:
        package.config.BACKEND = request["backend"]
    if request["model"]:
        package.config.MODEL_ID = request["model"]
        package.config.ANSWER_TOKENS = request["tokens"]
    yield {"event": "loaded", "mellea": _mellea_version()}
    for make in fixtures:
        inputs, fixture_id, description = make()
        if request["fixtures"] and fixture_id not in request["fixtures"]:
            continue
        with _prepared(make, fixture_id, request):
            outcome = _run(package.run_pipeline, inputs)
        told = {"id": fixture_id, "description": description, **_expected(make, outcome)}
        yield {"event": "ran", **told, **outcome}
    yield {"event": "finished"}


Fixture = Callable[[], tuple[dict[str, object], str, str]]
"""A fixture; those that are cases also have what they expect, a script, canned answers of the web and variables."""


def _load(name: str) -> tuple[Any, list[Fixture]]:
    package = importlib.import_module(name)
    importlib.import_module(f"{name}.config")
    return package, list(importlib.import_module(f"{name}.fixtures").ALL_FIXTURES)


@contextmanager
def _prepared(fixture: Fixture, fixture_id: str, request: Mapping[str, Any]) -> Iterator[None]:
    """Set up one run: the model's address, the fixture's environment variables, its own state, and a canned web."""
    given = dict(getattr(fixture, "variables", {}))
    with TemporaryDirectory() as state, _canned(request["package"], getattr(fixture, "web", {})):
        if request["cases"]:
            given["XDG_STATE_HOME"] = state
            case = _case(fixture, fixture_id, request["package"])
            given["OLLAMA_HOST"] = request["server"] + _open_case(request["server"] + request["cases"], case)
        with patch.dict(os.environ, given):
            yield


def _canned(package: str, web: Mapping[str, object]) -> AbstractContextManager[None]:
    """Return what puts canned answers in place of the web, where the package calls it."""
    with suppress(ModuleNotFoundError):  # no tool of the package asks the web
        module = importlib.import_module(f"{package}._runtime.tools_common")
        return cast(AbstractContextManager[None], module.canned(web))
    return nullcontext()


def _expected(fixture: Fixture, outcome: Mapping[str, object]) -> dict[str, object]:
    """Return what a case expects, and how the outcome differs from it."""
    mismatches = getattr(fixture, "mismatches", None)
    if mismatches is None:
        return {"expects": False}
    case = cast(Any, fixture)
    told: dict[str, object] = {"expects": True, "expects_error": case.error, "expects_unmet": case.unmet}
    if not outcome["error"]:
        told["mismatches"] = mismatches(outcome["result"])
    return told


def _run(pipeline: Callable[..., object], inputs: dict[str, object]) -> dict[str, object]:
    try:
        fields = _fields(pipeline(**inputs))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return {"error": _describe(error), "type": type(error).__name__, "origin": _origin(error)}
    return {"error": "", "result": json.loads(json.dumps(fields, default=str))}


def _fields(result: object) -> dict[str, object]:
    """Return a result's fields; a text is the text of a reply.

    Raises:
        TypeError: it is neither, such as a coroutine that hasn't run.
    """
    dump = getattr(result, "model_dump", None)
    if callable(dump):
        return cast(dict[str, object], dump(mode="json"))
    if not isinstance(result, dict | str):
        raise TypeError(f"run_pipeline returned a {type(result).__name__}")
    return dict(result) if isinstance(result, dict) else {"text": result}


def _describe(error: BaseException) -> str:
    return "".join(traceback.format_exception_only(error)).strip()


def _origin(error: BaseException) -> list[str]:
    """Return the modules of the exception and its causes, to tell a missing backend from a bug in the package."""
    names = []
    cause: BaseException | None = error
    while cause is not None:
        names.append(f"{type(cause).__module__}.{type(cause).__name__}")
        cause = cause.__cause__ or cause.__context__
    return names


def _mellea_version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("mellea")
    except PackageNotFoundError:
        return ""


def _case(fixture: Fixture, fixture_id: str, package: str) -> dict[str, object]:
    """Return what the fake server has to know of a fixture."""
    return {
        "fixture": fixture_id,
        "script": [vars(answer) for answer in getattr(fixture, "script", ()) if hasattr(answer, "has")],
        "exact": hasattr(fixture, "mismatches"),
        "model": getattr(sys.modules[f"{package}.config"], "MODEL_ID", ""),
    }


def _open_case(address: str, case: Mapping[str, object]) -> str:
    """Give the fake server the script of a fixture, and return the path of the address for its calls."""
    body = json.dumps(case).encode()
    request = urllib.request.Request(address, data=body, headers={"Content-Type": "application/json"})
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request, timeout=10) as response:
        return str(json.load(response)["path"])


def _send(events: TextIO, event: dict[str, object]) -> None:
    events.write(json.dumps(event) + "\n")
    events.flush()


if __name__ == "__main__":
    main()
