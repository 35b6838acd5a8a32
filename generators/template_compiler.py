"""Compiles the templates to Python, once for each version of the templates and release of Jinja.

`setup.py` runs this file by path during the build, when only Jinja is installed, so this module imports only Jinja and
the standard library.
"""

import tempfile
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from shutil import rmtree
from typing import Final, NoReturn

import jinja2
from jinja2 import BaseLoader, FileSystemLoader, StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

TEMPLATES: Final = Path(__file__).parent / "templates"
FILTERS: Final = ("inline", "cell", "code", "code_cell", "fence", "fitted", "from_source", "literal", "words")
"""Names of the filters that templates may use; the functions are only needed for rendering (`environment`)."""


def compile_templates(below: Path) -> Path:
    """Return the folder of the compiled templates, which is created if needed.

    Args:
        below: The parent folder; each folder in it is named after the templates and the release of Jinja.

    Raises:
        OSError: The folder can't be written.
    """
    folder = below / _stamp()
    if folder.is_dir():
        return folder
    below.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix="making-", dir=below))
    try:
        environment = environment_over(
            FileSystemLoader(TEMPLATES), dict.fromkeys(FILTERS, _not_while_compiling)
        )
        environment.compile_templates(made, zip=None, ignore_errors=False)
        made.chmod(0o755)
        made.rename(folder)
    except OSError:
        rmtree(made, ignore_errors=True)
        if not folder.is_dir():  # else another process has created it
            raise
    return folder


def environment_over(
    loader: BaseLoader, filters: Mapping[str, Callable[..., str]]
) -> ImmutableSandboxedEnvironment:
    """Return a Jinja environment for the templates: sandboxed, and undefined names are errors.

    Args:
        loader: Where the templates come from.
        filters: The function of each name in `FILTERS`.
    """
    made = ImmutableSandboxedEnvironment(
        loader=loader,
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters.update(filters)
    return made


def _not_while_compiling(*_: object) -> NoReturn:
    """Stop Jinja from evaluating filters of literals at compile time: it defers a call that fails."""
    raise NotImplementedError


def _stamp() -> str:
    digest = sha256(jinja2.__version__.encode())
    for path in sorted(TEMPLATES.glob("*.j2")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]
