"""Every data file that a fixture names exists."""

from collections.abc import Iterator

from melleafy_tui.core.lint.asset_reading import bundled_paths
from melleafy_tui.core.lint.module import Problem
from melleafy_tui.core.lint.view import NotValidatable, PackageView


def check_fixture_files(view: PackageView) -> Iterator[Problem]:
    """Yield the data files that are missing."""
    if not view.has("fixtures/"):
        raise NotValidatable("the package has no fixtures")
    for name, module in view.modules.items():
        if not name.startswith("fixtures/"):
            continue
        for node, path in bundled_paths(module):
            if not path or not (view.has(path) or view.has(f"{path.rstrip('/')}/")):
                what = f"the data file {path or 'outside the package'} does not exist"
                yield module.problem(node, what, "Add the file beside the fixture, or give the text itself.")
