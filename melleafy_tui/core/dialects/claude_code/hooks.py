"""Reads hooks of settings, plugins and frontmatter: event, matcher, kind; none is ever run (issue 7)."""

from collections.abc import Iterator
from typing import Final

from melleafy_tui.core.diagnostics import diagnose
from melleafy_tui.core.dialects.claude_code.settings_sources import Source, kept, text_at
from melleafy_tui.core.dialects.element_factory import (
    ElementFactory,
    ElementText,
    Remarks,
    SourceSpan,
    TagDecision,
)
from melleafy_tui.core.models.diagnostics import Diagnostic
from melleafy_tui.core.models.facts import Facts, HookFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.snapshot import SourceFile
from melleafy_tui.core.models.vocabulary import Category, Tag
from melleafy_tui.core.source.secrets.masking import mask_secrets
from melleafy_tui.core.workspace.json5 import JsonNode

LONGEST_SHOWN: Final = 120


def read_hooks(source: Source, node: JsonNode, diagnostics: list[Diagnostic]) -> Iterator[Element]:
    """Yield one element a hook: its event, what it looks at, and its kind; it is never run."""
    if not isinstance(node.value, dict):
        diagnostics.append(diagnose("settings-no-object", source.file.path, str(node.line)))
        return
    for event, groups in node.members():
        for group in groups.items():
            matcher = text_at(group, "matcher")
            listed = group.at("hooks")
            for hook in listed.items() if listed is not None else ():
                shown = hook_words(event, matcher, hook.value)
                if source.merged.no_hooks:
                    yield kept(source, hook, f"{shown} (all hooks are switched off)")
                else:
                    yield hook_element(source, hook.line, hook.end_line, event, matcher, shown)


def hook_words(event: str, matcher: str, hook: object) -> str:
    """Return what a hook is, in one line: event, matcher, kind, command."""
    data = hook if isinstance(hook, dict) else {}
    kind = str(data.get("type", "command"))
    does = next((str(data[name]) for name in ("command", "prompt", "url", "tool") if data.get(name)), "")
    on = f"{event} of {matcher}" if matcher and matcher != "*" else event
    return mask_secrets(f"Hook on {on} ({kind}{f': {does}' if does else ''})"[:LONGEST_SHOWN])


def hook_element(
    source: "Source | tuple[SourceFile, str]", first: int, last: int, event: str, matcher: str, shown: str
) -> Element:
    """Return the element of one hook."""
    file, rule_id = source if isinstance(source, tuple) else (source.file, source.rule_id)
    return ElementFactory(file, rule_id).make(
        SourceSpan(first, last, "json", section=("hooks", event)),
        ElementText(shown, label=event),
        TagDecision(Tag.ORCHESTRATE, Category.C9, "settings.hook", "hook.command"),
        Facts(HookFact(name=f"{event} {matcher}".strip(), events=(event,), matcher=matcher)),
        Remarks(notes=("Its command was noted and never run.",)),
    )
