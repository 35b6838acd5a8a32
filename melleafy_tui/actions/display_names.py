"""Names and descriptions shown by wizard and command line: elements, entries, places, secrets."""

import shlex
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import Struct

from melleafy_tui.actions.choices import category_words
from melleafy_tui.core.models.classification import AxisEvidence, Classification
from melleafy_tui.core.models.file_set import FileSet
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import ARCHETYPE_MEANINGS, CATEGORIES, SHAPE_MEANINGS, TOOL_MEANINGS

_PLAN_TITLES: Final[dict[str, str]] = {
    facts.plan_name: category_words(category) for category, facts in CATEGORIES.items()
}


class Axis(Struct, frozen=True):
    """One axis of the classification, with its value in words and the lines that speak for it."""

    name: str
    value: str
    confidence: float
    evidence: tuple[AxisEvidence, ...]


def axes_of(found: Classification) -> tuple[Axis, ...]:
    """Return the axes that are inferred from the wording: kind of work, shape and use of tools."""
    work, tools = found.archetype, found.tool_involvement
    return (
        Axis(
            "archetype",
            f"{work.name.lower()}, {ARCHETYPE_MEANINGS[work]} ({work.value})",
            found.archetype_confidence,
            found.archetype_evidence,
        ),
        Axis(
            "shape",
            f"{found.shape.value.lower()}, {SHAPE_MEANINGS[found.shape]}",
            found.shape_confidence,
            found.shape_evidence,
        ),
        Axis(
            "tools",
            f"{TOOL_MEANINGS[tools]} ({tools.value})",
            found.tool_confidence,
            found.tool_evidence,
        ),
    )


def changed_words(changed: Sequence[str]) -> str:
    """Return the changed source files as a short phrase."""
    return ", ".join(changed[:3]) + (f" and {len(changed) - 3} more" if len(changed) > 3 else "")


def followed_words(count: int) -> str:
    """Return the message after reading the source again, if every decision still applies."""
    if not count:
        return "there were no decisions to keep"
    return "your decision is unchanged" if count == 1 else f"your {count} decisions are unchanged"


def category_title(name: str) -> str:
    """Return a plan category as `C2 Operating rules`."""
    return _PLAN_TITLES.get(name, name)


def _home() -> Path | None:
    """Return the home folder, None if there is none worth a name."""
    with suppress(RuntimeError):
        home = Path.home()
        return home if home != home.parent else None
    return None


def place(path: Path) -> str:
    """Return a path for people, with `~` for the home folder."""
    home = _home()
    inside = home is not None and path != home and path.is_relative_to(home)
    return f"~/{path.relative_to(home).as_posix()}" if home and inside else str(path)


def with_tilde(text: str) -> str:
    """Return a sentence with `~` for the home folder in its paths."""
    home = _home()
    return text.replace(f"{home.as_posix()}/", "~/") if home else text


def element_title(element: Element) -> str:
    """Return an element's summary; values of secrets are masked in it."""
    return element.content_summary or element.statement


def element_remarks(element: Element) -> list[str]:
    """Return remarks about an element other than its tag, category and target."""
    remarks: tuple[tuple[bool, str], ...] = (
        (element.template, "Stock text of the runtime's own templates."),
        (bool(element.aggregation_hint), element.aggregation_hint),
        (bool(element.scope), f"Holds for {element.scope}"),
    )
    return [*(text for holds, text in remarks if holds), *element.notes]


_MESSAGE: Final = "Hello, what can you do?"


def command_line(workspace: Path, out: Path, *, decisions_path: Path | None, force: bool) -> str:
    """Return the command line that does the same without the wizard.

    Args:
        workspace: The folder that is converted.
        out: The output folder.
        decisions_path: The decisions file in use, if there is one.
        force: Whether edited files may be overwritten (with a backup).
    """
    parts = ["melleafy-tui", shell_path(workspace)]
    if decisions_path is not None:
        parts.append(f"--decisions {shell_path(decisions_path)}")
    parts.extend(("--dependencies=auto", "--out", shell_path(out)))
    if force:
        parts.append("--force")
    return " ".join(parts)


def next_commands(out: Path, files: FileSet) -> tuple[str, ...]:
    """Return the three commands to try on a written package: install it, ask the agent something, run its fixtures.

    Args:
        out: The output folder.
        files: The files that were written there.
    """
    folder = shell_path(out)
    return (
        f"cd {folder} && python -m pip install -e .",
        f'python -m {files.package_name} --message "{_MESSAGE}"',
        f"melleafy-tui smoke {folder}",
    )


def shell_path(path: Path) -> str:
    """Return a path quoted for a shell, with `~` for the home folder."""
    shown = place(path)
    return f"~/{shlex.quote(shown[2:])}" if shown.startswith("~/") else shlex.quote(shown)


def typed_path(text: str) -> Path:
    """Return the absolute form of a typed path, expanding `~`."""
    path = Path(text)
    with suppress(RuntimeError):
        path = path.expanduser()
    return path.absolute()


def path_fault(text: str) -> str:
    """Return what is wrong with a typed path, or `""`."""
    return "" if text else "Type a path."
