"""`schema`: prints the JSON Schema of a document, for editors and for programs that read it."""

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

import msgspec

from melleafy_tui.cli import json_documents
from melleafy_tui.cli.commands.context import ContextDocument
from melleafy_tui.cli.commands.diff import DiffDocument
from melleafy_tui.cli.commands.doctor import DoctorDocument
from melleafy_tui.cli.commands.export import ExportDocument
from melleafy_tui.cli.commands.history import HistoryDocument
from melleafy_tui.cli.commands.materialize import MaterializeDocument
from melleafy_tui.cli.console import Console
from melleafy_tui.cli.explanation import ExplainDocument
from melleafy_tui.core.errors import UsageError
from melleafy_tui.core.models.classification import Classification
from melleafy_tui.core.models.decisions import DecisionsDocument
from melleafy_tui.core.models.inventory import RecordedInventory
from melleafy_tui.core.models.manifest import Manifest, SourceLayout
from melleafy_tui.core.models.mapping import ElementMapping
from melleafy_tui.core.models.plan import DependencyPlan
from melleafy_tui.core.models.reports import LintReport, RunReport, SmokeReport

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
DECISIONS: Final = "decisions"
MODELS: Final[Mapping[str, type[object]]] = MappingProxyType(
    {
        "classification": Classification,
        "decisions": DecisionsDocument,
        "inventory": json_documents.InventoryDocument,
        "lint": LintReport,
        "manifest": Manifest,
        "mapping": ElementMapping,
        "plan": json_documents.PlanDocument,
        "smoke": SmokeReport,
        "run": RunReport,
        "check": json_documents.CheckDocument,
        "context": ContextDocument,
        "convert": json_documents.ConvertDocument,
        "convert-all": json_documents.ConvertAllDocument,
        "detect": json_documents.DetectDocument,
        "diff": DiffDocument,
        "doctor": DoctorDocument,
        "error": json_documents.ErrorDocument,
        "explain": ExplainDocument,
        "export": ExportDocument,
        "history": HistoryDocument,
        "materialize": MaterializeDocument,
        "preview": json_documents.PreviewDocument,
        "settings": json_documents.SettingsDocument,
        "inventory.json": RecordedInventory,
        "dependency_plan.json": DependencyPlan,
        "source_layout.json": SourceLayout,
    }
)
"""The model behind each name; a name that ends in `.json` is a file in a package's `intermediate/`."""


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the schema, or write it beside a decisions file.

    Raises:
        UsageError: `--beside` is used with another document than the decisions.
        UnusableInput: the schema can't be written there.
    """
    if not arguments.beside:
        console.object(json_schema(arguments.name))
        return 0
    if arguments.name != DECISIONS:
        raise UsageError(
            f"--beside is about a decisions file, not about {arguments.name}",
            hint=f"Run `melleafy-tui schema {DECISIONS} --beside FILE`.",
        )
    from melleafy_tui.core.decisions.file import write_schema

    text = json.dumps(json_schema(DECISIONS), indent=2) + "\n"
    place = write_schema(Path(arguments.beside), text)
    console.message(f"The schema was written to {place}; decisions saved beside it name it from now on.")
    return 0


def json_schema(name: str) -> dict[str, object]:
    """Return the JSON Schema of a document by name."""
    if name == DECISIONS:  # the document that users write
        return {"$schema": DIALECT, **DecisionsDocument.model_json_schema()}
    kind = MODELS[name]
    _, parts = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}", schema_hook=_of_facts)
    return {"$schema": DIALECT, **parts.pop(kind.__name__), "$defs": parts}


def _of_facts(_: type) -> dict[str, object]:
    """Return the schema of facts, the one thing in documents that is no record."""
    return {"type": "object"}
