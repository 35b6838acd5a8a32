"""The words that help explains, step by step: what screens show beside the keys and lines say beside the answers."""

from typing import Final

from melleafy_tui.core.models.vocabulary import CATEGORY_TITLES, Category
from melleafy_tui.wizard_steps import Step

Terms = tuple[tuple[str, str], ...]
"""Each word or sign with one sentence."""

DISPOSITION_TERMS: Final[Terms] = (
    ("bundle", "The text becomes part of the package."),
    ("real_impl", "Working code is generated for it."),
    ("stub", "A typed function is left for you to write; it raises NotImplementedError until then."),
    ("mock", "A made-up sample, for the package's own fixtures only."),
    ("delegate", "The host that runs the package provides it; SETUP.md says what to connect."),
    ("external", "It is passed in from outside on each run, as a parameter and a flag or as a variable."),
    ("load", "It is read from a file of the package at start, so that it can be edited without code."),
    ("remove", "It is left out; the mapping report lists it."),
)

CATEGORY_TERMS: Final[Terms] = tuple(
    (category.value, f"{title}.")
    for category, title in CATEGORY_TITLES.items()
    if category is not Category.NONE
)

STEP_TERMS: Final[dict[Step, Terms]] = {
    Step.DETECT: (
        ("runtime", "The program that the workspace was written for."),
        ("signal", "A file or a line that only this runtime has; ●●● strong, ●● medium, ● weak."),
        ("ambient", "Found outside the workspace; it counts only beside a signal inside."),
        ("hybrid", "Two runtimes score alike; one leads, the others contribute."),
        ("heartbeat", "The agent is woken again and again and decides whether to act."),
        ("event-triggered", "The agent is woken by an event, such as a hook."),
        ("scheduled", "The agent is woken at set times."),
        ("review-gated", "The agent runs when it is called, and asks before it acts."),
        ("one-shot", "The agent runs once each time it is called."),
    ),
    Step.INVENTORY: (
        ("element", "One piece of the source that is converted as a whole."),
        ("tag", "What the element does: instructs, decides, validates, configures …"),
        ("≡", "Stock text of the runtime's own templates."),
        ("✎", "You changed its tag or category."),
        ("coverage", "How much of a file's non-blank lines belongs to an element."),
        *CATEGORY_TERMS,
    ),
    Step.DECIDE: (
        *DISPOSITION_TERMS,
        ("◆", "You decided this one; ⌫ goes back to the default."),
        ("!", "It needs your eye; the pane says why, and w goes to the next one."),
        ("✓", "Marked; a disposition key decides all marked rows at once."),
        ("SETUP", "The section of SETUP.md that this entry triggers."),
        ("calls/run", "Model calls of one run of the package whose every check passes at the first try."),
        *CATEGORY_TERMS,
    ),
    Step.PREVIEW: (
        ("▏", "A line that carries text of the source."),
        ("provenance", "The source lines that an emitted line came from."),
        ("lint", "A check of the package; each failure says what to do."),
    ),
    Step.WRITE: (
        ("merged", "You edited the file and its new text fits; both are kept."),
        ("conflict", "You edited the same lines; your file stays, the new text lies beside it as .new."),
        ("backup", "What --force overwrites is kept in .melleafy-backup/."),
        (
            "smoke run",
            "The package's own fixtures, run end to end against a stand-in model server on this machine.",
        ),
    ),
}


def spoken_terms(step: Step) -> list[str]:
    """Return the words of a step in lines, without the signs that only screens show."""
    return [
        f"{word}: {meaning.partition('; ●')[0].rstrip('.')}."
        for word, meaning in STEP_TERMS[step]
        if any(letter.isalnum() for letter in word)
    ]
