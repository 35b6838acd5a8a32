"""Step 3 in plain lines: walking what needs attention, deciding one by one or in bulk, resolving conflicts."""

from collections import Counter
from collections.abc import Sequence

from melleafy_tui.commands.linear.answers import Answer, LinearStep
from melleafy_tui.commands.linear.dialogue import Back, Option
from melleafy_tui.commands.linear.entries import (
    alternatives,
    ask_reason,
    counted,
    decide,
    decide_many,
    entry_line,
    say_change,
    tell_entry,
)
from melleafy_tui.commands.linear.files import place_unplaced
from melleafy_tui.commands.linear.talk import Talk
from melleafy_tui.core.decisions.commands import ResolveConflict
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.vocabulary import Disposition
from melleafy_tui.facets import GROUPINGS, chosen, entry_facets, entry_search_text, group_of
from melleafy_tui.screens.decide_acts import drop_or_keep_unseen
from melleafy_tui.wizard_steps import Step
from melleafy_tui.words import (
    DISPOSITION_LABELS,
    RESOLUTION_NOTES,
    element_title,
    no_conflict_words,
    resolution_note,
)


def summary(talk: Talk) -> None:
    """Say how many entries there are by disposition, what waits, and what a run costs."""
    session = talk.session
    entries, figures = session.conversion.plan.entries, session.figures
    talk.dialogue.say(f"{_dispositions(entries)}.")
    conflicts = len(session.conversion.plan.conflicts)
    talk.dialogue.say(
        f"{len(session.attention_entries)} need attention, {conflicts} conflicts, {figures.overrides} decided by you."
    )
    talk.dialogue.say(
        f"One run costs {figures.calls} model calls and about {figures.prompt_tokens} prompt tokens; "
        f"stubs left {figures.stubs}, delegates left {figures.delegates}."
    )


def walk(talk: Talk, _: str) -> None:
    """Go through the entries that need attention and ask about each."""
    waiting = talk.session.attention_entries
    if not waiting:
        talk.dialogue.say("Nothing needs your attention here.")
    for number, entry in enumerate(waiting, 1):
        talk.dialogue.say(f"{number} of {len(waiting)}.")
        tell_entry(talk, entry)
        decide(talk, [entry])
    if waiting:
        talk.dialogue.say(f"That was all; {len(talk.session.attention_entries)} still need attention.")


def decide_one(talk: Talk, words: str) -> None:
    """Say one entry and ask what becomes of it, or ask of several at once."""
    entries = talk.entries_named(words)
    if len(entries) == 1:
        tell_entry(talk, entries[0])
        decide(talk, entries)
    elif entries:
        decide_many(talk, entries, "chosen by you")


def tell(talk: Talk, words: str) -> None:
    """Say everything about one entry and what it changes."""
    entry = talk.entry_named(words)
    if entry is not None:
        tell_entry(talk, entry)
        say_change(talk, entry)
        talk.dialogue.say("What could become of it:")
        for line in alternatives(talk, entry):
            talk.dialogue.say(f"  {line}")


def _filtered(talk: Talk, words: str = "") -> tuple[list[PlanEntry], str]:
    """Return the entries that hold a text and that the filter of the user's choice lets through, and its name."""
    entries = _found(talk, words)
    held = {entry.entry_id for entry in entries}
    facets = [each for each in entry_facets(talk.session) if each.ids & held]
    options = [
        Option("everything", "everything", str(len(entries))),
        *(Option(each.id, each.label, str(len(each.ids & held))) for each in facets),
    ]
    facet = chosen(facets, talk.dialogue.choose("Which entries?", options, enter="takes all") or "")
    if facet is None:
        return entries, "everything"
    return [entry for entry in entries if entry.entry_id in facet.ids], facet.label


def _found(talk: Talk, words: str) -> list[PlanEntry]:
    elements = talk.session.elements_by_entry
    wanted = words.casefold()
    return [
        entry
        for entry in talk.session.conversion.plan.entries
        if wanted in entry_search_text(entry, elements[entry.entry_id])
    ]


def decide_in_bulk(talk: Talk, words: str) -> None:
    """Ask what becomes of all entries that a filter lets through, or that hold a text."""
    if words:
        decide_many(talk, _found(talk, words), words)
        return
    entries, named = _filtered(talk)
    decide_many(talk, entries, named)


def decide_group(talk: Talk, _: str) -> None:
    """Ask what becomes of all entries of a group."""
    grouping = talk.dialogue.choose(
        "Groups by what?", [Option(each, each) for each in GROUPINGS[:-1]], enter="goes on without"
    )
    if grouping is None:
        return
    elements = talk.session.elements_by_entry
    groups: dict[str, list[PlanEntry]] = {}
    for entry in talk.session.conversion.plan.entries:
        groups.setdefault(group_of(entry, elements[entry.entry_id], grouping), []).append(entry)
    options = [Option(name, name, _states(groups[name])) for name in sorted(groups)]
    named = talk.dialogue.choose("Which group?", options, enter="goes on without")
    if named is not None:
        decide_many(talk, groups[named], named)


def _states(entries: Sequence[PlanEntry]) -> str:
    """Return how the entries of a group stand, in words."""
    overridden = sum(entry.overridden for entry in entries)
    return f"{_dispositions(entries)}{f', {overridden} decided by you' if overridden else ''}"


def _dispositions(entries: Sequence[PlanEntry]) -> str:
    """Return how many entries there are and how many of them have each disposition."""
    counts = Counter(entry.disposition for entry in entries)
    said = ", ".join(f"{DISPOSITION_LABELS[each]} {counts[each]}" for each in Disposition if counts[each])
    return f"{counted(entries)}: {said}"


def decide_unseen(talk: Talk, _: str) -> None:
    """Leave out everything that the agent never saw, or keep it after all."""
    proposal = drop_or_keep_unseen(talk.session.conversion)
    if proposal.command is None:
        talk.dialogue.say(proposal.words)
    else:
        talk.act(proposal.command, proposal.words)


def list_entries(talk: Talk, words: str) -> None:
    """List the entries that a filter lets through, all of them or of those that hold a text."""
    entries, _named = _filtered(talk, words)
    _list(talk, entries, "There is none.")


def _list(talk: Talk, entries: Sequence[PlanEntry], empty: str) -> None:
    """List entries, and remember them for an act on all that was listed."""
    talk.listed = frozenset(entry.key for entry in entries)
    talk.dialogue.list([entry_line(talk, entry) for entry in entries], empty=empty)


def search(talk: Talk, words: str) -> None:
    """List the entries that hold a text."""
    wanted = words or talk.dialogue.ask(
        "Which words? Type a part of the text, a file, a category or a target:"
    )
    _list(talk, _found(talk, wanted), f"No entry holds {wanted}.")


def list_differences(talk: Talk, _: str) -> None:
    """List what differs from the defaults."""
    entries = [entry for entry in talk.session.conversion.plan.entries if entry.overridden]
    _list(talk, entries, "Everything is at its default.")


def give_reason(talk: Talk, words: str) -> None:
    """Ask why an entry was overridden."""
    entry = talk.entry_named(words)
    if entry is not None:
        ask_reason(talk, entry)


def resolve_conflicts(talk: Talk, _: str) -> None:
    """Go through the elements that two runtimes read differently and ask which reading holds."""
    conflicts = talk.session.conversion.plan.conflicts
    if not conflicts:
        talk.dialogue.say(no_conflict_words(talk.session.conversion.classification.dialect_runtimes))
    by_id = talk.session.conversion.inventory.by_id
    for number, conflict in enumerate(conflicts, 1):
        element = by_id.get(conflict.element_id)
        title = f"{element.location}: {element_title(element)}" if element else conflict.element_id
        refusals = dict(conflict.refusals)
        options = [
            Option(
                name,
                name,
                resolution_note(conflict, name),
                current=name == conflict.resolution,
                refusal=refusals.get(name, ""),
            )
            for name in RESOLUTION_NOTES
        ]
        try:
            value = talk.dialogue.choose(
                f"Conflict {number} of {len(conflicts)}, {title}. {conflict.primary} leads, "
                f"{conflict.contributor} contributes. Which reading holds?",
                options,
            )
        except Back:
            return
        if value is not None:
            talk.act(ResolveConflict(conflict.key, value), f"Conflict: {value}")


DECIDE = LinearStep(
    Step.DECIDE,
    summary,
    (
        Answer("w", "walk", "Go through the entries that need attention.", walk),
        Answer("c", "conflicts", "Go through the conflicts between two runtimes.", resolve_conflicts),
        Answer("l", "list", "List the entries by a filter, all or those with a text.", list_entries, "WORDS"),
        Answer("s", "search", "List the entries that hold a text.", search, "WORDS"),
        Answer(
            "t", "tell", "Say everything about one entry and what it changes in the output.", tell, "ENTRY"
        ),
        Answer(
            "d",
            "decide",
            "Choose what becomes of one entry, of several, as in d 3 5 8-12, or with d listed of the last list.",
            decide_one,
            "ENTRY",
        ),
        Answer(
            "m",
            "many",
            "Choose what becomes of all entries of a filter, or with a text.",
            decide_in_bulk,
            "WORDS",
        ),
        Answer("g", "group", "Choose what becomes of a category or a mapping row.", decide_group),
        Answer(
            "x",
            "unseen",
            "Leave out all that OpenClaw never showed the agent; again keeps it.",
            decide_unseen,
        ),
        Answer(
            "a", "why", "Say why you overrode an entry; the report keeps your words.", give_reason, "ENTRY"
        ),
        Answer("v", "differences", "List what differs from the defaults.", list_differences),
        Answer("p", "placeless", "Take or drop decisions of a file whose element is gone.", place_unplaced),
    ),
)
