"""Emits pipeline.py: the agent as one synchronous callable, `run_pipeline(...) -> AgentReply` (spec/package.md 2)."""

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.package import EmittedFile
from melleafy_tui.generators.environment import render_template
from melleafy_tui.generators.imports import import_lines
from melleafy_tui.generators.layout import parameters, statement, value
from melleafy_tui.generators.literals import plain_words
from melleafy_tui.generators.parameters import pipeline_parameters
from melleafy_tui.generators.pipeline_body import pipeline_body
from melleafy_tui.generators.pipeline_parts import PipelineParts, pipeline_parts
from melleafy_tui.generators.provenance import Page
from melleafy_tui.generators.shape import SCHEDULED_RUN


def generate_pipeline(committed: CommittedPlan) -> list[EmittedFile]:
    """Return pipeline.py."""
    parts = pipeline_parts(committed)
    page = Page(f"{committed.package_name}/pipeline.py")
    name = plain_words(committed.project_name)
    page.add(f'"""The {name} agent as one callable: run_pipeline(message) -> AgentReply."""')
    page.blank()
    page.add(_imports(parts))
    for constant in _module_constants(parts):
        page.blank()
        page.add(constant)
    page.blank(2)
    page.add(
        render_template(
            "pipeline_helpers.py.j2",
            structured=parts.structured,
            joins=parts.joins,
            defaults=parts.defaults,
            listed_fields=bool(parts.texts.identity or parts.steps or parts.arguments),
            guarded=parts.guarded,
            confirms=parts.confirms,
            settles=parts.settles,
            workflow=parts.workflow,
            references=bool(parts.texts.memory),
            rule_stubs=parts.rule_stubs,
            drafts=parts.drafts,
            consults=parts.consults,
            attempts=parts.attempts,
            tools=bool(parts.tools),
            tool_errors=parts.tool_errors,
            external_backend=parts.external_backend,
            persona_argument=parts.persona_argument("persona"),
        )
    )
    page.blank(2)
    declared = [parameter.declaration for parameter in pipeline_parameters(committed)]
    page.add(statement("", parameters("def run_pipeline", declared), " -> AgentReply:"))
    page.add(_docstring(committed, parts))
    page.add(pipeline_body(parts))
    return [page.emitted()]


def _module_constants(parts: PipelineParts) -> list[list[str]]:
    constants: list[list[str]] = []
    if parts.heartbeat:
        constants.append(['HEARTBEAT = "heartbeat"'])
    if parts.scheduled:
        constants.append(statement("SCHEDULED_RUN = ", value(SCHEDULED_RUN)))
    if parts.structured:
        constants.append(['ModelT = TypeVar("ModelT", bound=BaseModel)'])
    if parts.external_backend:
        constants.append(['BackendName = Literal["ollama", "hf", "openai", "watsonx", "litellm"]'])
    return constants


def _imports(parts: PipelineParts) -> list[str]:
    typing = ["Literal"] if parts.external_backend else []
    typing += ["Any"] if parts.settles else []
    mellea_requirements = ["check", "simple_validate"]
    if parts.structured:
        typing.append("TypeVar")
        mellea_requirements += ["Requirement", "req"]
    if parts.loaded_rules:
        mellea_requirements.append("req")
    schemas = ["AgentReply"]
    schemas += ["Draft"] if parts.drafts else []
    schemas += ["HeartbeatDecision"] if parts.heartbeat else []
    schemas += ["ToolChoice"] if parts.tools else []
    schemas += [schema.class_name for schema in parts.schemas]
    names: dict[str, list[str]] = {
        "collections.abc": ["Callable", "Iterator"] if parts.uses_callable else ["Iterator"],
        "contextlib": ["contextmanager"],
        "typing": typing,
        "mellea": ["MelleaSession", "start_session"] if parts.settles else ["start_session"],
        "mellea.backends": ["ModelOption"] if parts.system_persona else [],
        "mellea.core": ["SamplingResult"],
        "mellea.stdlib.requirements": mellea_requirements,
        "mellea.stdlib.sampling": ["RepairTemplateStrategy"],
        "pydantic": ["BaseModel", "ValidationError"] if parts.structured or parts.settles else [],
        ".": list(parts.modules),
        ".fixtures": ["mock_tools"] if parts.mocks else [],
        ".permissions": ["refusal", *(["question"] if parts.confirms else [])] if parts.guarded else [],
        ".requirements": list(parts.requirement_names),
        ".schemas": schemas,
    }
    return import_lines((), names)


def _docstring(committed: CommittedPlan, parts: PipelineParts) -> list[str]:
    summary = "Answer one message."
    if parts.heartbeat:
        summary = "Answer one message, or decide on one heartbeat and act on it."
    elif parts.scheduled:
        summary = "Answer one message, or do what the schedule asks for."
    lines = [f'    """{summary}', "", "    Args:"]
    lines += [
        f"        {parameter.name}: {plain_words(parameter.description)}"
        for parameter in pipeline_parameters(committed)
    ]
    return [
        *lines,
        "",
        "    Returns:",
        "        The reply, whether it was skipped, and which requirements it does not meet.",
        "",
        "    Raises:",
        "        BackendError: a model call did not come to its end.",
        *(["        RuleError: a validator of the host failed."] if parts.rule_stubs else []),
        "        PipelineError: the model's answer could not be used.",
        '    """',
    ]
