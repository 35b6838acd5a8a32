"""A file of the package is made alone when it is asked for alone, and is the one that stands in the whole."""

import difflib
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from melleafy_tui.actions.output_changes import effect, unified
from melleafy_tui.core.decisions.commands import SetDisposition
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.generators import render
from melleafy_tui.generators.render import GENERATORS, Generator, render_package
from tests.generators.test_incremental import RULE, opened

WHOLE = opened()
BOOKKEEPING = ("melleafy.json", "README.md", "mapping_report.md")


def counted(generator: Generator, made: Counter[str]) -> Generator:
    def once(emit: Callable[..., list[EmittedFile]]) -> Callable[..., list[EmittedFile]]:
        def emitted(*given: object) -> list[EmittedFile]:
            made[generator.paths[0].rpartition("/")[2]] += 1
            return emit(*given)

        return emitted

    return replace(
        generator,
        from_plan=once(generator.from_plan) if generator.from_plan else None,
        from_files=once(generator.from_files) if generator.from_files else None,
    )


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each row of the table was carried out, by its first path."""
    found: Counter[str] = Counter()
    rows = tuple(counted(generator, found) for generator in GENERATORS)
    monkeypatch.setattr(render, "GENERATORS", rows)
    return found


def after_an_act() -> Conversion:
    conversion = opened()
    assert conversion.rendered.files
    conversion.act(SetDisposition((RULE,), Disposition.REMOVE))
    return conversion


@pytest.mark.parametrize("path", [file.path for file in WHOLE.rendered.files])
def test_each_file_alone_is_the_one_of_the_whole(path: str) -> None:
    assert render_package(WHOLE.committed).file(path) == WHOLE.rendered.by_path[path]


def test_there_is_no_file_at_another_path() -> None:
    for path in ("nowhere.py", "quay_mellea/loader2.py", "quay_mellea/fixtures/nothing.py", ""):
        assert render_package(WHOLE.committed).file(path) is None


def test_nothing_is_made_before_it_is_asked_for(made: Counter[str]) -> None:
    assert opened().rendered is not None
    assert made == {}


def test_a_changed_file_is_made_without_the_others(made: Counter[str]) -> None:
    conversion = after_an_act()
    path = f"{conversion.rendered.package_name}/requirements.py"
    before = WHOLE.rendered.by_path[path]
    made.clear()
    found = conversion.rendered.file(path)
    assert found is not None
    assert found.data != before.data
    assert made == {"requirements.py": 1}
    assert conversion.rendered.files
    assert set(made.values()) == {1}, "the whole makes no file again that was made alone"


def test_the_whole_is_made_once_and_handed_to_twins(made: Counter[str]) -> None:
    conversion = after_an_act()
    made.clear()
    assert conversion.rendered is conversion.with_decisions(conversion.decisions).rendered
    for _ in range(2):
        assert conversion.with_decisions(conversion.decisions).files
    assert set(made.values()) == {1}


def test_an_effect_makes_no_file_that_it_does_not_show(made: Counter[str]) -> None:
    conversion = opened()
    entry = next(entry for entry in conversion.plan.entries if entry.kind is EntryKind.RULE)
    shown = effect(conversion, entry)
    assert shown.lines
    assert any(path.endswith("requirements.py") for path in shown.files)
    assert made["requirements.py"] == 2
    assert not made.keys() & {*BOOKKEEPING, "*.json"}


def test_a_plan_is_not_changed_by_what_is_made_of_it() -> None:
    committed: CommittedPlan = WHOLE.committed
    first, second = render_package(committed), render_package(committed)
    assert first == second
    assert hash(first) == hash(second)
    assert first != WHOLE.files


LINES = st.lists(st.sampled_from(["", "a", "b", "c", "@@ -1 +1 @@", "-- d"]), max_size=30)


CHANGES = st.lists(st.tuples(st.sampled_from([0, 1, 9, 300, 500]), LINES, LINES), max_size=4)


@given(CHANGES, st.sampled_from([0, 2, 300, 500]), st.sampled_from([1, 3]))
def test_a_difference_applied_to_the_old_text_gives_the_new(
    changes: list[tuple[int, list[str], list[str]]], below: int, context: int
) -> None:
    before, after = ["top"], ["top"]
    for above, old, new in changes:
        before += [*map(str, range(above)), *old]
        after += [*map(str, range(above)), *new]
    before += map(str, range(below))
    after += map(str, range(below))
    lines = unified("\n".join(before), "\n".join(after), "x", context=context)
    assert applied(before, lines[2:]) == after
    assert bool(lines) == (before != after)
    assert sum(line.startswith("--- ") for line in lines[:1]) == bool(lines)


def test_a_difference_of_short_texts_is_that_of_the_library() -> None:
    for old, new in (
        ("a\nb\nc", "a\nc\nc"),
        ("", "a\nb"),
        ("a", ""),
        ("x\n\ny\n", "x\n\ny\n\n"),
        ("same", "same"),
    ):
        before, after = (text.split("\n") if text else [] for text in (old, new))
        expected = difflib.unified_diff(before, after, "before/p", "after/p", lineterm="")
        assert unified(old, new, "p") == [*expected]


def applied(before: list[str], lines: list[str]) -> list[str]:
    """Return the text after a unified diff, with every place and every line of context checked."""
    after: list[str] = []
    read = 0
    for line in lines:
        if line.startswith("@@"):
            old, new = (part[1:].partition(",") for part in line.split()[1:3])
            start = int(old[0]) - (old[2] != "0")
            after += before[read:start]
            read = start
            assert int(new[0]) - (new[2] != "0") == len(after)
        elif line.startswith("+"):
            after.append(line[1:])
        else:
            assert before[read] == line[1:]
            read += 1
            if line.startswith(" "):
                after.append(line[1:])
    return [*after, *before[read:]]
