"""Tells with `--verbose` what a command reads, where its settings come from, and how long the stages took."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from melleafy_tui.actions.configuration import Configuration
from melleafy_tui.cli.console import Console, counted
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.pipeline.conversion import Conversion

STAGES: Final[tuple[tuple[str, Callable[[Conversion], object]], ...]] = (
    ("classification", lambda conversion: conversion.classification),
    ("inventory", lambda conversion: conversion.inventory),
    ("mapping", lambda conversion: conversion.mapping),
    ("plan", lambda conversion: conversion.plan),
)
"""The stages whose time is told, and what each computes."""


def tell_times(conversion: Conversion, console: Console) -> None:
    """Tell how long each stage takes, in their order; the conversion keeps the results."""
    for name, compute in STAGES:
        with console.timed(name):
            compute(conversion)


def tell_workspace(snapshot: Snapshot, console: Console) -> None:
    """Tell which files of a workspace were read."""
    console.detail(f"read: {snapshot.root}, {counted(len(snapshot.files), 'file')}")
    for file in snapshot.files:
        console.detail(f"read: {file.path}, {len(file.data):,} bytes")


def tell_settings(configuration: Configuration, config_file: Path | None, console: Console) -> None:
    """Tell which configuration file was read, and each setting that isn't a default, with its source."""
    if config_file is not None and config_file.is_file():
        console.detail(f"read: {config_file}")
    given = [item for item in configuration.resolved if item.source != "default"]
    for item in given:
        console.detail(f"setting: {item.name} = {item.text}, from {item.source}")
    if not given:
        console.detail("setting: every setting has its default")
