"""Reads the files next to the bootstrap files: BOOTSTRAP.md, hooks, workspace skills, environment files."""

from typing import Final

from melleafy_tui.core.dialects.element_factory import UNCONVERTED, Home, SourceSpan, left_out
from melleafy_tui.core.dialects.openclaw.reader_task import Task
from melleafy_tui.core.dialects.openclaw.stock_text import is_template_text
from melleafy_tui.core.language.wording import plain_text, shorten, summarise
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.facts import Facts, HookFact, SecretFact, ToolFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Category, Tag
from melleafy_tui.core.source.frontmatter import Frontmatter
from melleafy_tui.core.source.markdown import parse_markdown
from melleafy_tui.core.source.segments import opening_of

_ASSIGNMENT: Final = LazyRegex(r"^\s*(?:export\s+)?(?P<name>[A-Za-z_][A-Za-z0-9_.]*)\s*=")


def read_bootstrap(task: Task) -> list[Element]:
    """Return the single element of BOOTSTRAP.md, which is removed; its text is only used for inlining."""
    if not _has_text(task):
        return []
    summary = "One-shot first-run ritual that deletes itself"
    return [
        task.factory.make(
            SourceSpan(1, len(task.file.lines), "file"),
            task.file.text or "",
            Home(*UNCONVERTED, "bootstrap.ritual", "bootstrap.file"),
            summary=summary,
            template=is_template_text(task.file.text or ""),
            decisions=left_out("BOOTSTRAP.md is a first-run ritual that the package does not have."),
        )
    ]


def read_hook(task: Task) -> list[Element]:
    """Return the single element of a HOOK.md, with or without frontmatter; its handler is listed but never read."""
    if not _has_text(task):
        return []
    head = parse_markdown(task.file.lines).frontmatter
    folder = task.file.path.rpartition("/")[0]
    heading, opening = opening_of(task.file)
    name = _word(head, "name") or heading or folder.rpartition("/")[2] or "hook"
    description = _word(head, "description") or opening
    below = task.snapshot.below(f"{folder}/") if folder else ()
    handlers = [path for path in below if path.rpartition("/")[2].startswith("handler.")]
    notes = [f"{path} was noted and not read; no handler is generated." for path in handlers[:1]]
    shown = f"{name}: {description}" if description else name
    return [
        task.factory.make(
            SourceSpan(1, len(task.file.lines), "file"),
            shown,
            Home(Tag.ORCHESTRATE, Category.C9, "hook.file", "hook.entry"),
            Facts(HookFact(name=name, events=tuple(_events(head)), handler=handlers[0] if handlers else "")),
            summary=summarise(f"Hook {shown}"),
            notes=notes,
        )
    ]


def read_skill(task: Task) -> list[Element]:
    """Return the single element of a workspace skill: its name and description."""
    if not _has_text(task):
        return []
    head = parse_markdown(task.file.lines).frontmatter
    folder = task.file.path.split("/")[-2]
    name = _word(head, "name") or folder
    description = _word(head, "description") or opening_of(task.file)[1]
    notes = [
        f"A skill is a spec of its own: convert it with `melleafy-tui {task.file.path.rpartition('/')[0]}`."
    ]
    if head.problem and head.simple_fields:
        notes.append(
            f"Its leading block is not strict YAML ({head.problem}); name and description were read line by line."
        )
    shown = f"{name}: {description}" if description else name
    return [
        task.factory.make(
            SourceSpan(1, len(task.file.lines), "file"),
            shown,
            Home(Tag.TOOL_TEMPLATE, Category.C6, "skill.file", "skill.file"),
            Facts(
                ToolFact(
                    name=name,
                    document=task.file.path,
                    description=description,
                    skill=True,
                    subtype="skill",
                )
            ),
            notes=notes,
        )
    ]


def read_environment(task: Task) -> list[Element]:
    """Return one element per variable, with its name only; the snapshot contains no values."""
    elements = []
    for number, line in enumerate(task.file.lines, start=1):
        match = _ASSIGNMENT.match(line)
        if match:
            elements.append(_variable(task, number, match["name"]))
        elif line.strip():
            elements.append(
                task.factory.make(
                    SourceSpan(number, number, "comment"),
                    "",
                    Home(*UNCONVERTED, "env.comment"),
                    summary="Comment",
                )
            )
    return elements


def _variable(task: Task, number: int, name: str) -> Element:
    return task.factory.make(
        SourceSpan(number, number, "variable"),
        name,
        Home(Tag.CONFIG, Category.C7, "env.variable", "env.var"),
        Facts(SecretFact(variable=name)),
        summary=shorten(name),
        label=name,
    )


def _has_text(task: Task) -> bool:
    return any(line.strip() for line in task.file.lines)


def _word(head: Frontmatter, name: str) -> str:
    found = head.data.get(name) if head.data else head.simple_fields.get(name)
    return plain_text(" ".join(found.split())) if isinstance(found, str) else ""


def _events(head: Frontmatter) -> list[str]:
    """Return the events of a hook, from the top level or from `metadata.openclaw.events`."""
    data: object = head.data or {}
    for path in (
        ("events",),
        ("event",),
        ("metadata", "openclaw", "events"),
        ("metadata", "clawdbot", "events"),
        ("on",),
    ):
        found: object = data
        for key in path:
            found = found.get(key) if isinstance(found, dict) else None
        if isinstance(found, str):
            return [found]
        if isinstance(found, list):
            return [str(event) for event in found if isinstance(event, str)]
    return []
