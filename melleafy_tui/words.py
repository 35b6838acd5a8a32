"""What the doors of the wizard call things: steps, modalities, dispositions, categories, elements, places."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.vocabulary import (
    CATEGORY_TITLES,
    PLAN_CATEGORIES,
    Category,
    Disposition,
    Modality,
)
from melleafy_tui.wizard_steps import Step

STEP_TITLES: Final[dict[Step, str]] = {
    Step.DETECT: "Detect",
    Step.INVENTORY: "Inventory",
    Step.DECIDE: "Decide",
    Step.PREVIEW: "Preview",
    Step.WRITE: "Write",
}

MODALITY_TITLES: Final[dict[Modality, str]] = {
    Modality.HEARTBEAT: "heartbeat",
    Modality.EVENT_TRIGGERED: "event-triggered",
    Modality.SCHEDULED: "scheduled",
    Modality.REVIEW_GATED: "review-gated",
    Modality.SYNCHRONOUS_ONESHOT: "one-shot",
}

MODALITY_NOTES: Final[dict[Modality, str]] = {
    Modality.HEARTBEAT: "again and again; it decides whether to act",
    Modality.EVENT_TRIGGERED: "by an event, such as a hook",
    Modality.SCHEDULED: "at set times",
    Modality.REVIEW_GATED: "when it is called, and asks before it acts",
    Modality.SYNCHRONOUS_ONESHOT: "when it is called",
}

DISPOSITION_LABELS: Final[dict[Disposition, str]] = {
    Disposition.BUNDLE: "bundle",
    Disposition.REAL_IMPL: "real_impl",
    Disposition.STUB: "stub",
    Disposition.MOCK: "mock",
    Disposition.DELEGATE_TO_RUNTIME: "delegate",
    Disposition.EXTERNAL_INPUT: "external",
    Disposition.LOAD_FROM_DISK: "load",
    Disposition.REMOVE: "remove",
}

RESOLUTION_NOTES: Final[dict[str, str]] = {
    "primary": "as the leading runtime would",
    "contributor": "as the contributing runtime would",
    "merge": "keep what both would do",
}

CATEGORY_OF_PLAN: Final[dict[str, Category]] = {name: category for category, name in PLAN_CATEGORIES.items()}


def category_title(name: str) -> str:
    """Return a plan category as `C2 Operating rules`."""
    category = CATEGORY_OF_PLAN.get(name)
    if category is None:
        return name
    return (
        CATEGORY_TITLES[category]
        if category is Category.NONE
        else f"{category.value} {CATEGORY_TITLES[category]}"
    )


def is_secret(element: Element) -> bool:
    """Return whether an element's value must not be shown."""
    return bool(element.facts.get("secret"))


def place(path: Path) -> str:
    """Return a path as people write it, with `~` for the home folder."""
    try:
        home = Path.home()
    except RuntimeError:
        return str(path)
    return (
        f"~/{path.relative_to(home).as_posix()}" if path.is_relative_to(home) and path != home else str(path)
    )


def homely(text: str) -> str:
    """Return a sentence in which paths of the home folder are written with `~`."""
    try:
        home = Path.home().as_posix()
    except RuntimeError:
        return text
    return text.replace(f"{home}/", "~/") if home not in ("", "/") else text


def masked(line: str) -> str:
    """Return a line of a secret with its value hidden; what stands before `=` or `:` stays."""
    for mark in ("=", ":"):
        head, found, rest = line.partition(mark)
        if found and rest.strip():
            return f"{head}{mark} ••••••"
    return "••••••" if line.strip() else line


def element_title(element: Element) -> str:
    """Return an element's summary, or only its name where it holds a secret."""
    if is_secret(element):
        return element.label or element.value or "a secret"
    return element.content_summary or element.statement


def title_of(entry: PlanEntry, elements: Sequence[Element]) -> str:
    """Return an entry's summary, without a secret's value; `elements` are those it stands for."""
    return element_title(elements[0]) if elements and is_secret(elements[0]) else entry.summary
