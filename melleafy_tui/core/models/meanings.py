"""One plain sentence for each tag, category, use and value of an axis, as help, lists and side panes show it.

Dispositions have theirs in `vocabulary.DISPOSITIONS`.
"""

from typing import Final

from melleafy_tui.core.models.vocabulary import Archetype, DecisionKind, Shape, Tag, ToolInvolvement

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
