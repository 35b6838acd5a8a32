"""Outside dialects that are wrong: each mistake is told with the distribution's name, and the tool goes on without it."""

import importlib
import re
import sys
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest

from melleafy_tui.core.dialects.plugins import dialect_problems
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.models.findings import Diagnostic
from melleafy_tui.core.models.vocabulary import Runtime
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.engine import open_conversion
from tests.dialects.outside.distribution import example, install, lantern_workspace

Install = Callable[[str], None]


@pytest.fixture
def put(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Install the guide's dialect with a change."""

    def install_it(module: str) -> None:
        sys.modules.pop("lantern_dialect", None)
        folder = install(tmp_path / "site", "lantern-dialect", module, example()[1])
        monkeypatch.syspath_prepend(folder)
        importlib.invalidate_caches()

    yield install_it
    sys.modules.pop("lantern_dialect", None)


def changed(old: str, new: str) -> str:
    """Return the guide's module with one place changed, however its lines are broken there."""
    pattern = re.escape(old).replace(r"\ ", r"\s+")
    module, count = re.subn(pattern, lambda _: new, example()[0])
    assert count
    return module


def problem(dialects: Dialects) -> Diagnostic:
    (found,) = dialects.problems
    return found


MISTAKES = {
    "unknown category of a file rule": ('"the agent", Category.C2)', '"the agent", "C11")', "has the category 'C11'"),
    "unknown category of a row": ('"a quote", Category.C1', '"a quote", "voice"', "has the category 'voice'"),
    "an unknown disposition": ("EntryKind.RULE, Disposition.BUNDLE", 'EntryKind.RULE, "keep"', "the default 'keep'"),
    "a strength that is none": ("Strength.STRONG", '"very"', "has the strength 'very'; use one of"),
    "a matcher that is none": ("name_exists(SPEC)", '"LANTERN.md"', "use a function"),
    "another interface": ("interface = 3", "interface = 2", "interface 2 of dialects; this version has interface 3"),
    "an import of an earlier interface": (
        "import ElementFactory, Home",
        "import ElementFactory, Home, TagDecision",
        "interface 1 of dialects; this version has interface 3",
    ),
    "a runtime that is no text": ('runtime = "lantern"', "runtime = 7", "runtime is 7; use a text"),
    "a runtime that is taken": ('runtime = "lantern"', 'runtime = "openclaw"', "dialect for openclaw already"),
    "no title": ('title = "Lantern"', 'title = " "', "title is ' '"),
    "another class": ("LanternDialect(Dialect)", "LanternDialect", "doesn't inherit from Dialect"),
    "a table that is none": ("mapping_rows = (", "mapping_rows = [] and (", "mapping_rows is not a tuple"),
    "an import that fails": ("from melleafy_tui.core.source.segments", "from nowhere.at_all", "ModuleNotFoundError"),
    "a constructor that fails": (
        'runtime = "lantern"', 'runtime = "lantern"\n\n    def __init__(self):\n        raise OSError("dark")\n',
        "OSError: dark",
    ),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_wrong_dialect_is_left_out_and_told(put: Install, mistake: str) -> None:
    old, new, said = MISTAKES[mistake]
    put(changed(old, new))
    dialects = Dialects.default()
    found = problem(dialects)
    assert found.code == "dialect-broken"
    assert "distribution lantern-dialect" in found.message
    assert said in found.message
    assert not dialects.has("lantern")
    assert dialects.has("openclaw")


FAILURES = {
    "wants": ("return path == SPEC", "raise KeyError(path)", "wants"),
    "signal": ("name_exists(SPEC)", "lambda snapshot: 1 / 0", "signal LANTERN.md"),
    "generation": ('return ""', 'raise OSError("dark")', "generation"),
    "modality_evidence": ("lines = spec.lines if spec else ()", "lines = spec.nothing", "modality_evidence"),
    "schedule": ("return Schedule()", 'raise OSError("dark")', "schedule"),
    "read": ("elements = []", 'raise OSError("dark")', "read"),
    "lines that are not there": ("                    segment,", 'type(segment)("item", 900, 901, (), ""),', "read"),
    "facts that are none": ("else Facts(),", 'else {"name": "x"},', "use Facts"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("failure", FAILURES)
def test_a_dialect_that_fails_at_work_costs_only_its_answer(
    put: Install, tmp_path: Path, failure: str
) -> None:
    old, new, said = FAILURES[failure]
    put(changed(old, new))
    workspace = lantern_workspace(tmp_path / "night-watch")
    (workspace / "harbour.map").write_text("here\n", encoding="utf-8")
    conversion: Conversion = open_conversion(
        workspace, as_of=date(2026, 1, 15), generated_at="2026-01-15T00:00:00Z"
    )
    files = conversion.files
    found = [finding for finding in conversion.diagnostics if finding.code == "dialect-failed"]
    assert found
    assert all("lantern-dialect" in finding.message for finding in found)
    assert said in found[0].message
    assert conversion.lints.passed
    assert files.files
    assert all(not report.uncovered_lines for report in conversion.inventory.coverage)


def test_the_tables_of_this_project_have_the_types_that_are_asked_of_others() -> None:
    dialects = Dialects.default()
    for runtime in Runtime:
        assert dialect_problems(dialects.get(runtime)) == (), runtime
