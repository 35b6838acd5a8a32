"""The rows of the disposition matrix for what is done or kept: state, memory, tools, credentials, backend and schedule.

The cells are those of spec/package.md 4; a cross-reference, which nothing can stand for, has its row here too.
"""

from typing import Final

from melleafy_tui.core.disposition_cells import (
    CONFIG,
    LEFT_OUT,
    LOADER,
    MAIN,
    MOCKS,
    PIPELINE,
    SLOTS,
    TOOLS,
    Cell,
    SymbolRule,
    does,
    refused,
)
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind

_B, _R, _S, _M, _D, _E, _L, _X = Disposition

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
            "A copy of the memory is written to references/ and read at start; check it for private things.",
            LOADER,
            SymbolRule.FIXED,
            "read_memory",
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
            "The host provides the memory: the package has a typed hook, and SETUP.md says what to connect.",
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
            "A copy of the memory is written to references/ and read from a path that the caller can change.",
            LOADER,
            SymbolRule.FIXED,
            "read_memory_from",
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
        _L: refused("Text about a tool is part of the prompt; there is no file to load it from."),
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
        _M: refused("The smoke run has its stand-in server; the package itself names a real backend."),
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
            refused("It belongs to the source runtime alone, nothing in a package can stand for it."),
        ),
        _X: LEFT_OUT,
    },
}
