"""Infers a skill's trigger from the words of its description, since the standard has no field for it."""

import re
from collections.abc import Iterator
from typing import Final

from melleafy_tui.core.dialects.agent_skills.fields import read_head
from melleafy_tui.core.dialects.agent_skills.file_rules import SPEC
from melleafy_tui.core.language.time.cadence import read_cadence
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.classification import ModalityEvidence
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import Modality

ON_CALL: Final = 0.8
"""Confidence that a skill is called once and answers, when its description suggests nothing else."""

_ONCE_PER: Final = (3_600, 86_400, 7 * 86_400)

BY_WORDS: Final = 0.5
"""Confidence of a modality inferred from the description alone."""

_WORDS: Final[tuple[tuple[Modality, LazyRegex], ...]] = (
    (
        Modality.SCHEDULED,
        LazyRegex(
            r"\b(?:on a schedule|cron)\b|定时",
            re.IGNORECASE,
        ),
    ),
    (
        Modality.EVENT_TRIGGERED,
        LazyRegex(
            r"\b(?:webhook|whenever an? [\w -]{2,30} (?:arrives|is (?:opened|created|received|pushed))"
            r"|on (?:every|each) (?:push|commit|pull request|new \w+))\b|触发时|收到.{1,10}时自动",
            re.IGNORECASE,
        ),
    ),
)


def modality_evidence(snapshot: Snapshot) -> Iterator[ModalityEvidence]:
    """Yield the evidence for a trigger in the description of the root's skill."""
    file = snapshot.file(SPEC)
    if file is None or file.text is None:
        return
    head = read_head(file)
    for key in ("description", "when_to_use"):
        field = head.get(key)
        for modality, words in _WORDS if field is not None else ():
            said = _said(modality, words, field.text) if field is not None else ""
            if said and field is not None:
                note = f"inferred from “{said}”, confidence {BY_WORDS}"
                yield ModalityEvidence(modality, "words of the description", SPEC, field.first, note)


def _said(modality: Modality, words: LazyRegex, text: str) -> str:
    """Return the words that speak for a modality; `every 90 days` may be what the skill is about."""
    match = words.search(text)
    if match is not None or modality is not Modality.SCHEDULED:
        return match[0] if match is not None else ""
    found = read_cadence(text)
    regular = found is not None and (found.times or found.days or found.cron or found.seconds in _ONCE_PER)
    return found.cadence if found is not None and regular else ""


def inferred_modality(snapshot: Snapshot) -> tuple[str, float]:
    """Return the modality inferred for a skill, and its confidence."""
    found = next(modality_evidence(snapshot), None)
    if found is None:
        return Modality.SYNCHRONOUS_ONESHOT.value, ON_CALL
    return found.modality.value, BY_WORDS
