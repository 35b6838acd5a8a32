"""Generates pyproject.toml, dependencies.yaml and .env.example."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.manifest import MELLEA_RANGE
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.core.package.agent_names import program_name
from melleafy_tui.core.package.carried_files import carried_files, declared_in_source
from melleafy_tui.core.package.naming import VARIABLE
from melleafy_tui.core.package.sent_variables import tool_variables
from melleafy_tui.core.package.setup_sections import backend_from_environment
from melleafy_tui.generators import labels
from melleafy_tui.generators.literals import toml_array, toml_string
from melleafy_tui.generators.main_module import PACKAGE_VERSION
from melleafy_tui.generators.markdown_text import one_line, shortened
from melleafy_tui.generators.provenance import without_marks
from melleafy_tui.generators.templates_environment import render_template
from melleafy_tui.generators.tools import working_tools

PATH: Final = "pyproject.toml"
_REQUIREMENTS: Final = {
    "mellea": f"mellea{MELLEA_RANGE}",
    "pydantic": "pydantic>=2.10,<3",
    "httpx": "httpx>=0.27,<1",
    "requests": "requests>=2.32,<3",
    "yaml": "pyyaml>=6,<7",
}
"""Requirement to install, by the name that code imports."""

_ALWAYS: Final = ("mellea", "pydantic")
SCHEDULER_REQUIREMENT: Final = "apscheduler>=3.10,<4"

_DATA: Final = (
    "py.typed",
    "*.json",
    "*.md",
    "*.yaml",
    "references/**/*",
    "scripts/**/*",
    "assets/**/*",
    "fixtures/memory/*.md",
)
"""Data files to include in the wheel; patterns without a match are harmless."""


def generate_project_file(committed: CommittedPlan, emitted: Sequence[EmittedFile]) -> list[EmittedFile]:
    """Return pyproject.toml."""
    package = committed.package_name
    code = {file.path.removeprefix(f"{package}/"): file.data for file in emitted if file.path.endswith(".py")}
    parts = [name for name in ("_runtime", "fixtures") if f"{name}/__init__.py" in code]
    text = render_template(
        "project_file.toml.j2",
        distribution=toml_string(package.replace("_", "-").strip("-")),
        version=toml_string(PACKAGE_VERSION),
        description=toml_string(one_line(labels.agent_description(committed))),
        readme=toml_string(f"{package}/README.md"),
        requirements=toml_array([*requirements(code), *_declared(committed, code)]),
        extra=toml_array([SCHEDULER_REQUIREMENT]) if "_runtime/schedule_runner.py" in code else "",
        command=toml_string(program_name(committed.package_name)),
        entry_point=toml_string(f"{package}.main:main"),
        packages=toml_array([package, *(f"{package}.{name}" for name in parts)]),
        package=toml_string(package),
        data=toml_array(list(dict.fromkeys((*_DATA, *_carried_data(committed))))),
        copied=toml_array(copied) if (copied := _copied_code(committed)) else "",
    )
    return [EmittedFile(PATH, text.encode("utf-8"))]


def _carried_data(committed: CommittedPlan) -> list[str]:
    """Return what the wheel includes of the carried files: those beside the modules, and whole folders."""
    tops = (path.partition("/") for _, path in carried_files(committed))
    return sorted({f"{top}/**/*" if slash else top for top, slash, _ in tops})


_CODE: Final = (".py", ".pyi", ".ipynb", ".md")


def _copied_code(committed: CommittedPlan) -> list[str]:
    """Return the folders with code of the workspace, which checkers leave alone; ruff formats it in Markdown, too."""
    paths = (path for _, path in carried_files(committed))
    code = {path.partition("/")[0] for path in paths if path.startswith("scripts/") or path.endswith(_CODE)}
    return [f"{committed.package_name}/{folder}" for folder in sorted(code)]


def requirements(code: Mapping[str, bytes]) -> list[str]:
    """Return the requirements of the package: Mellea, pydantic, and other packages that its code imports."""
    imported = {name.decode() for data in code.values() for name in _IMPORTED.findall(data)}
    return [text for name, text in _REQUIREMENTS.items() if name in _ALWAYS or name in imported]


def _declared(committed: CommittedPlan, code: Mapping[str, bytes]) -> list[str]:
    """Return the requirements of the source that carried scripts import."""
    imported = {name.decode() for data in code.values() for name in _IMPORTED.findall(data)}
    return declared_in_source(committed, imported - _REQUIREMENTS.keys())


_IMPORTED: Final = re.compile(rb"^[ \t]*(?:import|from) +(\w+)", re.MULTILINE)


OUTSIDE: Final = (
    Disposition.STUB,
    Disposition.DELEGATE_TO_RUNTIME,
    Disposition.EXTERNAL_INPUT,
    Disposition.MOCK,
    Disposition.REAL_IMPL,
)
"""Dispositions with which a package depends on its host, its caller, or a service."""


def generate_dependencies_file(committed: CommittedPlan) -> list[EmittedFile]:
    """Return dependencies.yaml, or nothing if the package has no external dependencies."""
    outside = tuple(entry for entry in committed.plan.entries if entry.disposition in OUTSIDE)
    groups: dict[tuple[str, ...], list[PlanEntry]] = {}
    for entry in outside:
        alike = (entry.kind, entry.disposition, entry.source_of_decision, entry.target, entry.setup_section)
        groups.setdefault(alike, []).append(entry)
    if not groups:
        return []
    text = render_template(
        "dependencies.yaml.j2", committed=committed, words=labels, groups=list(groups.values())
    )
    return [EmittedFile(f"{committed.package_name}/dependencies.yaml", text.encode("utf-8"))]


ENVIRONMENT_EXAMPLE: Final = ".env.example"


class EnvironmentVariable(Struct, frozen=True):
    """A variable that the package reads; `item` is its credential or tool, None for a setting of the package."""

    name: str
    purpose: str
    item: PlannedElement | None = None


def environment_variables(committed: CommittedPlan) -> tuple[EnvironmentVariable, ...]:
    """Return the variables that the package reads: credentials in source order, others in tools, package settings."""
    found: dict[str, EnvironmentVariable] = {}
    for item in committed.planned_as((EntryKind.CREDENTIAL,), tuple(Disposition)):
        file, _, name = item.entry.target.partition(":")
        if file == ENVIRONMENT_EXAMPLE and VARIABLE.fullmatch(name):
            found.setdefault(name, _read_for(item, name))
    given = working_tools(committed).secrets
    for name, tool in tool_variables(committed):
        if name not in given:
            found.setdefault(name, _read_for(tool, name))
    if backend_from_environment(committed):
        settings = committed.settings
        for name, default in (("MELLEA_BACKEND", settings.backend), ("MELLEA_MODEL", settings.model_id)):
            found.setdefault(name, EnvironmentVariable(name, f"{default} when empty"))
    return tuple(found.values())


def _read_for(item: PlannedElement, name: str) -> EnvironmentVariable:
    return EnvironmentVariable(name, shortened(item.element.content_summary, 100), item)


def generate_environment_example(committed: CommittedPlan) -> list[EmittedFile]:
    """Return .env.example, or nothing if the package reads no variable."""
    variables = environment_variables(committed)
    if not variables:
        return []
    text, places = without_marks(
        render_template("environment.j2", variables=variables), committed.inventory.by_id
    )
    return [EmittedFile(ENVIRONMENT_EXAMPLE, text.encode("utf-8"), tuple(places))]
