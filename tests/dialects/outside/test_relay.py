"""The dialect with steps of docs/dialects/writing-one.md, installed as a distribution."""

import importlib
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

pytest.importorskip("mellea")

from melleafy_tui.core.lint.table import lint_file_set
from melleafy_tui.core.models.file_set import FileSet
from melleafy_tui.core.smoke.fake_server import FakeModelServer
from melleafy_tui.engine import open_conversion
from tests.dialects.outside.distribution import install, modules
from tests.generators.emitting import loaded_package
from tests.scripted import Script

RELAY = """\
# Letters

## sort -> praise, complaint

Say which of the two the letter is.

## praise -> end

Thank the writer.

## complaint -> end

Apologise in at most three sentences.
"""
MOST_LINES = 200


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FileSet]:
    """Install the dialect, and convert a source of its runtime."""
    folder = install(
        tmp_path / "site", "relay-dialect", modules()[1], {"relay": "relay_dialect:RelayDialect"}
    )
    monkeypatch.syspath_prepend(folder)
    importlib.invalidate_caches()
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "RELAY.md").write_text(RELAY, encoding="utf-8")
    conversion = open_conversion(
        tmp_path / "letters", as_of=date(2026, 1, 15), generated_at="2026-01-15T00:00:00Z"
    )
    assert conversion.classification.source_runtime == "relay"
    yield conversion.rendered
    sys.modules.pop("relay_dialect", None)


def test_the_example_is_short() -> None:
    assert len(modules()[1].splitlines()) <= MOST_LINES


@pytest.mark.parametrize(("kind", "said"), [("praise", "Thank the writer."), ("complaint", "Apologise in")])
def test_the_package_takes_the_steps_that_the_first_one_chooses(
    files: FileSet, kind: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert lint_file_set(files).passed
    script = Script([{"schema": "Sort", "reply": {"reason": "so", "next": kind}}, {"reply": "Done."}])
    with FakeModelServer(script=script) as server:
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        with loaded_package(files, tmp_path / "out") as pipeline:
            reply = pipeline.run_pipeline("The boat was late.")
        prompts = [call.prompt for call in server.calls]
    assert [step.step for step in reply.steps] == ["sort", kind]
    assert "Say which of the two" in prompts[0]
    assert said in prompts[1]
    assert all("The boat was late." in prompt for prompt in prompts)
