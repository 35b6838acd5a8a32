"""Step 3 in plain lines: lists of entries, their dispositions one by one or many at once, and conflicts."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from melleafy_tui.actions.choices import Choice, conflict_choices
from melleafy_tui.actions.display_names import (
    category_title,
    element_title,
    no_conflict_words,
)
from melleafy_tui.actions.disposition_choices import (
    Proposal,
    back_to_default,
    dispose,
    drop_or_keep_unseen,
    judge,
)
from melleafy_tui.actions.filters import GROUPINGS, chosen, entry_facets, entry_search_text, group_of
from melleafy_tui.actions.key_table import KEYMAP
from melleafy_tui.actions.output_changes import effect
from melleafy_tui.cli.linear import file_commands
from melleafy_tui.cli.linear.dialogue import Back
from melleafy_tui.cli.linear.linear_session import LinearSession
from melleafy_tui.cli.linear.typed_commands import Action, StepCommands, own
from melleafy_tui.core.decisions.commands import ResolveConflict, SetRationale
from melleafy_tui.core.models.context import AS_USUAL, VISIBILITY_SENTENCES
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.vocabulary import DISPOSITIONS, Disposition, EntryKind
from melleafy_tui.core.package.dispositions import allowed_for, cell

DISPOSITION_KEYS: Final[dict[str, Disposition | None]] = {
    key.id: Disposition(name) if name else None
    for key in KEYMAP
    if key.action.startswith("dispose(")
    for name in [key.action.removeprefix("dispose(").strip("')")]
}
"""The rows of the key table that set a disposition; None is the default."""

DEFAULT: Final = ("-", "default")
JUDGE: Final = "decide.individually"
REASON: Final = "decide.rationale"
SHOW_CHANGE: Final = ("t", "tell")

_NAMED: Final = 3
"""Elements of an entry that are named; aggregated entries have many."""

_FIRST: Final = 5
"""Entries that are listed before a question about many."""

SHORT_CHANGE: Final = 12
"""Lines of a diff that are shown after a choice; `tell` shows as many as the side pane of the wizard."""


def summary(session: LinearSession) -> None:
    """Show the number of entries by disposition, how many need attention, and what a run costs."""
    wizard = session.wizard
    entries, figures = wizard.conversion.plan.entries, wizard.figures
    session.dialogue.say(f"{_dispositions(entries)}.")
    conflicts = len(wizard.conversion.plan.conflicts)
    session.dialogue.say(
        f"{len(wizard.entries_to_review)} need attention, {conflicts} conflicts, {figures.overrides} decided by you."
    )
    session.dialogue.say(
        f"One run costs {figures.calls} model calls and ≈ {figures.prompt_tokens} prompt tokens; "
        f"stubs left {figures.stubs}, delegates left {figures.delegates}."
    )


# --- lists ------------------------------------------------------------------------------------


def list_entries(session: LinearSession, words: str) -> None:
    """List the entries that pass a filter, all of them or of those with a text."""
    _list(session, _filtered(session, words)[0], "No matches.")


def search(session: LinearSession, words: str) -> None:
    """List the entries that contain a text."""
    wanted = words or session.dialogue.ask(
        "Search for what? Type a part of the text, a file, a category or a target:"
    )
    _list(session, _found(session, wanted), f"No matches for {wanted}.")


def list_differences(session: LinearSession, _: str) -> None:
    """List what differs from the defaults."""
    entries = [entry for entry in session.wizard.conversion.plan.entries if entry.overridden]
    _list(session, entries, "Everything is at its default.")


def _list(session: LinearSession, entries: Sequence[PlanEntry], empty: str) -> None:
    """List entries, and remember them for `listed`."""
    session.listed = frozenset(entry.key for entry in entries)
    session.dialogue.list([entry_line(session, entry) for entry in entries], empty=empty)


def _filtered(session: LinearSession, words: str = "") -> tuple[list[PlanEntry], str]:
    """Return the entries that contain a text and pass the filter of the user's choice, and the filter's name."""
    entries = _found(session, words)
    held = {entry.entry_id for entry in entries}
    facets = [
        each for each in entry_facets(session.wizard.conversion, session.wizard.reasons) if each.ids & held
    ]
    options = [
        Choice("everything", "everything", str(len(entries))),
        *(Choice(each.id, each.label, str(len(each.ids & held))) for each in facets),
    ]
    facet = chosen(facets, session.dialogue.choose("Which entries?", options, enter="takes all") or "")
    if facet is None:
        return entries, "everything"
    return [entry for entry in entries if entry.entry_id in facet.ids], facet.label


def _found(session: LinearSession, words: str) -> list[PlanEntry]:
    elements = session.wizard.elements_by_entry
    wanted = words.casefold()
    return [
        entry
        for entry in session.wizard.conversion.plan.entries
        if wanted in entry_search_text(entry, elements[entry.entry_id])
    ]


# --- one entry --------------------------------------------------------------------------------


def entry_line(session: LinearSession, entry: PlanEntry) -> str:
    """Return an entry in one line."""
    elements = session.wizard.elements_of(entry)
    where = elements[0].location if elements else "settings"
    who = "chosen by you" if entry.overridden else "the default"
    waiting = ", needs attention" if session.wizard.review_reason(entry) else ""
    return (
        f"{entry.entry_id}, {where}, {category_title(entry.category)}: {entry.summary}. "
        f"{DISPOSITIONS[entry.disposition].label}, {who}{waiting}"
    )


def tell(session: LinearSession, words: str) -> None:
    """Show everything about one entry, its change in the output, and the possible dispositions."""
    entry = session.entry_named(words)
    if entry is not None:
        _show_entry(session, entry)
        _show_change(session, entry)
        session.dialogue.say("Possible dispositions:")
        for line in _alternatives(session, entry):
            session.dialogue.say(f"  {line}")


def _show_entry(session: LinearSession, entry: PlanEntry) -> None:
    for line in _entry_lines(session, entry):
        session.dialogue.say(line)


def _entry_lines(session: LinearSession, entry: PlanEntry) -> Iterator[str]:
    yield entry_line(session, entry)
    reason = session.wizard.review_reason(entry)
    if reason:
        yield f"Needs attention: {reason}"
    yield f"What it does: {cell(entry.kind, entry.disposition).effect}"
    if entry.overridden:
        yield f"The default is {DISPOSITIONS[entry.default_disposition].label}. {entry.reason}".rstrip()
    elif entry.reason:
        yield f"Why: {entry.reason}"
    if entry.override_rationale:
        yield f"Your reason: {entry.override_rationale}"
    if entry.kind is EntryKind.RULE and entry.judge_individually:
        yield "The model judges it by a requirement of its own; judge alone reverts that."
    yield from _source_lines(session, entry)
    setup = f", SETUP {entry.setup_section}" if entry.setup_section else ""
    yield f"Target: {entry.target}{setup}"


def _source_lines(session: LinearSession, entry: PlanEntry) -> Iterator[str]:
    """Yield what the agent saw of an entry, and what it is made of."""
    elements = session.wizard.elements_of(entry)
    if not elements:
        yield "It comes from the settings, not from the source; backend on step 1 changes it."
        return
    seen = session.wizard.conversion.seen.get(elements[0].element_id)
    if seen is not None and seen.visibility not in AS_USUAL:
        yield VISIBILITY_SENTENCES[seen.visibility]
    named = ", ".join(f"{element.element_id} at {element.location}" for element in elements[:_NAMED])
    more = f" and {len(elements) - _NAMED} more" if len(elements) > _NAMED else ""
    yield f"Made of: {named}{more}; tell on step 2 shows each with its source lines."


def _show_change(session: LinearSession, entry: PlanEntry, *, most: int | None = None) -> None:
    """Show what an entry's disposition changes in the output, as a small diff."""
    found = effect(session.wizard.conversion, _current(session, entry))
    session.dialogue.say(f"Change in the output, {found.title}:")
    if not found.lines:
        session.dialogue.say("Nothing in the code.")
    shown = found.lines[:most]
    for line in shown:
        session.dialogue.say(f"file {line.removeprefix('── ')}" if line.startswith("── ") else line)
    left = len(found.lines) - len(shown) + found.left_out
    if left:
        session.dialogue.say(f"and {left} more lines; tell shows the change, step 4 the files.")


def _current(session: LinearSession, entry: PlanEntry) -> PlanEntry:
    """Return the entry as it is after the last command."""
    entries = session.wizard.conversion.plan.entries
    return next((each for each in entries if each.key == entry.key), entry)


def give_reason(session: LinearSession, words: str) -> None:
    """Ask why an entry was overridden."""
    entry = session.entry_named(words)
    if entry is not None:
        _ask_reason(session, entry)


def _ask_reason(session: LinearSession, entry: PlanEntry) -> None:
    if not entry.overridden:
        session.dialogue.say("Only an override can have a reason.")
        return
    try:
        why = session.dialogue.text(
            f"Why {DISPOSITIONS[entry.disposition].label}? The report quotes your reason.",
            current=entry.override_rationale,
        )
    except Back:
        return
    if why is not None:
        session.act(SetRationale(entry.key, why), "Your reason is kept")


# --- dispositions -----------------------------------------------------------------------------


def set_disposition(disposition: Disposition | None, session: LinearSession, words: str) -> None:
    """Give the named entries a disposition; None resets them to the default."""
    entries = session.entries_named(words)
    if entries:
        _carry_out(session, entries, _proposed(entries, disposition), overrides=True)


def judge_alone(session: LinearSession, words: str) -> None:
    """Let the model judge rules by a requirement of their own, or revert that."""
    entries = session.entries_named(words)
    if entries:
        _carry_out(session, entries, judge(entries), overrides=False)


def _proposed(entries: Sequence[PlanEntry], disposition: Disposition | None) -> Proposal:
    return dispose(entries, disposition) if disposition else back_to_default(entries)


def _carry_out(
    session: LinearSession, entries: Sequence[PlanEntry], choice: Proposal, *, overrides: bool
) -> bool:
    """Carry out what was chosen for entries, show its change and ask for a reason; return whether it is possible."""
    if choice.command is None:
        session.dialogue.say(f"Not done: {choice.words}")
        return False
    if session.act(choice.command, choice.words) and len(entries) == 1 and overrides:
        entry = _current(session, entries[0])
        if entry.overridden:
            _show_change(session, entry, most=SHORT_CHANGE)
            if not entry.override_rationale:
                _ask_reason(session, entry)
    return True


def override(session: LinearSession, words: str) -> None:
    """Show one entry and ask for its disposition, or ask about several at once."""
    entries = session.entries_named(words)
    if len(entries) == 1:
        _show_entry(session, entries[0])
        _ask_disposition(session, entries)
    elif entries:
        _override_many(session, entries, "chosen by you")


def walk(session: LinearSession, _: str) -> None:
    """Go through the entries that need attention and ask about each."""
    waiting = session.wizard.entries_to_review
    if not waiting:
        session.dialogue.say("Nothing needs attention here.")
    for number, entry in enumerate(waiting, 1):
        session.dialogue.say(f"{number} of {len(waiting)}.")
        _show_entry(session, entry)
        _ask_disposition(session, [entry])
    if waiting:
        session.dialogue.say(
            f"That was the last one; {len(session.wizard.entries_to_review)} still need attention."
        )


def override_all(session: LinearSession, words: str) -> None:
    """Ask for one disposition for all entries that pass a filter, or contain a text."""
    if words:
        _override_many(session, _found(session, words), words)
        return
    entries, named = _filtered(session)
    _override_many(session, entries, named)


def override_group(session: LinearSession, _: str) -> None:
    """Ask for one disposition for all entries of a group."""
    grouping = session.dialogue.choose(
        "Group by what?", [Choice(each, each) for each in GROUPINGS[:-1]], enter="cancels"
    )
    if grouping is None:
        return
    elements = session.wizard.elements_by_entry
    groups: dict[str, list[PlanEntry]] = {}
    for entry in session.wizard.conversion.plan.entries:
        groups.setdefault(group_of(entry, elements[entry.entry_id], grouping), []).append(entry)
    options = [Choice(name, name, _group_note(groups[name])) for name in sorted(groups)]
    named = session.dialogue.choose("Which group?", options, enter="cancels")
    if named is not None:
        _override_many(session, groups[named], named)


def _override_many(session: LinearSession, entries: Sequence[PlanEntry], named: str) -> None:
    if not entries:
        session.dialogue.say(f"No matches for {named}.")
        return
    session.dialogue.say(f"{_counted(entries)}: {named}. The first of them:")
    for entry in entries[:_FIRST]:
        session.dialogue.say(f"  {entry_line(session, entry)}")
    _ask_disposition(session, entries, f"Which disposition for {_counted(entries)}?")


def _ask_disposition(
    session: LinearSession, entries: Sequence[PlanEntry], asked: str = "Which disposition?"
) -> None:
    """Ask for a disposition by its letter in the wizard or its name; an empty answer keeps what there is."""
    keys = session.wizard.keys
    judges, reasons = keys.row(JUDGE), keys.row(REASON)
    allowed = {disposition for entry in entries for disposition in allowed_for(entry.kind)}
    named = ", ".join(_spelled(session, each) for each in Disposition if each in allowed)
    more = (
        f"; {' '.join(SHOW_CHANGE)} shows the change, {reasons.letter} {reasons.label.casefold()} keeps your reason"
        if len(entries) == 1
        else ""
    )
    question = f"{asked} {named}, {' '.join(DEFAULT)}{more}; Enter keeps it:"
    help_lines = [
        *_alternatives(session, entries[0]),
        f"{DEFAULT[0]} or {DEFAULT[1]}: back to the default.",
        f"{judges.letter} or {judges.label.casefold()}: {judges.tooltip}",
    ]
    answers = _answers_about(session, entries)
    while answer := session.dialogue.ask(question, *help_lines):
        carry_out = answers.get(answer) or answers.get(answer.casefold())
        if carry_out is None:
            session.dialogue.unknown(answer)
        elif carry_out():
            return


def _answers_about(session: LinearSession, entries: Sequence[PlanEntry]) -> dict[str, Callable[[], bool]]:
    """Return what each letter and word does with entries; the result says whether the question is settled."""
    keys = session.wizard.keys
    judges, reasons = keys.row(JUDGE), keys.row(REASON)

    def let_judge() -> bool:
        return _carry_out(session, entries, judge(entries), overrides=False)

    def choose(disposition: Disposition | None) -> bool:
        return _carry_out(session, entries, _proposed(entries, disposition), overrides=True)

    def show() -> bool:
        _show_change(session, entries[0])
        return False

    def ask_why() -> bool:
        _ask_reason(session, _current(session, entries[0]))
        return False

    found: dict[str, Callable[[], bool]] = dict.fromkeys(
        (judges.letter, judges.letter.casefold(), judges.label.casefold()), let_judge
    )
    for typed, disposition in _typed_dispositions(session).items():
        found[typed] = partial(choose, disposition)
    if len(entries) == 1:
        found |= dict.fromkeys((reasons.letter, reasons.label.casefold()), ask_why)
        found |= dict.fromkeys(SHOW_CHANGE, show)
    return found


def _typed_dispositions(session: LinearSession) -> dict[str, Disposition | None]:
    """Return what each letter and name stands for."""
    found: dict[str, Disposition | None] = dict.fromkeys(DEFAULT)
    for name, disposition in DISPOSITION_KEYS.items():
        letter = session.wizard.keys.row(name).letter
        if letter:
            found[letter] = disposition
        if disposition is not None:
            found[DISPOSITIONS[disposition].label] = found[disposition.value] = disposition
    return found


def _spelled(session: LinearSession, disposition: Disposition, joined: str = " ") -> str:
    name = next(name for name, each in DISPOSITION_KEYS.items() if each is disposition)
    letter = session.wizard.keys.row(name).letter
    return joined.join(filter(None, (letter, DISPOSITIONS[disposition].label)))


def _alternatives(session: LinearSession, entry: PlanEntry) -> list[str]:
    """Return one line a disposition: what it does with the entry, or why it isn't possible."""
    options = [(_spelled(session, each, " or "), cell(entry.kind, each)) for each in Disposition]
    return [
        f"{spelled}: {option.effect if option.allowed else f'not possible here. {option.refusal}'}"
        for spelled, option in options
    ]


def drop_unseen(session: LinearSession, _: str) -> None:
    """Leave out everything that the agent never saw, or keep it after all."""
    proposal = drop_or_keep_unseen(session.wizard.conversion)
    if proposal.command is None:
        session.dialogue.say(proposal.words)
    else:
        session.act(proposal.command, proposal.words)


# --- conflicts --------------------------------------------------------------------------------


def resolve_conflicts(session: LinearSession, _: str) -> None:
    """Go through the elements that two runtimes treat differently and ask which treatment applies."""
    conflicts = session.wizard.conversion.plan.conflicts
    if not conflicts:
        session.dialogue.say(no_conflict_words(session.wizard.conversion.classification.dialect_runtimes))
    by_id = session.wizard.conversion.inventory.by_id
    for number, conflict in enumerate(conflicts, 1):
        element = by_id.get(conflict.element_id)
        title = f"{element.location}: {element_title(element)}" if element else conflict.element_id
        try:
            value = session.dialogue.choose(
                f"Conflict {number} of {len(conflicts)}, {title}. {conflict.primary} leads, "
                f"{conflict.contributor} contributes. Which treatment applies?",
                conflict_choices(conflict),
            )
        except Back:
            return
        if value is not None:
            session.act(ResolveConflict(conflict.key, value), f"Conflict: {value}")


# --- counts -----------------------------------------------------------------------------------


def _group_note(entries: Sequence[PlanEntry]) -> str:
    overridden = sum(entry.overridden for entry in entries)
    return f"{_dispositions(entries)}{f', {overridden} decided by you' if overridden else ''}"


def _dispositions(entries: Sequence[PlanEntry]) -> str:
    counts = Counter(entry.disposition for entry in entries)
    each = ", ".join(f"{DISPOSITIONS[name].label} {counts[name]}" for name in Disposition if counts[name])
    return f"{_counted(entries)}: {each}"


def _counted(entries: Sequence[PlanEntry]) -> str:
    return f"{len(entries)} {'entry' if len(entries) == 1 else 'entries'}"


COMMANDS: Final = StepCommands(
    summary,
    (
        Action("decide.attention", walk, does="Go through the entries that need attention."),
        Action("decide.conflicts", resolve_conflicts),
        Action("filter.choose", list_entries, "WORDS"),
        Action("search.start", search, "WORDS", does="List the entries that contain a text."),
        own("t", "tell", tell, "Show one entry and what it changes in the output.", "ENTRY"),
        own(
            "o",
            "override",
            override,
            "Choose the disposition of one entry, of several (3 5 8-12), or of those listed last (listed).",
            "ENTRY",
        ),
        *(
            Action(
                row,
                partial(set_disposition, disposition),
                "ENTRY",
                letter="" if disposition else DEFAULT[0],
                word=DISPOSITIONS[disposition].label if disposition else DEFAULT[1],
            )
            for row, disposition in DISPOSITION_KEYS.items()
        ),
        Action("decide.individually", judge_alone, "ENTRY"),
        Action(
            "decide.mark-all",
            override_all,
            "WORDS",
            word="all",
            does="Choose one disposition for all entries of a filter, or with a text.",
        ),
        Action(
            "decide.group",
            override_group,
            does="Choose one disposition for a category or a mapping row.",
        ),
        Action("decide.unseen", drop_unseen),
        Action("decide.rationale", give_reason, "ENTRY"),
        Action("decide.differences", list_differences),
        own(
            "g",
            "orphaned",
            file_commands.resolve_orphaned,
            "Apply or drop decisions whose element was deleted.",
        ),
    ),
)
"""The step, as the conversation shows it."""
