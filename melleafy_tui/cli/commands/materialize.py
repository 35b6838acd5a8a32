"""`materialize`: builds an OpenClaw workspace from named surfaces; `--reverse` extracts surfaces."""

import argparse
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from melleafy_tui.cli.changes import say_folder, write_or_check
from melleafy_tui.cli.console import Console
from melleafy_tui.cli.json_documents import OfFolder, part_of
from melleafy_tui.core.errors import UsageError
from melleafy_tui.core.models.snapshot import SourceFile
from melleafy_tui.core.models.surfaces import (
    AdapterConfig,
    ExactFile,
    MaterializedFile,
    MaterializeOptions,
    MaterializeWarning,
)
from melleafy_tui.core.openclaw.surfaces.materialization import materialize
from melleafy_tui.core.source.secrets.masking import masked_file
from melleafy_tui.core.source.snapshot_reader import decode


class MaterializeDocument(OfFolder, frozen=True, kw_only=True):
    """The document of `materialize --json`; `exact` says whether every file has the bytes of its source."""

    source: str
    reverse: bool
    adapter: AdapterConfig
    exact: bool
    files: tuple[MaterializedFile, ...]
    warnings: tuple[MaterializeWarning, ...]


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Write the workspace or the surfaces, and list what isn't an exact copy."""
    source, target = Path(arguments.source), Path(arguments.target)
    options = MaterializeOptions(
        model=arguments.model,
        model_params=_named_values("--model-param", arguments.model_param),
        config=_named_values("--config", arguments.config),
        exact=not arguments.no_exact,
        write_skills=not arguments.no_skills,
        write_memory=not arguments.no_memory,
        write_bootstrap=not arguments.no_bootstrap,
        strict_missing_surfaces=arguments.strict_missing_surfaces,
        memory_file=arguments.memory_file or "",
    )
    made = materialize(source, options, reverse=arguments.reverse)
    dry_run: bool = arguments.dry_run
    result = write_or_check(made.files, source, target, force=arguments.force, dry_run=dry_run)
    console.document(
        part_of(
            MaterializeDocument,
            result,
            made,
            arguments,
            exact=all(file.exact for file in made.listed),
            files=tuple(_with_digests(made.listed, made.files)) if console.json else (),
            warnings=tuple(made.warnings),
        )
    )
    say_folder(result, target, len(made.listed), console, dry_run=dry_run)
    console.line(f"Adapter: {made.adapter.type}, adapterVersion {made.adapter.adapter_version}")
    console.table([(file.origin, file.source, "→ " + file.path) for file in made.listed])
    for warning in made.warnings:
        console.warning(warning.message)
    return 0


def _with_digests(
    listed: Iterable[MaterializedFile], files: Iterable[ExactFile]
) -> Iterator[MaterializedFile]:
    """Yield the files with their digests, without those of files that have secrets."""
    data = {file.path: file.data for file in files}
    for file in listed:
        source = masked_file(SourceFile(file.path, data[file.path], decode(file.path, data[file.path]).text))
        known = None if source.secrets else source.sha256
        yield replace(file, sha256=known)


def _named_values(flag: str, given: list[str] | None) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for text in given or ():
        name, equals, value = text.partition("=")
        if not name or not equals:
            raise UsageError(
                f"{flag} is {text!r}, which is not NAME=VALUE", hint="Write for example temperature=0."
            )
        try:
            values[name] = json.loads(value)
        except (ValueError, RecursionError):
            values[name] = value
    return values
