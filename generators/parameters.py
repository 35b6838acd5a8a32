"""The parameters of the emitted `run_pipeline`: what the plan leaves to whoever calls it.

Signature, texts, command line and fixtures read them here (spec/package.md 2).
"""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.facts import ArgumentFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind, Modality
from melleafy_tui.core.setup_sections import backend_from_environment
from melleafy_tui.generators.literals import string_literal
from melleafy_tui.generators.shape import (
    FACTS,
    SCHEDULED_REQUEST,
    SCHEDULED_RUN,
    TOOLS,
    asked_rules,
    call_arguments,
    confirms_calls,
    functions,
    is_argument,
    is_heartbeat,
    is_scheduled,
    modalities,
    of_kind,
    scoped_rules,
    symbol_of,
)

ARGUMENT_DEFAULTS: Final = {"str": '""', "int": "0", "bool": "False"}
"""The types of a command's arguments, and what an absent one is."""


class Parameter(Struct, frozen=True):
    """One parameter of `run_pipeline`.

    Attributes:
        name: Its name.
        annotation: Its type as code.
        default: Its default as code, `""` where it has none.
        description: What it is, for docstring and `--help`.
        is_callable: It takes a function, so no flag and no JSON value can carry it.
        default_constant: The constant of `config.py` that an absent value stands for, or `""`.
        elements: What it was made from.
    """

    name: str
    annotation: str
    default: str
    description: str
    is_callable: bool = False
    default_constant: str = ""
    elements: tuple[Element, ...] = ()

    @property
    def declaration(self) -> str:
        """Return the parameter as it stands in the signature."""
        return f"{self.name}: {self.annotation}" + (f" = {self.default}" if self.default else "")

    @property
    def flag(self) -> str:
        """Return the command line's flag for it."""
        return "--" + self.name.replace("_", "-")


def pipeline_parameters(committed: CommittedPlan) -> tuple[Parameter, ...]:
    """Return the parameters of the emitted `run_pipeline`, in order; the message comes first."""
    return tuple(_parameters(committed))


def _parameters(committed: CommittedPlan) -> Iterable[Parameter]:
    external = Disposition.EXTERNAL_INPUT
    wake_up = ', or "heartbeat" for a scheduled wake-up' if is_heartbeat(committed) else ""
    if is_scheduled(committed):
        wake_up = f', or "{SCHEDULED_RUN}" for what config.{SCHEDULED_REQUEST} asks'
    yield Parameter("message", "str", "", f"What the user wrote{wake_up}.")
    yield from map(_argument, call_arguments(committed))
    if context := [item for item in of_kind(committed, FACTS, external) if not is_argument(item)]:
        yield _text_parameter(
            "user_context", "Facts about the user that change", context, "DEFAULT_USER_CONTEXT"
        )
    if scopes := sorted({item.element.scope for item in scoped_rules(committed)}):
        known = ", ".join(["general", *scopes])
        yield Parameter("scope", "str", string_literal("general"), f"Which scoped rules hold: {known}.")
    if Modality.EVENT_TRIGGERED in modalities(committed):
        yield Parameter("event", "str", '""', "What happened, when an event wakes the agent.")
    for found in functions(committed, EntryKind.IDENTITY, external):
        yield _text_parameter(
            found.symbol, _titled(found.items[0]), found.items, f"DEFAULT_{found.symbol.upper()}"
        )
    if state := of_kind(committed, EntryKind.STATE, external):
        yield _text_parameter("working_state", "The agent's notes of today and yesterday", state, "")
    if memory := of_kind(committed, EntryKind.MEMORY, external):
        yield _text_parameter("memory_context", "What long-term memory holds about the message", memory, "")
    if copied := of_kind(committed, EntryKind.MEMORY, Disposition.LOAD_FROM_DISK):
        yield Parameter(
            "memory_path",
            "str",
            '""',
            "The folder that memory is read from; empty takes the copy in the package.",
            elements=tuple(item.element for item in copied),
        )
    for found in functions(committed, TOOLS, external):
        yield Parameter(
            found.symbol,
            "Callable[[str], str] | None",
            "None",
            "A function that carries out the tool; without it the run goes on and says so.",
            is_callable=True,
            elements=found.elements,
        )
    if confirms_calls(committed):
        yield Parameter(
            "confirm",
            "Callable[[str, str], bool] | None",
            "None",
            "Asked with tool and request before a call that the source wants confirmed; "
            "without it such calls are refused.",
            is_callable=True,
            elements=tuple(item.element for item in asked_rules(committed)),
        )
    if backend_from_environment(committed):
        yield Parameter("backend", "str", '""', "The Mellea backend; empty takes config.BACKEND.")
        yield Parameter("model_id", "str", '""', "The model; empty takes config.MODEL_ID.")


def _argument(item: PlannedElement) -> Parameter:
    argument = item.element.facts[ArgumentFact]
    annotation = argument.type or "str"
    among = f" One of: {', '.join(argument.choices)}." if argument.choices else ""
    return Parameter(
        symbol_of(item),
        annotation,
        ARGUMENT_DEFAULTS[annotation],
        f"The argument {argument.argument} of the command.{among}",
        elements=(item.element,),
    )


def _text_parameter(
    name: str, description: str, items: Iterable[PlannedElement], default_constant: str
) -> Parameter:
    ending = f"; empty takes config.{default_constant}." if default_constant else "; empty means none."
    return Parameter(
        name,
        "str",
        '""',
        description + ending,
        default_constant=default_constant,
        elements=tuple(item.element for item in items),
    )


def _titled(item: PlannedElement) -> str:
    return f"The agent's own text from {item.element.location}"
