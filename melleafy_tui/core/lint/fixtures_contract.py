"""`fixtures/__init__.py` lists factories that give back (inputs, id, description), five to eight in a whole package."""

import ast
from collections.abc import Iterator

from melleafy_tui.core.lint.fixture_reading import INDEX, LIST, Fixture, factory, fixtures, listed
from melleafy_tui.core.lint.module import Problem
from melleafy_tui.core.lint.syntax import parameters
from melleafy_tui.core.lint.view import PackageView

FEWEST, MOST = 5, 8
_FIXTURES_CONTRACT_HINT = "See spec/package.md 6: each make_<id>() returns (inputs, id, description)."


def check_fixtures_contract(view: PackageView) -> Iterator[Problem]:
    """Yield the breaches of the fixtures' contract."""
    index, items = listed(view)
    if items is None:
        yield view.problem(INDEX, f"{LIST} is no list of functions", "Write ALL_FIXTURES = [make_a, make_b].")
        return
    for item in items:
        if not isinstance(item, ast.Name) or factory(view, index, item.id) is None:
            what = f"{ast.unparse(item)} in {LIST} leads to no function of fixtures/"
            yield index.problem(item, what, "Import the factory from its module in fixtures/.")
    if view.has("melleafy.json") and not FEWEST <= len(items) <= MOST:
        yield index.problem(
            index.defined[LIST], f"there are {len(items)} fixtures", f"Keep {FEWEST} to {MOST}."
        )
    seen: set[str] = set()
    for fixture in fixtures(view):
        yield from _judged_fixtures_contract(fixture, seen)
    for name, module in view.modules.items():
        if name.startswith("fixtures/"):
            for node in module.nodes:
                if isinstance(node, ast.ImportFrom) and node.level > 1:
                    yield module.problem(
                        node, "a fixture imports from above fixtures/", "Keep fixtures self-contained."
                    )


def _judged_fixtures_contract(fixture: Fixture, seen: set[str]) -> Iterator[Problem]:
    module, function = fixture.module, fixture.function
    if parameters(function):
        yield module.problem(function, f"{function.name} takes arguments", _FIXTURES_CONTRACT_HINT)
    if isinstance(function, ast.AsyncFunctionDef) or fixture.returned is None:
        yield module.problem(
            function, f"{function.name} does not give back three parts", _FIXTURES_CONTRACT_HINT
        )
        return
    if fixture.inputs is None:
        yield module.problem(function, f"the inputs of {function.name} are no dict", _FIXTURES_CONTRACT_HINT)
    if not fixture.fixture_id:
        yield module.problem(function, f"{function.name} has no id", _FIXTURES_CONTRACT_HINT)
    elif fixture.fixture_id in seen:
        yield module.problem(
            function, f"two fixtures are called {fixture.fixture_id}", "Give each its own id."
        )
    seen.add(fixture.fixture_id or "")
