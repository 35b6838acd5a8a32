"""Converts every workspace, skill and project below a folder, in parallel processes, and reports one table.

Each conversion is the one that `melleafy-tui PATH --dependencies=auto` makes, in a process that makes several.
"""

import argparse
import io
import json
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from msgspec import Struct

from melleafy_tui.cli.argument_table import COMMANDS_BY_NAME, conversion_options
from melleafy_tui.cli.console import Console, counted
from melleafy_tui.cli.json_documents import ConvertAllDocument, ConvertedSource
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.errors import UnusableInput, UsageError
from melleafy_tui.core.models.snapshot import ReadingOptions
from melleafy_tui.core.output.write_plan import Action
from melleafy_tui.core.source.sources_below import HERE, FoundSource, sources_below
from melleafy_tui.engine import OUTPUT_SUFFIX

_TOLD: Final = ("skills-elsewhere",)
"""Findings that name sources which were seen and not converted."""
_OF_ONE: Final = ("out", "package_name", "decisions", "in_place", "show_settings", "assist")
"""Options that make sense for one workspace only."""

_PER_PROCESS: Final = 50
"""Conversions of a process before it is replaced, so that what one of them left in memory goes with it."""

_FAULT: Final = 1
_SAFE_PATH: Final = "PYTHONSAFEPATH"
_KEEPS: Final = tuple(
    action.value for action in (Action.UNTOUCHED, Action.KEEP_EDITS, Action.STAY_DELETED, Action.FORGET)
)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Convert all sources below a folder."""
    _refuse_options_of_one(arguments)
    root = Path(arguments.workspace)
    if not root.is_dir():
        raise UnusableInput(f"{root} is not a folder", hint="`convert --all` takes the folder to search.")
    found = sources_below(root, Dialects.default().main_files)
    if not found:
        raise UnusableInput(
            f"No workspace, skill or project was found in {root}",
            hint="A folder counts if it has SOUL.md, IDENTITY.md, SKILL.md or CLAUDE.md.",
        )
    out = Path(arguments.out) if arguments.out else _default_out(root)
    options = _shared_options(arguments)
    results: list[ConvertedSource] = []
    places = {path: out / name for path, name in output_names(root, found).items()}
    jobs = [Job(source, root / source.path, places[source.path], options) for source in found]
    for result in _converted(jobs, _jobs(arguments.jobs)):
        results.append(result)
        console.detail(f"converted: {result.path}, exit status {result.exit_code}")
        console.progress(len(results), len(found), result.path)
    results.sort(key=lambda result: result.path)
    code = max((result.exit_code for result in results), default=0)
    _say(results, out, console)
    console.document(
        ConvertAllDocument(
            folder=str(root),
            out=str(out),
            found=len(found),
            results=tuple(results),
            exit_code=code,
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


def _default_out(root: Path) -> Path:
    """Return the folder for all packages, beside the folder searched: none may lie inside another workspace."""
    real = root.resolve()
    return real.parent / f"{real.name or 'workspaces'}{OUTPUT_SUFFIX}"


def _shared_options(arguments: argparse.Namespace) -> tuple[str, ...]:
    """Return the conversion options of the command line as words for each single conversion."""
    words = []
    for option in conversion_options(COMMANDS_BY_NAME[arguments.command]):
        value = getattr(arguments, option.dest)
        if option.dest in _OF_ONE or value in (None, False, []):
            continue
        words.append(option.option_strings[-1])
        if option.nargs != 0:
            words.append(str(value))
    for name in ReadingOptions.__struct_fields__:
        if value := getattr(arguments, name, None):
            words += [f"--{name.replace('_', '-')}", value]
    return (*words, f"--dependencies={arguments.dependencies or 'auto'}")


def output_names(root: Path, found: Sequence[FoundSource]) -> dict[str, str]:
    """Return the name of each source's output folder by its path: none may lie in another, so they are flat."""
    names: dict[str, str] = {}
    for source in found:
        base = root.resolve().name or "workspace" if source.path == HERE else source.path.replace("/", "--")
        taken = set(names.values())
        numbered = (f"{base}-{number}" for number in count(2))
        names[source.path] = (
            base if base not in taken else next(name for name in numbered if name not in taken)
        )
    return names


class Job(Struct, frozen=True, order=True):
    """One conversion: the source, where it lies, its output folder, and the conversion options as words."""

    source: FoundSource
    place: Path
    out: Path
    options: tuple[str, ...]


def _converted(jobs: Sequence[Job], processes: int) -> Iterator[ConvertedSource]:
    """Yield each source's result as it is ready; a process that dies takes only its own conversion with it.

    A pool that replaces its processes by itself (`max_tasks_per_child`) can wait for ever in Python 3.11
    (python/cpython#115634), so each round has a pool of its own.
    """
    a_round = processes * _PER_PROCESS
    for first in range(0, len(jobs), a_round):
        yield from _converted_in_a_pool(jobs[first : first + a_round], processes)


def _converted_in_a_pool(jobs: Sequence[Job], processes: int) -> Iterator[ConvertedSource]:
    left = list(jobs)
    while left:
        died: list[Job] = []
        with (
            _without_modules_of_this_folder(),
            ProcessPoolExecutor(min(processes, len(left)), mp_context=get_context("spawn")) as pool,
        ):
            waiting: dict[Future[ConvertedSource], Job] = {pool.submit(convert_one, job): job for job in left}
            try:
                for future in as_completed(waiting):
                    try:
                        yield future.result()
                    except BrokenProcessPool:
                        died.append(waiting[future])
            except KeyboardInterrupt:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        left = sorted(died)
        if processes == 1 and left:  # one process takes them in order, so it died at the first that is left
            yield _killed(left.pop(0))
        processes = 1


@contextmanager
def _without_modules_of_this_folder() -> Iterator[None]:
    """Keep the current folder off the import path of new processes: a `json.py` in a downloaded one would run."""
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_SAFE_PATH]
        else:
            os.environ[_SAFE_PATH] = before


def _killed(job: Job) -> ConvertedSource:
    return ConvertedSource(
        path=job.source.path,
        runtime=job.source.runtime,
        exit_code=_FAULT,
        out=str(job.out),
        message="The process that converted it was killed",
        hint="Perhaps memory ran out; try it alone, or with fewer --jobs.",
    )


def convert_one(job: Job) -> ConvertedSource:
    """Convert one source in this process, and return what its JSON document says."""
    from melleafy_tui.cli.main import main

    told, said = io.StringIO(), io.StringIO()
    with redirect_stdout(told), redirect_stderr(said):
        code = main([os.fspath(job.place), "--out", os.fspath(job.out), "--json", *job.options])
    document = json.loads(told.getvalue() or "{}")
    error = document.get("error", {})
    actions = [file["action"] for file in document.get("files", ())]
    return ConvertedSource(
        path=job.source.path,
        runtime=job.source.runtime,
        exit_code=code,
        out=str(job.out),
        package=document.get("package", ""),
        written=document.get("written", False),
        files=len(actions),
        changed=sum(action not in _KEEPS for action in actions),
        message=error.get("message", "") or _last_error(said.getvalue()) if code else "",
        hint=error.get("hint", ""),
        skills_left=tuple(document.get("recap", {}).get("unexpanded_skills", ())),
        told=tuple(each["message"] for each in document.get("diagnostics", ()) if each["code"] in _TOLD),
    )


def _last_error(said: str) -> str:
    """Return the first sentence of the last error that was printed: the JSON document of a refusal has none."""
    errors = [line.removeprefix("error: ") for line in said.splitlines() if line.startswith("error: ")]
    return errors[-1].partition(". ")[0] if errors else ""


def _say(results: Sequence[ConvertedSource], out: Path, console: Console) -> None:
    console.table([(result.path, result.runtime, _outcome(result)) for result in results], indent="")
    for result in results:
        if result.skills_left:
            console.line(f"{result.path}: skills seen and not converted: {', '.join(result.skills_left)}")
        for told in result.told:
            console.line(f"{result.path}: {told}")
    failed = sum(result.exit_code != 0 for result in results)
    console.heading(f"{counted(len(results), 'source')}: {len(results) - failed} converted, {failed} failed")
    console.line(f"The packages are in {out}")


def _outcome(result: ConvertedSource) -> str:
    if result.exit_code:
        return f"exit {result.exit_code}: {result.message}"
    if not result.written:
        return f"would write {counted(result.changed, 'file')}"
    return f"{counted(result.changed, 'file')} written" if result.changed else "up to date"
