"""The memory that packages get: files where they lie, and the store that can be added to."""

import os
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

import pytest

from melleafy_tui.generators.runtime import memory
from melleafy_tui.generators.runtime.memory import daily_notes, find_folder, recall
from melleafy_tui.generators.runtime.memory_store import MemoryStore, MemoryStoreError

LIBRARY = {
    "MEMORY.md": "# Memory\nThe key lies under the mat.\n\n## Rules\n\n- Fines above twenty euros: the head librarian.\n"
    + "".join(f"- Note {n} is about the weather in town {n}.\n" for n in range(200)),
    "memory/people.md": "\ufeff# People\n\n1. Ada collects stamps.\n2. Grace keeps bees.\n",
    "memory/2026-01-02.md": "- A fine day.\n",
    "memory-wiki/places/north.md": "图书馆在北边。\n\n咖啡店在南边。\n" + "Long. " * 400,
    "SOUL.md": "- A fine soul.\n",
}


@pytest.fixture
def library(tmp_path: Path) -> Path:
    for name, text in LIBRARY.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_the_best_passages_are_recalled_with_their_file_and_heading(library: Path) -> None:
    rows = {
        "Who decides about a fine?": "[MEMORY.md] Rules: Fines above twenty euros: the head librarian.",
        "Where is the key?": "[MEMORY.md] Memory: The key lies under the mat.",
        "What does Grace keep?": "[people.md] People: Grace keeps bees.",
        "图书馆在哪里": "[north.md] : 图书馆在北边。",
    }
    for query, passage in rows.items():
        assert recall(query, library, 200, budget=0).splitlines()[0] == passage
    assert recall("fine", library, 100, budget=0) == rows["Who decides about a fine?"]
    assert recall("zebra", library, 200, budget=0) == ""
    assert 900 < len(recall("long", library, 1200, budget=0)) <= 1200


def test_all_of_a_small_memory_is_recalled_and_read_again_when_it_changes(tmp_path: Path) -> None:
    file = tmp_path / "MEMORY.md"
    file.write_bytes(b"- The key is under the mat.\r\n\r\n- Caf\xe9 at nine.\n")
    said = "- The key is under the mat.\n\n- Caf\N{REPLACEMENT CHARACTER} at nine."
    assert recall("anything", tmp_path) == said, "as it stands, with line ends of one kind"
    assert recall("nine", tmp_path, 60, budget=10) == "[MEMORY.md] : Caf\N{REPLACEMENT CHARACTER} at nine."
    file.write_text("- The key is with the neighbour.\n")
    os.utime(file, ns=(1, 1))
    assert "neighbour" in recall("key", tmp_path)
    assert recall("key", tmp_path, patterns=("*.txt",)) == ""
    (tmp_path / "2026-01-02.md").write_text("Said.\n")
    assert "Said" in recall("key", tmp_path, patterns=("**/*",))
    (tmp_path / "memory.md").hardlink_to(
        file
    )  # one file under two names, as where letter case doesn't matter
    assert recall("key", tmp_path).count("neighbour") == 1
    with pytest.raises(FileNotFoundError, match="no memory folder"):
        recall("key", tmp_path / "none")


def test_a_link_out_of_the_folder_is_no_memory(
    library: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The folder may be a downloaded workspace, and what is recalled goes to the model."""
    outside = tmp_path_factory.mktemp("outside")
    (outside / "key.md").write_text("- The key of the house is 7.\n")
    (library / "memory-wiki" / "key.md").symlink_to(outside / "key.md")
    (library / "memory-wiki" / "all").symlink_to(outside)
    (library / "memory" / "people-too.md").symlink_to("people.md")
    found = recall("key house bees", library, 100_000)
    assert "of the house" not in found
    assert found.count("Grace") == 1, "a link inside of it is one file under two names"
    (library / "memory.sqlite3").unlink(missing_ok=True)
    store = MemoryStore(outside / "memory.sqlite3", library)
    assert store.recall("house") == ""
    assert "Grace" in store.recall("bees")
    (library / "memory").rename(outside / "memory")
    (library / "memory").symlink_to(outside / "memory")
    assert recall("bees", library) == recall("", library)
    assert "Grace" not in recall("bees", library, 100_000)


def test_files_are_read_up_to_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "LARGEST_FILE", 100)
    monkeypatch.setattr(memory, "LARGEST_MEMORY", 150)
    for number in range(3):
        (tmp_path / f"{number}.md").write_text(f"- Note {number}.\n" + "\n" * 80 + "- The end.\n" * 100)
    found = recall("note", tmp_path, 100_000, patterns=("*.md",))
    assert [f"Note {number}" in found for number in range(3)] == [True, True, False]
    assert found.count("The end") < 4


def test_blank_lines_and_long_lines_cost_no_square(tmp_path: Path) -> None:
    for text in ("\n", " \n", "\n\n \t", "- x\n", "\u4e2d", "a-"):
        (tmp_path / "MEMORY.md").write_text("Grace keeps bees.\n\n" + text * 40_000 + "End\n")
        started = time.process_time()
        assert recall("bees", tmp_path, 200, budget=0).startswith("[MEMORY.md] : Grace")
        assert time.process_time() - started < 3, repr(text)


def test_the_folder_is_the_configured_one_unless_the_variable_names_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package, workspace = tmp_path / "out" / "agent_mellea", tmp_path / "workspace"
    package.mkdir(parents=True)
    workspace.mkdir()
    monkeypatch.delenv("AGENT_MEMORY", raising=False)
    assert find_folder("../../workspace", "AGENT_MEMORY", package) == workspace
    with pytest.raises(FileNotFoundError, match="set AGENT_MEMORY to the agent's workspace"):
        find_folder("", "AGENT_MEMORY", package)
    with pytest.raises(FileNotFoundError, match=f"folder {tmp_path}/gone; set AGENT_MEMORY"):
        find_folder("../../gone", "AGENT_MEMORY", package)
    monkeypatch.setenv("AGENT_MEMORY", str(tmp_path))
    assert find_folder("../../gone", "AGENT_MEMORY", package) == tmp_path
    monkeypatch.setenv("AGENT_MEMORY", str(tmp_path / "none"))
    with pytest.raises(FileNotFoundError, match="none; set AGENT_MEMORY"):
        find_folder("../../workspace", "AGENT_MEMORY", package)
    monkeypatch.setenv("AGENT_MEMORY", "~/notes")
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "notes").mkdir()
    assert find_folder("", "AGENT_MEMORY", package) == tmp_path / "notes"


def test_a_store_is_filled_once_and_keeps_what_is_added(library: Path, tmp_path: Path) -> None:
    store = MemoryStore(tmp_path / "home" / "memory.sqlite3", library / "memory")
    assert store.recall("bees") == "# People\n\n1. Ada collects stamps.\n2. Grace keeps bees."
    assert store.remember("咖啡店的猫叫小黑。", "chat") == "咖啡店的猫叫小黑。"
    (library / "memory" / "people.md").unlink()
    again = MemoryStore(tmp_path / "home" / "memory.sqlite3", library / "memory")
    assert "Grace" in again.recall('AND "bees" OR')
    assert again.recall("猫叫什么") == "咖啡店的猫叫小黑。"
    assert [again.recall(query) for query in ("", "?!", "zebra", "象")] == [""] * 4
    for n in range(9):
        again.remember(f"bees {n}")
    assert again.recall("bees").count("bees") == 5
    assert again.recall("bees", results=1).count("bees") == 1


def test_two_first_runs_fill_a_store_once(library: Path, tmp_path: Path) -> None:
    def first_run(_: int) -> str:
        return MemoryStore(tmp_path / "memory.sqlite3", library / "memory").recall("bees", results=9)

    with ThreadPoolExecutor(4) as pool:
        found = set(pool.map(first_run, range(4)))
    assert [text.count("Grace") for text in found] == [1]


def test_a_store_that_cannot_be_used_says_why(tmp_path: Path) -> None:
    (tmp_path / "broken").write_bytes(b"no database" * 100)
    (tmp_path / "old").touch()
    with sqlite3.connect(tmp_path / "old") as other:
        other.execute("PRAGMA user_version = 1")
    other.close()
    for path, folder in (
        ("broken", tmp_path),
        ("old", tmp_path),
        ("new", tmp_path / "none"),
        ("old/x", tmp_path),
    ):
        store = MemoryStore(tmp_path / path, folder)
        for use in (store.recall, store.remember):
            with pytest.raises(MemoryStoreError, match="the memory store can't be used: "):
                use("bees")


def test_the_notes_of_yesterday_and_today_are_read_where_they_lie(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    (tmp_path / "memory").mkdir()
    outside = tmp_path_factory.mktemp("outside") / "2026-03-01.md"
    outside.write_text("Elsewhere.\n")
    notes = {"2026-02-27": "Old.\n", "2026-02-28-evening": "Rain.\n", "2026-03-01": "x" * 5000 + " Sun.\n"}
    for name, text in notes.items():
        (tmp_path / "memory" / f"{name}.md").write_text(text)
    (tmp_path / "memory" / "2026-03-01-b.md").symlink_to(outside)
    first, second = daily_notes(tmp_path, date(2026, 3, 1)).split("\n\n")
    assert first == "[2026-02-28-evening.md]\nRain."
    assert second.startswith("[2026-03-01.md]\n\u2026x")
    assert second.endswith(" Sun.")
    assert daily_notes(tmp_path, date(2026, 3, 9)) == ""
