"""Runs the fixtures of a package in the interpreter that has Mellea; started by path, never imported.

Standard library only: the interpreter may not have melleafy-tui. Reads one JSON request from standard input and
writes one JSON line per event to the file descriptor that the request names. Output of the package
or Mellea goes elsewhere.
"""

import asyncio
import importlib
import inspect
import json
import os
import sys
import traceback
import urllib.request
from collections.abc import Callable
from typing import Any, TextIO, cast


def main() -> None:
    """Run the requested fixtures, one event line each."""
    request = json.loads(sys.stdin.read())
    with os.fdopen(request["events"], "w", encoding="utf-8") as events:
        sys.path.insert(0, request["folder"])
        try:
            package, fixtures = _load(request["package"])
        except BaseException as error:
            _send(
                events, {"event": "unloadable", "error": _describe(error), "missing": _missing_module(error)}
            )
            return
        if request["stand_in"]:
            package.config.BACKEND = "ollama"
        _send(events, {"event": "loaded", "mellea": _mellea_version()})
        for make in fixtures:
            inputs, fixture_id, description = make()
            if request["fixtures"] and fixture_id not in request["fixtures"]:
                continue
            if request["stand_in"]:
                _mark(request["stand_in"], fixture_id)
            outcome = _run(package.run_pipeline, inputs)
            _send(events, {"event": "ran", "id": fixture_id, "description": description, **outcome})
        _send(events, {"event": "finished"})


def _load(name: str) -> tuple[Any, list[Callable[[], tuple[dict[str, object], str, str]]]]:
    package = importlib.import_module(name)
    importlib.import_module(f"{name}.config")
    return package, importlib.import_module(f"{name}.fixtures").ALL_FIXTURES


def _run(pipeline: Callable[..., object], inputs: dict[str, object]) -> dict[str, object]:
    try:
        result = _consumed(pipeline(**inputs))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return {"error": _describe(error), "origin": _origin(error)}
    fields = _fields(result)
    return {"error": "", "result": json.loads(json.dumps(fields, default=str))}


def _fields(result: object) -> dict[str, object]:
    """Return a result's fields; a result without fields is returned as text."""
    dump = getattr(result, "model_dump", None)
    if callable(dump):
        return cast(dict[str, object], dump(mode="json"))
    return dict(result) if isinstance(result, dict) else {"text": result}


def _consumed(result: object) -> object:
    """Wait for an awaitable and drain a generator, so that a result counts as a success only after it ran."""
    if inspect.isawaitable(result):

        async def wait() -> object:
            return await result

        return asyncio.run(wait())
    if inspect.isasyncgen(result):

        async def drain() -> list[object]:
            return [item async for item in result]

        return (asyncio.run(drain()) or [None])[-1]
    if inspect.isgenerator(result):
        return (list(result) or [None])[-1]
    return result


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


def _missing_module(error: BaseException) -> str:
    return (error.name or "") if isinstance(error, ModuleNotFoundError) else ""


def _mellea_version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("mellea")
    except PackageNotFoundError:
        return ""


def _mark(address: str, fixture_id: str) -> None:
    body = json.dumps({"fixture": fixture_id}).encode()
    request = urllib.request.Request(address, data=body, headers={"Content-Type": "application/json"})
    urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=10).close()


def _send(events: TextIO, event: dict[str, object]) -> None:
    events.write(json.dumps(event) + "\n")
    events.flush()


if __name__ == "__main__":
    main()
