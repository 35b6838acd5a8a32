"""Reads one skill folder: its spec, scripts, references and assets; nothing outside the folder is read.

Dialects whose skills follow the Agent Skills standard all call `read_skill`; a dialect with extensions passes its
additional keys and reads them from `SkillReading.head`.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final
from urllib.parse import unquote

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.dialects.agent_skills.body import read_agent_body, read_body
from melleafy_tui.core.dialects.agent_skills.frontmatter_fields import (
    FrontmatterField,
    Head,
    head_findings,
    read_head,
)
from melleafy_tui.core.dialects.agent_skills.homes import BODY, FILE_RULES, SPEC, rule_for
from melleafy_tui.core.dialects.agent_skills.scripts import is_script, read_script
from melleafy_tui.core.dialects.agent_skills.tool_grants import read_grants
from melleafy_tui.core.dialects.base import FileRule
from melleafy_tui.core.dialects.element_factory import (
    UNCONVERTED,
    ElementFactory,
    Home,
    SourceSpan,
    listed_file,
    unread_file,
)
from melleafy_tui.core.dialects.named_documents import is_reference, read_reference
from melleafy_tui.core.dialects.tool_facts import is_script_used, script_calls
from melleafy_tui.core.language.text_measures import tokens
from melleafy_tui.core.models.facts import Facts
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.inventory import Element, InventoriedFile
from melleafy_tui.core.models.procedure import Procedure
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.models.vocabulary import DECISIONS_FILE, Category, Runtime, Tag
from melleafy_tui.core.source.segments import cut_segments

MOST_LINES: Final = 500
MOST_TOKENS: Final = 5_000
"""The standard's limits for a SKILL.md."""


class SkillReading(Struct, frozen=True):
    """The contents of one skill folder; element ids are empty, order is source order.

    Attributes:
        head: The frontmatter, for keys that the caller reads.
        files: The files of the folder.
        elements: Their elements, except for the lines of `other_keys`.
        diagnostics: The problems found.
        procedure: The steps of a spec whose headings are plainly steps; the caller reads them.
    """

    head: Head
    files: tuple[InventoriedFile, ...] = ()
    elements: tuple[Element, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    procedure: Procedure | None = None


def read_skill(
    snapshot: Snapshot,
    folder: str = "",
    *,
    runtime: str = Runtime.AGENT_SKILLS_STD.value,
    spec: str = SPEC,
    other_keys: frozenset[str] = frozenset(),
    is_agent: bool = False,
) -> SkillReading:
    """Return the contents of one skill folder.

    Args:
        snapshot: The workspace.
        folder: The skill's folder in the workspace, with a final `/`; `""` for the root.
        runtime: The runtime that the files belong to.
        spec: The spec's file name in the folder.
        other_keys: Frontmatter keys that the caller reads; they cause no warning and get no element.
        is_agent: Whether the body says who an agent is rather than what a skill does.
    """
    file = snapshot.file(f"{folder}{spec}")
    if file is None or file.text is None:
        absent = InventoriedFile(f"{folder}{spec}", FILE_RULES[0].role, "absent", FILE_RULES[0].rule_id)
        return SkillReading(Head(), (absent,))
    head = read_head(file)
    name = folder.rstrip("/").rpartition("/")[2] or snapshot.name
    elements = [*_head_elements(file, head, other_keys)]
    if is_agent:
        elements += read_agent_body(file, FILE_RULES[0].rule_id, head.last)
    else:
        # Where the frontmatter says which tools there are, nothing else is one.
        is_granted = any(map(head.get, _GRANTING))
        homes = {form: home for form, home in BODY.items() if not is_granted or form != "program"}
        elements += read_body(file, FILE_RULES[0].rule_id, snapshot, head.last, homes)
    diagnostics = [*head_findings(file.path, head, name, other_keys), *_about_spec(file)]
    files = [listed_file(file, FILE_RULES[0], runtime)]
    below = _others(snapshot, folder, file)
    texts = [
        file,
        *(other for path, _ in below if path.lower().endswith(".md") and (other := snapshot.file(path))),
    ]
    named = {file.path, *named_below(file, folder, [path for path, _ in below], snapshot)}
    for path, rule in below:
        listed, found, findings = _read_other(path, rule, snapshot.file(path), runtime, texts, named)
        files.append(listed)
        elements += found
        diagnostics += findings
    return SkillReading(head, tuple(files), tuple(elements), tuple(diagnostics))


_CARRIED: Final = "Copied into the package as it stands."
_GRANTING: Final = ("allowed-tools", "tools")
"""Frontmatter keys that say which tools there are, so that nothing else is granted."""


def _read_other(
    path: str,
    rule: FileRule,
    source: SourceFile | None,
    runtime: str,
    texts: Sequence[SourceFile],
    named: Collection[str],
) -> tuple[InventoriedFile, tuple[Element, ...], tuple[Diagnostic, ...]]:
    """Return a file beside the spec as it is listed, with its elements and findings."""
    if source is None:
        return unread_file(path, rule, runtime, "It was not read.", status="skipped"), (), ()
    is_used = bool(source.text) and is_script(path) and is_script_used(path, texts)
    if is_used or (rule.rule_id == "skill.script" and source.text and is_script(path)):
        calls = script_calls(path, texts) if is_used else ()
        element, findings = read_script(source, rule.rule_id, is_used=is_used, calls=calls)
        return listed_file(source, rule, runtime), (element,), findings
    if (rule.rule_id == "skill.reference" or path in named) and is_reference(path):
        reference = read_reference(source, rule.rule_id)
        return listed_file(source, rule, runtime), (reference,) if reference is not None else (), ()
    return unread_file(path, rule, runtime, _CARRIED, status="carried"), (), ()


def _others(snapshot: Snapshot, folder: str, spec: SourceFile) -> list[tuple[str, FileRule]]:
    """Return the folder's other files with their rules, in table order; trees and links aren't the skill's."""
    trees = tuple(snapshot.trees)
    found = [
        (path, rule_for(path.removeprefix(folder)))
        for path in snapshot.paths
        if path.startswith(folder) and path not in (spec.path, DECISIONS_FILE) and not path.startswith(trees)
    ]
    return sorted(found, key=lambda each: (FILE_RULES.index(each[1]), each[0]))


def named_below(spec: SourceFile, folder: str, paths: Iterable[str], snapshot: Snapshot) -> Iterator[str]:
    """Yield the files of a folder that a text names, or that a text named so names, whatever their case.

    Args:
        spec: The first text.
        folder: The folder, with a final `/`, or `""`.
        paths: Its files.
        snapshot: The workspace.
    """
    left = {path: (path, path.removeprefix(folder)) for path in paths}
    texts = [spec]
    while texts:
        text = texts.pop()
        words = unquote(text.text or "").casefold()
        beside = text.path.rpartition("/")[0] + "/"
        for path, names in [*left.items()]:
            near = path.removeprefix(beside) if path.startswith(beside) else path
            if any(_is_named(name.casefold(), words) for name in (*names, near)):
                yield path
                del left[path]
                source = snapshot.file(path)
                if source is not None and is_reference(path):
                    texts.append(source)


def _is_named(name: str, words: str) -> bool:
    at = words.find(name)
    while at >= 0:
        before, after = words[at - 1 : at], words[at + len(name) : at + len(name) + 1]
        if not (before.isalnum() or before in ("-", "_")) and not (
            after.isalnum() or after in ("-", "_", "/")
        ):
            return True
        at = words.find(name, at + 1)
    return False


# --- frontmatter ------------------------------------------------------------------------------------


def _head_elements(file: SourceFile, head: Head, other_keys: frozenset[str]) -> Iterator[Element]:
    """Yield the elements of the frontmatter."""
    if not head.last:
        return
    start = min((field.first for field in head.fields), default=head.last)
    yield _mark(file, 1, start - 1)
    for field in _ordered_fields(head, other_keys):
        yield from field_elements(file, field)
    if all(field.last < head.last for field in head.fields):
        yield _mark(file, head.last, head.last)


def _ordered_fields(head: Head, other_keys: frozenset[str]) -> list[FrontmatterField]:
    """Return the fields; `when_to_use` follows the description that it is appended to."""
    fields = [field for field in head.fields if field.key not in other_keys and field.key != "when_to_use"]
    use = head.get("when_to_use")
    if use is None:
        return fields
    if head.get("description") is None:
        return [*fields, use]
    return [part for field in fields for part in ((field, use) if field.key == "description" else (field,))]


def field_elements(file: SourceFile, field: FrontmatterField) -> Iterator[Element]:
    """Yield the elements of one frontmatter field; `allowed-tools` gives one per function."""
    if field.key == "allowed-tools":
        yield from _grants(file, field)
        return
    row, category, tag = _FIELDS.get(field.key, ("", Category.NONE, Tag.NO_DECOMPOSE))
    text = _text_of(field)
    if not text:
        row, category, tag = "", Category.NONE, Tag.NO_DECOMPOSE
    described = field.key in ("description", "when_to_use")
    yield ElementFactory(file, FILE_RULES[0].rule_id).make(
        SourceSpan(field.first, field.last, "paragraph" if described else "field"),
        text if described else f"{field.key}: {text}",
        Home(tag, category, f"skill.field.{field.key}" if row else "skill.field.other", row),
        label=field.key,
        value=text,
        notes=("Appended to the description.",) if field.key == "when_to_use" and row else (),
    )


def _text_of(field: FrontmatterField) -> str:
    if field.key == "metadata" and isinstance(field.value, dict):
        return "; ".join(f"{name}: {value}" for name, value in field.value.items())
    return field.text


_FIELDS: Final[dict[str, tuple[str, Category, Tag]]] = {
    "name": ("skill.name", Category.C1, Tag.CONFIG),
    "description": ("skill.description", Category.C1, Tag.CONFIG),
    "when_to_use": ("skill.description", Category.C1, Tag.CONFIG),
    "compatibility": ("skill.compatibility", Category.C8, Tag.CONFIG),
}
"""Mapping row, category and tag of each standard field that the package uses; a model is told none of the others."""


def _grants(file: SourceFile, field: FrontmatterField) -> Iterator[Element]:
    grants = read_grants(field.value)
    if not grants:
        yield _mark(file, field.first, field.last)
    for grant in grants:
        bound = f" for {', '.join(grant.patterns)}" if grant.patterns else " without a pattern"
        yield ElementFactory(file, FILE_RULES[0].rule_id).make(
            SourceSpan(field.first, field.last, "grant"),
            grant.statement,
            Home(Tag.TOOL_TEMPLATE, Category.C6, "skill.grant", grant.row),
            Facts(replace(grant.fact, is_bound=True)),
            notes=(f"{grant.tool} is granted{bound}.",),
        )


def _mark(file: SourceFile, first: int, last: int) -> Element:
    return ElementFactory(file, FILE_RULES[0].rule_id).make(
        SourceSpan(first, last, "frontmatter"),
        "",
        Home(*UNCONVERTED, "skill.frontmatter"),
        summary="Frontmatter",
    )


def _about_spec(file: SourceFile) -> Iterator[Diagnostic]:
    length = tokens((file.text or "",))
    if len(file.lines) > MOST_LINES or length > MOST_TOKENS:
        yield diagnose(
            "skill-long",
            file.path,
            line_count=len(file.lines),
            tokens=length,
            most_lines=MOST_LINES,
            most_tokens=MOST_TOKENS,
        )
    for segment in cut_segments(file):
        if not segment.closed:
            yield diagnose("fence-unclosed", file.path, str(segment.first))
