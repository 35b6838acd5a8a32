"""Reads the parts of a package that an export needs: manifest, inventory, plan and layout, all untrusted."""

from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from msgspec import Struct, ValidationError

from melleafy_tui.core.errors import UnusableInput
from melleafy_tui.core.models.classification import Classification
from melleafy_tui.core.models.file_set import may_be_carried
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.manifest import LaidOutFile, Manifest, SourceLayout
from melleafy_tui.core.models.plan import DependencyPlan
from melleafy_tui.core.models.snapshot import SourceFile
from melleafy_tui.core.models.surfaces import ExactFile
from melleafy_tui.core.openclaw.surfaces.exact_tree import ExactTree
from melleafy_tui.core.output.emitted import EMITTED_NAME, MANIFEST_NAME, find_package, read_object
from melleafy_tui.core.output.paths import digest_on_disk, stays_inside
from melleafy_tui.core.source.json5 import read_record
from melleafy_tui.core.source.secrets.masking import masked_file
from melleafy_tui.core.source.snapshot_reader import decode

ModelT = TypeVar("ModelT")


class RecordedElements(Struct, frozen=True):
    """The part of `intermediate/inventory.json` that an export reads: the elements, without the hybrid's claims."""

    elements: tuple[Element, ...]


class ReadPackage(Struct, frozen=True):
    """The parts of a package that an export needs.

    `runtimes` are those of the source, the primary first. `mirrored` holds the bytes of the files that may be carried
    ones by their SHA-256, `unused` those of the workspace's files that the package has no lines of, by path. `edited`
    are the files that were edited after the conversion.
    """

    folder: Path
    manifest: Manifest
    elements: tuple[Element, ...]
    plan: DependencyPlan
    layout: SourceLayout
    runtimes: tuple[str, ...]
    mirrored: dict[str, bytes]
    unused: dict[str, bytes]
    edited: tuple[str, ...] = ()


def read_converted(path: Path, workspace: Path | None = None) -> ReadPackage:
    """Read a converted package.

    Args:
        path: The package, or the output folder that holds it.
        workspace: The workspace that it was made from, which has the files that the conversion didn't use.

    Raises:
        UnusableInput: There is no package made by melleafy-tui, or it lacks parts that the export needs.
    """
    folder = find_package(path)
    tree = ExactTree(folder)
    elements = read_part(tree, "intermediate/inventory.json", RecordedElements).elements
    layout = read_part(tree, "intermediate/source_layout.json", SourceLayout)
    return ReadPackage(
        folder=folder,
        manifest=read_part(tree, MANIFEST_NAME, Manifest),
        elements=elements,
        plan=read_part(tree, "intermediate/dependency_plan.json", DependencyPlan),
        layout=layout,
        runtimes=read_part(tree, "intermediate/classification.json", Classification).dialect_runtimes,
        mirrored=_mirrored(tree),
        unused=_unused(workspace, layout) if workspace is not None else {},
        edited=_edited(folder),
    )


def read_part(tree: ExactTree, name: str, model: type[ModelT]) -> ModelT:
    """Return a JSON document of a package.

    Args:
        tree: The package's folder.
        name: The path of the document in it.
        model: What it must be.

    Raises:
        UnusableInput: It is missing, or isn't what a conversion writes.
    """
    file = tree.file(name)
    if file is None:
        raise UnusableInput(
            f"The package has no {name}, which the export needs",
            hint="Convert the workspace again with this version; nothing was written.",
            location=name,
        )
    try:
        return read_record(file.data, model)
    except (ValidationError, ValueError, RecursionError) as error:
        raise UnusableInput(
            f"{name} is not what a conversion writes ({error})",
            hint="Convert the workspace again; nothing was written.",
            location=name,
        ) from error


def _mirrored(tree: ExactTree) -> dict[str, bytes]:
    return {
        sha256(file.data).hexdigest(): file.data
        for name in tree.names()
        if may_be_carried(f"{name}x" if name.endswith("/") else name)
        for file in (tree.below(name.rstrip("/")) if name.endswith("/") else filter(None, [tree.file(name)]))
    }


def _unused(workspace: Path, layout: SourceLayout) -> dict[str, bytes]:
    """Return the workspace's files that the package has no lines of, unchanged but for their secrets, by path."""
    tree = ExactTree(workspace)
    found: dict[str, bytes] = {}
    for laid_out in layout.files:
        if laid_out.lines or not stays_inside(laid_out.path):
            continue
        with suppress(UnusableInput):  # a link or a device isn't what was converted
            file = tree.file(laid_out.path)
            if file is not None and _digest(file, laid_out) == laid_out.sha256:
                found[laid_out.path] = file.data
    return found


def _digest(file: ExactFile, laid_out: LaidOutFile) -> str:
    text = decode(laid_out.path, file.data).text if laid_out.secrets_masked else None
    return masked_file(SourceFile(laid_out.path, file.data, text)).sha256


def _edited(folder: Path) -> tuple[str, ...]:
    """Return the files whose digest has changed since they were emitted, relative to the package."""
    record = read_object(folder / EMITTED_NAME)
    files = record.get("files") if record is not None else None
    prefix = f"{folder.name}/"
    return tuple(
        sorted(
            path.removeprefix(prefix)
            for path, digest in (files.items() if isinstance(files, dict) else ())
            if path.startswith(prefix)
            and stays_inside(path)
            and digest_on_disk(folder.parent / path) not in (None, digest)
        )
    )
