"""Backend and model names are checked against Mellea, with a suggestion."""

import inspect
from pathlib import Path
from typing import get_args

import mellea
import pytest
from mellea.backends import model_ids
from mellea.backends.model_ids import ModelIdentifier

from melleafy_tui.core.decisions.commands import ChangeSettings
from melleafy_tui.core.decisions.state import Decisions
from melleafy_tui.core.errors import UsageError
from melleafy_tui.core.package.backends import (
    BACKENDS,
    OLLAMA_MODELS,
    backend_objection,
    model_doubt,
    model_objection,
)
from tests.safety.chain import run


def test_the_names_are_those_of_the_installed_mellea() -> None:
    offered = inspect.get_annotations(inspect.unwrap(mellea.start_session), eval_str=True)["backend_name"]
    assert {*get_args(offered), "huggingface"} == set(BACKENDS)
    known = {found.ollama_name for found in vars(model_ids).values() if isinstance(found, ModelIdentifier)}
    assert known - {None} == set(OLLAMA_MODELS)


def test_names_are_refused_with_a_suggestion() -> None:
    assert [backend_objection(name) for name in BACKENDS] == [""] * len(BACKENDS)
    assert "did you mean ollama?" in backend_objection("olama")
    assert "did you mean openai?" in backend_objection("OpenAI")
    assert "use one of ollama, openai" in backend_objection("bedrock")
    for name in ("granite4.1:3b", "gpt-5.1", "ibm-granite/granite-4.1-3b", "hf.co/me/my_Model-GGUF:Q4_K_M"):
        assert model_objection(name) == ""
    assert "is a constant of Mellea" in model_objection("IBM_GRANITE_4_1_3B")
    assert "looks like a constant" in model_objection("IBM_GRANITE_9")
    for name in ("", "  ", "a b", "a\n", "a\x1b[2J"):
        assert model_objection(name)
    assert "did you mean granite4.1:3b?" in model_doubt("ollama", "granit4.1:3b")
    assert "did you mean mistral:7b?" in model_doubt("ollama", "mistrall")
    assert model_doubt("ollama", "my-own-model") == model_doubt("openai", "granit4.1:3b") == ""


def test_each_way_to_set_them_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root, out = tmp_path / "w", tmp_path / "out"
    root.mkdir()
    (root / "SOUL.md").write_text("# Soul\n\nWarm.\n", encoding="utf-8")
    said = run(root, "--dependencies=auto", "--backend", "olama", "--out", out)
    assert (said.code, out.exists()) == (2, False)
    assert "--backend: Mellea 0.8 has no backend 'olama'; did you mean ollama?" in said.messages
    said = run("plan", root, "--model-id", "granit4.1:3b")
    assert said.code == 0
    assert "did you mean granite4.1:3b?" in said.messages
    monkeypatch.setenv("MELLEAFY_MODEL_ID", "IBM_GRANITE_4_1_3B")
    assert "MELLEAFY_MODEL_ID" in run("plan", root).messages
    with pytest.raises(UsageError, match="did you mean ollama"):
        ChangeSettings({"backend": "olama"}).apply(Decisions())
