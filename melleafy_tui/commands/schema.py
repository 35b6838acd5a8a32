"""`schema`: the JSON Schema of a document, for editors and for programs that read `--json`."""

import argparse
from typing import Final

from pydantic import BaseModel

from melleafy_tui.commands import documents
from melleafy_tui.commands.console import Console
from melleafy_tui.core.models.classification import Classification
from melleafy_tui.core.models.decisions import DecisionsDocument
from melleafy_tui.core.models.lint import LintReport
from melleafy_tui.core.models.manifest import Manifest
from melleafy_tui.core.models.mapping import ElementMapping
from melleafy_tui.core.models.smoke import SmokeReport

MODELS: Final[dict[str, type[BaseModel]]] = {
    "classification": Classification,
    "decisions": DecisionsDocument,
    "inventory": documents.InventoryDocument,
    "lint": LintReport,
    "manifest": Manifest,
    "mapping": ElementMapping,
    "plan": documents.PlanDocument,
    "smoke": SmokeReport,
    "check": documents.CheckDocument,
    "context": documents.ContextDocument,
    "convert": documents.ConvertDocument,
    "detect": documents.DetectDocument,
    "doctor": documents.DoctorDocument,
    "error": documents.ErrorDocument,
    "export": documents.ExportDocument,
    "history": documents.HistoryDocument,
    "materialize": documents.MaterializeDocument,
    "preview": documents.PreviewDocument,
    "settings": documents.SettingsDocument,
}
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the schema."""
    model = MODELS[arguments.name]
    mode = "validation" if arguments.name == "decisions" else "serialization"
    schema = model.model_json_schema(
        by_alias=True, mode="validation" if mode == "validation" else "serialization"
    )
    console.object({"$schema": DIALECT, **schema})
    return 0
