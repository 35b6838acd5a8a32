"""`export --host=openclaw`: restores the OpenClaw workspace of a package, without what the user decided to drop.

A file is called identical only if its bytes have the digest that was recorded when it was read. The export lists what
it can't restore: secrets, values of environment variables, files that were never read, operational configuration.
"""

import codecs
import json
import re
from collections.abc import Collection, Mapping, Sequence
from hashlib import sha256
from itertools import compress
from typing import Final

from msgspec import Struct, field

from melleafy_tui.core.models.inventory import PART, Element
from melleafy_tui.core.models.manifest import LaidOutFile, Manifest
from melleafy_tui.core.models.reports import ExportedFile, ExportState
from melleafy_tui.core.models.surfaces import ExactFile
from melleafy_tui.core.models.visible_text import visible
from melleafy_tui.core.models.vocabulary import UNKNOWN_RUNTIME, Disposition, Runtime
from melleafy_tui.core.openclaw.export.exported_package import ReadPackage
from melleafy_tui.core.openclaw.surfaces.surface_table import never_written
from melleafy_tui.core.output.paths import stays_inside
from melleafy_tui.core.package.source_layout import line_numbers, split_lines
from melleafy_tui.core.source.dropped_values import is_environment_file
from melleafy_tui.core.tables import table_beside

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
_LONGEST_DESCRIPTION: Final = 300
_TABLE: Final = table_beside(__file__, "skill.toml")
_SKILL: Final[str] = _TABLE["body"]
_NOTES: Final[Mapping[str, str]] = _TABLE["notes"]
"""What is said of a source of other runtimes."""


def skill_path(manifest: Manifest, taken: Collection[str]) -> str:
    """Return the path of the skill in the workspace; a number is added if the name is taken.

    Args:
        manifest: The package's manifest.
        taken: Paths that the workspace already has.
    """
    stem = re.sub(r"[^a-z0-9]+", "-", manifest.package_name.lower()).strip("-")[:60] or "package"
    folders = {
        path.split("/")[1].lower() for path in taken if path.startswith("skills/") and path.count("/") > 1
    }
    name, number = stem, 2
    while name in folders:
        name, number = f"{stem}-{number}", number + 1
    return f"skills/{name}/SKILL.md"


def skill_text(manifest: Manifest, path: str) -> str | None:
    """Return the text of the skill, or None if the names in the manifest are not valid.

    Args:
        manifest: The package's manifest, untrusted.
        path: The path that the skill will have.
    """
    package = manifest.package_name
    names = [parameter.name for parameter in manifest.pipeline_parameters]
    if not all(_NAME.fullmatch(name) for name in (package, *names)):
        return None
    name = path.split("/")[1]
    about = " ".join(visible(identity_of(manifest)).split())[:_LONGEST_DESCRIPTION]
    description = f"Run the converted agent {package}, whose rules are checked in code. {about}".strip()
    metadata = {"openclaw": {"requires": {"bins": ["python3"]}}}
    head = (
        f"---\nname: {name}\ndescription: {json.dumps(description, ensure_ascii=False)}\n"
        f"metadata: {json.dumps(metadata)}\n---\n\n"
    )
    rows = "\n".join(
        f"| `--{parameter.name.replace('_', '-')}` | {'standard input' if parameter.required else 'its default'} |"
        for parameter in manifest.pipeline_parameters
        if parameter.type == "str"
    )
    return head + _SKILL.format(title=package.replace("_", " "), package=package, rows=rows)


def identity_of(manifest: Manifest) -> str:
    """Return the manifest's first description of the agent, or `""`."""
    described = manifest.categories_resolved.get("c1_identity")
    entries = described.entries if described else ()
    return next((entry.description for entry in entries if entry.description), "")


VALUES_DROPPED: Final = (
    "its values of environment variables and headers were never kept; placeholders replace them"
)
SECRETS_MASKED: Final = "its secrets were never kept; placeholders replace them"
SECRETS_OF_WORKSPACE: Final = (
    "copied from the workspace, where its secrets may have changed since the conversion"
)
NOT_KEPT: Final = "the package doesn't hold its bytes, and it wasn't found unchanged in a workspace"
STAYS_OUTSIDE: Final = "what it says stays outside the package on purpose; the workspace has it"
MOST_NAMED: Final = 5
"""How many files a note names."""


class Restored(Struct, frozen=True):
    """A restored file: its bytes, whether they are identical to the source, and what differs."""

    data: bytes
    identical: bool
    reasons: tuple[str, ...] = ()


class Export(Struct):
    """The files to write, the state of every source file, and notes on the export as a whole."""

    files: list[ExactFile] = field(default_factory=list)
    listed: list[ExportedFile] = field(default_factory=list)
    notes: tuple[str, ...] = ()

    def add(self, path: str, data: bytes, state: ExportState, *reasons: str) -> None:
        """Add a file to write."""
        self.files.append(ExactFile(path, data))
        self.list_file(path, state, *reasons)

    def list_file(self, path: str, state: ExportState, *reasons: str) -> None:
        """Record the state of a file."""
        self.listed.append(ExportedFile(path=path, state=state, reasons=reasons))

    def leave_out(self, path: str, reason: str) -> None:
        """Record a file that is not written, and why."""
        self.list_file(path, ExportState.LEFT_OUT, reason)

    def in_state(self, state: ExportState) -> tuple[ExportedFile, ...]:
        """Return the files in one state."""
        return tuple(file for file in self.listed if file.state is state)


def export_openclaw(package: ReadPackage, *, skill: bool = True) -> Export:
    """Return the OpenClaw workspace that a package was made from.

    Args:
        package: The converted package.
        skill: Whether to add a skill that calls the package.
    """
    export = Export(notes=(*_runtime_notes(package.runtimes), *_edit_notes(package.edited)))
    by_file: dict[str, list[Element]] = {}
    for element in package.elements:
        if element.kind != PART:  # the element around it has its bytes
            by_file.setdefault(element.source_file, []).append(element)
    dropped = _dropped(package)
    seen: set[str] = set()
    for laid_out in package.layout.files:
        if laid_out.path in seen:
            continue
        seen.add(laid_out.path)
        own = by_file.get(laid_out.path, [])
        _one_file(export, package, laid_out, own, [element for element in own if element in dropped])
    for name in package.layout.not_read:
        export.leave_out(name, _why_not_read(name))
    if skill:
        _add_skill(export, package)
    export.files.sort(key=lambda file: file.path)
    export.listed.sort(key=lambda file: file.path)
    return export


def _why_not_read(name: str) -> str:
    what = "nothing in it was read" if name.endswith("/") else "it was never read"
    reason = never_written(name)
    return f"{what}, so the package does not have it" + (f" ({reason})" if reason else "")


def _add_skill(export: Export, package: ReadPackage) -> None:
    """Add the skill that calls the package."""
    taken = [*(file.path for file in export.files), *package.layout.not_read]
    path = skill_path(package.manifest, taken)
    text = skill_text(package.manifest, path)
    if text is None:
        export.leave_out(path, "the manifest contains names that aren't valid, so no skill could be written")
    else:
        export.add(path, text.encode(), ExportState.ADDED, "the skill that calls the package")


def _runtime_notes(runtimes: Sequence[str]) -> tuple[str, ...]:
    """Return notes for a source that was not an OpenClaw workspace, or not only one."""
    others = [name for name in runtimes if name != Runtime.OPENCLAW]
    if not others:
        return ()
    kind = (
        "unknown" if runtimes == (UNKNOWN_RUNTIME,) else "mixed" if len(others) < len(runtimes) else "other"
    )
    return (_NOTES[kind].format(others=" and ".join(others)),)


def _edit_notes(edited: Sequence[str]) -> tuple[str, ...]:
    if not edited:
        return ()
    named = ", ".join(edited[:MOST_NAMED]) + (", …" if len(edited) > MOST_NAMED else "")
    return (f"The package was edited by hand since ({named}); such edits are not exported.",)


def _one_file(
    export: Export,
    package: ReadPackage,
    laid_out: LaidOutFile,
    elements: list[Element],
    dropped: list[Element],
) -> None:
    path = laid_out.path
    refusal = _refusal(laid_out)
    if refusal:
        export.leave_out(path, refusal)
        return
    restored = _restored(package, laid_out, elements, dropped)
    if restored is None:
        export.leave_out(
            path, STAYS_OUTSIDE if any(not element.content_full for element in elements) else NOT_KEPT
        )
    elif elements and len(dropped) == len(elements):
        export.leave_out(path, f"everything in it was removed by your decisions ({len(dropped)} elements)")
    elif laid_out.values_dropped:
        export.add(path, restored.data, ExportState.CHANGED, *restored.reasons, VALUES_DROPPED)
    else:
        state = ExportState.IDENTICAL if restored.identical else ExportState.CHANGED
        export.add(path, restored.data, state, *restored.reasons)


def _restored(
    package: ReadPackage, laid_out: LaidOutFile, elements: list[Element], dropped: list[Element]
) -> Restored | None:
    """Return the file from a copy of its bytes, else from its elements; None if there is neither."""
    if not dropped and not laid_out.values_dropped:
        masked = laid_out.secrets_masked
        if (copy := package.unused.get(laid_out.path)) is not None:
            return Restored(copy, identical=True, reasons=(SECRETS_OF_WORKSPACE,) if masked else ())
        if (copy := package.mirrored.get(laid_out.sha256)) is not None:
            return Restored(copy, identical=not masked, reasons=(SECRETS_MASKED,) if masked else ())
    restored = restore_text(laid_out, elements, dropped)
    if restored is not None and not laid_out.lines and not restored.identical:
        return None
    return restored


def _refusal(laid_out: LaidOutFile) -> str:
    """Return why a file is never exported, or `""`."""
    reason = never_written(laid_out.path)
    if not reason and not stays_inside(laid_out.path):
        reason = "its name leads out of the workspace"
    if reason:
        return f"{reason}; it is never written"
    if laid_out.values_dropped and is_environment_file(laid_out.path):
        return "the values of environment variables were never kept"
    return ""


def _dropped(package: ReadPackage) -> list[Element]:
    """Return the elements that the user dropped. Elements removed by default are kept: they make sense on OpenClaw."""
    by_id = {element.element_id: element for element in package.elements}
    return [
        by_id[element_id]
        for entry in package.plan.entries
        if entry.overridden and entry.disposition is Disposition.REMOVE
        for element_id in entry.source_elements
        if element_id in by_id
    ]


MOST_LINES: Final = 2_000_000
_MARKS: Final[Mapping[str, tuple[tuple[bytes, str], ...]]] = {
    "utf-8": ((b"", "utf-8"),),
    "utf-8-sig": ((codecs.BOM_UTF8, "utf-8"),),
    "utf-16": ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")),
}
"""Byte order marks and codecs to try for each encoding of the layout, most likely first."""


def restore_text(
    laid_out: LaidOutFile, elements: Sequence[Element], dropped: Sequence[Element]
) -> Restored | None:
    """Return the original text file without the lines that the user dropped, or None if lines are missing.

    Args:
        laid_out: The file's layout.
        elements: The file's elements, from the package's inventory.
        dropped: The elements that the user dropped.
    """
    if laid_out.encoding not in _MARKS or laid_out.lines > MOST_LINES:
        return None
    lines = _lines(laid_out, elements)
    if lines is None:
        return None
    ends = _line_ends(laid_out)
    reasons = [_secret(laid_out.path, numbers) for numbers in _runs(sorted(laid_out.masked))]
    if not dropped:
        return _encoded(laid_out, lines, ends, reasons)
    kept = line_numbers(element for element in elements if element not in dropped)
    gone = line_numbers(dropped) - kept
    reasons += [_removal(element, shares_all=line_numbers([element]) <= kept) for element in dropped]
    stays = [number not in gone for number in range(1, laid_out.lines + 1)]
    return _encoded(laid_out, [*compress(lines, stays)], [*compress(ends, stays)], reasons)


def _line_ends(laid_out: LaidOutFile) -> list[str]:
    ends = [laid_out.line_end] * laid_out.lines
    for number, end in laid_out.other_line_ends.items():
        if 1 <= number <= len(ends):
            ends[number - 1] = end
    return ends


def _removal(element: Element, *, shares_all: bool) -> str:
    shared = "; its lines stay, because another element shares them" if shares_all else ""
    return f"{element.location} was removed by your decision: {element.content_summary}{shared}"


def _lines(laid_out: LaidOutFile, elements: Sequence[Element]) -> list[str] | None:
    recorded = {**laid_out.gaps, **laid_out.masked}
    lines: dict[int, str] = {}
    for element in elements:
        first, last = element.line_range
        numbers = range(first, last + 1)
        if first < 1 or last > laid_out.lines or laid_out.masked.keys() >= set(numbers):
            continue
        own = split_lines(element.content_full)[0]
        own += [""] * (len(numbers) - len(own))
        if len(own) != len(numbers):
            return None
        lines.update(zip(numbers, own, strict=True))
    lines.update(recorded)
    return [lines.get(number, "") for number in range(1, laid_out.lines + 1)]


def _encoded(
    laid_out: LaidOutFile, lines: Sequence[str], ends: Sequence[str], reasons: Sequence[str]
) -> Restored:
    text = "".join(line + end for line, end in zip(lines, ends, strict=True))
    candidates = [mark + text.encode(codec, "surrogatepass") for mark, codec in _MARKS[laid_out.encoding]]
    for data in candidates:
        if not laid_out.secrets_masked and sha256(data).hexdigest() == laid_out.sha256:
            return Restored(data, True, ())
    undecoded = "; bytes that could not be decoded are shown as U+FFFD" if "\ufffd" in text else ""
    return Restored(candidates[0], False, tuple(reasons) or (f"its bytes could not be restored{undecoded}",))


def _runs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs


def _secret(path: str, run: tuple[int, int]) -> str:
    lines = str(run[0]) if run[0] == run[1] else f"{run[0]}-{run[1]}"
    return f"{path}:{lines} had a secret, which the package never contained; a placeholder replaces it"
