"""Determines what the emitted pipeline consists of: its ways to be woken, tools and forms."""

from typing import Final

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.vocabulary import Disposition, Modality, PersonaChannel
from melleafy_tui.generators import package_shape as shape
from melleafy_tui.generators.tools import working_tools


class PipelineParts:
    """The parts of a package's pipeline.

    Args:
        committed: The committed plan.

    Attributes:
        heartbeat: A run may be a heartbeat.
        scheduled: A schedule may run the agent with tasks from the source.
        wakes: A run without a message is a wake-up.
        event: An event may wake the agent.
        system_persona: The persona is passed as the system prompt.
        schemas: The forms to fill after the reply.
        tools: tools.py lists tools that the model may call.
        passed_tools: The parameters that are tools, passed by the caller.
        offers: The model may call tools.
        replies_with_tools: The call of the reply offers the tools.
    """

    def __init__(self, committed: CommittedPlan) -> None:
        self.heartbeat: Final = shape.is_heartbeat(committed)
        self.scheduled: Final = shape.is_scheduled(committed)
        self.wakes: Final = self.heartbeat or self.scheduled
        self.event: Final = Modality.EVENT_TRIGGERED in shape.modalities(committed)
        self.system_persona: Final = committed.settings.persona_channel is PersonaChannel.SYSTEM
        self.schemas: Final = shape.schemas(committed)
        external = shape.functions(committed, shape.TOOLS, Disposition.EXTERNAL_INPUT)
        self.tools: Final = bool(working_tools(committed).callable)
        self.passed_tools: Final = tuple(sorted(function.symbol for function in external))
        self.offers: Final = self.tools or bool(external)
        self.replies_with_tools: Final = self.offers and not self.schemas  # a form calls no tools
