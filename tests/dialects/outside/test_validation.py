"""Outside dialects that are wrong: each mistake is told with the distribution's name, and the tool goes on without it."""

import importlib
import re
import sys
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest

from melleafy_tui.core.dialects.plugins import dialect_problems, shared_row_problems
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.models.findings import Diagnostic
from melleafy_tui.core.models.vocabulary import Runtime
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.engine import open_conversion
from tests.dialects.outside.distribution import example, install, lantern_workspace
from tests.rows import every_row

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
    "a row twice": ('"lantern.rule", "an item"', '"lantern.voice", "an item"', "'lantern.voice' is in the table 2"),
    "a signal twice": (
        "signals = (", 'signals = (Signal("LANTERN.md", Strength.WEAK, name_exists("x")), ', "is in the table 2",
    ),
    "a pattern twice": (
        "file_rules = (", 'file_rules = (FileRule("lantern.more", SPEC, "x", Category.C1), ', "is in the table 2",
    ),
    "unknown category of a file rule": ('"the agent", Category.C2)', '"the agent", "C11")', "unknown category 'C11'"),
    "unknown category of a row": ('"a quote", Category.C1', '"a quote", "voice"', "unknown category 'voice'"),
    "a kind that the category has not": ("EntryKind.IDENTITY", "EntryKind.RULE", "kind rule, which C1 has not"),
    "a forbidden disposition": ("EntryKind.RULE, Disposition.BUNDLE", "EntryKind.RULE, Disposition.MOCK",
                                "forbidden disposition mock"),
    "an unknown disposition": ("EntryKind.RULE, Disposition.BUNDLE", 'EntryKind.RULE, "keep"', "disposition 'keep'"),
    "no target": ('"config.py", "PREFIX_TEXT"', '"", "PREFIX_TEXT"', "has no target"),
    "a target outside the package": ('"config.py", "PREFIX_TEXT"', '"../config.py", "X"', "not a file of a package"),
    "an unknown role": ('reason="A quote is how the agent speaks."', 'role="speaker"', "unknown role 'speaker'"),
    "no primitive": ('"PREFIX_TEXT", "bundle"', '"PREFIX_TEXT", ""', "has no primitive"),
    "an absolute pattern": ('"lantern.spec", SPEC', '"lantern.spec", "/etc/passwd"', "bad pattern '/etc/passwd'"),
    "a pattern that climbs": ('"lantern.spec", SPEC', '"lantern.spec", "a/../../b"', "bad pattern"),
    "a pattern over folders": ('"lantern.spec", SPEC', '"lantern.spec", "**/x.md"', "bad pattern"),
    "an empty pattern": ('"lantern.spec", SPEC', '"lantern.spec", ""', "bad pattern ''"),
    "a strength that is none": ("Strength.STRONG", '"very"', "strength 'very'"),
    "a matcher that is none": ("name_exists(SPEC)", '"LANTERN.md"', "no matcher"),
    "a runtime that is no name": ('runtime = "lantern"', 'runtime = "Night Watch"', "'Night Watch'"),
    "a runtime that is a result": ('runtime = "lantern"', 'runtime = "hybrid"', "a result of the detection, not a runtime"),
    "a runtime that is taken": ('runtime = "lantern"', 'runtime = "openclaw"', "dialect for openclaw already"),
    "no title": ('title = "Lantern"', 'title = " "', "title is empty"),
    "a part is missing": ("def generation", "def generations", "has no generation"),
    "a table that is none": ("mapping_rows = (", "mapping_rows = [] and (", "mapping_rows is not a tuple"),
    "a row of another dialect": ('"lantern.voice", "a quote"', '"soul.body", "a quote"', "a row of openclaw already"),
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
    "lines that are not there": ("SourceSpan.of(segment)", "SourceSpan(900, 901, segment.kind)", "read"),
    "facts that are none": ("else Facts(),", 'else {"name": "x"},', "use Facts"),
    "a row that is in no table": ('row, tag, category = "lantern.rule"', 'row, tag, category = "lantern.rules"',
                                  "in no table"),
    "tag and category that never stand together": ("Tag.CONVERSE, Category.C1", "Tag.TOOL_TEMPLATE, Category.C1",
                                                   "never allowed together"),
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


@every_row("runtime", [runtime for runtime in Runtime if Dialects.default().has(runtime)])
def test_the_tables_of_this_project_hold_what_is_asked_of_others(runtime: str) -> None:
    dialects = Dialects.default()
    dialect = dialects.get(runtime)
    others = [dialects.get(name) for name in Runtime if dialects.has(name) and name != runtime]
    paths_above = {"../openclaw.json", "../openclaw.json5", "../config/openclaw.json"}
    problems = [said for said in dialect_problems(dialect) if not any(path in said for path in paths_above)]
    assert problems == []
    assert shared_row_problems(dialect, others) == ()
