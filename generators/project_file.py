"""Emits pyproject.toml: the package installs with pip, with what its code imports and nothing else."""

from collections.abc import Sequence
from typing import Final

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.manifest import MELLEA_RANGE
from melleafy_tui.core.models.package import EmittedFile
from melleafy_tui.core.setup_sections import triggered_sections
from melleafy_tui.generators.document_words import agent_description
from melleafy_tui.generators.emitted_code import EmittedCode
from melleafy_tui.generators.environment import render_template
from melleafy_tui.generators.main_module import program_name
from melleafy_tui.generators.markdown_text import one_line
from melleafy_tui.generators.package_init import PACKAGE_VERSION
from melleafy_tui.generators.toml_text import toml_array, toml_string

PATH: Final = "pyproject.toml"
_REQUIREMENTS: Final = {
    "mellea": f"mellea{MELLEA_RANGE}",
    "pydantic": "pydantic>=2.10,<3",
    "httpx": "httpx>=0.27,<1",
    "requests": "requests>=2.32,<3",
    "yaml": "pyyaml>=6,<7",
}
"""What to ask pip for, by the name that code imports."""

_ALWAYS: Final = ("mellea", "pydantic")
SCHEDULER_EXTRA: Final = "scheduler"
SCHEDULER_REQUIREMENT: Final = "apscheduler>=3.10,<4"
_SCHEDULER_IMPORT: Final = "apscheduler"
_SCHEDULER_SECTION: Final = "§6"

_DATA: Final = (
    "py.typed",
    "*.json",
    "*.md",
    "*.yaml",
    "intermediate/*.json",
    "references/**/*",
    "scripts/**/*",
    "assets/**/*",
)
"""Files beside the code that belong into a wheel; patterns without a match are harmless."""


def generate_project_file(committed: CommittedPlan, emitted: Sequence[EmittedFile]) -> list[EmittedFile]:
    """Return pyproject.toml."""
    package = committed.package_name
    code = EmittedCode(emitted, package)
    packages = [package, *([f"{package}.fixtures"] if code.has("fixtures/__init__.py") else [])]
    text = render_template(
        "project_file.toml.j2",
        distribution=toml_string(package.replace("_", "-").strip("-")),
        version=toml_string(PACKAGE_VERSION),
        description=toml_string(one_line(agent_description(committed))),
        readme=toml_string(f"{package}/README.md"),
        requirements=toml_array(requirements(code)),
        extra=toml_array([SCHEDULER_REQUIREMENT]) if has_scheduler_extra(committed, code) else "",
        command=toml_string(program_name(committed)),
        entry_point=toml_string(f"{package}.main:main"),
        packages=toml_array(packages),
        package=toml_string(package),
        data=toml_array(list(_DATA)),
    )
    return [EmittedFile(PATH, text.encode("utf-8"))]


def requirements(code: EmittedCode) -> list[str]:
    """Return what the package asks pip for: Mellea, pydantic, and what else its code imports."""
    wanted = [name for name in _REQUIREMENTS if name in _ALWAYS or name in code.third_party]
    return [_REQUIREMENTS[name] for name in wanted]


def has_scheduler_extra(committed: CommittedPlan, code: EmittedCode) -> bool:
    """Return whether the package offers APScheduler as an extra: it has a runner, or its guide shows one."""
    sections = {section.number for section in triggered_sections(committed)}
    return _SCHEDULER_IMPORT in code.third_party or _SCHEDULER_SECTION in sections
