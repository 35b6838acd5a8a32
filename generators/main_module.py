"""Generates main.py (the command line, the only module that reads settings from the environment) and __init__.py."""

from typing import Final

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.vocabulary import UNKNOWN_RUNTIME, Disposition, EntryKind
from melleafy_tui.core.package.setup_sections import backend_from_environment
from melleafy_tui.generators.code_layout import Expression, Raw, call, import_lines, statement, value
from melleafy_tui.generators.labels import runtime_title
from melleafy_tui.generators.literals import plain_words, string_literal
from melleafy_tui.generators.package_shape import (
    SCHEDULED_RUN,
    Parameter,
    confirms_calls,
    functions,
    is_heartbeat,
    of_kind,
    pipeline_parameters,
    shortened,
    statement_of,
)
from melleafy_tui.generators.provenance import SourceWriter
from melleafy_tui.generators.templates_environment import render_template

PACKAGE_VERSION: Final = "0.1.0"
"""The initial version of a package; its owner increases it."""

_EXPORTS: Final = """from .pipeline import BackendError, PipelineError, run_pipeline
from .schemas import AgentReply

__all__ = ["AgentReply", "BackendError", "PipelineError", "run_pipeline"]"""


def generate_package_init(committed: CommittedPlan) -> list[EmittedFile]:
    """Return __init__.py, __main__.py and py.typed."""
    folder = committed.package_name
    classification = committed.classification
    runtime = classification.hybrid_primary or classification.source_runtime
    init = SourceWriter(f"{folder}/__init__.py")
    origin = committed.source_titles.get(runtime) or _of_other_runtime(committed, runtime)
    init.add(f'"""{plain_words(committed.project_name)}: an agent converted from {plain_words(origin)}."""')
    init.blank()
    init.add(_EXPORTS)
    main = SourceWriter(f"{folder}/__main__.py")
    main.add(
        f'"""Run the agent with `python -m {folder}`."""\n\nimport sys\n\nfrom .main import main\n\nsys.exit(main())'
    )
    return [init.emitted(), main.emitted(), EmittedFile(f"{folder}/py.typed", b"")]


def _of_other_runtime(committed: CommittedPlan, runtime: str) -> str:
    if runtime == UNKNOWN_RUNTIME:
        return "a workspace"
    return f"a workspace of {runtime_title(runtime, committed)}"


_LONGEST_DEFAULT: Final = 60

_FROM_ENVIRONMENT: Final = {"backend": "MELLEA_BACKEND", "model_id": "MELLEA_MODEL"}
"""Parameters that default to an environment variable on the command line."""


_ASK: Final = '''def _ask(tool: str, request: str) -> bool:
    """Ask on the terminal whether a call may be made."""
    print(f"{PROGRAM}: {tool}: {request!r} - go on? [y/N] ", end="", file=sys.stderr)
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")'''


def program_name(committed: CommittedPlan) -> str:
    """Return the name of the console script: the package name with hyphens, without its suffix."""
    return committed.package_name.removesuffix("_mellea").replace("_", "-")


def generate_main(committed: CommittedPlan) -> list[EmittedFile]:
    """Return main.py."""
    flags = [parameter for parameter in pipeline_parameters(committed) if not parameter.is_callable]
    every = bool(of_kind(committed, EntryKind.SCHEDULE, Disposition.EXTERNAL_INPUT))
    runner = _runner(committed)
    warns = bool(of_kind(committed, EntryKind.CREDENTIAL, Disposition.EXTERNAL_INPUT))
    external = backend_from_environment(committed)
    writer = SourceWriter(f"{committed.package_name}/main.py")
    writer.add(f'"""Command line of the {plain_words(committed.project_name)} agent."""')
    writer.blank()
    modules = ["argparse", "logging", "sys"]
    modules += ["os"] if warns or external else []
    modules += ["re", "time"] if every else []
    own = ["config"] if warns else []
    own += [runner.partition(".")[0]] if runner else []
    writer.add(
        import_lines(
            modules,
            {
                "collections.abc": ["Callable"],
                "functools": ["partial"],
                ".": own,
                ".fixtures": ["ALL_FIXTURES"],
                ".pipeline": ["PipelineError", "run_pipeline"],
                ".schemas": ["AgentReply"],
            },
        )
    )
    writer.blank()
    writer.add(f"PROGRAM = {string_literal(program_name(committed))}")
    writer.add(f"VERSION = {string_literal(PACKAGE_VERSION)}")
    if every:
        writer.add(render_template("main_interval.py.j2"))
    writer.blank(2)
    writer.add(_parser(committed, flags, every=every, runner=bool(runner)))
    writer.blank(2)
    if confirms_calls(committed):
        writer.add(_ASK)
        writer.blank(2)
    writer.add(_run(flags, confirms=confirms_calls(committed)))
    writer.blank(2)
    writer.add(
        render_template(
            "main.py.j2",
            warns=warns,
            every=every,
            runner=runner,
            runner_error="tools.ToolError" if runner.startswith("tools.") else "NotImplementedError",
            woken="heartbeat" if is_heartbeat(committed) else SCHEDULED_RUN,
            event=any(parameter.name == "event" for parameter in flags),
        )
    )
    return [writer.emitted()]


def _runner(committed: CommittedPlan) -> str:
    """Return the code of the function that runs the agent on its schedule, or `""`."""
    for module, disposition in (("tools", Disposition.REAL_IMPL), ("constrained_slots", Disposition.STUB)):
        for found in functions(committed, EntryKind.SCHEDULE, disposition):
            return f"{module}.{found.symbol}"
    return ""


def _parser(committed: CommittedPlan, flags: list[Parameter], *, every: bool, runner: bool) -> list[str]:
    description = _description(committed)
    parser = call(
        "argparse.ArgumentParser",
        prog=Raw("PROGRAM"),
        description=value(_percent_safe(description, whole=True)),
    )
    lines = [
        "def _parser() -> argparse.ArgumentParser:",
        '    """Return the command line\'s parser."""',
        *statement("parser = ", parser, indent=1),
    ]
    for parameter in flags:
        if parameter.annotation == "bool":
            lines += _switch(parameter.flag, _percent_safe(_help(parameter)))
            continue
        kind = Raw("int") if parameter.annotation == "int" else None
        lines += _argument(parameter.flag, _help(parameter), default=_default(parameter), kind=kind)
    if every:
        lines += _argument(
            "--every",
            "run again and again at this interval, such as 30m or 1h30m",
            default=Raw("None"),
            kind=Raw("_seconds"),
        )
    if runner:
        lines += _switch("--schedule", "stay and wake the agent by its schedule")
    if confirms_calls(committed):
        lines += _switch("--confirm", "ask here before each call that wants to be confirmed")
    lines += _argument("--fixture", "run one of the package's fixtures", default=None)
    lines += _switch("--json", "print the whole result as JSON")
    lines += _switch("--strict", "fail when a requirement is not met")
    lines += _switch("--traceback", "show where an unexpected error came from")
    version = call(
        "parser.add_argument",
        value("--version"),
        action=value("version"),
        version=Raw('f"%(prog)s {VERSION}"'),
    )
    return [*lines, *statement("", version, indent=1), "    return parser"]


def _argument(
    flag: str, text: str, *, default: Expression | None, kind: Expression | None = None
) -> list[str]:
    named: dict[str, Expression] = {}
    if kind is not None:
        named["type"] = kind
    if default is not None and default != Raw("None"):
        named["default"] = default
    named["help"] = value(_percent_safe(text))
    return statement("", call("parser.add_argument", value(flag), **named), indent=1)


def _switch(flag: str, text: str) -> list[str]:
    added = call("parser.add_argument", value(flag), action=value("store_true"), help=value(text))
    return statement("", added, indent=1)


def _default(parameter: Parameter) -> Expression | None:
    if parameter.name == "message" or parameter.name in _FROM_ENVIRONMENT:
        return (
            None
            if parameter.name == "message"
            else Raw(f'os.environ.get("{_FROM_ENVIRONMENT[parameter.name]}", "")')
        )
    return Raw(parameter.default)


def _help(parameter: Parameter) -> str:
    if parameter.name == "message":
        return "the message; standard input when left out"
    text = plain_words(parameter.description).removesuffix(".")
    if parameter.default_constant:
        default = plain_words("; ".join(map(statement_of, parameter.elements)))
        text = f"{text.partition(';')[0]} (default: {shortened(default, _LONGEST_DEFAULT)})"
    return text[:1].lower() + text[1:]


def _run(flags: list[Parameter], *, confirms: bool) -> list[str]:
    keywords = {
        parameter.name: Raw(f"options.{parameter.name}") for parameter in flags if parameter.name != "message"
    }
    if confirms:
        keywords["confirm"] = Raw("_ask if options.confirm else None")
    return [
        "def _run(options: argparse.Namespace, message: str) -> AgentReply:",
        '    """Run the pipeline once with what the command line says."""',
        *statement("return ", call("run_pipeline", Raw("message"), **keywords), indent=1),
    ]


def _description(committed: CommittedPlan) -> str:
    for item in of_kind(committed, EntryKind.IDENTITY, Disposition.BUNDLE):
        if item.mapping.target_symbol == "AGENT_ROLE":
            return plain_words(item.element.value or item.element.statement)
    return f"The {plain_words(committed.project_name)} agent"


def _percent_safe(text: str, *, whole: bool = False) -> str:
    """Return text escaped so that argparse shows it unchanged: it %-formats help texts, and some descriptions."""
    if whole and "%(prog)" not in text:
        return text
    return text.replace("%", "%%")
