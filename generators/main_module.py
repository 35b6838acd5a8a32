"""Generates main.py, __init__.py and __main__.py."""

from typing import Final

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.vocabulary import UNKNOWN_RUNTIME, Disposition, EntryKind
from melleafy_tui.core.package.agent_names import program_name
from melleafy_tui.core.package.setup_sections import backend_from_environment
from melleafy_tui.generators import package_shape as shape
from melleafy_tui.generators.labels import runtime_title
from melleafy_tui.generators.literals import (
    INDENT,
    RUNTIME_DOOR,
    Group,
    displayed,
    fitted,
    imports,
    isort_key,
    plain_words,
    string_literal,
)
from melleafy_tui.generators.templates_environment import code_file
from melleafy_tui.generators.tools import working_tools

PACKAGE_VERSION: Final = "0.1.0"
"""The initial version of a package; its owner increases it."""


def generate_package_init(committed: CommittedPlan) -> list[EmittedFile]:
    """Return __init__.py, __main__.py and py.typed."""
    classification = committed.classification
    runtime = classification.hybrid_primary or classification.source_runtime
    reply = shape.reply_class(committed)
    forms = shape.schemas(committed) if reply != shape.STEPS_REPLY else ()
    own = [reply, *(schema.class_name for schema in forms)] if forms else []
    names = {
        ".pipeline": ["run_pipeline"],
        RUNTIME_DOOR: [*([] if own else [reply]), "BackendError", "InputError", "PipelineError"],
        ".schemas": own,
    }
    exported = sorted((name for found in names.values() for name in found), key=isort_key)
    return [
        code_file(
            committed,
            "__init__.py",
            {},
            imported=imports(names),
            origin=committed.source_titles.get(runtime) or _of_other_runtime(committed, runtime),
            exported=fitted(displayed(exported, "__all__ = ")),
        ),
        code_file(committed, "__main__.py", {}),
        EmittedFile(f"{committed.package_name}/py.typed", b""),
    ]


def _of_other_runtime(committed: CommittedPlan, runtime: str) -> str:
    if runtime == UNKNOWN_RUNTIME:
        return "a workspace"
    return f"a workspace of {runtime_title(runtime, committed)}"


def generate_main(committed: CommittedPlan) -> list[EmittedFile]:
    """Return main.py: one call of the static command line."""
    module, _, runner = _runner(committed).partition(".")
    names: dict[str, list[str]] = {
        RUNTIME_DOOR: ["asking_on_terminal", "canned", "repeated", "run_command"],
        ".fixtures": ["ALL_FIXTURES"],
        ".pipeline": ["run_pipeline"],
        ".": ["config"],
    }
    given = [
        "run_pipeline",
        "ALL_FIXTURES",
        f"program={string_literal(program_name(committed.package_name))}",
        f"description={string_literal(_description(committed))}",
        f"version={string_literal(PACKAGE_VERSION)}",
        "arguments=arguments",
    ]
    tools, external = working_tools(committed), Disposition.EXTERNAL_INPUT
    reads = tools.callable and shape.of_kind(committed, EntryKind.CREDENTIAL, external)
    optional = {
        "variables=config.ENVIRONMENT_VARIABLES": reads,  # without a tool, no code reads any
        "web=canned": tools.web,
        'model_variables=("MELLEA_BACKEND", "MELLEA_MODEL")': backend_from_environment(committed),
        "confirm=asking_on_terminal": shape.confirms_calls(committed),
        "every=repeated": shape.of_kind(committed, EntryKind.SCHEDULE, external),
    }
    given += [code for code, found in optional.items() if found]
    if runner:
        given.append(f"schedule={runner}")
        names[f".{module}"] = [runner]
    run = fitted(Group("return run_command(", tuple(given)), INDENT)
    return [code_file(committed, "main.py", names, run=run)]


def _runner(committed: CommittedPlan) -> str:
    """Return the code of the function that runs the agent on its schedule, or `""`."""
    for module, disposition in (("tools", Disposition.REAL_IMPL), ("constrained_slots", Disposition.STUB)):
        for found in shape.functions(committed, EntryKind.SCHEDULE, disposition):
            return f"{module}.{found.symbol}"
    return ""


def _description(committed: CommittedPlan) -> str:
    for item in shape.of_kind(committed, EntryKind.IDENTITY, Disposition.BUNDLE):
        if item.mapping.target_symbol == "AGENT_ROLE":
            return plain_words(item.element.value or item.element.statement)
    return f"The {plain_words(committed.project_name)} agent"
