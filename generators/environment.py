"""The one place that renders templates: this project's own, in `templates/`, sandboxed, undefined names an error.

Workspace text never enters a template as such: generators hand in finished literals and finished lines.
"""

from functools import lru_cache
from pathlib import Path

from jinja2 import FileSystemLoader, StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

TEMPLATES = Path(__file__).parent / "templates"


@lru_cache(maxsize=1)
def environment() -> ImmutableSandboxedEnvironment:
    """Return the environment that all templates share."""
    return ImmutableSandboxedEnvironment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def render_template(name: str, **values: object) -> str:
    """Return the text of a template with the values filled in."""
    return environment().get_template(name).render(**values)
