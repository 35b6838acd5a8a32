"""Converts every workspace, skill and project below a folder, in parallel processes, and reports one table.

Each conversion is the one that `melleafy-tui PATH --dependencies=auto` makes.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import chain, count, groupby
from pathlib import Path, PurePosixPath
from typing import Final

from msgspec import Struct

from melleafy_tui.actions.plurals import counted
from melleafy_tui.cli.argument_table import conversion_words
from melleafy_tui.cli.console import Console
from melleafy_tui.cli.json_documents import ConvertAllDocument, ConvertedSource
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.errors import UnusableInput, UsageError
from melleafy_tui.core.models.snapshot import ReadingOptions
from melleafy_tui.core.output.write_plan import Action
from melleafy_tui.core.source.sources_below import HERE, FoundSource, sources_below
from melleafy_tui.engine import OUTPUT_SUFFIX, default_out

_TOLD: Final = ("skills-elsewhere",)
"""Findings that name sources which were seen and not converted."""
_OF_ONE: Final = ("out", "package_name", "decisions", "in_place", "show_settings", "assist")
"""Options that make sense for one workspace only."""

_FAULT: Final = 1
_KEEPS: Final = tuple(
    action.value for action in (Action.UNTOUCHED, Action.KEEP_EDITS, Action.STAY_DELETED, Action.FORGET)
)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Convert all sources below a folder."""
    _refuse_options_of_one(arguments)
    root = Path(arguments.workspace)
    if not root.is_dir():
        raise UnusableInput(f"{root} is not a folder", hint="`convert --all` takes the folder to search.")
    kinds = Dialects.default().main_files
    found = sources_below(root, kinds)
    if not found:
        raise UnusableInput(
            f"No workspace, skill or project was found in {root}",
            hint=f"A folder counts if it has one of {', '.join(name for kind in kinds for name in kind.names)}.",
        )
    out = Path(arguments.out) if arguments.out else None
    options = _shared_options(arguments)
    names = output_names(root, found)
    jobs = [
        Job(source, place, out / names[source.path] if out else default_out(place), options)
        for source in found
        for place in [root / source.path]
    ]
    results: list[ConvertedSource] = []
    for result in _converted(jobs, _jobs(arguments.jobs)):
        results.append(result)
        console.detail(f"converted: {result.path}, exit status {result.exit_code}")
        console.progress(len(results), len(found), result.path)
    results.sort(key=lambda result: result.path)
    code = max((result.exit_code for result in results), default=0)
    _say(results, out, console)
    console.document(
        ConvertAllDocument(
            folder=str(root), out=str(out or ""), found=len(found), results=tuple(results), exit_code=code
        )
    )
    return code


def _refuse_options_of_one(arguments: argparse.Namespace) -> None:
    given = [name for name in _OF_ONE[1:] if getattr(arguments, name)]
    if given or arguments.linear or arguments.dependencies not in (None, "auto", "strict"):
        name = given[0] if given else "linear" if arguments.linear else "dependencies"
        raise UsageError(
            f"--{name.replace('_', '-')} can't be used with --all: it is about one workspace",
            hint="With --all, every choice takes its default; convert one workspace on its own to decide on it.",
        )


def _jobs(words: str | None) -> int:
    if words is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not words.isdecimal() or not 0 < int(words) <= 1024:
        raise UsageError(
            f"--jobs is {words!r}, which is not a number of processes", hint="For example --jobs 4."
        )
    return int(words)


def _shared_options(arguments: argparse.Namespace) -> tuple[str, ...]:
    """Return the conversion options of the command line as words for each single conversion."""
    words = conversion_words(arguments, without=_OF_ONE)
    for name in ReadingOptions.__struct_fields__:
        if value := getattr(arguments, name, None):
            words.append(f"--{name.replace('_', '-')}={value}")
    return (*words, f"--dependencies={arguments.dependencies or 'auto'}")


def output_names(root: Path, found: Sequence[FoundSource]) -> dict[str, str]:
    """Return the name of each source's output folder by its path: none may lie in another, so they are flat."""
    names: dict[str, str] = {}
    for source in found:
        base = root.resolve().name or "workspace" if source.path == HERE else source.path.replace("/", "--")
        numbered = chain([base], (f"{base}-{number}" for number in count(2)))
        names[source.path] = next(name for name in numbered if name not in names.values())
    return names


class Job(Struct, frozen=True):
    """One conversion: the source, where it lies, its output folder, and the conversion options as words."""

    source: FoundSource
    place: Path
    out: Path
    options: tuple[str, ...]


def _converted(jobs: Sequence[Job], processes: int) -> Iterator[ConvertedSource]:
    """Yield each source's result as it is ready; a process that dies takes only its own conversion with it.

    The deepest folders come first: beside a source in another one lies its package, which that one's report names.
    """
    with ThreadPoolExecutor(processes) as pool:
        try:
            for _, together in groupby(sorted(jobs, key=_depth, reverse=True), _depth):
                for done in as_completed([pool.submit(_convert, job) for job in together]):
                    yield done.result()
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _depth(job: Job) -> int:
    return len(PurePosixPath(job.source.path).parts)


def _convert(job: Job) -> ConvertedSource:
    """Convert one source in a process of its own, and return what its JSON document says."""
    done = _run([os.fspath(job.place), "--out", os.fspath(job.out), "--json", *job.options])
    killed = done.returncode < 0
    document = json.loads("{}" if killed else done.stdout or "{}")
    error = document.get("error", {})
    if killed:
        hint = "Perhaps memory ran out; try it alone, or with fewer --jobs."
        error = {"message": "The process that converted it was killed", "hint": hint}
    actions = [file["action"] for file in document.get("files", ())]
    return ConvertedSource(
        path=job.source.path,
        runtime=job.source.runtime,
        exit_code=_FAULT if killed else done.returncode,
        out=str(job.out),
        package=document.get("package", ""),
        written=document.get("written", False),
        files=len(actions),
        changed=sum(action not in _KEEPS for action in actions),
        message=error.get("message", "") or (_last_error(done.stderr) if done.returncode else ""),
        hint=error.get("hint", ""),
        skills_left=tuple(document.get("recap", {}).get("unexpanded_skills", ())),
        told=tuple(each["message"] for each in document.get("diagnostics", ()) if each["code"] in _TOLD),
    )


def _run(words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    # -P: the current folder may be a downloaded one, and a `json.py` in it would run.
    command = [sys.executable, "-P", "-m", "melleafy_tui", *words]
    return subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False)


def _last_error(said: str) -> str:
    """Return the first sentence of the last error that was printed: the JSON document of a refusal has none."""
    errors = [line.removeprefix("error: ") for line in said.splitlines() if line.startswith("error: ")]
    return errors[-1].partition(". ")[0] if errors else ""


def _say(results: Sequence[ConvertedSource], out: Path | None, console: Console) -> None:
    console.table([(result.path, result.runtime, _outcome(result)) for result in results], indent="")
    for result in results:
        if result.skills_left:
            console.line(f"{result.path}: skills seen and not converted: {', '.join(result.skills_left)}")
        for told in result.told:
            console.line(f"{result.path}: {told}")
    failed = sum(result.exit_code != 0 for result in results)
    console.heading(f"{counted(len(results), 'source')}: {len(results) - failed} converted, {failed} failed")
    console.line(
        f"The packages are in {out}" if out else f"Each package is in NAME{OUTPUT_SUFFIX} beside its source"
    )


def _outcome(result: ConvertedSource) -> str:
    if result.exit_code:
        return f"exit {result.exit_code}: {result.message}"
    if not result.written:
        return f"would write {counted(result.changed, 'file')}"
    return f"{counted(result.changed, 'file')} written" if result.changed else "up to date"
