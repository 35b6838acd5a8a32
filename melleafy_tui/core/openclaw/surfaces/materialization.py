"""Plans which files a materialization writes, in either direction, before anything is written."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct, field

from melleafy_tui.core.errors import StrictRefusal, UnusableInput, UsageError
from melleafy_tui.core.models.surfaces import (
    AdapterConfig,
    Code,
    ExactFile,
    MaterializedFile,
    MaterializeOptions,
    MaterializeWarning,
    Origin,
)
from melleafy_tui.core.openclaw.surfaces.exact_tree import ExactTree
from melleafy_tui.core.openclaw.surfaces.surface_table import (
    BOOTSTRAP_SURFACE,
    MEMORY_FILE,
    MEMORY_FOLDER,
    PERSONA_LAYER,
    SKILLS_FOLDER,
    SURFACES,
    Surface,
    never_written,
)
from melleafy_tui.core.output.paths import stays_inside
from melleafy_tui.core.source.limits import resolved

IDENTITY_FIELDS: Final = (
    ("Name", ("displayName", "name")),
    ("Role", ("role",)),
    ("Vibe", ("vibe",)),
    ("Emoji", ("emoji",)),
    ("Avatar", ("avatar",)),
)
"""Labels of IDENTITY.md, each with the persona layer names that can supply its value, in order of preference."""


def _read_persona(layer: ExactFile | None) -> Mapping[str, str]:
    """Return the texts of a persona layer by name; empty if there is no layer."""
    if layer is None:
        return {}
    try:
        document: object = json.loads(layer.data)
        what = "" if isinstance(document, dict) else "is not a JSON object"
    except (ValueError, RecursionError):
        document, what = {}, "is not valid JSON"
    if what or not isinstance(document, dict):
        hint = "Correct or remove it."
        raise UnusableInput(f"{PERSONA_LAYER} {what}", hint=hint, location=PERSONA_LAYER)
    return {
        name: value.strip()
        for name, value in document.items()
        if isinstance(value, str) and value.strip() and _encodes(value)
    }


def synthesise(layer: str, persona: Mapping[str, str]) -> bytes | None:
    """Return the text of a surface made from the persona layer, or None if the layer says too little.

    Args:
        layer: `persona` for SOUL.md, `identity` for IDENTITY.md.
        persona: The texts of the persona layer.
    """
    text = {"persona": _soul, "identity": _identity}[layer](persona) if layer else ""
    return text.encode() if text else None


def _soul(persona: Mapping[str, str]) -> str:
    name = _first(persona, ("displayName", "name"))
    parts = [
        f"**Role:** {_line(persona['role'])}" if "role" in persona else "",
        persona.get("background", ""),
        persona.get("voice", ""),
    ]
    body = "\n\n".join(filter(None, parts))
    return f"# {_line(name)}\n\n{body}\n" if name and body else ""


def _identity(persona: Mapping[str, str]) -> str:
    rows = [(label, _first(persona, names)) for label, names in IDENTITY_FIELDS]
    lines = [f"- **{label}:** {_line(value)}\n" for label, value in rows if value]
    return "# Identity\n\n" + "".join(lines) if lines else ""


def _first(persona: Mapping[str, str], names: tuple[str, ...]) -> str:
    return next((persona[name] for name in names if name in persona), "")


def _line(text: str) -> str:
    return " ".join(text.split())


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


_NAME_ONE: Final = "Name an existing folder."
_STRICT_HINT: Final = "Add the surface, or run without --strict-missing-surfaces."
_TREES: Final[tuple[tuple[str, Origin], ...]] = ((SKILLS_FOLDER, "skill"), (MEMORY_FOLDER, "memory"))


class Materialization(Struct):
    """The files to write, warnings about them, and the compiled adapter configuration."""

    options: MaterializeOptions
    files: list[ExactFile] = field(default_factory=list)
    listed: list[MaterializedFile] = field(default_factory=list)
    warnings: list[MaterializeWarning] = field(default_factory=list)

    @property
    def adapter(self) -> AdapterConfig:
        """Return the adapter configuration: hints for a host, never written to `openclaw.json`."""
        options = self.options
        return AdapterConfig(model=options.model, model_params=options.model_params, config=options.config)

    def add(self, file: ExactFile, path: str, origin: Origin, *, exact: bool = True) -> None:
        """Add a source file as `path`."""
        self.files.append(ExactFile(path, file.data, file.executable))
        self.listed.append(
            MaterializedFile(
                path=path,
                source=file.path,
                origin=origin,
                exact=exact,
                size=len(file.data),
            )
        )

    def warn(self, code: Code, path: str, said: str) -> None:
        """Add a warning about a file: what is said of it."""
        self.warnings.append(MaterializeWarning(code=code, path=path, message=f"{path} {said}."))


def to_workspace(source: Path, options: MaterializeOptions) -> Materialization:
    """Return the OpenClaw workspace made from a folder of surfaces.

    Args:
        source: The folder that holds `surfaces/`, `skills/` and `memory/`.
        options: The options of the materialization.

    Raises:
        UnusableInput: The folder can't be read, holds no surface, or has a link in place of a file to copy.
        StrictRefusal: A required surface is missing in strict mode.
    """
    tree = _tree(source)
    made = Materialization(options)
    persona = _read_persona(tree.file(PERSONA_LAYER))
    missing: list[str] = []
    for surface in _missing(made, tree, {each: (each.source, each.target) for each in SURFACES}):
        missing += _without_surface(made, surface, synthesise(surface.layer, persona))
    mapped = (options.memory_file, MEMORY_FILE)
    _finish(made, tree, source, missing, mapped)
    if not made.files:
        raise UnusableInput(
            f"The folder holds none of {', '.join(surface.source for surface in SURFACES)}, skills/ or memory/",
            hint="Name the folder above surfaces/; --reverse turns a workspace into surfaces.",
            location=str(source),
        )
    return made


def to_surfaces(workspace: Path, options: MaterializeOptions) -> Materialization:
    """Return the folder of surfaces made from an OpenClaw workspace.

    Args:
        workspace: The workspace.
        options: The options of the materialization.

    Raises:
        UnusableInput: The workspace can't be read, holds no file to copy, or has a link in place of one.
        StrictRefusal: A required file is missing in strict mode.
    """
    tree = _tree(workspace)
    made = Materialization(options)
    known = {f"{SKILLS_FOLDER}/", f"{MEMORY_FOLDER}/", *(surface.target for surface in SURFACES)}
    missing: list[str] = []
    for surface in _missing(made, tree, {each: (each.target, each.source) for each in SURFACES}):
        if surface.required:
            missing.append(surface.target)
            made.warn("missing-surface", surface.source, f"not written; {surface.target} is missing")
    _finish(made, tree, workspace, missing, (MEMORY_FILE, options.memory_file))
    known |= {MEMORY_FILE} if options.memory_file else set()
    _warn_without_surface(made, (name for name in tree.names() if name not in known))
    if not made.files:
        raise UnusableInput(
            "The folder has no file of an OpenClaw workspace",
            hint="Name the folder that holds AGENTS.md and SOUL.md.",
            location=str(workspace),
        )
    return made


def _finish(
    made: Materialization, tree: ExactTree, source: Path, missing: list[str], mapped: tuple[str, str]
) -> None:
    """Take what isn't a surface: the trees, and the file of the memory where the options name its place.

    Raises:
        StrictRefusal: Something required is missing in strict mode.
    """
    if missing and made.options.strict_missing_surfaces:
        said = f"{', '.join(missing)}: required and missing, and strict mode writes nothing then"
        raise StrictRefusal(said, hint=_STRICT_HINT, location=str(source))
    _take_trees(made, tree)
    if made.options.memory_file:
        _take_mapped(made, tree, *mapped)
    for path, reason in tree.left_behind:
        made.warn("never-written", path, f"stays behind: {reason}")


def _missing(
    made: Materialization, tree: ExactTree, ways: Mapping[Surface, tuple[str, str]]
) -> Iterator[Surface]:
    """Take the files that there are, each with its name in the target; yield the surfaces without a file."""
    for surface, (source, target) in ways.items():
        file = tree.file(source)
        if surface.name == BOOTSTRAP_SURFACE and not made.options.write_bootstrap:
            if file is not None:
                made.warn("left-out", target, "left out, as --no-bootstrap asks")
        elif file is not None:
            made.add(file, target, "surface")
        else:
            yield surface


def _warn_without_surface(made: Materialization, names: Iterable[str]) -> None:
    for name in names:
        reason = never_written(name)
        if reason:
            made.warn("never-written", name, f"stays behind: {reason}")
        else:
            hint = "; --memory-file maps it" if name == MEMORY_FILE else ""
            made.warn("no-surface", name, f"has no surface and stays behind{hint}")


def _without_surface(made: Materialization, surface: Surface, synthesised: bytes | None) -> list[str]:
    """Handle a missing surface as the options say; return what strict mode reports as missing."""
    options, target = made.options, surface.target
    if synthesised is not None and not options.exact:
        made.add(ExactFile(PERSONA_LAYER, synthesised), target, "synthesised", exact=False)
        said = f"synthesized from {surface.layer}; byte-exact preservation not possible"
        made.warn("synthesised", target, said)
        return []
    if options.strict_missing_surfaces and surface.required:
        refused = f" (exact mode refuses to synthesise it from {PERSONA_LAYER})" if synthesised else ""
        return [f"{surface.source} for {target}{refused}"]
    if synthesised is not None:
        said = f"not materialized; exact mode refuses to synthesise it from {PERSONA_LAYER} (--no-exact does)"
        made.warn("synthesis-refused", target, said)
    elif surface.marked:
        said = "not materialized; OpenClaw may inject a missing-file marker"
        made.warn("missing-surface", target, said)
    return []


def _take_trees(made: Materialization, tree: ExactTree) -> None:
    wanted = {SKILLS_FOLDER: made.options.write_skills, MEMORY_FOLDER: made.options.write_memory}
    for folder, origin in _TREES:
        if wanted[folder]:
            for file in tree.below(folder):
                made.add(file, file.path, origin)
        elif f"{folder}/" in tree.names():
            made.warn("left-out", f"{folder}/", f"left out, as --no-{folder} asks")


def _take_mapped(made: Materialization, tree: ExactTree, source: str, target: str) -> None:
    for path in (source, target):
        reason = never_written(path)
        if not stays_inside(path) or reason:
            raise UsageError(
                f"--memory-file cannot be {path!r}" + (f": {reason}" if reason else ""),
                hint="Give a relative path such as surfaces/memory.md.",
            )
    if any(file.path == target for file in made.files):
        raise UsageError(f"--memory-file and a surface both give {target}", hint="Map another file.")
    file = tree.file(source)
    if file is None:
        made.warn("missing-surface", target, f"not written; {source} is missing")
    else:
        made.add(file, target, "mapped")


def _tree(folder: Path) -> ExactTree:
    place = resolved(folder, "The source", _NAME_ONE)
    if place.is_dir():
        return ExactTree(place)
    raise UnusableInput("The source is not a folder", hint=_NAME_ONE, location=str(folder))
