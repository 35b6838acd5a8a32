"""Emits schemas.py: the typed results of the pipeline, plain JSON values throughout."""

from melleafy_tui.core.models.package import EmittedFile
from melleafy_tui.core.models.plan import CommittedPlan
from melleafy_tui.generators.imports import import_lines
from melleafy_tui.generators.layout import Argument, Group, Raw, statement
from melleafy_tui.generators.literals import string_literal
from melleafy_tui.generators.pipeline_parts import PipelineParts, pipeline_parts
from melleafy_tui.generators.provenance import Page

_DECISION = '''class HeartbeatDecision(BaseModel):
    """Whether this wake-up has something to do."""

    decision: Literal["act", "skip"]
    reason: str = Field(description="One sentence that says why.")
'''

_DRAFT = '''class Draft(BaseModel):
    """A text that a step before the reply writes."""

    text: str = Field(min_length=1, description="The text, and nothing else.")
'''

_REPLY = '''class AgentReply(BaseModel):
    """What one run of the agent gives back."""

    text: str = Field(description="The reply; empty when the run was skipped.")
    skipped: bool = Field(description="True when a heartbeat found nothing to do.")
    reason: str = Field(description="Why the run acted or skipped.")
    unmet: list[str] = Field(description="Requirements that the reply does not meet.")
    notes: list[str] = Field(
        description="What was left out, for example a memory stub."
    )
'''


def generate_schemas(committed: CommittedPlan) -> list[EmittedFile]:
    """Return schemas.py."""
    parts = pipeline_parts(committed)
    page = Page(f"{committed.package_name}/schemas.py")
    page.add('"""Typed results of the pipeline. All fields are plain JSON values."""')
    page.blank()
    typing = ["Literal"] if parts.heartbeat or parts.tools else []
    page.add(import_lines((), {"typing": typing, "pydantic": ["BaseModel", "Field"]}))
    page.blank(2)
    if parts.heartbeat:
        page.add(_DECISION)
        page.blank(2)
    if parts.tools:
        page.add(_tool_choice(parts))
        page.blank(2)
    if parts.drafts:
        page.add(_DRAFT)
        page.blank(2)
    page.add(_REPLY)
    return [page.emitted()]


def _tool_choice(parts: PipelineParts) -> list[str]:
    names = ["none", *(tool.name for tool in parts.tools)]
    choices = Group(
        "Literal", "[", "]", tuple(Argument("", Raw(string_literal(name))) for name in names), "call"
    )
    return [
        "class ToolChoice(BaseModel):",
        '    """Which tool is needed next, if any."""',
        "",
        *statement("tool: ", choices, indent=1),
        '    request: str = Field(description="What to ask the tool; empty for none.")',
    ]
