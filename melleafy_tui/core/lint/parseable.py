"""Every Python, JSON and TOML file of the package can be read by its own parser."""

import json
import tomllib
from collections.abc import Iterator

from melleafy_tui.core.lint.view import FOREIGN_FOLDERS, PackageView, Problem

HINT = "Mend the syntax there."


def check(view: PackageView) -> Iterator[Problem]:
    """Yield the files that do not parse."""
    _ = view.modules
    yield from view.unparsable
    for file in view.files.files:
        if file.path.removeprefix(f"{view.package}/").startswith(FOREIGN_FOLDERS):
            continue
        try:
            if file.path.endswith(".json"):
                json.loads(file.data)
            elif file.path.endswith(".toml"):
                tomllib.loads(file.data.decode("utf-8"))
        except json.JSONDecodeError as error:
            yield Problem(file.path, error.lineno, error.colno, f"it is no valid JSON: {error.msg}", HINT)
        except (ValueError, RecursionError) as error:
            yield Problem(file.path, 0, 0, f"it cannot be read: {error}", HINT)
