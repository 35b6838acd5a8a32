"""Renders the templates in `templates/`, sandboxed and with undefined names as errors.

Workspace text is never used as a template: generators pass in finished literals and lines.
"""

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Final

from jinja2 import FileSystemBytecodeCache, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket
from jinja2.sandbox import ImmutableSandboxedEnvironment

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.package import setup_sections
from melleafy_tui.core.package.agent_names import program_name
from melleafy_tui.generators import labels, markdown_text, package_shape, schedule_rows
from melleafy_tui.generators.literals import (
    Group,
    fitted,
    imports,
    plain_words,
    string_literal,
    toml_string,
    used_names,
)
from melleafy_tui.generators.provenance import from_source, without_marks
from melleafy_tui.user_folders import cache_folder, make_private

TEMPLATES: Final = Path(__file__).parent / "templates"

FILTERS: Final[dict[str, Callable[..., str]]] = {
    "call": lambda opening, arguments, margin="": fitted(Group(opening, tuple(arguments)), margin),
    "inline": markdown_text.inline,
    "cell": markdown_text.cell,
    "code": markdown_text.code_span,
    "code_cell": markdown_text.code_cell,
    "fence": markdown_text.fence,
    "fitted": fitted,
    "from_source": from_source,
    "line": markdown_text.one_line,
    "literal": string_literal,
    "quoted": toml_string,
    "words": plain_words,
}
"""The filters: they escape workspace text for a document (`markdown_text`) or for code (`literals`), or lay it out."""


@lru_cache(maxsize=1)
def environment() -> ImmutableSandboxedEnvironment:
    """Return the environment that all templates share."""
    made = ImmutableSandboxedEnvironment(
        loader=FileSystemLoader(TEMPLATES),
        bytecode_cache=_cache(),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters.update(FILTERS)
    return made


class _Cache(FileSystemBytecodeCache):
    """Compiled templates in a folder, which may be read-only, full or gone: then they are compiled each time."""

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a compiled template if that is possible."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


def _cache() -> _Cache | None:
    """Return where compiled templates are kept, since compiling takes 0.2 s; None where there is no such place.

    They are code, so a folder that somebody else can write to is no such place.
    """
    folder = cache_folder(os.environ)
    if folder is None:
        return None
    try:
        make_private(folder / "templates")
    except OSError:
        return None
    return _Cache(str(folder / "templates"))


def render_template(name: str, **values: object) -> str:
    """Return the text of a template with the values filled in."""
    template = environment().get_template(name)
    context = template.new_context(values)
    text = "".join(template.root_render_func(context))
    context.parent.clear()  # macros keep a reference, and no collector runs in a command: texts would leak
    return text


def code_file(
    committed: CommittedPlan,
    path: str,
    names: Mapping[str, Iterable[str]],
    template: str = "",
    /,
    **values: object,
) -> EmittedFile:
    """Return the emitted file of code at a path in the package.

    Args:
        committed: The committed plan.
        path: The path.
        names: The names that the code may use, by the module that they are imported from.
        template: The template; without one, that which is named like the file.
        values: What the template needs besides `imports`.
    """
    template = template or f"{PurePosixPath(path).name}.j2"
    values = {**_known(committed), **values, "imports": _IMPORTS}
    before, _, code = render_template(template, **values).partition(_IMPORTS)
    block = imports({module: used_names(code, found) for module, found in names.items()})
    if not block:  # nor the empty line above it
        before, code = before.removesuffix("\n"), code.removeprefix("\n")
    text, places = without_marks(f"{before}{block}{code}".rstrip("\n") + "\n", committed.inventory.by_id)
    return EmittedFile(f"{committed.package_name}/{path}", text.encode("utf-8"), tuple(places))


_IMPORTS: Final = "\1"
"""Where a template has the imports, which are known when it is rendered."""


def document(path: str, template: str, **values: object) -> EmittedFile:
    """Return the emitted file at `path`, rendered from a template."""
    lines = _folded(render_template(template, **values).split("\n"))
    return EmittedFile(path, "\n".join(lines).encode("utf-8"))


def package_document(committed: CommittedPlan, name: str, template: str, **values: object) -> EmittedFile:
    """Return a document of the package, whose template reads the plan by itself.

    Args:
        committed: The committed plan.
        name: The name of the file.
        template: The template; it has modules that answer questions on a plan, as `package_shape` does.
        values: What it needs besides.
    """
    return document(f"{committed.package_name}/{name}", template, **_known(committed), **values)


_MODULES: Final = {
    "shape": package_shape,
    "words": labels,
    "setup": setup_sections,
    "schedules": schedule_rows,
}


def _known(committed: CommittedPlan) -> dict[str, object]:
    """Return what every template of a package has: the plan, and the modules that answer questions on it."""
    package, program = committed.package_name, program_name(committed.package_name)
    return {"committed": committed, "package": package, "program": program, **_MODULES}


def _folded(lines: list[str]) -> list[str]:
    """Return the lines with runs of empty lines, which conditions leave behind, folded outside fenced blocks.

    The last line is empty, so that the text ends with one line end.
    """
    folded: list[str] = []
    fence = ""
    for line in lines:
        kept = line if fence else line.rstrip()
        if not fence and kept == "" and (not folded or folded[-1] == ""):
            continue
        if kept.startswith("```"):
            ticks = kept[: len(kept) - len(kept.lstrip("`"))]
            if not fence:
                fence = ticks
            elif kept == ticks and len(ticks) >= len(fence):
                fence = ""
        folded.append(kept)
    while folded and not folded[-1]:
        folded.pop()
    return [*folded, ""]
