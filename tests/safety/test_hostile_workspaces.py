"""Hostile workspaces through the whole chain: only documented exits, bounded, nothing sprung (spec/safety.md 1 to 7)."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pytest

from tests.conftest import PROJECT
from tests.safety.chain import converted, imported, look, safely, sprung
from tests.safety.hostile_texts import TEXTS
from tests.safety.hostile_workspaces import SHAPES, TEXT_FORMS, make, put

Names = Iterable[str]


def quick(names: Names, *kept: str) -> list[object]:
    """Return the names for a quick run; those that are not kept belong to the slow suite."""
    return [name if name in kept else pytest.param(name, marks=pytest.mark.slow) for name in names]


LARGE = ("huge lines", "huge counts", "cyclic imports")
QUICK_SHAPES = [name for name in SHAPES if name not in LARGE and not name.startswith("json")]
USUAL_TEXTS = [text for name, text in TEXTS.items() if name not in ("long word", "combining")]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in a folder of one's own, so that what a text makes without a path is found too."""
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("form", TEXT_FORMS)
def test_every_text_in_every_field_stays_text(form: str, place: Path) -> None:
    stays_text(form, USUAL_TEXTS, place)


def test_every_fourth_text_in_every_field_stays_text(place: Path) -> None:
    stays_text("openclaw", USUAL_TEXTS[::4], place)


def stays_text(form: str, texts: Sequence[str], place: Path) -> None:
    """Convert a workspace of this form with these texts in every field, and import the package."""
    root = place / "source" / "workspace"
    put(root, TEXT_FORMS[form](texts))
    out = converted(root, place / "out")
    if form != "hybrid":
        assert imported(out) == ""
    assert sprung(place) == []


@pytest.mark.parametrize("name", quick(QUICK_SHAPES, "yaml", "encodings", "special files"))
def test_a_hostile_shape_is_survived(name: str, place: Path) -> None:
    root = make(name, place / "source" / "workspace")
    safely("inventory", root, "--json")
    converted(root, place / "out")


@pytest.mark.parametrize("name", quick((name for name in SHAPES if name.startswith("json")), "json 10"))
def test_hostile_json_is_survived(name: str, place: Path) -> None:
    root = make(name, place / "source" / "workspace")
    converted(root, place / "out")


def looked_at() -> Iterator[object]:
    """Yield every workspace; for most JSON files and what is large, the slow suite has the conversion alone."""
    for name in (*TEXT_FORMS, *SHAPES):
        costly = name in LARGE or (name.startswith("json") and name not in ("json 10", "json 14"))
        yield pytest.param(name, marks=pytest.mark.long) if costly else name


@pytest.mark.slow
@pytest.mark.parametrize("name", looked_at())
def test_every_command_that_looks_survives(name: str, place: Path) -> None:
    root = make(name, place / "source" / "workspace")
    look(root)
    assert sprung(place) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_a_large_hostile_shape_is_survived(name: str, place: Path) -> None:
    converted(make(name, place / "source" / "workspace"), place / "out")


def each_text_of_each_form() -> Iterator[object]:
    """Yield every pair; those beyond one form for each text belong to the long suite."""
    for place, text in enumerate(TEXTS):
        for number, form in enumerate(TEXT_FORMS):
            marks = () if number == place % len(TEXT_FORMS) else (pytest.mark.long,)
            yield pytest.param(form, text, marks=marks)


@pytest.mark.slow
@pytest.mark.parametrize(("form", "text"), [("openclaw", "escape sequence"), ("claude-code", "clipboard")])
def test_a_text_on_one_line_with_a_secret_or_in_place_of_a_variable_stays_text(
    form: str, text: str, place: Path
) -> None:
    alone(form, text, place)


@pytest.mark.slow
@pytest.mark.parametrize(("form", "text"), each_text_of_each_form())
def test_each_text_alone_in_every_field_stays_text(form: str, text: str, place: Path) -> None:
    alone(form, text, place)


def alone(form: str, text: str, place: Path) -> None:
    """Convert a workspace of this form with one text in every field."""
    root = place / "source" / "workspace"
    put(root, TEXT_FORMS[form]([TEXTS[text]]))
    converted(root, place / "out")
    assert sprung(place) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", quick(["openclaw", "special files", "name tricks", "encodings"], "special files")
)
def test_the_way_back_and_the_byte_preserving_way_survive(name: str, place: Path) -> None:
    root = make(name, place / "source" / "workspace")
    out = converted(root, place / "out")
    (manifest,) = out.glob("*/melleafy.json")
    safely("export", manifest.parent, place / "exported", "--host=openclaw")
    safely("explain", out, "config.py")
    safely("explain", root, "AGENTS.md", "--json")
    for form in ((), ("--format=markdown",), ("--json",)):
        safely("diff", PROJECT / "examples" / "ticket-triage", root, *form)
    safely("diff", out, root)
    safely("materialize", "--reverse", root, place / "surfaces")
    safely("materialize", place / "surfaces", place / "again")
    safely("history", root)
    assert sprung(place) == []


@pytest.mark.parametrize("name", quick(["openclaw", "yaml", "encodings", "special files"], "special files"))
def test_history_of_a_hostile_state_folder_survives(name: str, place: Path) -> None:
    root = make(name, place / "source" / "workspace")
    sessions = place / "state" / "agents" / "main" / "sessions"
    sessions.mkdir(parents=True)
    for number, found in enumerate(path for path in sorted(root.rglob("*")) if path.is_file()):
        (sessions / f"s{number}.jsonl").write_bytes(found.read_bytes()[:50_000])
    safely("history", place / "state")
    safely("history", place / "state", "--session", "all", "--json")
