"""Which files of the source a package carries byte for byte, and where they lie in it."""

import re
from collections.abc import Collection
from typing import Final

from melleafy_tui.core.models.committed import CommittedPlan, once_a_plan
from melleafy_tui.core.models.facts import ToolFact
from melleafy_tui.core.models.file_set import MOVED, carried_place
from melleafy_tui.core.models.snapshot import SourceFile
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.core.source.script_needs import declared_requirements, needed_by

CARRIED: Final = "carried"
"""What a dialect says of a file that belongs to the source as a whole, as those of a skill do."""

_NOT_SAFE: Final = re.compile(r'[\x00-\x1f\x7f<>:"|?*\\]|[. ]+$')
"""What some file systems can't have in a name; signs that act on a terminal have no place in one either."""


@once_a_plan
def carried_files(committed: CommittedPlan) -> tuple[tuple[SourceFile, str], ...]:
    """Return each file that is carried, with its path in the package: all of a skill, else what its tools need.

    A Python file in the root would be a module of the package, so with one of them all lie in `source/`.
    """
    whole = {
        file.path: folder
        for folder in skill_folders(committed)
        for file in committed.inventory.files
        if file.path.startswith(folder) and committed.file_fates.get(file.dialect_rule_id) == CARRIED
    }
    scripts = _scripts(committed)  # what is called travels, whatever its dialect says of the file
    needed = needed_by(scripts, committed.snapshot) - (own_texts(committed) - scripts)
    found = [
        (source, place_of(source.path, whole.get(source.path, "")))
        for source in committed.snapshot.files
        if (source.path in whole or source.path in needed) and may_travel(source)
    ]
    has_module = any("/" not in place and place.endswith(".py") for _, place in found)
    if not has_module:
        return tuple(found)
    return tuple((source, f"{MOVED}{place.removeprefix(MOVED)}") for source, place in found)


def own_texts(committed: CommittedPlan) -> frozenset[str]:
    """Return the files that dialects read or leave with their owner: a script finds them in the workspace."""
    return frozenset(
        file.path
        for file in committed.inventory.files
        if committed.file_fates.get(file.dialect_rule_id) != CARRIED
    )


def may_travel(source: SourceFile) -> bool:
    """Return whether a file may be carried: no settings whose values were dropped, no code that holds a secret."""
    return not (source.values_dropped or source.is_held_back or source.path.startswith("../"))


def skill_folders(committed: CommittedPlan) -> tuple[str, ...]:
    """Return the folders of the skills that the package is made of, each with a final `/` or `""`, outermost last."""
    specs = (file.path for file in committed.inventory.files if file.path.endswith("SKILL.md"))
    return tuple(sorted({path.removesuffix("SKILL.md") for path in specs}, key=len, reverse=True))


def place_of(path: str, folder: str = "") -> str:
    """Return where a file of the source lies in the package.

    Args:
        path: Its path in the workspace.
        folder: The folder of the skill that it belongs to.
    """
    parts = (_NOT_SAFE.sub("_", part) for part in path.removeprefix(folder).split("/"))
    return carried_place("".join(sign if sign.isprintable() else "_" for sign in "/".join(parts)))


def script_place(committed: CommittedPlan, script: str) -> str:
    """Return where the script of a tool lies in the package, `""` for none."""
    places = {source.path: place for source, place in carried_files(committed)} if script else {}
    return places.get(script) or place_of(script)


def _scripts(committed: CommittedPlan) -> frozenset[str]:
    concrete = committed.planned_as((EntryKind.TOOL_CONCRETE,), (Disposition.REAL_IMPL,))
    return frozenset(item.element.facts[ToolFact].script for item in concrete) - {""}


def declared_in_source(committed: CommittedPlan, modules: Collection[str]) -> list[str]:
    """Return the requirements that the source declares for modules, sorted."""
    declared = declared_requirements(committed.snapshot)
    return sorted(line for name, line in declared.items() if name in modules)
