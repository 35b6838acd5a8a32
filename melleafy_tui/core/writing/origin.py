"""Whether a package on the disk came from the workspace that is converted now; another one's is not replaced unasked.

Nothing but names and digests is compared, so that the same workspace is known again in another checkout.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from melleafy_tui.core.errors import OutputRefused
from melleafy_tui.core.models.package import FileSet
from melleafy_tui.core.writing.emitted import record_folder
from melleafy_tui.core.writing.record import package_folders, read_object

INVENTORY_NAME: Final = "intermediate/inventory.json"
_ENOUGH_IN_COMMON: Final = 0.5
"""From this part of the earlier source files on, it is the same workspace under another name."""


@dataclass(frozen=True, slots=True)
class Origin:
    """What a package says of its source: the package's name, and the digest of each file that was read."""

    package_name: str
    sources: Mapping[str, str]

    def same_source(self, other: "Origin") -> bool:
        """Return whether two packages may come from one workspace: the same name, or half of the files as they were.

        A package that does not say what it was made from may come from anywhere.
        """
        if self.package_name == other.package_name or not self.sources or not other.sources:
            return True
        common = sum(other.sources.get(path) == digest for path, digest in self.sources.items())
        return common >= _ENOUGH_IN_COMMON * len(self.sources)


def refuse_other_workspace(files: FileSet, out: Path) -> None:
    """Raise where the output folder holds the package of another workspace.

    Raises:
        OutputRefused: it does, and a write would remove that package.
    """
    folder = record_folder(files)
    emitted = files.by_path.get(folder + INVENTORY_NAME)
    now = Origin(files.package_name, _sources(_parsed(emitted.data)) if emitted is not None else {})
    for earlier_folder in package_folders(out):
        name = earlier_folder.rstrip("/") or out.name
        earlier = Origin(name, _sources(read_object(out / earlier_folder / INVENTORY_NAME)))
        if not earlier.same_source(now):
            raise OutputRefused(
                f"{out} holds the package {name}, which was made from another workspace and would be removed",
                hint="Choose another folder with --out, or use --force to replace it; your edits in it are kept.",
            )


def _parsed(data: bytes) -> dict[str, object] | None:
    document: object = json.loads(data)
    return document if isinstance(document, dict) else None


def _sources(inventory: Mapping[str, object] | None) -> dict[str, str]:
    files = inventory.get("files") if inventory is not None else None
    return {
        str(file["path"]): str(file["sha256"])
        for file in (files if isinstance(files, list) else ())
        if isinstance(file, dict) and file.get("path") and file.get("sha256")
    }
