"""Measures a newcomer's minutes: from `git clone` to the first package, and with pip to the first answer of a model.

The commands are those of the README and no others. Caches of pip and uv are empty unless `--warm` is given.
What takes a person's time, such as reading, isn't in it.
"""

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

PROJECT: Final = Path(__file__).resolve().parents[1]
EXAMPLE: Final = "examples/ticket-triage"
PLACEHOLDER: Final = "./my-agent"
"""The README's name for the reader's own workspace; the example stands in for it."""

ANSWER_STEPS: Final = ("extra", "model", "first answer")
INSTALLS: Final = {"pip": "pip install .", "uv": "uv tool install ."}
_CONVERSION: Final = re.compile(r"^(?:\$ )?(melleafy-tui \S+ --dependencies=auto[^#\n]*)", re.MULTILINE)
_STEP_SECONDS: Final = 1800


class Step(NamedTuple):
    """One measured step: the route, what was done, the command, and its seconds."""

    route: str
    name: str
    command: str
    seconds: float


def readme_commands(text: str, route: str) -> tuple[str, str]:
    """Return the commands of the README that install the tool and convert a workspace.

    Args:
        text: The README.
        route: A name in `INSTALLS`.

    Raises:
        LookupError: the README has no such command.
    """
    lines = {line.removeprefix("$ ").partition(" #")[0].strip() for line in text.splitlines()}
    found = _CONVERSION.search(text)
    if INSTALLS[route] not in lines or found is None:
        raise LookupError(f"README.md has no line `{INSTALLS[route]}`, or none that converts a workspace")
    return INSTALLS[route], found[1].strip()


def answer_commands(text: str) -> dict[str, str]:
    """Return the commands of the README that lead from a package to the first answer, by the names of their steps.

    Args:
        text: The README.

    Raises:
        LookupError: the README has other commands.
    """
    commands = (
        text.partition("## A first answer")[2].partition("```bash\n")[2].partition("```")[0].splitlines()
    )
    if len(commands) != len(ANSWER_STEPS) or not commands[-1].startswith("melleafy-tui run "):
        raise LookupError("README.md has no extra, model and run below `A first answer`")
    return dict(zip(ANSWER_STEPS, commands, strict=True))


def measured(route: str, place: Path, *, warm: bool) -> Iterator[Step]:
    """Go one route in an empty folder and yield its steps.

    Args:
        route: A name in `INSTALLS`.
        place: The folder.
        warm: Whether caches of earlier installations are used.
    """
    clone = place / "clone"
    environment = _environment(place, warm=warm)

    def step(name: str, command: str, folder: Path) -> Step:
        begun = time.perf_counter()
        subprocess.run(
            shlex.split(command),
            cwd=folder,
            env=environment,
            check=True,
            timeout=_STEP_SECONDS,
            stdout=subprocess.DEVNULL,
        )
        return Step(route, name, command, time.perf_counter() - begun)

    yield step("clone", f"git clone --quiet {shlex.quote(str(PROJECT))} clone", place)
    text = (clone / "README.md").read_text(encoding="utf-8")
    install, convert = readme_commands(text, route)
    if route == "pip":
        yield step(
            "environment", f"{shlex.quote(sys.executable)} -m venv {shlex.quote(str(place / 'venv'))}", place
        )
    yield step("install", install, clone)
    if PLACEHOLDER in convert:
        shutil.copytree(clone / EXAMPLE, clone / PLACEHOLDER)
    yield step("first package", convert, clone)
    if route == "pip":
        for name, command in answer_commands(text).items():
            yield step(name, command, clone)


def _environment(place: Path, *, warm: bool) -> dict[str, str]:
    """Return an environment in which everything is installed below the folder."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    folders = {
        "UV_TOOL_DIR": "tools",
        "UV_TOOL_BIN_DIR": "bin",
        "XDG_STATE_HOME": "state",
        "XDG_CONFIG_HOME": "config",
    }
    cold = {} if warm else {"PIP_NO_CACHE_DIR": "1", "UV_CACHE_DIR": str(place / "uv-cache")}
    path = os.pathsep.join((str(place / "venv" / "bin"), str(place / "bin"), kept.get("PATH", os.defpath)))
    return {**kept, **{name: str(place / folder) for name, folder in folders.items()}, **cold, "PATH": path}


def table(steps: Mapping[str, list[Step]]) -> str:
    """Return the steps of each route as a table in Markdown."""
    lines = ["| route | step | command | seconds |", "|---|---|---|---:|"]
    for route, taken in steps.items():
        lines += [f"| {route} | {each.name} | `{_shown(each)}` | {each.seconds:.1f} |" for each in taken]
        lines.append(f"| {route} | **in all** | | **{sum(each.seconds for each in taken):.1f}** |")
    return "\n".join(lines)


def _shown(step: Step) -> str:
    return {"clone": "git clone …", "environment": "python -m venv …"}.get(step.name, step.command)


def main() -> None:
    """Measure the routes and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("routes", nargs="*", help="pip, uv (both)")
    parser.add_argument("--warm", action="store_true", help="use the caches of pip and uv")
    arguments = parser.parse_args()
    steps: dict[str, list[Step]] = {}
    for route in arguments.routes or INSTALLS:
        with tempfile.TemporaryDirectory() as place:
            steps[route] = list(measured(route, Path(place), warm=arguments.warm))
    print(table(steps))


if __name__ == "__main__":
    main()
