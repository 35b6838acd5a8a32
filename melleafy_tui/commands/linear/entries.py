"""One entry of the plan in plain lines: what it says of itself, and the question what becomes of it."""

from collections.abc import Sequence
from typing import Final

from melleafy_tui.commands.linear.dialogue import BACK, Back
from melleafy_tui.commands.linear.talk import Talk
from melleafy_tui.core.decisions.commands import SetRationale
from melleafy_tui.core.dispositions import allowed_for, cell
from melleafy_tui.core.models.context import AS_USUAL, SIGHT_WORDS
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.effects import effect
from melleafy_tui.screens.decide_acts import back_to_default, dispose, judge
from melleafy_tui.words import DISPOSITION_LABELS, category_title, title_of

DEFAULT: Final = ("-", "default")
CHANGE: Final = ("v", "change")
JUDGE: Final = ("j", "judge")
REASON: Final = ("a", "why")

_NAMED: Final = 3
"""Elements of an entry that are named; aggregated entries have many."""

SHORT_CHANGE: Final = 12
"""Lines of a diff that are said after a choice; `v` says all that the side pane of the wizard shows."""


def entry_line(talk: Talk, entry: PlanEntry) -> str:
    """Return an entry in one line."""
    elements = talk.session.elements_of(entry)
    where = elements[0].location if elements else "settings"
    who = "chosen by you" if entry.overridden else "the default"
    waiting = ", needs attention" if talk.session.attention(entry) else ""
    return (
        f"{entry.entry_id}, {where}, {category_title(entry.category)}: {title_of(entry, elements)}. "
        f"{DISPOSITION_LABELS[entry.disposition]}, {who}{waiting}"
    )


def tell_entry(talk: Talk, entry: PlanEntry) -> None:
    """Say what there is to say about an entry: why it waits, what its disposition does, the alternatives."""
    say = talk.dialogue.say
    say(entry_line(talk, entry))
    reason = talk.session.attention(entry)
    if reason:
        say(f"It needs your attention: {reason}")
    say(f"What it does: {cell(entry.kind, entry.disposition).effect}")
    if entry.overridden:
        say(f"The default is {DISPOSITION_LABELS[entry.default_disposition]}. {entry.reason}".rstrip())
    elif entry.reason:
        say(f"Why: {entry.reason}")
    if entry.override_rationale:
        say(f"Your reason: {entry.override_rationale}")
    if entry.kind is EntryKind.RULE and entry.judge_individually:
        say("The model judges it by a requirement of its own; j takes that back.")
    elements, seen = talk.session.elements_of(entry), talk.session.conversion.seen
    for element in elements[:1]:
        if element.element_id in seen and seen[element.element_id].sight not in AS_USUAL:
            say(SIGHT_WORDS[seen[element.element_id].sight])
    if elements:
        named = ", ".join(f"{element.element_id} at {element.location}" for element in elements[:_NAMED])
        more = f" and {len(elements) - _NAMED} more" if len(elements) > _NAMED else ""
        say(f"Made of: {named}{more}; t on step 2 says each with its source lines.")
    else:
        say("It comes from the settings, not from the source; e on step 1 changes it.")
    setup = f", SETUP {entry.setup_section}" if entry.setup_section else ""
    say(f"Target: {entry.target}{setup}")


def letters(talk: Talk) -> dict[str, Disposition]:
    """Return the key of each disposition, as in the wizard, and its names."""
    found: dict[str, Disposition] = {}
    for disposition in Disposition:
        found[talk.session.keys.spelled_of(f"dispose({disposition.value!r})")] = disposition
        found[DISPOSITION_LABELS[disposition]] = disposition
        found[disposition.value] = disposition
    return found


def decide(talk: Talk, entries: Sequence[PlanEntry], *, what: str = "What becomes of it?") -> bool:
    """Ask what becomes of entries, and return whether an answer changed it; an empty answer leaves them.

    The letters are those of the wizard, so `b` is bundle here; the word `back` goes back.
    """
    dispositions = letters(talk)
    kinds = {entry.kind for entry in entries}
    open_ones = [each for each in Disposition if any(each in allowed_for(kind) for kind in kinds)]
    named = ", ".join(
        f"{next(key for key, value in dispositions.items() if value is each)} {DISPOSITION_LABELS[each]}"
        for each in open_ones
    )
    single = entries[0] if len(entries) == 1 else None
    more = f"; {CHANGE[0]} says the change it makes, {REASON[0]} keeps your reason" if single else ""
    question = f"{what} {named}, {DEFAULT[0]} default{more}; Enter leaves it, the word back goes back:"
    while True:
        answer = talk.dialogue.ask(question, "\n".join(_help(talk, entries)), keep_back=True)
        if not answer:
            return False
        if answer.casefold() in JUDGE:
            choice = judge(entries)
        elif single is not None and answer.casefold() in CHANGE:
            say_change(talk, single)
            continue
        elif single is not None and answer.casefold() in REASON:
            ask_reason(talk, _fresh(talk, single))
            continue
        elif answer in dispositions or answer in DEFAULT:
            chosen = dispositions.get(answer)
            choice = dispose(entries, chosen) if chosen else back_to_default(entries)
        else:
            talk.dialogue.say(f"{answer} is no answer here.")
            continue
        if choice.command is None:
            talk.dialogue.say(f"Not done: {choice.words}")
            continue
        if talk.act(choice.command, choice.words) and single is not None:
            _say_what_follows(talk, _fresh(talk, single), by_disposition=answer not in JUDGE)
        return True


def _say_what_follows(talk: Talk, entry: PlanEntry, *, by_disposition: bool) -> None:
    if by_disposition and entry.overridden:
        say_change(talk, entry, most=SHORT_CHANGE)
        if not entry.override_rationale:
            ask_reason(talk, entry)


def _fresh(talk: Talk, entry: PlanEntry) -> PlanEntry:
    """Return the entry as it stands after an act."""
    return next((each for each in talk.session.conversion.plan.entries if each.key == entry.key), entry)


def _help(talk: Talk, entries: Sequence[PlanEntry]) -> list[str]:
    lines = alternatives(talk, entries[0])
    lines.append(f"{DEFAULT[0]} or default: back to the default.")
    lines.append(f"{JUDGE[0]} or judge: a rule gets a judged requirement of its own, or that is taken back.")
    lines.append(f"Here {BACK} is bundle; the word back goes back.")
    return lines


def alternatives(talk: Talk, entry: PlanEntry) -> list[str]:
    """Return one line a disposition: its letter, and what it does with the entry or why it cannot be."""
    lines = []
    for letter, disposition in letters(talk).items():
        if letter in (DISPOSITION_LABELS[disposition], disposition.value):
            continue
        option = cell(entry.kind, disposition)
        said = option.effect if option.allowed else f"not possible here. {option.refusal}"
        lines.append(f"{letter} or {DISPOSITION_LABELS[disposition]}: {said}")
    return lines


def say_change(talk: Talk, entry: PlanEntry, *, most: int | None = None) -> None:
    """Say what an entry's disposition changes in the output, as a small diff."""
    found = effect(talk.session.conversion, _fresh(talk, entry))
    talk.dialogue.say(f"What it changes, {found.title}:")
    if not found.lines:
        talk.dialogue.say("Nothing in the code.")
    shown = found.lines[:most]
    for line in shown:
        talk.dialogue.say(f"file {line.removeprefix('── ')}" if line.startswith("── ") else line)
    left = len(found.lines) - len(shown) + found.left_out
    if left:
        talk.dialogue.say(f"and {left} more lines; v says the change, step 4 the files.")


def ask_reason(talk: Talk, entry: PlanEntry) -> None:
    """Ask why an entry was overridden; optional."""
    if not entry.overridden:
        talk.dialogue.say("A reason belongs to an entry that you overrode.")
        return
    try:
        why = talk.dialogue.text(
            f"Why {DISPOSITION_LABELS[entry.disposition]}? The report keeps your words.",
            current=entry.override_rationale,
        )
    except Back:
        return
    if why is not None:
        talk.act(SetRationale(entry.key, why), "Your reason is kept")


def decide_many(talk: Talk, entries: Sequence[PlanEntry], named: str) -> None:
    """Say how many entries a filter holds, the first of them, and ask what becomes of all."""
    if not entries:
        talk.dialogue.say(f"There is no entry for {named}.")
        return
    talk.dialogue.say(f"{counted(entries)}: {named}. The first of them:")
    for entry in entries[:5]:
        talk.dialogue.say(f"  {entry_line(talk, entry)}")
    decide(talk, entries, what=f"What becomes of {counted(entries)}?")


def counted(entries: Sequence[PlanEntry]) -> str:
    """Return a count of entries in words."""
    return f"{len(entries)} {'entry' if len(entries) == 1 else 'entries'}"
