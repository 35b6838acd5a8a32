"""The closed vocabularies: tags, categories, dispositions, modalities and others.

Every value is spelled the same way in code, screens, JSON and documents.
"""

from enum import StrEnum
from typing import Final

from msgspec import Struct

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
    """What may happen because of an element; each is no unless a closed test, or a person, says yes."""

    JUDGED = "judged"
    """A model judges on every reply whether it is kept."""

    CHECKED = "checked"
    """Python checks on every reply whether it is kept."""

    TASK = "task"
    """It wakes the agent at a time of its own."""

    TOOL = "tool"
    """The package may call it."""

    ASKS_FIRST = "asks_first"
    """An action that it names needs the user's agreement each time."""

    SECRET = "secret"
    """It holds a value that is masked."""

    LEFT_OUT = "left_out"
    """It isn't part of the package."""

    PLACEHOLDER = "placeholder"
    """It is a blank of a template that nobody filled in."""

    OVERRIDABLE = "overridable"
    """A fact that the caller may replace on each run."""

    TRAVELS = "travels"
    """The value of an overridable fact is in the package, as its default."""


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


DISPOSITIONS: Final[dict[Disposition, DispositionInfo]] = {
    Disposition.BUNDLE: DispositionInfo(
        "bundle",
        "The text becomes part of the package.",
        "part of the package",
        "b",
        "bundle",
        "Bundle it: the text becomes part of the package.",
        "good",
    ),
    Disposition.REAL_IMPL: DispositionInfo(
        "real_impl",
        "Working code is generated for it.",
        "working code",
        "i",
        "impl",
        "Generate a working implementation.",
        "accent",
    ),
    Disposition.STUB: DispositionInfo(
        "stub",
        "A typed function is left for you to write; it raises NotImplementedError until then.",
        "a function for you to write",
        "s",
        "stub",
        "Leave a stub for you to write.",
        "warn",
    ),
    Disposition.MOCK: DispositionInfo(
        "mock",
        "A made-up sample, for the package's own fixtures only.",
        "made-up samples, for fixtures only",
        "m",
        "mock",
        "Use a sample in the fixtures.",
        "number",
        in_footer=False,
    ),
    Disposition.DELEGATE_TO_RUNTIME: DispositionInfo(
        "delegate",
        "The host that runs the package provides it; SETUP.md says what to connect.",
        "left to the host that runs the package",
        "d",
        "deleg.",
        "Leave it to the host that runs the package.",
        "keyword",
    ),
    Disposition.EXTERNAL_INPUT: DispositionInfo(
        "external",
        "It is passed in from outside on each run, as a parameter and a flag or as a variable.",
        "given by the caller",
        "e",
        "ext.",
        "Pass it in from outside on each run.",
        "info",
    ),
    Disposition.LOAD_FROM_DISK: DispositionInfo(
        "load",
        "It is read from a file of the package at start, so that it can be edited without code.",
        "read from a file at start",
        "l",
        "load",
        "Load it from a file of the package at start.",
        "name",
        in_footer=False,
    ),
    Disposition.REMOVE: DispositionInfo(
        "remove",
        "It is left out; the mapping report lists it.",
        "left out",
        "x",
        "remove",
        "Leave it out; the report says so.",
        "bad",
    ),
}


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
    STEP = "step"
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

    EVENT = "event"
    """Triggered by a host event instead of a schedule."""

    MEMORY_PAGE = "memory_page"
    """A page of a structured memory; its pages link to each other."""

    REFERENCE = "reference"
    """Reference material next to a spec, as opposed to notes."""

    SKILL = "skill"
    """A skill, or a tool that a skill requires."""

    CREDENTIAL = "credential"
    """A value from the environment; secrets found in any text get this row."""


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


MODALITY_TITLES: Final[dict[Modality, str]] = {
    Modality.HEARTBEAT: "heartbeat",
    Modality.EVENT_TRIGGERED: "event-triggered",
    Modality.SCHEDULED: "scheduled",
    Modality.REVIEW_GATED: "review-gated",
    Modality.SYNCHRONOUS_ONESHOT: "one-shot",
}
"""How people read the triggers."""


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


CATEGORIES: Final[dict[Category, CategoryInfo]] = {
    Category.C1: CategoryInfo(
        "Identity",
        "Who the agent is: persona, name, voice; it leads every prompt.",
        "c1_identity",
        "identity",
        EntryKind.IDENTITY,
        Tag.CONVERSE,
    ),
    Category.C2: CategoryInfo(
        "Operating rules",
        "What the agent must, may and must not do: requirements, guidance and limits of tools.",
        "c2_operating_rules",
        "rule",
        EntryKind.RULE,
        Tag.DECIDE,
    ),
    Category.C3: CategoryInfo(
        "User facts",
        "What is known about the user: constants, or values that the caller passes in.",
        "c3_user_facts",
        "fact",
        EntryKind.FACT_STABLE,
        Tag.CONFIG,
    ),
    Category.C4: CategoryInfo(
        "Short-term state",
        "What the agent keeps for the task at hand: a state file beside the package.",
        "c4_short_term_state",
        "state",
        EntryKind.STATE,
        Tag.QUERY,
    ),
    Category.C5: CategoryInfo(
        "Long-term memory",
        "What the agent keeps for good: memory files that the package searches.",
        "c5_long_term_memory",
        "memory",
        EntryKind.MEMORY,
        Tag.QUERY,
    ),
    Category.C6: CategoryInfo(
        "Tools",
        "What the agent can call: functions with typed parameters in tools.py.",
        "c6_tools",
        "tool",
        EntryKind.TOOL_NARRATIVE,
        Tag.TOOL_TEMPLATE,
    ),
    Category.C7: CategoryInfo(
        "Credentials",
        "Keys and passwords: variables of the environment, never values in the package.",
        "c7_credentials",
        "secret",
        EntryKind.CREDENTIAL,
        Tag.CONFIG,
    ),
    Category.C8: CategoryInfo(
        "Runtime environment",
        "What the agent runs on: backend, model and settings in config.py.",
        "c8_runtime_environment",
        "runtime",
        EntryKind.BACKEND,
        Tag.CONFIG,
    ),
    Category.C9: CategoryInfo(
        "Scheduling",
        "When the agent wakes: entries of the schedule, and their checklist.",
        "c9_scheduling",
        "schedule",
        EntryKind.SCHEDULE,
        Tag.ORCHESTRATE,
    ),
    Category.NONE: CategoryInfo(
        "No category",
        "No part of the agent: headings, links and other text that is not converted.",
        "cross_reference",
        "text",
        EntryKind.CROSS_REFERENCE,
        Tag.NO_DECOMPOSE,
    ),
}


TAG_MEANINGS: Final[dict[Tag, str]] = {
    Tag.EXTRACT: "Takes values out of the input: a typed extraction with its fields.",
    Tag.CLASSIFY: "Chooses one of a closed set of labels: a typed choice.",
    Tag.GENERATE: "Says what to write or how to speak: text of the prompt.",
    Tag.VALIDATE_OUTPUT: "A rule about the answer: a requirement that is checked, if the answer shows it.",
    Tag.VALIDATE_DOMAIN: "A rule about facts or figures of the field: a requirement that is checked.",
    Tag.TRANSFORM: "Turns one form of the data into another: a step of the pipeline.",
    Tag.QUERY: "Looks something up, in memory or with a tool: a call before the answer.",
    Tag.DECIDE: "A condition with its consequence: a branch, or a rule that names the condition.",
    Tag.ORCHESTRATE: "An order of work: steps in sequence, or text of the prompt.",
    Tag.CONVERSE: "How to talk with the person, when to ask or to be silent: text of the prompt.",
    Tag.REMEDIATE: "What to do when something fails: the way a step or a tool recovers.",
    Tag.SCHEMA: "The form of a record: a typed model in schemas.py.",
    Tag.CONFIG: "A value or a fact: a constant in config.py.",
    Tag.TOOL_TEMPLATE: "How a tool is called: a typed function in tools.py.",
    Tag.DETERMINISTIC: "Needs no model: plain Python does it.",
    Tag.TOOL_INPUT: "What a tool gives to the model: input of a step.",
    Tag.NO_DECOMPOSE: "Carries other lines or needs no conversion: nothing is generated.",
}
"""What an element with this tag does, and what the tag makes of it in the package."""

DECISION_MEANINGS: Final[dict[DecisionKind, str]] = {
    DecisionKind.JUDGED: "A model judges on every reply whether it is kept.",
    DecisionKind.CHECKED: "Python checks on every reply whether it is kept.",
    DecisionKind.TASK: "It wakes the agent at a time of its own.",
    DecisionKind.TOOL: "The package has a function for it that the model may call.",
    DecisionKind.ASKS_FIRST: "Tools that do what it names ask before each call.",
    DecisionKind.SECRET: "Its value is masked and comes from the environment.",
    DecisionKind.LEFT_OUT: "It is in no prompt and no file of the package but the report.",
    DecisionKind.PLACEHOLDER: "A blank of a template: nothing is generated.",
    DecisionKind.OVERRIDABLE: "The caller may replace it on each run.",
    DecisionKind.TRAVELS: "Its value is in the package as the default.",
}

ARCHETYPE_MEANINGS: Final[dict[Archetype, str]] = {
    Archetype.ANALYSIS: "reads what it gets and reports on it",
    Archetype.GENERATION: "writes texts or other content",
    Archetype.DIAGNOSIS: "finds causes and proposes repairs",
    Archetype.INTEGRATION: "connects other services by calling them",
    Archetype.ORCHESTRATION: "runs several steps or agents in order",
    Archetype.KNOWLEDGE: "answers from what it knows or remembers",
}

SHAPE_MEANINGS: Final[dict[Shape, str]] = {
    Shape.SEQUENTIAL: "several steps in order",
    Shape.ONE_SHOT: "one step",
}

TOOL_MEANINGS: Final[dict[ToolInvolvement, str]] = {
    ToolInvolvement.NO_TOOLS: "no tools",
    ToolInvolvement.DETERMINISTIC_CALLS: "tools are called in a fixed order",
    ToolInvolvement.MODEL_DIRECTED_CALLS: "the model chooses which tools to call",
    ToolInvolvement.TOOLS_PROVIDE_INPUT: "tools provide the input",
}
