"""Emits .env.example: the environment variables that the package reads, by name, never with a value."""

from typing import Final

from msgspec import Struct

from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.package import EmittedFile, LineProvenance
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.core.naming import VARIABLE
from melleafy_tui.core.setup_sections import backend_from_environment
from melleafy_tui.core.tool_variables import tool_variables
from melleafy_tui.generators.markdown_text import one_line, shortened
from melleafy_tui.generators.shape import masked
from melleafy_tui.generators.working_tools import working_tools

PATH: Final = ".env.example"
_HEAD: Final = (
    "# Environment variables of this package. Copy this file to .env, fill it in, and load it:",
    "#   set -a; . ./.env; set +a",
)


class EnvironmentVariable(Struct, frozen=True):
    """One variable that the package reads; `item` is the credential it stands for or the tool, None for our own."""

    name: str
    purpose: str
    item: PlannedElement | None = None


def environment_variables(committed: CommittedPlan) -> tuple[EnvironmentVariable, ...]:
    """Return the variables that the package reads: credentials in source order, what tools name besides, our own."""
    variables: dict[str, EnvironmentVariable] = {}
    for item in committed.planned_as((EntryKind.CREDENTIAL,), tuple(Disposition)):
        file, _, name = item.entry.target.partition(":")
        if file == PATH and VARIABLE.fullmatch(name):
            purpose = shortened(masked(item.element).content_summary, 100)
            variables.setdefault(name, EnvironmentVariable(name, purpose, item))
    given = {name for name, _ in working_tools(committed).hooked}
    for name, tool in tool_variables(committed):
        if name not in given:
            purpose = shortened(masked(tool.element).content_summary, 100)
            variables.setdefault(name, EnvironmentVariable(name, purpose, tool))
    if backend_from_environment(committed):
        settings = committed.settings
        for name, default in (("MELLEA_BACKEND", settings.backend), ("MELLEA_MODEL", settings.model_id)):
            variables.setdefault(name, EnvironmentVariable(name, f"{default} when empty"))
    return tuple(variables.values())


def generate_environment_example(committed: CommittedPlan) -> list[EmittedFile]:
    """Return .env.example, or nothing where the package reads no variable."""
    variables = environment_variables(committed)
    if not variables:
        return []
    lines = list(_HEAD)
    provenance = []
    for variable in variables:
        lines.append("")
        if variable.purpose != variable.name:
            lines.append(f"# {one_line(variable.purpose)}")
        if variable.item is not None:
            element = variable.item.element
            lines.append(f"# Source: {one_line(element.location)}")
            line = len(lines) + 1
            provenance.append(
                LineProvenance(line, line, element.element_id, element.source_file, element.source_lines)
            )
        lines.append(f"{variable.name}=")
    return [EmittedFile(PATH, ("\n".join(lines) + "\n").encode("utf-8"), tuple(provenance))]
