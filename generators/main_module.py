"""Generates main.py, __init__.py and __main__.py."""

from typing import Final

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.vocabulary import UNKNOWN_RUNTIME, Disposition, EntryKind
from melleafy_tui.core.package.agent_names import program_name
from melleafy_tui.core.package.setup_sections import backend_from_environment
from melleafy_tui.generators.code_layout import (
    RUNTIME_DOOR,
    Expression,
    Raw,
    call,
    import_lines,
    isort_key,
    listing,
    statement,
    value,
)
from melleafy_tui.generators.labels import runtime_title
from melleafy_tui.generators.literals import plain_words
from melleafy_tui.generators.package_shape import (
    confirms_calls,
    functions,
    of_kind,
    reply_class,
    schemas,
)
from melleafy_tui.generators.provenance import SourceWriter
from melleafy_tui.generators.tools import working_tools

PACKAGE_VERSION: Final = "0.1.0"
"""The initial version of a package; its owner increases it."""


def generate_package_init(committed: CommittedPlan) -> list[EmittedFile]:
    """Return __init__.py, __main__.py and py.typed."""
    folder = committed.package_name
    classification = committed.classification
    runtime = classification.hybrid_primary or classification.source_runtime
    init = SourceWriter(f"{folder}/__init__.py")
    origin = committed.source_titles.get(runtime) or _of_other_runtime(committed, runtime)
    init.add(f'"""{plain_words(committed.project_name)}: an agent converted from {plain_words(origin)}."""')
    init.blank()
    init.add(_exports(committed))
    main = SourceWriter(f"{folder}/__main__.py")
    main.add(
        f'"""Run the agent with `python -m {folder}`."""\n\nimport sys\n\nfrom .main import main\n\nsys.exit(main())'
    )
    return [init.emitted(), main.emitted(), EmittedFile(f"{folder}/py.typed", b"")]


def _of_other_runtime(committed: CommittedPlan, runtime: str) -> str:
    if runtime == UNKNOWN_RUNTIME:
        return "a workspace"
    return f"a workspace of {runtime_title(runtime, committed)}"


def _exports(committed: CommittedPlan) -> list[str]:
    reply = reply_class(committed)
    errors = ["BackendError", "InputError", "PipelineError"]
    own = reply != "AgentReply"
    names = {
        ".pipeline": ["run_pipeline"],
        RUNTIME_DOOR: errors if own else ["AgentReply", *errors],
        ".schemas": [reply, *(schema.class_name for schema in schemas(committed))] if own else [],
    }
    exported = sorted((name for found in names.values() for name in found), key=isort_key)
    listed = statement("__all__ = ", listing(value(name) for name in exported))
    return [*import_lines((), names), "", *listed]


def generate_main(committed: CommittedPlan) -> list[EmittedFile]:
    """Return main.py: one call of the static command line."""
    writer = SourceWriter(f"{committed.package_name}/main.py")
    writer.add(f'"""Command line of the {plain_words(committed.project_name)} agent."""')
    writer.blank()
    names: dict[str, list[str]] = {
        RUNTIME_DOOR: ["run_command"],
        ".fixtures": ["ALL_FIXTURES"],
        ".pipeline": ["run_pipeline"],
    }
    given: dict[str, Expression] = {
        "program": value(program_name(committed.package_name)),
        "description": value(_description(committed)),
        "version": value(PACKAGE_VERSION),
        "arguments": Raw("arguments"),
    }
    if of_kind(committed, EntryKind.CREDENTIAL, Disposition.EXTERNAL_INPUT):
        names["."] = ["config"]
        given["variables"] = Raw("config.ENVIRONMENT_VARIABLES")
    if working_tools(committed).web:
        names[RUNTIME_DOOR].append("canned")
        given["web"] = Raw("canned")
    if backend_from_environment(committed):
        given["model_variables"] = value(("MELLEA_BACKEND", "MELLEA_MODEL"))
    if confirms_calls(committed):
        names[RUNTIME_DOOR].append("asking")
        given["confirm"] = Raw("asking")
    if of_kind(committed, EntryKind.SCHEDULE, Disposition.EXTERNAL_INPUT):
        given["every"] = Raw("True")
    if runner := _runner(committed):
        module, _, function = runner.partition(".")
        names[f".{module}"] = [function]
        given["schedule"] = Raw(function)
    writer.add(import_lines(["sys"], names))
    writer.blank(2)
    writer.add("def main(arguments: list[str] | None = None) -> int:")
    writer.add('    """Run the agent and print its reply; return the exit code."""')
    run = call("run_command", Raw("run_pipeline"), Raw("ALL_FIXTURES"), **given)
    writer.add(statement("return ", run, indent=1))
    writer.blank(2)
    writer.add(['if __name__ == "__main__":', "    sys.exit(main())"])
    return [writer.emitted()]


def _runner(committed: CommittedPlan) -> str:
    """Return the code of the function that runs the agent on its schedule, or `""`."""
    for module, disposition in (("tools", Disposition.REAL_IMPL), ("constrained_slots", Disposition.STUB)):
        for found in functions(committed, EntryKind.SCHEDULE, disposition):
            return f"{module}.{found.symbol}"
    return ""


def _description(committed: CommittedPlan) -> str:
    for item in of_kind(committed, EntryKind.IDENTITY, Disposition.BUNDLE):
        if item.mapping.target_symbol == "AGENT_ROLE":
            return plain_words(item.element.value or item.element.statement)
    return f"The {plain_words(committed.project_name)} agent"
