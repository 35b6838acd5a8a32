"""Emits mobjects.py: the request as an object of Mellea, and the steps that transform it or ask something of it."""

from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.package import EmittedFile
from melleafy_tui.core.models.vocabulary import Tag
from melleafy_tui.core.steps import OBJECTS
from melleafy_tui.generators.layout import Raw, call, parameters, statement, value
from melleafy_tui.generators.provenance import Page, locations, provenance_comments, source_ranges
from melleafy_tui.generators.shape import model_steps, statement_of, symbol_of

_HEAD = '''"""Steps before the reply that transform the request or ask something of it."""

from typing import Any

from mellea import MelleaSession
from mellea.stdlib.components import MObject


class Request(MObject):
    """What the user wrote, as an object that Mellea can query and transform."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def content_as_string(self) -> str:
        """Return the text that the model sees."""
        return self.text
'''


def generate_step_objects(committed: CommittedPlan) -> list[EmittedFile]:
    """Return mobjects.py, or nothing where no step transforms or queries."""
    items = model_steps(committed, OBJECTS)
    if not items:
        return []
    page = Page(f"{committed.package_name}/{OBJECTS}")
    page.add(_HEAD)
    for item in items:
        page.blank(2)
        page.add(_step(item), [item.element])
    return [page.emitted()]


def _step(item: PlannedElement) -> list[str]:
    method, does = ("transform", "Return the request, transformed")
    if item.element.tag is Tag.QUERY:
        method, does = ("query", "Return what the request says to the question")
    declared = ["m: MelleaSession[Any]", "message: str"]
    asked = call(f"m.{method}", call("Request", Raw("message")), value(statement_of(item.element)))
    return [
        *provenance_comments(source_ranges([item.element])),
        *statement("", parameters(f"def {symbol_of(item)}", declared), " -> str:"),
        f'    """{does} ({locations([item.element])})."""',
        *statement("answer = ", asked, indent=1),
        "    return str(answer)",
    ]
