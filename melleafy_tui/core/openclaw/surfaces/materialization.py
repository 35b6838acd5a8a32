"""Plans which files a materialization writes, in either direction, before anything is written."""

import json
from collections.abc import Mapping
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
    SURFACES_FOLDER,
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
_NO_FILE_HINT: Final = (
    "Name the folder above surfaces/, or with --reverse the workspace that holds AGENTS.md and SOUL.md."
)
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


def materialize(source: Path, options: MaterializeOptions, *, reverse: bool = False) -> Materialization:
    """Return the OpenClaw workspace made from a folder of surfaces, or the surfaces made from a workspace.

    Args:
        source: The folder that holds `surfaces/`, `skills/` and `memory/`, or the workspace.
        options: The options of the materialization.
        reverse: Whether the source is a workspace.

    Raises:
        UnusableInput: The folder can't be read, holds no file to copy, or has a link in place of one.
        StrictRefusal: A required file is missing in strict mode.
    """
    tree, made = _tree(source), Materialization(options)
    persona = {} if reverse else _read_persona(tree.file(PERSONA_LAYER))
    missing: list[str] = []
    for surface in SURFACES:
        path, target = (surface.target, surface.source) if reverse else (surface.source, surface.target)
        file = tree.file(path)
        if surface.name == BOOTSTRAP_SURFACE and not options.write_bootstrap:
            if file is not None:
                made.warn("left-out", target, "left out, as --no-bootstrap asks")
        elif file is not None:
            made.add(file, target, "surface")
        elif not reverse:
            missing += _without_surface(made, surface, synthesise(surface.layer, persona))
        elif surface.required:
            missing.append(path)
            made.warn("missing-surface", target, f"not written; {path} is missing")
    if missing and options.strict_missing_surfaces:
        said = f"{', '.join(missing)}: required and missing, and strict mode writes nothing then"
        raise StrictRefusal(said, hint=_STRICT_HINT, location=str(source))
    _take_trees(made, tree)
    mapped = (MEMORY_FILE, options.memory_file) if reverse else (options.memory_file, MEMORY_FILE)
    if options.memory_file:
        _take_mapped(made, tree, *mapped)
    _name_what_stays(made, tree, mapped[0] if options.memory_file else "", reverse=reverse)
    if not made.files:
        raise UnusableInput("The folder has no file to copy", hint=_NO_FILE_HINT, location=str(source))
    return made


def _name_what_stays(made: Materialization, tree: ExactTree, mapped: str, *, reverse: bool) -> None:
    """Warn about what is neither a surface nor in a folder that is taken, and what must never be written."""
    surfaces, names = f"{SURFACES_FOLDER}/", tree.names()
    known = {f"{folder}/" for folder, _ in _TREES} | {mapped, f"{mapped.partition('/')[0]}/"}
    known |= {surface.target if reverse else surface.source for surface in SURFACES}
    if not reverse:
        known |= {surfaces, PERSONA_LAYER}
        names += tree.names(surfaces) if surfaces in names else []
    for name in names:
        hint = "; --memory-file maps it" if reverse and name == MEMORY_FILE else ""
        if reason := never_written(name):
            made.warn("never-written", name, f"stays behind: {reason}")
        elif name not in known:
            made.warn("no-surface", name, f"has no surface and stays behind{hint}")
    for path, reason in tree.left_behind:
        made.warn("never-written", path, f"stays behind: {reason}")


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
