"""Compiles this project's templates to Python, once for each state of the templates and release of Jinja.

`setup.py` runs this file by its path in the build's own process, which has Jinja and nothing else of the project's
dependencies, so nothing but Jinja and the standard library is imported here.
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
FILTERS: Final = ("inline", "cell", "code", "code_cell", "fence")
"""Names of the filters that templates may use; the functions are only needed to render (`environment`)."""


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
        environment = environment_over(
            FileSystemLoader(TEMPLATES), dict.fromkeys(FILTERS, _not_while_compiling)
        )
        environment.compile_templates(made, zip=None, ignore_errors=False)
        made.chmod(0o755)
        made.rename(folder)
    except OSError:
        rmtree(made, ignore_errors=True)
        if not folder.is_dir():  # else another process was quicker
            raise
    return folder


def environment_over(
    loader: BaseLoader, filters: Mapping[str, Callable[..., str]]
) -> ImmutableSandboxedEnvironment:
    """Return an environment for this project's templates: sandboxed, undefined names an error.

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
    """Keep Jinja from filtering literals ahead: it leaves a call that fails for the rendering."""
    raise NotImplementedError


def _stamp() -> str:
    digest = sha256(jinja2.__version__.encode())
    for path in sorted(TEMPLATES.glob("*.j2")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]
