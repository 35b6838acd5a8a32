"""Every Python, JSON and TOML file of the package can be read by its own parser."""

import json
import tomllib
from collections.abc import Iterator

from melleafy_tui.core.lint.artifacts import check_json
from melleafy_tui.core.lint.module import Problem
from melleafy_tui.core.lint.view import PackageView
from melleafy_tui.core.models.package import CARRIED_FOLDERS, EmittedFile

_PARSEABLE_HINT = "Mend the syntax there."


def check_parseable(view: PackageView, file: EmittedFile) -> Iterator[Problem]:
    """Yield why a file does not parse."""
    name = file.path.removeprefix(f"{view.package}/")
    if name.startswith(CARRIED_FOLDERS) or not name.endswith((".py", ".json", ".toml")):
        return
    if name.endswith(".py"):
        yield from view.syntax_of(name)
        return
    try:
        if file.path.endswith(".json"):
            check_json(file.data)
        else:
            tomllib.loads(file.data.decode("utf-8"))
    except json.JSONDecodeError as error:
        yield Problem(
            file.path, error.lineno, error.colno, f"it is no valid JSON: {error.msg}", _PARSEABLE_HINT
        )
    except (ValueError, RecursionError) as error:
        yield Problem(file.path, 0, 0, f"it cannot be read: {error}", _PARSEABLE_HINT)
