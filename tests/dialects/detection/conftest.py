"""Snapshots made from a table of paths and texts, without a disk."""

from collections.abc import Callable, Mapping

import pytest

from melleafy_tui.core.models.snapshot import Snapshot, SourceFile

MakeSnapshot = Callable[..., Snapshot]


def build_snapshot(
    files: Mapping[str, str], *, names: tuple[str, ...] = (), ambient: tuple[str, ...] = (), **fields: str
) -> Snapshot:
    """Return the snapshot of a folder with these files, and with these names that were not opened."""
    sources = tuple(SourceFile(path, text.encode(), text) for path, text in sorted(files.items()))
    seen = {path for path in (*files, *names) if not path.startswith("../")}
    for path in tuple(seen):
        parts = path.rstrip("/").split("/")[:-1]
        seen.update("/".join(parts[: depth + 1]) + "/" for depth in range(len(parts)))
    return Snapshot(
        name=fields.get("name", "agent"),
        root=fields.get("root", "/work/agent"),
        files=sources,
        names=tuple(sorted(seen)),
        ambient=ambient,
        primary=fields.get("primary", ""),
    )


@pytest.fixture
def snapshot_of() -> MakeSnapshot:
    return build_snapshot
