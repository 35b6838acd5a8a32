"""Generates main.py, __init__.py and __main__.py."""

from typing import Final

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.vocabulary import UNKNOWN_RUNTIME, Disposition, EntryKind
from melleafy_tui.generators import package_shape as shape
from melleafy_tui.generators.labels import runtime_title
from melleafy_tui.generators.literals import (
    RUNTIME_DOOR,
    displayed,
    fitted,
    imports,
    isort_key,
    plain_words,
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
    known = runtime != UNKNOWN_RUNTIME
    other = f"a workspace of {runtime_title(runtime, committed)}" if known else "a workspace"
    exported = sorted((name for found in names.values() for name in found), key=isort_key)
    return [
        code_file(
            committed,
            "__init__.py",
            {},
            imported=imports(names),
            origin=committed.source_titles.get(runtime) or other,
            exported=fitted(displayed(exported, "__all__ = ")),
        ),
        code_file(committed, "__main__.py", {}),
        EmittedFile(f"{committed.package_name}/py.typed", b""),
    ]


def generate_main(committed: CommittedPlan) -> list[EmittedFile]:
    """Return main.py: one call of the static command line."""
    tools, external = working_tools(committed), Disposition.EXTERNAL_INPUT
    runners = {
        module: found.symbol
        for module, disposition in (
            (".constrained_slots", Disposition.STUB),
            (".tools", Disposition.REAL_IMPL),
        )
        for found in shape.functions(committed, EntryKind.SCHEDULE, disposition)[:1]
    }
    names = {
        RUNTIME_DOOR: ["asking_on_terminal", "canned", "repeated", "run_command"],
        ".fixtures": ["ALL_FIXTURES"],
        ".pipeline": ["run_pipeline"],
        ".": ["config"],
        **{module: [symbol] for module, symbol in [*runners.items()][-1:]},
    }
    bundled = shape.of_kind(committed, EntryKind.IDENTITY, Disposition.BUNDLE)
    roles = [item.element for item in bundled if item.mapping.target_symbol == "AGENT_ROLE"]
    said = (
        roles[0].value or roles[0].statement if roles else f"The {plain_words(committed.project_name)} agent"
    )
    return [
        code_file(
            committed,
            "main.py",
            names,
            description=plain_words(said),
            version=PACKAGE_VERSION,
            # without a tool, no code reads any variable
            variables=tools.callable and shape.of_kind(committed, EntryKind.CREDENTIAL, external),
            web=tools.web,
            repeats=shape.of_kind(committed, EntryKind.SCHEDULE, external),
            runner=[*runners.values()][-1:],
        )
    ]
