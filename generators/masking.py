"""Secrets stay where they are: what a document or artifact may show of an element that holds one (spec/safety.md 4)."""

from dataclasses import replace
from typing import Final

from melleafy_tui.core.models.facts import Facts, NamedFact, SecretFact, ToolFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.generators.shape import is_secret

MASK: Final = "[secret, not copied]"
_SHORTEST_SECRET: Final = 4
"""A shorter value stands in too many innocent words to be replaced in them."""


def masked(element: Element) -> Element:
    """Return the element without its secret: statement and summary stay, the verbatim lines and the value go."""
    if not is_secret(element):
        return element
    value = element.value
    held = element.facts[SecretFact]
    value_is_raw = f"${{{held.secret_env}}}" not in value  # the inventory masks what it finds

    def clean(text: str) -> str:
        return text.replace(value, MASK) if value_is_raw and len(value) >= _SHORTEST_SECRET else text

    kept = Facts(
        NamedFact(element.facts.name),
        ToolFact(method=element.facts[ToolFact].method),
        SecretFact(secret=True, variable=held.variable),
    )
    return replace(
        element,
        content_full=MASK,
        content_summary=clean(element.content_summary),
        statement=clean(element.statement),
        value=MASK if value and value_is_raw else value,
        section=tuple(clean(part) for part in element.section),
        context=tuple(clean(part) for part in element.context),
        notes=tuple(clean(note) for note in element.notes),
        facts=kept,
    )
