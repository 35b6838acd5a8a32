"""Every Python, JSON and TOML file of the package can be read by its own parser."""

import json
import tomllib
from collections.abc import Iterator
from functools import partial

from melleafy_tui.core.lint.artifacts import check_json
from melleafy_tui.core.lint.module import Problem
from melleafy_tui.core.lint.view import PackageView, findings
from melleafy_tui.core.models.package import CARRIED_FOLDERS, EmittedFile

HINT = "Mend the syntax there."


def check(view: PackageView) -> Iterator[Problem]:
    """Yield the files that do not parse."""
    yield from view.unparsable
    for file in view.every_file:
        if file.path.endswith((".json", ".toml")) and not file.path.removeprefix(
            f"{view.package}/"
        ).startswith(CARRIED_FOLDERS):
            yield from view.kept(file.piece(findings), check, partial(_fault, file))


def _fault(file: EmittedFile) -> Iterator[Problem]:
    try:
        if file.path.endswith(".json"):
            check_json(file.data)
        else:
            tomllib.loads(file.data.decode("utf-8"))
    except json.JSONDecodeError as error:
        yield Problem(file.path, error.lineno, error.colno, f"it is no valid JSON: {error.msg}", HINT)
    except (ValueError, RecursionError) as error:
        yield Problem(file.path, 0, 0, f"it cannot be read: {error}", HINT)
