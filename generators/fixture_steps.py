"""Messages that try the steps before the reply: a request that says each field to extract, or is of one kind.

The values are made up; a field is told apart by a word of its name.
"""

import re
from collections.abc import Iterator
from typing import Final

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.vocabulary import Tag
from melleafy_tui.core.steps import SLOTS, fields_of, labels_of
from melleafy_tui.generators.fixture_phrases import CHINESE, ONE_OF_A_KIND, TO_WORK_ON
from melleafy_tui.generators.shape import is_secret, model_steps, statement_of

SAMPLES: Final[tuple[tuple[LazyRegex, str], ...]] = (
    (LazyRegex(r"\b(?:date|day|deadline|when)\b|日期|期限", re.IGNORECASE), "2026-03-02"),
    (LazyRegex(r"\be-?mail\b|邮箱", re.IGNORECASE), "robin@example.com"),
    (LazyRegex(r"\b(?:rate|percentage|share)\b|税率", re.IGNORECASE), "20 %"),
    (LazyRegex(r"\b(?:gross|total)\b|总额|合计", re.IGNORECASE), "144.00"),
    (LazyRegex(r"\b(?:amount|price|cost|sum|budget)\b|金额|价格", re.IGNORECASE), "120.00"),
    (LazyRegex(r"\b(?:number|no|id|code|reference)\b|号|编码", re.IGNORECASE), "0042"),
    (
        LazyRegex(r"\b(?:name|supplier|customer|company|author|owner)\b|姓名|名称", re.IGNORECASE),
        "Example Ltd",
    ),
)
"""What a made-up request says for a field, the first row whose word the field's name has."""


def tried_steps(committed: CommittedPlan) -> Iterator[tuple[PlannedElement, str]]:
    """Yield each step that a message can try, with the message."""
    for item in model_steps(committed, SLOTS):
        message = _step_message(item)
        if message and not item.element.scope and not is_secret(item.element):
            yield item, message


def _step_message(item: PlannedElement) -> str:
    """Return a message that the step has something to find in, or `""` where the text names nothing."""
    said = statement_of(item.element)
    if item.element.tag is Tag.EXTRACT and (fields := fields_of(said)):
        lines = (f"{words[:1].upper()}{words[1:]}: {_sample(words)}" for words in fields)
        return TO_WORK_ON.of("\n".join(lines))
    if item.element.tag is Tag.CLASSIFY and (labels := labels_of(said)):
        return ONE_OF_A_KIND.of(labels[0])
    return ""


def _sample(field: str) -> str:
    found = next((sample for pattern, sample in SAMPLES if pattern.search(field)), "")
    return found or ("示例" if CHINESE.search(field) else "an example")
