"""Renders the templates in `templates/`, sandboxed and with undefined names as errors.

Workspace text is never used as a template: generators pass in finished literals and lines. Compiling costs ten times
as much as rendering, so templates are compiled once: when the wheel is built (`setup.py`), or on the first use of a
checkout. If the result can't be written, they are compiled in memory each time.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Final

from jinja2 import FileSystemLoader, ModuleLoader
from jinja2.sandbox import ImmutableSandboxedEnvironment

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.generators import markdown_text
from melleafy_tui.generators.literals import fitted, imports, plain_words, string_literal, used_names
from melleafy_tui.generators.provenance import from_source, without_marks
from melleafy_tui.generators.template_compiler import TEMPLATES, compile_templates, environment_over

COMPILED: Final = Path(__file__).parent / "templates_compiled"
"""Holds one folder for each version of the templates, so that a running process keeps the one it uses."""

FILTERS: Final[dict[str, Callable[..., str]]] = {
    "inline": markdown_text.inline,
    "cell": markdown_text.cell,
    "code": markdown_text.code_span,
    "code_cell": markdown_text.code_cell,
    "fence": markdown_text.fence,
    "fitted": fitted,
    "from_source": from_source,
    "literal": string_literal,
    "words": plain_words,
}
"""The filters: they escape workspace text for a document (`markdown_text`) or for code (`literals`), or lay it out."""


@lru_cache(maxsize=1)
def environment() -> ImmutableSandboxedEnvironment:
    """Return the environment that all templates share."""
    try:
        return environment_over(ModuleLoader(compile_templates(COMPILED)), FILTERS)
    except OSError:
        return environment_over(FileSystemLoader(TEMPLATES), FILTERS)


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
    before, _, code = render_template(template, **values, imports=_IMPORTS).partition(_IMPORTS)
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


def _folded(lines: list[str]) -> list[str]:
    """Return the lines with runs of empty lines, which conditions leave behind, folded outside fenced blocks.

    The last line is empty, so that the text ends with one line end.
    """
    folded = (
        _folded_outside_fences(lines)
        if any(line.startswith("```") for line in lines)
        else _folded_plain(lines)
    )
    while folded and not folded[-1]:
        folded.pop()
    return [*folded, ""]


def _folded_plain(lines: list[str]) -> list[str]:
    stripped = [line.rstrip() for line in lines]
    return [line for line, above in zip(stripped, ["", *stripped], strict=False) if line or above]


def _folded_outside_fences(lines: list[str]) -> list[str]:
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
    return folded
