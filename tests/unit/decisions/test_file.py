"""The decisions file: what is read, what is refused and how, what is written (spec/decisions.md)."""

import json
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import settings as drawing
from hypothesis import strategies as st

from melleafy_tui.cli.commands.schema import json_schema
from melleafy_tui.core.decisions import file
from melleafy_tui.core.decisions.file import (
    format_decisions,
    parse_decisions,
    read_decisions,
    write_decisions,
    write_schema,
)
from melleafy_tui.core.errors import DecisionsRefused, UnusableInput
from melleafy_tui.core.models.decisions import DecisionsDocument
from melleafy_tui.core.models.vocabulary import Category, Disposition, Modality, PersonaChannel, Tag
from melleafy_tui.core.output.file_operations import FileOperations
from tests.unit.faults import FaultyOperations, full_disk, killed_at, read_only

VALIDATOR = jsonschema.Draft202012Validator(json_schema("decisions"))

EXAMPLE = """\
{
  "$schema": "melleafy-decisions.schema.json",
  "format_version": "1.0",
  "workspace": {"name": "ticket-triage", "snapshot": "sha256:…"},
  "settings": {"source_runtime": null, "modality": null, "package_name": null, "backend": "ollama", "model_id": "granite4.1:3b",
               "persona_channel": "prefix", "openclaw_release": "dialect-1.0"},
  "overrides": [
    {"key": "AGENTS.md#red-lines/never-auto-close-a-ticket", "disposition": "stub",
     "override_rationale": "our ticket system enforces this",
     "expects": {"default": "bundle", "text": "sha256:9f2c…"}}
  ],
  "retags": [{"key": "AGENTS.md#triage/read-the-ticket-first", "tag": "ORCHESTRATE", "category": "C2", "expects": {"text": "sha256:…"}}],
  "conflicts": [{"key": "AGENTS.md#tools/github", "resolution": "merge"}],
  "acknowledged": ["OC-BUDGET-FILE:SOUL.md"]
}
"""


def test_the_example_of_the_specification_is_read() -> None:
    document = parse_decisions(EXAMPLE)
    assert document.overrides[0].disposition is Disposition.STUB
    assert document.overrides[0].override_rationale == "our ticket system enforces this"
    assert document.retags[0].tag is Tag.ORCHESTRATE
    assert document.conflicts[0].resolution == "merge"
    assert document.acknowledged == ("OC-BUDGET-FILE:SOUL.md",)


def test_the_short_form_of_the_published_workflow_is_read() -> None:
    text = '{"overrides": [{"entry_id": "dep_050", "disposition": "stub", "override_rationale": "x"}]}'
    assert parse_decisions(text).overrides[0].entry_id == "dep_050"


REFUSED = {
    "no-json": ('{"overrides": [\n  oops]}', "f.json:2:3", "not valid JSON"),
    "not-an-object": ("[]", "f.json:1", "not a JSON object"),
    "empty": ("", "f.json:1:1", "not valid JSON"),
    "unknown-disposition": ('{"overrides": [\n {"key": "a#b", "disposition": "stubb"}]}', "f.json:2", "Entry 1 of overrides ('a#b'), disposition: 'stubb' is not known"),
    "unknown-field": ('{"overrides": [{"key": "a#b", "disposition": "stub"},\n{"key": "c#d",\n"dispositon": "stub"}]}', "f.json:3", "Entry 2 of overrides ('c#d'), dispositon: this name is not known"),
    "unknown-section": ('{\n"override": []}', "f.json:2", "override: this name is not known"),
    "unknown-tag": ('{"retags": [{"key": "a#b", "tag": "THINK"}]}', "f.json:1", "Entry 1 of retags ('a#b'), tag: 'THINK' is not known"),
    "unknown-resolution": ('{"conflicts": [{"key": "a#b", "resolution": "both"}]}', "f.json:1", "'both' is not known"),
    "unknown-setting": ('{"settings": {"temperature": 1}}', "f.json:1", "settings.temperature: this name is not known"),
    "unknown-modality": ('{"settings":\n {"modality": "sometimes"}}', "f.json:2", "'sometimes' is not known"),
    "unknown-version": ('{"format_version": "9.0"}', "f.json:1", "'9.0' is not known"),
    "nameless": ('{"overrides": [{"disposition": "stub"}]}', "f.json:1", "it names no entry"),
    "decides-nothing": ('{"overrides": [{"key": "a#b"}]}', "f.json:1", "it decides nothing"),
    "wrong-type": ('{"overrides": {"key": "a#b"}}', "f.json:1", "overrides"),
    "twice": ('{"overrides": [],\n "overrides": []}', "f.json:2", "'overrides' appears twice"),
    "bad-digest": ('{"overrides": [{"key": "a#b", "disposition": "stub", "expects": {"text": "md5:1"}}]}', "f.json:1", "'md5:1' has the wrong form"),
    "too-deep": ("[" * 100_000, "f.json", "deep"),
    "long-number": ('{"overrides": ' + "9" * 5_000 + "}", "f.json", "a number that is too long"),
    "bad-entry-id": ('{"overrides": [{"entry_id": "elem_001", "disposition": "stub"}]}', "f.json:1", "'elem_001' has the wrong form"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_a_refusal_names_entry_line_and_reason(case: str) -> None:
    text, location, words = REFUSED[case]
    with pytest.raises(DecisionsRefused) as refused:
        parse_decisions(text, source="f.json")
    assert refused.value.location == location
    assert words in refused.value.message
    assert "\n" not in refused.value.message
    assert refused.value.hint


def test_a_missing_file_is_unusable_input(tmp_path: Path) -> None:
    with pytest.raises(UnusableInput) as failed:
        read_decisions(tmp_path / "absent.json")
    assert "absent.json" in failed.value.location


def test_a_file_that_is_not_utf8_is_refused_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "d.json"
    path.write_bytes(b'{"acknowledged": ["\xff"]}')
    with pytest.raises(DecisionsRefused, match="byte 19"):
        read_decisions(path)


def test_a_file_past_the_limit_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("melleafy_tui.core.decisions.file.LARGEST_FILE", 10)
    path = tmp_path / "d.json"
    path.write_text(" " * 11)
    with pytest.raises(UnusableInput, match="larger"):
        read_decisions(path)


def test_a_byte_order_mark_is_read_over(tmp_path: Path) -> None:
    path = tmp_path / "d.json"
    path.write_bytes(b"\xef\xbb\xbf{}")
    assert read_decisions(path) == DecisionsDocument()


def test_writing_is_whole_and_keeps_the_mode(tmp_path: Path) -> None:
    real = tmp_path / "real.json"
    real.write_text("{}")
    real.chmod(0o600)
    write_decisions(real, parse_decisions(EXAMPLE))
    assert real.stat().st_mode & 0o777 == 0o600
    assert read_decisions(real) == parse_decisions(EXAMPLE)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["real.json"]


@pytest.mark.parametrize("target", ["real.json", "missing.json", "folder", "link.json"])
def test_a_link_is_never_written_through(tmp_path: Path, target: str) -> None:
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    real.write_text("precious")
    (tmp_path / "folder").mkdir()
    link.symlink_to(target)
    with pytest.raises(UnusableInput, match="symbolic link"):
        write_decisions(link, parse_decisions(EXAMPLE))
    assert real.read_text() == "precious"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "link.json", "real.json"]
    assert link.is_symlink()


def test_killed_at_any_point_of_saving_the_file_is_the_old_or_the_new_one(tmp_path: Path) -> None:
    place, old, new = tmp_path / "d.json", DecisionsDocument(), parse_decisions(EXAMPLE)
    seen = []
    for point in range(100):
        place.write_text(format_decisions(old))
        if not killed_at(point, lambda operations: write_decisions(place, new, operations=operations)):
            break
        seen.append(read_decisions(place))
        assert seen[-1] in (old, new), f"point {point}"
        write_decisions(place, new)
        assert [path.name for path in tmp_path.iterdir()] == ["d.json"], f"point {point}: a draft stays"
    assert old in seen
    assert new in seen


def test_killed_at_any_point_of_replacing_decisions_that_nobody_loaded_they_are_there(tmp_path: Path) -> None:
    place, new = tmp_path / "d.json", DecisionsDocument()
    for point in range(100):
        for path in tmp_path.iterdir():
            path.unlink()
        place.write_text(EXAMPLE)
        if not killed_at(point, lambda operations: write_decisions(place, new, operations=operations)):
            break
        assert EXAMPLE in [path.read_text() for path in tmp_path.iterdir()], f"point {point}"
        write_decisions(place, new)
        assert EXAMPLE in [path.read_text() for path in tmp_path.glob(".d.json.bak*")], f"point {point}"


@pytest.mark.parametrize("fault", [full_disk, read_only], ids=["disk-full", "read-only"])
def test_a_save_that_fails_at_any_point_says_so_and_leaves_the_old_or_the_new_file(
    tmp_path: Path, fault: Callable[[], None]
) -> None:
    place, old, new = tmp_path / "d.json", DecisionsDocument(), parse_decisions(EXAMPLE)
    refused = 0
    for point in range(100):
        place.write_text(format_decisions(old))
        operations = FaultyOperations(point, fault)
        try:
            write_decisions(place, new, operations=operations)
        except UnusableInput as error:
            refused += "cannot be written" in error.message
            assert read_decisions(place) in (old, new), f"point {point}"
        else:
            assert read_decisions(place) == new
        assert [path.name for path in tmp_path.iterdir()] == ["d.json"], f"point {point}: a draft stays"
        if operations.passed <= point:
            break
    assert refused >= 4


def test_decisions_that_nobody_loaded_are_kept_beside_those_that_replace_them(tmp_path: Path) -> None:
    place, example = tmp_path / "d.json", parse_decisions(EXAMPLE)
    others = {
        "a hand edit": EXAMPLE.replace("our ticket system enforces this", "as agreed on Monday"),
        "another setting": '{"format_version": "1.0", "settings": {"backend": "openai"}}',
        "no decisions file": "precious",
    }
    for number, (what, text) in enumerate(others.items(), 1):
        place.write_text(text)
        backup = write_decisions(place, example).backup
        assert backup is not None, what
        assert backup.name == (".d.json.bak" if number == 1 else f".d.json.bak.{number}")
        assert backup.read_text() == text, what
        assert read_decisions(place) == example
    kept = sorted(tmp_path.iterdir())
    place.write_text(others["a hand edit"])
    assert write_decisions(place, example, known=read_decisions(place).digest).backup is None
    place.write_text('{"format_version": "1.0", "workspace": {"name": "other"}}')
    assert write_decisions(place, example).backup is None, "it held no decision"
    written = write_decisions(place, example)
    assert (written.backup, written.digest) == (None, read_decisions(place).digest)
    place.write_text(others["a hand edit"])
    assert write_decisions(place, example).backup == tmp_path / ".d.json.bak", "the same text is kept once"
    assert sorted(tmp_path.iterdir()) == kept


def test_a_pipe_is_read_and_one_without_a_writer_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading, writing = os.pipe()
    os.write(writing, EXAMPLE.encode())
    os.close(writing)
    assert read_decisions(Path(f"/dev/fd/{reading}")) == parse_decisions(EXAMPLE)
    os.close(reading)
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_text, args=(EXAMPLE,))
    writer.start()
    assert read_decisions(tmp_path / "pipe") == parse_decisions(EXAMPLE)
    writer.join()
    monkeypatch.setattr(file, "PIPE_PATIENCE", 0.05)
    with pytest.raises(UnusableInput, match="a pipe that nobody writes to"):
        read_decisions(tmp_path / "pipe")


def test_several_may_save_at_once(tmp_path: Path) -> None:
    place = tmp_path / "d.json"

    def save(draft_of_another: Path) -> None:
        draft_of_another.write_text("about to be put into place")
        write_decisions(place, parse_decisions(EXAMPLE))
        assert draft_of_another.is_file()

    save(tmp_path / f".d.json.{os.getppid()}.draft")
    (tmp_path / f".d.json.{2**22 + 1}.draft").touch()
    save(tmp_path / ".d.json.1.draft")
    assert len(list(tmp_path.iterdir())) == 3, "that of a process that was killed is removed"


def test_a_draft_that_is_written_half_is_no_decisions_file(tmp_path: Path) -> None:
    class Half(FileOperations):
        def write_durably(self, place: Path, data: bytes, mode: int = 0o666) -> None:
            place.write_bytes(data[: len(data) // 2])
            full_disk()

    place = tmp_path / "d.json"
    write_decisions(place, DecisionsDocument())
    with pytest.raises(UnusableInput, match="No space left"):
        write_decisions(place, parse_decisions(EXAMPLE), operations=Half())
    assert read_decisions(place) == DecisionsDocument()


def test_writing_into_a_folder_that_is_gone_says_so(tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match="cannot be written"):
        write_decisions(tmp_path / "gone" / "d.json", DecisionsDocument())


def test_nothing_that_equals_a_default_is_written() -> None:
    text = format_decisions(DecisionsDocument())
    assert json.loads(text) == {"format_version": "1.1"}
    assert text.endswith("}\n")


def test_a_saved_file_names_a_schema_only_where_it_resolves(tmp_path: Path) -> None:
    place = tmp_path / "mine.json"
    write_decisions(place, parse_decisions(EXAMPLE))
    assert "$schema" not in json.loads(place.read_text())
    schema = write_schema(place, "{}")
    write_decisions(place, read_decisions(place))
    named = json.loads(place.read_text())["$schema"]
    assert (place.parent / named) == schema
    assert parse_decisions(place.read_text()) == read_decisions(place)
    address = '{"$schema": "https://example.org/decisions.json"}'
    write_decisions(place, parse_decisions(address))
    assert json.loads(place.read_text())["$schema"] == "https://example.org/decisions.json"


def test_a_schema_is_not_written_through_a_link(tmp_path: Path) -> None:
    target = tmp_path / "mine.txt"
    target.write_text("mine")
    (tmp_path / "melleafy-decisions.schema.json").symlink_to(target)
    with pytest.raises(UnusableInput, match="symbolic link"):
        write_schema(tmp_path / "d.json", "{}")
    assert target.read_text() == "mine"


names = st.text(min_size=1, max_size=20)
digests = st.sampled_from(["sha256:" + "ab" * 32, "sha256:9f2c"])
expectations = st.none() | st.fixed_dictionaries(
    {},
    optional={
        "default": st.sampled_from(Disposition),
        "text": digests,
        "lead_in": digests,
        "words": st.text(max_size=30),
    },
)
overrides = st.fixed_dictionaries(
    {"key": names, "disposition": st.sampled_from(Disposition)},
    optional={"override_rationale": st.text(), "judge_individually": st.booleans(), "expects": expectations},
)
retags = st.fixed_dictionaries(
    {"key": names, "tag": st.sampled_from(Tag)}, optional={"category": st.sampled_from(Category)}
)
settings = st.fixed_dictionaries(
    {},
    optional={
        "modality": st.sampled_from(Modality),
        "backend": st.text(max_size=5),
        "persona_channel": st.sampled_from(PersonaChannel),
        "contributing_runtimes": st.lists(st.text(max_size=5), max_size=2).map(tuple),
    },
)
documents = st.builds(
    lambda chosen, over, tags, marks: DecisionsDocument.model_validate(
        {"settings": chosen, "overrides": over, "retags": tags, "acknowledged": marks}
    ),
    settings,
    st.lists(overrides, max_size=4),
    st.lists(retags, max_size=3),
    st.lists(st.text(max_size=10), max_size=3),
)


@drawing(max_examples=40)
@given(documents)
def test_what_is_written_is_read_again_and_fits_the_published_schema(document: DecisionsDocument) -> None:
    text = format_decisions(document)
    assert parse_decisions(text) == document
    VALIDATOR.validate(json.loads(text))
    assert format_decisions(parse_decisions(text)) == text


@pytest.mark.parametrize(
    "case",
    [case for case in REFUSED if case not in ("no-json", "empty", "too-deep", "long-number", "twice")],
)
def test_an_independent_validator_refuses_what_the_reader_refuses(case: str) -> None:
    assert not VALIDATOR.is_valid(json.loads(REFUSED[case][0]))


def test_an_independent_validator_accepts_the_specifications_example() -> None:
    VALIDATOR.validate(json.loads(EXAMPLE))


@drawing(max_examples=40)
@given(
    st.text()
    | st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(st.sampled_from(["overrides", "retags", "key", "settings", "x"]), inner)
        ),
    ).map(json.dumps)
)
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(DecisionsRefused):
        assert isinstance(parse_decisions(text), DecisionsDocument)
