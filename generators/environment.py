"""The one place that renders templates: this project's own, in `templates/`, sandboxed, undefined names an error.

Workspace text never enters a template as such: generators hand in finished literals and finished lines.
Compiling the templates costs ten times what rendering them does, so `compile_templates` does it ahead of time; where
its result is missing or not of these templates, they are compiled when they are used.
"""

from functools import lru_cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Final

from jinja2 import BaseLoader, FileSystemLoader, ModuleLoader, StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from melleafy_tui.generators import markdown_text

TEMPLATES: Final = Path(__file__).parent / "templates"
COMPILED: Final = Path(__file__).parent / "templates_compiled"
STAMP: Final = "stamp"

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
    return _environment_over(ModuleLoader(COMPILED) if is_compiled(COMPILED) else FileSystemLoader(TEMPLATES))


def render_template(name: str, **values: object) -> str:
    """Return the text of a template with the values filled in."""
    return environment().get_template(name).render(**values)


def compile_templates(folder: Path = COMPILED) -> None:
    """Write the compiled templates and their stamp into a folder; run once a build or an editable installation."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / STAMP).unlink(missing_ok=True)
    compiler = _environment_over(FileSystemLoader(TEMPLATES))
    compiler.compile_templates(folder, zip=None, ignore_errors=False)
    (folder / STAMP).write_text(_stamp(), encoding="utf-8")


def is_compiled(folder: Path) -> bool:
    """Return whether a folder holds exactly these templates, compiled by this release of Jinja."""
    try:
        return (folder / STAMP).read_text(encoding="utf-8") == _stamp()
    except (OSError, UnicodeDecodeError):
        return False


def _environment_over(loader: BaseLoader) -> ImmutableSandboxedEnvironment:
    made = ImmutableSandboxedEnvironment(
        loader=loader,
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters.update(FILTERS)
    return made


def _stamp() -> str:
    digest = sha256(version("jinja2").encode())
    for path in sorted(TEMPLATES.glob("*.j2")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


if __name__ == "__main__":
    compile_templates()
