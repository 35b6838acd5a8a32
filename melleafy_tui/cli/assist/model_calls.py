"""The only part of the program that imports Mellea: a process of its own that makes one call of `--assist`.

It reads one JSON request from standard input and writes one JSON answer. What Mellea prints goes nowhere.
"""

import json
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, cast

LONGEST: Final = 100_000
"""Characters of an answer that are passed on; a longer one is only reported."""

_SMALLEST_WINDOW: Final = 8_192
_ROOM: Final = 4_096
"""Tokens of the answer and of what Mellea adds."""

_WITH_TIMEOUT: Final = ("ollama", "openai")


def main() -> None:
    """Answer the request."""
    with os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8") as answers:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        answers.write(json.dumps(answer(json.load(sys.stdin))))


def answer(request: Mapping[str, Any]) -> dict[str, str]:
    """Make one typed call and return its `text`, or the `error`.

    Args:
        request: `backend`, `model`, `prompt`, `timeout`, and `fields`: the values that each field can have.
    """
    try:
        text = _called(request)
    except Exception as fault:  # whatever the backend raises, the elements keep their decisions
        return {"error": f"{type(fault).__name__}: {fault}"[:500]}
    if len(text) > LONGEST:
        return {"error": f"the answer has {len(text):,} characters"}
    return {"text": text}


def _called(request: Mapping[str, Any]) -> str:
    from mellea import start_session
    from mellea.backends import ModelOption

    prompt: str = request["prompt"]
    options: dict[str, object] = {
        ModelOption.TEMPERATURE: 0.0,
        ModelOption.SEED: 0,
        ModelOption.CONTEXT_WINDOW: _window(prompt),
    }
    bounds = {"timeout": request["timeout"]} if request["backend"] in _WITH_TIMEOUT else {}
    with start_session(request["backend"], request["model"], model_options=options, **bounds) as session:
        # No user_variables: with them, Mellea renders the text as a template.
        return str(session.instruct(prompt, format=_form(request), strategy=None))


def _form(request: Mapping[str, Any]) -> Any:
    """Return the type of the answer, which names every allowed value."""
    from pydantic import ConfigDict, create_model

    def one_of(values: Sequence[str]) -> Any:
        return Literal[tuple(values)]

    strict = ConfigDict(extra="forbid")
    reading = create_model(
        "Reading",
        __config__=strict,
        **{name: one_of(values) for name, values in request["fields"].items()},
    )
    return create_model("Readings", __config__=strict, readings=cast(Any, list[reading]))


def _window(prompt: str) -> int:
    """Return a context window with room for the prompt and its answer."""
    tokens = _ROOM + sum(1.0 if ord(letter) > 0x2FF else 0.4 for letter in prompt)
    window = _SMALLEST_WINDOW
    while window < tokens:
        window *= 2
    return window


if __name__ == "__main__":
    main()
