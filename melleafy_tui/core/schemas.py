"""The JSON Schemas of everything the tool reads and writes, by name, for `melleafy-tui schema NAME` (spec/cli.md)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

from pydantic import BaseModel, TypeAdapter

from melleafy_tui.core.errors import UsageError
from melleafy_tui.core.models.classification import Classification
from melleafy_tui.core.models.decisions import DecisionsDocument
from melleafy_tui.core.models.diagnostics import Diagnostic
from melleafy_tui.core.models.inventory import FileCoverage, Inventory
from melleafy_tui.core.models.lint import LintReport
from melleafy_tui.core.models.manifest import Manifest
from melleafy_tui.core.models.mapping import ElementMapping
from melleafy_tui.core.models.package import RunCost
from melleafy_tui.core.models.plan import DependencyPlan
from melleafy_tui.core.models.smoke import SmokeReport

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

CONTRACTS: Final[Mapping[str, type[BaseModel] | TypeAdapter[object]]] = MappingProxyType(
    {
        "decisions": DecisionsDocument,
        "classification": Classification,
        "inventory": Inventory,
        "mapping": ElementMapping,
        "plan": DependencyPlan,
        "manifest": Manifest,
        "lint": LintReport,
        "smoke": SmokeReport,
        "diagnostics": TypeAdapter[object](tuple[Diagnostic, ...]),
        "coverage": TypeAdapter[object](tuple[FileCoverage, ...]),
        "cost": TypeAdapter[object](RunCost),
    }
)
"""What each name stands for."""


def schema_names() -> tuple[str, ...]:
    """Return the names that `json_schema` knows, in the order of the steps."""
    return tuple(CONTRACTS)


def json_schema(name: str) -> dict[str, object]:
    """Return the JSON Schema with this name.

    Raises:
        UsageError: there is none.
    """
    contract = CONTRACTS.get(name)
    if contract is None:
        raise UsageError(f"There is no schema named {name!r}", hint=f"Choose one of {', '.join(CONTRACTS)}.")
    mode: Literal["validation", "serialization"] = "validation" if name == "decisions" else "serialization"
    if isinstance(contract, TypeAdapter):
        schema = contract.json_schema(mode=mode)
    else:
        schema = contract.model_json_schema(by_alias=True, mode=mode)
    return {"$schema": DIALECT, **schema}
