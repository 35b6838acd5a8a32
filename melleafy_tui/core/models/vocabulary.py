"""The closed vocabularies: tags, categories, dispositions, modalities and others.

Every value is spelled the same way in code, screens, JSON and documents.
"""

from enum import StrEnum
from typing import Final

import msgspec
from msgspec import Struct

from melleafy_tui.core.tables import table_beside

DECISIONS_FILE: Final = "melleafy-decisions.json"
"""The file in the workspace that keeps the user's decisions."""


class Tag(StrEnum):
    """What an element does in the source."""

    EXTRACT = "EXTRACT"
    CLASSIFY = "CLASSIFY"
    GENERATE = "GENERATE"
    VALIDATE_OUTPUT = "VALIDATE_OUTPUT"
    VALIDATE_DOMAIN = "VALIDATE_DOMAIN"
    TRANSFORM = "TRANSFORM"
    QUERY = "QUERY"
    DECIDE = "DECIDE"
    ORCHESTRATE = "ORCHESTRATE"
    CONVERSE = "CONVERSE"
    REMEDIATE = "REMEDIATE"
    SCHEMA = "SCHEMA"
    CONFIG = "CONFIG"
    TOOL_TEMPLATE = "TOOL_TEMPLATE"
    DETERMINISTIC = "DETERMINISTIC"
    TOOL_INPUT = "TOOL_INPUT"
    NO_DECOMPOSE = "NO_DECOMPOSE"


class Category(StrEnum):
    """Which part of the agent an element belongs to; NONE is U+2014."""

    C1 = "C1"
    C2 = "C2"
    C3 = "C3"
    C4 = "C4"
    C5 = "C5"
    C6 = "C6"
    C7 = "C7"
    C8 = "C8"
    C9 = "C9"
    NONE = "—"


class DecisionKind(StrEnum):
    """What may happen because of an element; each is no unless a closed test, or a person, says yes.

    `vocabulary.toml` says what each means; a judged rule is kept by a model's word, a checked one by Python's.
    """

    JUDGED = "judged"
    CHECKED = "checked"
    TASK = "task"
    TOOL = "tool"
    ASKS_FIRST = "asks_first"
    SECRET = "secret"
    LEFT_OUT = "left_out"
    PLACEHOLDER = "placeholder"
    OVERRIDABLE = "overridable"
    TRAVELS = "travels"


FORBIDDEN_TOGETHER: Final[dict[Tag, frozenset[Category]]] = {
    Tag.SCHEMA: frozenset(Category) - {Category.NONE},
    Tag.CONFIG: frozenset({Category.C4, Category.C5, Category.C9}),
    Tag.TOOL_TEMPLATE: frozenset(Category) - {Category.C6},
    Tag.NO_DECOMPOSE: frozenset(Category) - {Category.NONE},
}
"""The categories that an element with a given tag can't have."""


def allowed_together(tag: Tag, category: Category) -> bool:
    """Return whether an element can have both this tag and this category."""
    return category not in FORBIDDEN_TOGETHER.get(tag, frozenset())


class Disposition(StrEnum):
    """What happens to a plan entry in the package."""

    BUNDLE = "bundle"
    REAL_IMPL = "real_impl"
    STUB = "stub"
    MOCK = "mock"
    DELEGATE_TO_RUNTIME = "delegate_to_runtime"
    EXTERNAL_INPUT = "external_input"
    LOAD_FROM_DISK = "load_from_disk"
    REMOVE = "remove"


class DispositionInfo(Struct, frozen=True):
    """What people see of a disposition: on screens, in plain lines, and in the documents of a package.

    Attributes:
        label: Its name in lists and questions.
        meaning: What it does, one sentence.
        in_documents: What became of an element, in a few words.
        key: The letter that chooses it.
        key_label: The label of that key.
        key_help: What the key does, one sentence.
        tone: The tone of its label (`widgets/styled_text.py`).
        in_footer: Whether the footer has room for its key.
    """

    label: str
    meaning: str
    in_documents: str
    key: str
    key_label: str
    key_help: str
    tone: str
    in_footer: bool = True


class DecisionSource(StrEnum):
    """Who chose a disposition."""

    AUTO = "auto"
    DIALECT = "dialect"
    USER = "user"
    CONFIG = "config"
    INFERRED = "inferred"


class EntryKind(StrEnum):
    """The kind of a plan entry, which is its row in the disposition matrix."""

    IDENTITY = "identity"
    RULE = "rule"
    SCHEMA = "schema"
    FACT_STABLE = "fact_stable"
    FACT_OVERRIDABLE = "fact_overridable"
    STATE = "state"
    MEMORY = "memory"
    TOOL_NARRATIVE = "tool_narrative"
    TOOL_CONCRETE = "tool_concrete"
    TOOL_ABSTRACT = "tool_abstract"
    CREDENTIAL = "credential"
    BACKEND = "backend"
    SCHEDULE = "schedule"
    CROSS_REFERENCE = "cross_reference"


TOOLS: Final = (EntryKind.TOOL_CONCRETE, EntryKind.TOOL_ABSTRACT)
"""The rows that `tools` of a decisions file decides on."""


class ElementRole(StrEnum):
    """A role that refines an element's kind, assigned by its mapping row."""

    EVENT = "event"  # triggered by a host event instead of a schedule
    MEMORY_PAGE = "memory_page"  # of a structured memory, whose pages link to each other
    REFERENCE = "reference"  # material next to a spec, as opposed to notes
    SKILL = "skill"  # or a tool that a skill requires
    CREDENTIAL = "credential"  # a value from the environment; secrets found in any text get this row


class Strength(StrEnum):
    """How strongly a signal indicates a runtime."""

    STRONG = "strong"
    MEDIUM = "medium"
    WEAK = "weak"


STRENGTH_WEIGHTS: Final[dict[Strength, float]] = {
    Strength.STRONG: 2.0,
    Strength.MEDIUM: 1.0,
    Strength.WEAK: 0.5,
}


class Severity(StrEnum):
    """How bad a diagnostic is."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class Runtime(StrEnum):
    """The source runtimes, in the order that breaks ties."""

    AGENT_SKILLS_STD = "agent_skills_std"
    CLAUDE_CODE = "claude_code"
    OPENCLAW = "openclaw"
    CREWAI = "crewai"
    LANGGRAPH = "langgraph"
    AUTOGEN = "autogen"
    LETTA = "letta"
    OPENAI_AGENTS_SDK = "openai_agents_sdk"
    SMOLAGENTS = "smolagents"
    HERMES = "hermes"


HYBRID: Final = "hybrid"
UNKNOWN_RUNTIME: Final = "unknown"


PRIMARY: Final = "primary"
CONTRIBUTOR: Final = "contributor"
MERGE: Final = "merge"
RESOLUTIONS: Final = (PRIMARY, CONTRIBUTOR, MERGE)
"""The possible resolutions of a hybrid's conflict."""


class Modality(StrEnum):
    """How the agent is triggered; declared in order of precedence."""

    HEARTBEAT = "heartbeat"
    EVENT_TRIGGERED = "event_triggered"
    SCHEDULED = "scheduled"
    REVIEW_GATED = "review_gated"
    SYNCHRONOUS_ONESHOT = "synchronous_oneshot"


class Archetype(StrEnum):
    """What kind of work the agent does."""

    ANALYSIS = "A"
    GENERATION = "B"
    DIAGNOSIS = "C"
    INTEGRATION = "D1"
    ORCHESTRATION = "D2"
    KNOWLEDGE = "E"


class Shape(StrEnum):
    """Whether a run has one step or several."""

    SEQUENTIAL = "Sequential"
    ONE_SHOT = "One-shot"


class ToolInvolvement(StrEnum):
    """How the agent uses tools."""

    NO_TOOLS = "P0"
    DETERMINISTIC_CALLS = "P2"
    MODEL_DIRECTED_CALLS = "P3"
    TOOLS_PROVIDE_INPUT = "P4"


class ValidationKind(StrEnum):
    """How a requirement is checked."""

    EXECUTABLE = "executable"
    LLM_JUDGED = "llm_judged"


class PersonaChannel(StrEnum):
    """How the persona text reaches the model."""

    PREFIX = "prefix"
    SYSTEM = "system"


class CategoryInfo(Struct, frozen=True):
    """What is the same for all elements of a category.

    Attributes:
        title: Its name in lists.
        meaning: What belongs to it, one sentence.
        plan_name: Its name in `dependency_plan.json` and the manifest.
        stem: The stem of a symbol for an element whose text gives none.
        kind: The usual kind of its plan entries; tools are refined by their facts.
        usual_tag: The tag of an element whose own tag isn't allowed in the category that the user chooses.
    """

    title: str
    meaning: str
    plan_name: str
    stem: str
    kind: EntryKind
    usual_tag: Tag


class _Shown(Struct, frozen=True):
    """What `vocabulary.toml` holds."""

    disposition: dict[Disposition, DispositionInfo]
    category: dict[Category, CategoryInfo]
    tag: dict[Tag, str]
    decision: dict[DecisionKind, str]
    modality: dict[Modality, str]
    archetype: dict[Archetype, str]
    shape: dict[Shape, str]
    tools: dict[ToolInvolvement, str]


_SHOWN: Final = msgspec.convert(table_beside(__file__, "vocabulary.toml"), _Shown)
DISPOSITIONS: Final = _SHOWN.disposition
CATEGORIES: Final = _SHOWN.category
TAG_MEANINGS: Final = _SHOWN.tag
"""What an element with this tag does, and what the tag makes of it in the package."""

DECISION_MEANINGS: Final = _SHOWN.decision
MODALITY_TITLES: Final = _SHOWN.modality
"""How people read the triggers."""

ARCHETYPE_MEANINGS: Final = _SHOWN.archetype
SHAPE_MEANINGS: Final = _SHOWN.shape
TOOL_MEANINGS: Final = _SHOWN.tools
