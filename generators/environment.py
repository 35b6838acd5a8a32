"""The one place that renders templates: this project's own, in `templates/`, sandboxed, undefined names an error.

Workspace text never enters a template as such: generators hand in finished literals and finished lines.
Compiling the templates costs ten times what rendering them does, so it is done once: with the wheel (`setup.py`), and
on the first use of a checkout. Where the result can't be written, they are compiled in memory at every use.
"""

import sys
import tempfile
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from shutil import rmtree
from typing import Final

import jinja2
from jinja2 import BaseLoader, FileSystemLoader, ModuleLoader, StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from melleafy_tui.generators import markdown_text

TEMPLATES: Final = Path(__file__).parent / "templates"
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
        return _environment_over(ModuleLoader(compile_templates(COMPILED)))
    except OSError:
        return _environment_over(FileSystemLoader(TEMPLATES))


def render_template(name: str, **values: object) -> str:
    """Return the text of a template with the values filled in."""
    template = environment().get_template(name)
    context = template.new_context(values)
    text = "".join(template.root_render_func(context))
    context.parent.clear()  # its macros hold it, and no collector runs in a command: the texts would stay
    return text


def compile_templates(below: Path) -> Path:
    """Return the folder that holds the templates compiled, made where it is not there yet.

    Args:
        below: Where such folders lie; each is named after the templates and the release of Jinja it was made from.

    Raises:
        OSError: it can't be written.
    """
    folder = below / _stamp()
    if folder.is_dir():
        return folder
    below.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix="making-", dir=below))
    try:
        _environment_over(FileSystemLoader(TEMPLATES)).compile_templates(made, zip=None, ignore_errors=False)
        made.chmod(0o755)
        made.rename(folder)
    except OSError:
        rmtree(made, ignore_errors=True)
        if not folder.is_dir():  # else another process was quicker
            raise
    return folder


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
    digest = sha256(jinja2.__version__.encode())
    for path in sorted(TEMPLATES.glob("*.j2")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


if __name__ == "__main__":
    compile_templates(Path(sys.argv[1]))
