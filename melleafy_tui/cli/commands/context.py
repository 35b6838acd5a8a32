"""`context`: prints the prompt that OpenClaw assembles, and what the agent saw of each element."""

import argparse
from collections import Counter
from collections.abc import Sequence
from typing import Literal

from melleafy_tui.actions.plurals import counted
from melleafy_tui.cli.console import Console
from melleafy_tui.cli.json_documents import part_of
from melleafy_tui.cli.workspace_conversion import open_session, save_decisions, say_diagnostics
from melleafy_tui.core.language.text_measures import APPROXIMATION, tokens
from melleafy_tui.core.models.context import (
    VISIBILITY_SENTENCES,
    Context,
    ContextFile,
    FileState,
    PromptFacts,
    PromptMode,
    SessionKind,
    Visibility,
)
from melleafy_tui.core.models.record import Record
from melleafy_tui.core.openclaw.prompt.assembly import assemble
from melleafy_tui.core.openclaw.prompt.visibility import agent_visibility, drop_unseen, unseen_entries
from melleafy_tui.core.pipeline.conversion import Conversion


class ElementContext(Record, frozen=True, kw_only=True):
    """What the agent saw of one element."""

    element_id: str
    key: str
    source_file: str
    source_lines: str
    visibility: Visibility
    characters: int
    characters_seen: int
    tokens_seen: int


class ContextDocument(PromptFacts, frozen=True, kw_only=True):
    """The document of `context --json`; texts and counts are those of the masked text.

    `characters`, `present` and similar counts are in UTF-16 code units, as in OpenClaw.
    """

    format_version: Literal["1.0"] = "1.0"
    workspace: str
    snapshot: str
    prompt_tokens: int
    token_estimate: str
    elements: tuple[ElementContext, ...]


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the prompt, the source lines of each of its lines, and the counts.

    Raises:
        UsageError: the release or the agent is unknown.
    """
    session = open_session(arguments, console)
    conversion = session.conversion
    context = assemble(
        conversion.snapshot,
        release=conversion.settings.openclaw_release,
        session=SessionKind(arguments.session or SessionKind.MAIN),
        mode=PromptMode(arguments.mode) if arguments.mode else None,
        agent=arguments.agent or "",
    )
    if arguments.drop_unseen:
        _drop(conversion, console)
    document = _document(conversion, context)
    console.document(document)
    _print(context, document, console)
    say_diagnostics(conversion.diagnostics, console)
    save_decisions(arguments, session, console)
    return 0


def _drop(conversion: Conversion, console: Console) -> None:
    entries = unseen_entries(conversion.plan, conversion.seen)
    conversion.act(drop_unseen(entries))
    console.message(f"{counted(len(entries), 'element')} that the agent never saw: removed.")


def _document(conversion: Conversion, context: Context) -> ContextDocument:
    seen = agent_visibility(conversion.inventory, conversion.snapshot, context)
    found = ((element, seen[element.element_id]) for element in conversion.inventory.elements)
    elements = tuple(
        part_of(
            ElementContext,
            element,
            key=conversion.keys.get(element.element_id, ""),
            visibility=each.visibility,
            characters=each.characters,
            characters_seen=each.present,
            tokens_seen=each.tokens,
        )
        for element, each in found
    )
    return part_of(
        ContextDocument,
        context,
        workspace=conversion.snapshot.name,
        snapshot=conversion.inventory.snapshot_id,
        prompt_tokens=tokens([context.prompt]),
        token_estimate=APPROXIMATION,
        elements=elements,
    )


def _print(context: Context, document: ContextDocument, console: Console) -> None:
    console.heading(f"{document.workspace}: {context.session} session, mode {context.mode}, {context.origin}")
    console.line(f"limits in characters: {_limits(context)}")
    console.line()
    origins = [line.origin for line in context.lines]
    width = max((len(origin) for origin in origins), default=0)
    for line in context.lines:
        console.line(f"{line.origin:>{width}} {'✂' if line.mark else '│'} {line.text}".rstrip())
    console.line()
    console.heading("Files")
    console.table([_file_row(file) for file in (*context.files, *context.left_out)])
    _print_not_loaded(context, console)
    console.line()
    console.heading("Elements")
    _print_elements(document.elements, console)
    console.line()
    console.line(f"Tokens are estimated: {APPROXIMATION}.")
    for note in context.notes:
        console.line(note)


def _limits(context: Context) -> str:
    limits = (("a file", context.per_file), ("in all", context.total), ("USER.md", context.user_md))
    return " · ".join(f"{name} {limit:,}" for name, limit in limits if limit is not None)


def _print_elements(elements: Sequence[ElementContext], console: Console) -> None:
    counts = Counter(element.visibility for element in elements)
    seen = [each for each in Visibility if counts[each]]
    console.table([(str(counts[each]), each.value, VISIBILITY_SENTENCES[each]) for each in seen])
    console.table(
        [
            (
                element.element_id,
                f"{element.source_file}:{element.source_lines}",
                element.visibility.value,
                f"{element.characters_seen}/{element.characters} characters",
                f"{element.tokens_seen} tokens",
            )
            for element in elements
        ]
    )


def _file_row(file: ContextFile) -> tuple[str, ...]:
    limit = f"of at most {file.limit:,}" if file.limit is not None else ""
    gone = ((file.cut, "cut"), (file.frontmatter, "frontmatter"), (file.trimmed, "white space"))
    lost = [f"{number:,} {word}" for number, word in gone if number]
    figures = f"{file.present:,}/{file.characters:,}" if file.state is not FileState.MISSING else "-"
    return (
        file.path,
        file.state.value + (", apart" if file.apart else "") + (", by hook" if file.extra else ""),
        figures,
        f"{file.tokens} tokens",
        " ".join([limit, *lost]).strip(),
    )


def _print_not_loaded(context: Context, console: Console) -> None:
    if not context.not_loaded:
        return
    console.line()
    console.heading("Not loaded")
    for each in context.not_loaded:
        absent = "" if each.exists else "; not there"
        place = f" (linked from {each.linked_from}{absent})" if each.linked_from else ""
        console.line(f"  {each.path}{place}  {each.reason}")
    if context.more_not_loaded:
        console.line(f"  … and {counted(context.more_not_loaded, 'file')} more")
