"""How the closed vocabularies look on every screen: tones for dispositions and severities, terms for the help."""

from pathlib import Path
from typing import Final

from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import (
    CATEGORY_TITLES,
    PLAN_CATEGORIES,
    Category,
    Disposition,
    Severity,
    Strength,
)
from melleafy_tui.widgets.tones import Span, Tone

DISPOSITION_TONES: Final[dict[Disposition, Tone]] = {
    Disposition.BUNDLE: Tone.GOOD,
    Disposition.REAL_IMPL: Tone.ACCENT,
    Disposition.STUB: Tone.WARN,
    Disposition.MOCK: Tone.NUMBER,
    Disposition.DELEGATE_TO_RUNTIME: Tone.KEYWORD,
    Disposition.EXTERNAL_INPUT: Tone.INFO,
    Disposition.LOAD_FROM_DISK: Tone.NAME,
    Disposition.REMOVE: Tone.BAD,
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

DISPOSITION_KEYS: Final[dict[Disposition, str]] = {
    Disposition.BUNDLE: "b",
    Disposition.REAL_IMPL: "i",
    Disposition.STUB: "s",
    Disposition.MOCK: "m",
    Disposition.DELEGATE_TO_RUNTIME: "d",
    Disposition.EXTERNAL_INPUT: "e",
    Disposition.LOAD_FROM_DISK: "l",
    Disposition.REMOVE: "x",
}

SEVERITY_SPANS: Final[dict[Severity, Span]] = {
    Severity.INFO: ("i ", Tone.INFO),
    Severity.WARNING: ("! ", Tone.WARN),
    Severity.ERROR: ("✗ ", Tone.BAD),
}

STRENGTH_MARKS: Final[dict[Strength, str]] = {
    Strength.STRONG: "●●●",
    Strength.MEDIUM: "●● ",
    Strength.WEAK: "●  ",
}

CATEGORY_OF_PLAN: Final[dict[str, Category]] = {name: category for category, name in PLAN_CATEGORIES.items()}

DISPOSITION_TERMS: Final = (
    ("bundle", "The text becomes part of the package."),
    ("real_impl", "Working code is generated for it."),
    ("stub", "A typed function is left for you to write; it raises NotImplementedError until then."),
    ("mock", "A made-up sample, for the package's own fixtures only."),
    ("delegate", "The host that runs the package provides it; SETUP.md says what to connect."),
    ("external", "It is passed in from outside on each run, as a parameter and a flag or as a variable."),
    ("load", "It is read from a file of the package at start, so that it can be edited without code."),
    ("remove", "It is left out; the mapping report lists it."),
)

CATEGORY_TERMS: Final = tuple(
    (category.value, f"{title}.")
    for category, title in CATEGORY_TITLES.items()
    if category is not Category.NONE
)


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


def masked(line: str) -> str:
    """Return a line of a secret with its value hidden; what stands before `=` or `:` stays."""
    for mark in ("=", ":"):
        head, found, rest = line.partition(mark)
        if found and rest.strip():
            return f"{head}{mark} ••••••"
    return "••••••" if line.strip() else line
