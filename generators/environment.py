"""The one place that renders templates: this project's own, in `templates/`, sandboxed, undefined names an error.

Workspace text never enters a template as such: generators hand in finished literals and finished lines.
Compiling the templates costs ten times what rendering them does, so it is done once: with the wheel (`setup.py`), and
on the first use of a checkout. Where the result can't be written, they are compiled in memory at every use.
"""

from functools import lru_cache
from pathlib import Path
from typing import Final

from jinja2 import FileSystemLoader, ModuleLoader
from jinja2.sandbox import ImmutableSandboxedEnvironment

from melleafy_tui.generators import markdown_text
from melleafy_tui.generators.template_compiler import TEMPLATES, compile_templates, environment_over

COMPILED: Final = Path(__file__).parent / "templates_compiled"
"""Holds one folder for each state of the templates; a running process never loses the one it loads from."""

FILTERS: Final = {
    "inline": markdown_text.inline,
    "cell": markdown_text.cell,
    "code": markdown_text.code_span,
    "code_cell": markdown_text.code_cell,
    "fence": markdown_text.fence,
}
"""The ways by which workspace text enters a document (`markdown_text`)."""


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
    context.parent.clear()  # its macros hold it, and no collector runs in a command: the texts would stay
    return text
