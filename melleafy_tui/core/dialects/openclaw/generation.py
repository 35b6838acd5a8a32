"""Tells which generation of OpenClaw a workspace was made for (field-notes.md, "Two generations")."""

from melleafy_tui.core.dialects.openclaw.budgets import RETIRED
from melleafy_tui.core.dialects.tool_facts import is_tools_heading
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.workspace.json5 import Json5Error, parse_json5
from melleafy_tui.core.workspace.pieces import cut_sections

CONFIGURATIONS = ("openclaw.json", "openclaw.json5", "../openclaw.json", "../openclaw.json5")


def generation(snapshot: Snapshot) -> str:
    """Return the generation in words with what it was told by, or `""` where nothing tells."""
    retired = [path for path in RETIRED if snapshot.file(path) is not None]
    newer = list(_newer_signs(snapshot))
    if retired and newer:
        earlier, later = _and(retired), _and(newer)
        return f"between two generations of OpenClaw: {earlier} of the earlier one, {later} of the later one"
    if retired:
        first = min(RETIRED[path] for path in retired)
        return f"OpenClaw before {first} ({_and(retired)} in the workspace)"
    if newer:
        return f"OpenClaw since {max(RETIRED.values())} ({_and(newer)})"
    return ""


def _newer_signs(snapshot: Snapshot) -> list[str]:
    signs = []
    agents = snapshot.file("AGENTS.md")
    if agents is not None and any(is_tools_heading(section.heading) for section in cut_sections(agents)):
        signs.append("a Tools section in AGENTS.md")
    for path in CONFIGURATIONS:
        file = snapshot.file(path)
        if file is None or file.text is None:
            continue
        try:
            root = parse_json5(file.text)
        except Json5Error:
            continue
        if root.at("agents.entries"):
            signs.append(f"agents.entries in {path}")
        break
    return signs


def _and(names: list[str]) -> str:
    return " and ".join(names) if len(names) < 3 else f"{', '.join(names[:-1])} and {names[-1]}"
