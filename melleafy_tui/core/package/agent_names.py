"""Derives the names of the agent and of its package from the workspace, which isn't trusted."""

import re
import unicodedata
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from melleafy_tui.core.models.conversion_settings import Settings
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.inventory import Inventory
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import Category
from melleafy_tui.core.package.naming import (
    LONGEST_IDENTIFIER,
    OWN_SUFFIX,
    ascii_words,
    free_command_name,
    free_module_name,
    python_identifier,
    shortened,
)
from melleafy_tui.core.source.frontmatter import split_frontmatter

PACKAGE_SUFFIX: Final = "_mellea"
FALLBACK_NAME: Final = "agent"
LONGEST_AGENT_NAME: Final = 120
_REMARK: Final = re.compile(r"(?<=\w)\W*(?:[(（\[]| \| ).*")
"""What stands behind a name: `SOL (System Operations Liaison)`, `Ada | **Role:** clerk`."""
FRONTMATTER_SPEC: Final = "SKILL.md"


def project_name(snapshot: Snapshot, inventory: Inventory) -> str:
    """Return the agent's display name: from frontmatter, else from IDENTITY.md, else the folder's name."""
    return next(_names(snapshot, inventory), FALLBACK_NAME)


def package_name(settings: Settings, snapshot: Snapshot, inventory: Inventory) -> str:
    """Return the Python package's name.

    A name from the settings is used as it is, made safe. Otherwise it is the agent's first name with ASCII letters or
    digits, followed by `_mellea`.
    """
    if settings.package_name:
        return free_module_name(python_identifier(settings.package_name, fallback=FALLBACK_NAME))
    names = tuple(_names(snapshot, inventory))
    stems = (ascii_words(part) for name in names for part in (_REMARK.sub("", name), name))
    stem = next((stem for stem in stems if stem), FALLBACK_NAME)
    if stem[0].isdigit():
        stem = f"{FALLBACK_NAME}_{stem}"
    stem = stem.removesuffix(PACKAGE_SUFFIX) if stem != PACKAGE_SUFFIX.strip("_") else stem
    return shortened(stem, LONGEST_IDENTIFIER) + PACKAGE_SUFFIX


def program_name(package: str) -> str:
    """Return the name of a package's command: the package's with hyphens, without its suffix."""
    return free_command_name(_plain_command(package))


def _plain_command(package: str) -> str:
    return package.removesuffix(PACKAGE_SUFFIX).replace("_", "-").strip("-")


def taken_names(settings: Settings, package: str) -> Iterator[Diagnostic]:
    """Yield a note for each name that got a suffix, because another module or command has it."""
    asked = ascii_words(settings.package_name or "")
    if package == f"{asked}_{OWN_SUFFIX}":
        yield diagnose("name-taken", "", what="module", name=asked, instead=package)
    command = program_name(package)
    plain = _plain_command(package)
    if command != plain:
        yield diagnose("name-taken", "", what="command", name=plain, instead=command)


def _names(snapshot: Snapshot, inventory: Inventory) -> Iterator[str]:
    candidates = (
        _frontmatter_name(snapshot),
        _spec_stem(snapshot),
        _identity_name(inventory),
        snapshot.name,
    )
    return (name for name in map(_one_line, candidates) if name)


def _frontmatter_name(snapshot: Snapshot) -> str:
    """Return the `name` in the frontmatter of the primary spec, or of a `SKILL.md` in the root."""
    source = snapshot.file(snapshot.primary or FRONTMATTER_SPEC)
    metadata = split_frontmatter(source.text).data if source is not None and source.text else None
    name = (metadata or {}).get("name")
    return name if isinstance(name, str) else ""


def _spec_stem(snapshot: Snapshot) -> str:
    """Return the file stem if the user named a command or subagent; Claude Code uses that as its name."""
    folders = PurePosixPath(snapshot.root.replace("\\", "/")).parts[-2:]
    is_spec = (
        ".claude" in folders and snapshot.primary.endswith(".md") and snapshot.primary != FRONTMATTER_SPEC
    )
    return PurePosixPath(snapshot.primary).stem if is_spec and snapshot.primary != "CLAUDE.md" else ""


def _identity_name(inventory: Inventory) -> str:
    for element in inventory.elements:
        if element.category is Category.C1 and element.label == "name" and element.value:
            return element.value
    return ""


def _one_line(text: str) -> str:
    visible = "".join(" " if unicodedata.category(letter)[0] in "CZ" else letter for letter in text)
    return " ".join(visible.split())[:LONGEST_AGENT_NAME].strip()
