"""Generates `fixtures/`: five to eight inputs for `run_pipeline`, each with what a good reply does.

Every fixture passes each text parameter of `run_pipeline` by name, with its default value if the fixture doesn't need
it.
"""

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.vocabulary import Category
from melleafy_tui.generators.code_layout import Raw, mapping, statement, tupled, value
from melleafy_tui.generators.fixture_ideas import MOST, Idea, everyday_ideas, ideas, picked_ideas
from melleafy_tui.generators.literals import literal
from melleafy_tui.generators.package_shape import pipeline_parameters
from melleafy_tui.generators.provenance import SourceWriter, locations

FEWEST: Final = 5
FEWEST_CATEGORIES: Final = 3
_RETURNS: Final = "tuple[dict[str, object], str, str]"
_DEFAULTS: Final[dict[str, str | int]] = {"int": 0, "bool": False}
"""The default of an input by its type; inputs of other types default to an empty text."""


def generate_fixtures(committed: CommittedPlan) -> list[EmittedFile]:
    """Return `fixtures/__init__.py` and one module per fixture.

    Args:
        committed: The committed plan.
    """
    folder = f"{committed.package_name}/fixtures"
    chosen = _chosen(committed)
    defaults = {
        parameter.name: "general" if parameter.name == "scope" else _DEFAULTS.get(parameter.annotation, "")
        for parameter in pipeline_parameters(committed)
        if not parameter.is_callable
    }
    return [
        _index(f"{folder}/__init__.py", chosen),
        *(_module(f"{folder}/{idea.fixture_id}.py", idea, defaults) for idea in chosen),
    ]


def _chosen(committed: CommittedPlan) -> list[Idea]:
    """Return the ideas to print: those the user picked, one per category, then others, at most MOST in all."""
    by_category: dict[Category, list[Idea]] = {}
    for idea in ideas(committed):
        by_category.setdefault(idea.category, []).append(idea)
    chosen = list(picked_ideas(committed))
    while len(chosen) < MOST and any(by_category.values()):
        for waiting in by_category.values():
            if waiting and len(chosen) < MOST:
                chosen.append(waiting.pop(0))
    chosen = _distinct(chosen)
    everyday = list(everyday_ideas(committed))
    new = [idea for idea in everyday if idea.category not in by_category]
    missing = FEWEST_CATEGORIES - len({idea.category for idea in chosen} - {Category.NONE})
    added = new[: max(0, missing)]
    chosen = [*chosen[: MOST - len(added)], *added]
    rest = [idea for idea in everyday if idea not in added]
    return [*chosen, *rest[: max(0, FEWEST - len(chosen))]]


def _distinct(chosen: Iterable[Idea]) -> list[Idea]:
    """Return the ideas without duplicate inputs, and with a number added to duplicate ids."""
    kept: list[Idea] = []
    ids: set[str] = set()
    for idea in chosen:
        if any(idea.inputs == other.inputs for other in kept):
            continue
        fixture_id, number = idea.fixture_id, 2
        while fixture_id in ids:
            fixture_id, number = f"{idea.fixture_id}_{number}", number + 1
        ids.add(fixture_id)
        kept.append(replace(idea, fixture_id=fixture_id))
    return kept


def _index(path: str, chosen: list[Idea]) -> EmittedFile:
    by_group: dict[str, list[str]] = {}
    for idea in chosen:
        by_group.setdefault(idea.group, []).append(idea.fixture_id)
    listed = [f"- {group}: {', '.join(ids)}" for group, ids in sorted(by_group.items())]
    writer = SourceWriter(path)
    writer.add(['"""Fixtures by the category of the workspace that they try.', "", *listed, '"""'])
    writer.blank()
    writer.add("from collections.abc import Callable")
    writer.blank()
    for fixture_id in sorted(idea.fixture_id for idea in chosen):
        writer.add(_import(fixture_id))
    writer.blank()
    writer.add(f"ALL_FIXTURES: list[Callable[[], {_RETURNS}]] = [")
    writer.add([f"    make_{idea.fixture_id}," for idea in chosen])
    writer.add("]")
    return writer.emitted()


def _import(fixture_id: str) -> list[str]:
    line = f"from .{fixture_id} import make_{fixture_id}"
    if len(line) <= 88:
        return [line]
    return [f"from .{fixture_id} import (", f"    make_{fixture_id},", ")"]


def _module(path: str, idea: Idea, defaults: dict[str, str | int]) -> EmittedFile:
    source = f", from {locations(idea.elements)}" if idea.elements else ""
    inputs = {name: idea.inputs.get(name, default) for name, default in defaults.items()}
    given = mapping([(literal(name), value(text)) for name, text in inputs.items()])
    writer = SourceWriter(path)
    writer.add(f'"""Fixture {idea.fixture_id}{source}."""')
    writer.blank(2)
    writer.add(f"def make_{idea.fixture_id}() -> {_RETURNS}:")
    writer.add('    """Return inputs, id and expected behaviour."""')
    body = statement("inputs: dict[str, object] = ", given, indent=1)
    writer.add(body, idea.elements)
    parts = tupled([Raw("inputs"), value(idea.fixture_id), value(idea.expected)])
    writer.add(statement("return ", parts, indent=1), idea.elements)
    return writer.emitted()
