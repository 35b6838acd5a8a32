"""Recognises actions that tools carry out, and rules that make them wait for the user's leave.

"Never push to main" is about an action; "never apologise" is about words. The words are in `actions.toml`.
"""

import re
from functools import lru_cache
from typing import Any, Final

from melleafy_tui.core.language.examples import gives_leave
from melleafy_tui.core.language.orders import BUT, Polarity
from melleafy_tui.core.language.wording import sentences
from melleafy_tui.core.lazy_regex import LONGEST_READ, LazyRegex
from melleafy_tui.core.models.facts import ActionFact
from melleafy_tui.core.tables import table_beside

_TABLE: Final[dict[str, Any]] = table_beside(__file__, "actions.toml")
ACTIONS: Final = {
    name: LazyRegex(
        "|".join(forms).replace("<AS_VERB>", _TABLE["as_verb"]), re.IGNORECASE, longest=LONGEST_READ
    )
    for name, forms in _TABLE["action"].items()
}
"""Kinds of action, the riskiest first."""

APPROVAL: Final = LazyRegex("|".join(_TABLE["approval"]), re.IGNORECASE)
"""Words that make an action wait for the user."""


@lru_cache(maxsize=256)  # a rule is read for its use and for what it does
def actions_in(text: str) -> tuple[str, ...]:
    """Return the kinds of action that a text names, in the order of the table."""
    return tuple(kind for kind, named in ACTIONS.items() if named.search(text))


@lru_cache(maxsize=512)  # a heading or lead-in is read for each of its items
def asks_approval(text: str) -> bool:
    """Return whether a text makes something wait for the user's agreement."""
    return bool(APPROVAL.search(text))


_QUOTED: Final = re.compile(r"[\"“「][^\"“”」\n]{12,200}[\"”」]")
"""Words that are said; short quotations are names of things."""

_NOTHING_MORE: Final = LazyRegex(
    r"\W*(?:(?:is|are)\s+)?(?:required|needed|necessary|first|always|you|me)?\W*"
    r"(?:$|[(（]|(?:before|from|by|with|of|to|for|when|von|des?|del|da|par|di|от|у)\b)",
    re.IGNORECASE,
)
"""What stands behind the words of leave in a heading whose lines wait for it; "Approval levels" only names a topic."""


def announces_approval(heading: str) -> bool:
    """Return whether a heading makes what is below it wait for the user's agreement."""
    return any(_NOTHING_MORE.match(heading, found.end()) for found in APPROVAL.finditer(heading))


def action_fact(text: str, polarity: Polarity, above: str = "") -> ActionFact:
    """Return which actions a rule makes wait for the user's leave; empty if it asks for none.

    Args:
        text: The rule with its lead-in.
        polarity: Its polarity; a permission asks for no leave.
        above: The heading that it stands under.
    """
    if polarity is Polarity.PERMITS:
        bound = BUT.search(text)
        text = text[bound.end() :] if bound else ""
    words = approving_words(text, above)
    if not asks_approval(words):
        return ActionFact()
    return ActionFact("confirm", actions_in(words))


def approving_words(text: str, above: str = "") -> str:
    """Return the sentences of a rule that ask for leave, without those that say that nobody need be asked.

    Args:
        text: The rule; what it only quotes asks for nothing.
        above: The heading that it stands under.
    """
    said = sentences(_QUOTED.sub('""', text))
    kept = [each for each in said if not (asks_approval(each) and gives_leave(each, above))]
    return " ".join(filter(asks_approval, kept)) or " ".join(kept)
