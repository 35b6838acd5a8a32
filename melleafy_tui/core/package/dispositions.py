"""The disposition matrix: which dispositions each kind of entry allows, and what each one emits."""

from enum import StrEnum
from typing import Final

from msgspec import Struct

from melleafy_tui.core.models.vocabulary import Disposition, EntryKind


class SymbolRule(StrEnum):
    """How a cell names what it emits.

    MAPPED uses the mapping's symbol if the mapping points into the same file, else `Cell.symbol`. FIXED is
    `Cell.symbol` itself. OWN is a separate function for the entry, prefixed with `Cell.symbol`. PARAMETER is a
    separate parameter of `run_pipeline`. FLAG is such a parameter with its flag in `main.py` (the target names the
    flag); if `Cell.symbol` is set, entries share that flag. ENVIRONMENT is the variable's name. STEP is the mapping's
    file and symbol, in any file; `Cell.target_file` is the first of them. READER is a shared function that reads the
    entry's own file. SECTION is a section of a document.
    """

    MAPPED = "mapped"
    FIXED = "fixed"
    OWN = "own"
    PARAMETER = "parameter"
    FLAG = "flag"
    ENVIRONMENT = "environment"
    SECTION = "section"
    STEP = "step"
    READER = "reader"


class Cell(Struct, frozen=True):
    """One cell of the matrix.

    Attributes:
        allowed: Whether the disposition may be chosen for the kind.
        effect: What it does to the output, one sentence.
        refusal: Why it is not allowed, one sentence.
        target_file: The file that the effect appears in.
        symbol_rule: How the name in that file is determined.
        symbol: The fixed name, the prefix, or the section's title, depending on the rule.
        setup_section: The section of SETUP.md it triggers, or `""`.
    """

    allowed: bool
    effect: str = ""
    refusal: str = ""
    target_file: str = ""
    symbol_rule: SymbolRule = SymbolRule.FIXED
    symbol: str = ""
    setup_section: str = ""


SLOTS: Final = "constrained_slots.py"
TOOLS: Final = "tools.py"
MOCKS: Final = "fixtures/mock_tools.py"
LOADER: Final = "_runtime/loader.py"
CONFIG: Final = "config.py"
MAIN: Final = "main.py"
PIPELINE: Final = "pipeline.py"
REPORT: Final = "mapping_report.md"
REMOVED_SECTION: Final = "Removed During Audit"


def does(effect: str, file: str, rule: SymbolRule, symbol: str = "", *, setup: str = "") -> Cell:
    """Return an allowed cell."""
    return Cell(True, effect=effect, target_file=file, symbol_rule=rule, symbol=symbol, setup_section=setup)


def refused(reason: str) -> Cell:
    """Return a forbidden cell."""
    return Cell(False, refusal=reason)


LEFT_OUT = does(
    "It is left out of the package and listed in the mapping report under Removed During Audit.",
    REPORT,
    SymbolRule.SECTION,
    REMOVED_SECTION,
)


_B, _R, _S, _M, _D, _E, _L, _X = Disposition

_FACT: Final[dict[Disposition, Cell]] = {
    _B: does(
        "The fact becomes part of a constant that the model is given.",
        CONFIG,
        SymbolRule.MAPPED,
        "USER_CONTEXT",
    ),
    _R: refused("A fact is text, there is nothing to implement."),
    _S: refused("A stub can't replace a fact: it is text the prompt needs; delegate it instead."),
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
        "read_facts",
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
        _S: refused("A stub can't replace the identity: it is text the prompt needs; delegate it instead."),
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
            SymbolRule.READER,
            "read_text",
        ),
        _X: LEFT_OUT,
    },
    EntryKind.RULE: {
        _B: does(
            "The rule is told to the model and, where a reply can show it, checked in Python or judged.",
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
            "read_rules",
        ),
        _X: LEFT_OUT,
    },
    EntryKind.STEP: {
        _B: does(
            "The step becomes a typed question to the model before the reply, which is given its answer.",
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
            "Its fields become a typed model that the last model call fills and that the rules are checked on.",
            "schemas.py",
            SymbolRule.MAPPED,
        ),
        _R: refused("A schema is a form, there is nothing to implement."),
        _S: refused("A stub can't replace a schema: it is a form, not code."),
        _M: refused("A made-up form would give every result a false shape."),
        _D: refused("The form belongs to the result of the package, the host cannot give it."),
        _E: refused("The result's type is fixed in the code, a caller cannot pass it."),
        _L: refused("The result's type is code, a file for it would leave the result untyped."),
        _X: LEFT_OUT,
    },
    EntryKind.FACT_STABLE: _FACT,
    EntryKind.FACT_OVERRIDABLE: _FACT,
}


_TOOL_STUB = does(
    "A typed function that raises NotImplementedError stands in for the tool until you write it.",
    SLOTS,
    SymbolRule.OWN,
    setup="§8",
)
_TOOL_MOCK = does(
    "A function with made-up sample answers stands in for the tool, for fixtures only.", MOCKS, SymbolRule.OWN
)
_TOOL_DELEGATE = does(
    "The host provides the tool: the package has a typed hook, and SETUP.md says what to connect.",
    SLOTS,
    SymbolRule.OWN,
    setup="§8",
)
_TOOL_INJECTED = does(
    "The caller hands the tool to run_pipeline as a function; without it the run goes on and says so.",
    PIPELINE,
    SymbolRule.PARAMETER,
)

WORK_ROWS: Final[dict[EntryKind, dict[Disposition, Cell]]] = {
    EntryKind.STATE: {
        _B: refused("Short-term state is gone tomorrow; a copy in the package would be wrong from then on."),
        _R: does(
            "A small state file in JSON is read and written by working code.",
            TOOLS,
            SymbolRule.FIXED,
            "load_working_state",
        ),
        _S: does(
            "A typed function that raises NotImplementedError stands in until you write it.",
            SLOTS,
            SymbolRule.FIXED,
            "load_working_state",
            setup="§8",
        ),
        _M: does(
            "A made-up sample of state is used, for fixtures only.",
            MOCKS,
            SymbolRule.FIXED,
            "load_working_state",
        ),
        _D: does(
            "The host provides the state: the package has a typed hook, and SETUP.md says what to connect.",
            SLOTS,
            SymbolRule.FIXED,
            "load_working_state",
            setup="§4",
        ),
        _E: does(
            "The caller passes the state as a parameter and a flag.", MAIN, SymbolRule.FLAG, "working_state"
        ),
        _L: refused("The state's files are never copied, so there is nothing in the package to load."),
        _X: LEFT_OUT,
    },
    EntryKind.MEMORY: {
        _B: does(
            "A copy of the memory is written to references/ and searched by words; check it for private things.",
            SLOTS,
            SymbolRule.FIXED,
            "recall_memory",
        ),
        _R: does(
            "A full-text store in SQLite answers what is asked of the memory, filled from the files.",
            TOOLS,
            SymbolRule.FIXED,
            "recall_memory",
        ),
        _S: does(
            "A typed function that raises NotImplementedError stands in until you write it.",
            SLOTS,
            SymbolRule.MAPPED,
            "recall_memory",
            setup="§8",
        ),
        _M: does("Made-up memories are used, for fixtures only.", MOCKS, SymbolRule.FIXED, "recall_memory"),
        _D: does(
            "A hook searches the agent's own memory files where they lie; the host can replace it.",
            SLOTS,
            SymbolRule.MAPPED,
            "recall_memory",
            setup="§5",
        ),
        _E: does(
            "The caller passes what is remembered as a parameter and a flag.",
            MAIN,
            SymbolRule.FLAG,
            "memory_context",
        ),
        _L: does(
            "A copy of the memory is written to references/ and searched in a folder that the caller can change.",
            SLOTS,
            SymbolRule.FIXED,
            "recall_memory",
        ),
        _X: LEFT_OUT,
    },
    EntryKind.TOOL_NARRATIVE: {
        _B: does(
            "The text about the tool becomes part of the prompt; it grants no permission.",
            CONFIG,
            SymbolRule.MAPPED,
            "TOOL_GUIDANCE",
        ),
        _R: refused("The text tells about a tool but names no address or script that code could call."),
        _S: _TOOL_STUB,
        _M: _TOOL_MOCK,
        _D: _TOOL_DELEGATE,
        _E: _TOOL_INJECTED,
        _L: refused("Text about a tool is part of the prompt; it has no file of its own."),
        _X: LEFT_OUT,
    },
    EntryKind.TOOL_CONCRETE: {
        _B: refused("A tool is something to call, text in the prompt cannot call it."),
        _R: does(
            "Working code calls the tool, with a time-out, an allow-list and typed errors.",
            TOOLS,
            SymbolRule.OWN,
        ),
        _S: _TOOL_STUB,
        _M: _TOOL_MOCK,
        _D: _TOOL_DELEGATE,
        _E: _TOOL_INJECTED,
        _L: refused("A tool is something to call, not a file to read."),
        _X: LEFT_OUT,
    },
    EntryKind.TOOL_ABSTRACT: {
        _B: refused("A tool is something to call, text in the prompt cannot call it."),
        _R: refused("The source names no address or script, so there is nothing that code could call."),
        _S: _TOOL_STUB,
        _M: _TOOL_MOCK,
        _D: _TOOL_DELEGATE,
        _E: _TOOL_INJECTED,
        _L: refused("A tool is something to call, not a file to read."),
        _X: LEFT_OUT,
    },
    EntryKind.CREDENTIAL: {
        _B: refused("A credential is never written into a package."),
        _R: refused("A credential is a value, there is nothing to implement."),
        _S: does(
            "A function that raises NotImplementedError stands where the secret is fetched.",
            SLOTS,
            SymbolRule.OWN,
            "load_",
            setup="§8",
        ),
        _M: does("A dummy value is used, for fixtures only.", MOCKS, SymbolRule.OWN, "load_"),
        _D: does("The host provides the secret through a hook.", SLOTS, SymbolRule.OWN, "load_", setup="§2"),
        _E: does(
            "The value comes from an environment variable, named in .env.example.",
            ".env.example",
            SymbolRule.ENVIRONMENT,
            setup="§2",
        ),
        _L: refused("A credential is never written to a file of the package."),
        _X: LEFT_OUT,
    },
    EntryKind.BACKEND: {
        _B: does("Backend and model are constants in config.py.", CONFIG, SymbolRule.FIXED, "BACKEND"),
        _R: refused("Mellea implements the backends, the package only names one."),
        _S: refused("Without a backend and a model the package cannot run."),
        _M: refused("The smoke run has its fake server; the package itself names a real backend."),
        _D: refused("The package opens its own session, so it has to know backend and model."),
        _E: does(
            "MELLEA_BACKEND and MELLEA_MODEL are read from the environment when the program starts.",
            MAIN,
            SymbolRule.FIXED,
            "MELLEA_BACKEND",
            setup="§3",
        ),
        _L: refused("Backend and model are two words, a file for them would only hide them."),
        _X: refused("Without a backend and a model the package cannot run."),
    },
    EntryKind.SCHEDULE: {
        _B: does(
            "The schedule is kept as data in config.py, and nothing acts on it.",
            CONFIG,
            SymbolRule.MAPPED,
            "SCHEDULE_CONFIG",
        ),
        _R: does(
            "A runner on APScheduler wakes the agent, within its active hours.",
            TOOLS,
            SymbolRule.FIXED,
            "run_scheduler",
            setup="§6",
        ),
        _S: does(
            "A function that raises NotImplementedError stands where the agent is woken.",
            SLOTS,
            SymbolRule.FIXED,
            "run_schedule",
            setup="§8",
        ),
        _M: refused("A made-up schedule would wake the agent when nobody wants it."),
        _D: does(
            "The schedule is kept as data, and SETUP.md says how a scheduler of yours wakes the agent.",
            CONFIG,
            SymbolRule.MAPPED,
            "SCHEDULE_CONFIG",
            setup="§6",
        ),
        _E: does("The caller passes the interval with the flag --every.", MAIN, SymbolRule.FLAG, "every"),
        _L: refused("A schedule is a few values, a file for them would only hide them."),
        _X: LEFT_OUT,
    },
    EntryKind.CROSS_REFERENCE: {
        **dict.fromkeys(
            Disposition,
            refused("It belongs to the source runtime alone; a package has nothing like it."),
        ),
        _X: LEFT_OUT,
    },
}


MATRIX: Final[dict[EntryKind, dict[Disposition, Cell]]] = {**TEXT_ROWS, **WORK_ROWS}

DEFAULTS: Final[dict[EntryKind, Disposition]] = {
    EntryKind.IDENTITY: Disposition.BUNDLE,
    EntryKind.RULE: Disposition.BUNDLE,
    EntryKind.STEP: Disposition.BUNDLE,
    EntryKind.SCHEMA: Disposition.BUNDLE,
    EntryKind.FACT_STABLE: Disposition.BUNDLE,
    EntryKind.FACT_OVERRIDABLE: Disposition.EXTERNAL_INPUT,
    EntryKind.STATE: Disposition.DELEGATE_TO_RUNTIME,
    EntryKind.MEMORY: Disposition.DELEGATE_TO_RUNTIME,
    EntryKind.TOOL_NARRATIVE: Disposition.BUNDLE,
    EntryKind.TOOL_CONCRETE: Disposition.REAL_IMPL,
    EntryKind.TOOL_ABSTRACT: Disposition.STUB,
    EntryKind.CREDENTIAL: Disposition.EXTERNAL_INPUT,
    EntryKind.BACKEND: Disposition.BUNDLE,
    EntryKind.SCHEDULE: Disposition.DELEGATE_TO_RUNTIME,
    EntryKind.CROSS_REFERENCE: Disposition.REMOVE,
}

DEFAULT_REASONS: Final[dict[EntryKind, str]] = {
    EntryKind.IDENTITY: "Who the agent is stays the same in every run.",
    EntryKind.RULE: "A rule holds for every reply, so the package tells it to the model and checks what it can.",
    EntryKind.SCHEMA: "The source says which fields its result has.",
    EntryKind.STEP: "Its tag asks for a call of the model before the reply.",
    EntryKind.FACT_STABLE: "The fact seldom changes.",
    EntryKind.FACT_OVERRIDABLE: "Another user, host or day would change the fact.",
    EntryKind.STATE: "Short-term state belongs to the host that keeps it.",
    EntryKind.MEMORY: "Long-term memory lives on after the package is made, so the host keeps it.",
    EntryKind.TOOL_NARRATIVE: "It tells about a tool and grants no permission to call it.",
    EntryKind.TOOL_CONCRETE: "The source names an address or a script that code can call.",
    EntryKind.TOOL_ABSTRACT: "The source names the tool but not how to call it.",
    EntryKind.CREDENTIAL: "A credential comes from the environment and from nowhere else.",
    EntryKind.BACKEND: "A package names the backend and the model that it was made for.",
    EntryKind.SCHEDULE: "A package does not wake itself; the host's scheduler does.",
    EntryKind.CROSS_REFERENCE: "It belongs to the source runtime alone.",
}


def cell(kind: EntryKind, disposition: Disposition) -> Cell:
    """Return the cell of the matrix for a kind and a disposition."""
    return MATRIX[kind][disposition]


def allowed_for(kind: EntryKind) -> tuple[Disposition, ...]:
    """Return the dispositions that can be chosen for a kind, in the matrix's order."""
    return tuple(disposition for disposition in Disposition if MATRIX[kind][disposition].allowed)
