"""The rows of the disposition matrix for what is text: identity, rules, steps and facts (spec/package.md 4)."""

from typing import Final

from melleafy_tui.core.disposition_cells import (
    CONFIG,
    LEFT_OUT,
    LOADER,
    MAIN,
    SLOTS,
    Cell,
    SymbolRule,
    does,
    refused,
)
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind

_B, _R, _S, _M, _D, _E, _L, _X = Disposition

_FACT: Final[dict[Disposition, Cell]] = {
    _B: does(
        "The fact becomes part of a constant that the model is given.",
        CONFIG,
        SymbolRule.MAPPED,
        "USER_CONTEXT",
    ),
    _R: refused("A fact is text, there is nothing to implement."),
    _S: refused("A fact is text, a function without a body cannot stand for it; delegate it instead."),
    _M: refused("A made-up fact about the user would mislead every answer."),
    _D: does(
        "The host provides the facts through a hook that raises NotImplementedError until it is written.",
        SLOTS,
        SymbolRule.FIXED,
        "load_user_context",
        setup="§8",
    ),
    _E: does(
        "The caller passes the fact with --user-context; its default is the text of the source.",
        MAIN,
        SymbolRule.FLAG,
        "user_context",
    ),
    _L: does(
        "The fact is written to references/ and read at start, so that it can be edited without code.",
        LOADER,
        SymbolRule.FIXED,
        "read_user_context",
    ),
    _X: LEFT_OUT,
}

TEXT_ROWS: Final[dict[EntryKind, dict[Disposition, Cell]]] = {
    EntryKind.IDENTITY: {
        _B: does(
            "Its text becomes a constant that every model call carries.",
            CONFIG,
            SymbolRule.MAPPED,
            "PREFIX_TEXT",
        ),
        _R: refused("An identity is text, there is nothing to implement."),
        _S: refused(
            "An identity is text, a function without a body cannot stand for it; delegate it instead."
        ),
        _M: refused("A made-up identity would give every answer a false voice."),
        _D: does(
            "The host provides the text through a hook that raises NotImplementedError until it is written.",
            SLOTS,
            SymbolRule.OWN,
            "load_",
            setup="§8",
        ),
        _E: does(
            "The caller passes the text as a parameter and a flag; its default is the text of the source.",
            MAIN,
            SymbolRule.FLAG,
        ),
        _L: does(
            "Its text is written to references/ and read at start, so that it can be edited without code.",
            LOADER,
            SymbolRule.OWN,
            "read_",
        ),
        _X: LEFT_OUT,
    },
    EntryKind.RULE: {
        _B: does(
            "The rule becomes an entry of the requirements that every reply is checked against.",
            "requirements.py",
            SymbolRule.MAPPED,
            "OPERATING_REQUIREMENTS",
        ),
        _R: refused("A rule is checked, not carried out; write its validator through a stub."),
        _S: does(
            "The rule gets a validator of its own that raises NotImplementedError until you write it.",
            SLOTS,
            SymbolRule.OWN,
            "validate_",
            setup="§8",
        ),
        _M: refused("A made-up check would pass or fail replies for no reason."),
        _D: does(
            "The host enforces the rule: it is listed in SETUP.md and is not in the prompt.",
            "SETUP.md",
            SymbolRule.SECTION,
            "§7",
            setup="§7",
        ),
        _E: refused("A caller must not be able to pass or leave out the agent's rules."),
        _L: does(
            "The rule is written to a rules file in references/ that is read at start.",
            LOADER,
            SymbolRule.FIXED,
            "read_operating_rules",
        ),
        _X: LEFT_OUT,
    },
    EntryKind.STEP: {
        _B: does(
            "The step becomes a model call of its own before the reply, which is given its answer.",
            "slots.py",
            SymbolRule.STEP,
        ),
        _R: refused("The model takes the step; to take it in code, write it through a stub."),
        _S: does(
            "A typed function that raises NotImplementedError stands in for the step until you write it.",
            SLOTS,
            SymbolRule.OWN,
            setup="§8",
        ),
        _M: refused("A made-up answer would lead every reply astray."),
        _D: does(
            "The host takes the step: the package has a typed hook, and SETUP.md says what to connect.",
            SLOTS,
            SymbolRule.OWN,
            setup="§8",
        ),
        _E: refused("The answer depends on the message, so a caller cannot give it beforehand."),
        _L: refused("A step is something to do, not a file to read."),
        _X: LEFT_OUT,
    },
    EntryKind.SCHEMA: {
        _B: does(
            "Its fields become a typed model that a model call of its own fills after the reply.",
            "schemas.py",
            SymbolRule.MAPPED,
        ),
        _R: refused("A schema is a form, there is nothing to implement."),
        _S: refused("A schema is a form, a function without a body cannot stand for it."),
        _M: refused("A made-up form would give every result a false shape."),
        _D: refused("The form belongs to the result of the package, the host cannot give it."),
        _E: refused("The result's type is fixed in the code, a caller cannot pass it."),
        _L: refused("The result's type is code, a file for it would leave the result untyped."),
        _X: LEFT_OUT,
    },
    EntryKind.FACT_STABLE: _FACT,
    EntryKind.FACT_OVERRIDABLE: _FACT,
}
