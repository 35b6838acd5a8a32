"""Graphs as packages: nodes, edges and branches read from Python that is only parsed."""

from pathlib import Path

import pytest

from melleafy_tui.core.lint.table import lint_file_set
from melleafy_tui.core.models.procedure import END, Branch, Does, Procedure
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.smoke.fake_server import FakeModelServer
from melleafy_tui.engine import open_conversion
from tests.converted import DAY, conversion_of
from tests.generators.emitting import loaded_package, ruff_format_changes
from tests.scripted import Script

WORKSPACES = Path(__file__).with_name("workspaces")
NAMES = ("ferries", "triage", "writer")


def graph(name: str) -> Conversion:
    return conversion_of(WORKSPACES / name)


def text(name: str, file: str) -> str:
    files = graph(name).rendered
    return files.by_path[f"{files.package_name}/{file}"].text


def steps_of(name: str) -> Procedure:
    procedure = graph(name).inventory.procedure
    assert procedure is not None
    return procedure


def found_in(tmp_path: Path, code: str) -> Conversion:
    (tmp_path / "graph.py").write_text(
        "from langgraph.graph import END, START, StateGraph\nfrom langgraph.prebuilt import ToolNode, tools_condition\n"
        + code,
        encoding="utf-8",
    )
    return open_conversion(tmp_path, as_of=DAY, generated_at="2026-08-01T00:00:00Z")


def test_gotos_become_branches_of_the_field_that_decides() -> None:
    steps = steps_of("triage").by_id
    triage = steps["triage"]
    assert triage.chooses_by == "kind"
    assert triage.next == (Branch("answer_node", "respond"), Branch("note", "notify"), Branch(END))
    assert steps["ask"].does is Does.WAIT
    assert steps["ask"].says == "May the reply be sent?"
    assert [steps[name].does for name in ("send", "note")] == [Does.RUN, Does.RUN]


def test_prompts_are_read_where_they_stand() -> None:
    config, rules = text("triage", "config.py"), text("triage", "requirements.py")
    assert "You sort the letters of {owner}.\n\n- Ignore advertising.\n" in config
    assert "# PROVENANCE: src/desk/prompts.py:3-6" in config
    assert '"src/desk/prompts.py:10"' in rules
    assert 'at_most(4, "sentences")' in rules


def test_a_field_that_a_node_writes_fills_the_prompt_of_a_later_one() -> None:
    assert steps_of("triage").by_id["answer_node"].fills == {"kind": "triage.kind"}
    assert steps_of("writer").by_id["judge"].fills == {"draft": "write"}
    assert set(steps_of("writer").placeholders) == {"topic"}
    assert steps_of("writer").clocks == ("time_of_the_run",)


def test_a_loop_has_a_bound_and_a_condition_of_the_source() -> None:
    pipeline = text("writer", "pipeline.py")
    assert "for _ in range(config.MAX_STEPS):" in pipeline
    assert 'if judge_result.verdict == "good":' in pipeline


@pytest.mark.slow
def test_nothing_is_sent_before_a_person_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("mellea")

    script: list[dict[str, object]] = [
        {"schema": "Sorted", "reply": {"reasoning": "a letter", "kind": "respond"}},
        {"schema": "", "reply": "A reply."},
    ]
    with FakeModelServer(script=Script(script)) as server:
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        with loaded_package(graph("triage").rendered, tmp_path) as pipeline:
            vars(pipeline)["constrained_slots"].run_send = lambda *_: pytest.fail("it was sent")
            reply = pipeline.run_pipeline("A letter.", "Ada")
    assert (reply.stopped, reply.question) == ("ask", "May the reply be sent?")
    assert reply.text == "A reply."


SENDING = (
    "from langgraph.types import Send\nfrom pydantic import BaseModel\n\n"
    "class Found(BaseModel):\n    towns: list[str]\n\n"
    "def find(state):\n    found = llm.with_structured_output(Found).invoke(f'Find towns near {{state[\"river\"]}}.')\n"
    "    return {{'towns': found.towns}}\n\n"
    "def spread(state):\n    return {spread}\n\n"
    "def tell(state):\n    return {{'tales': [llm.invoke(f'Tell a tale of {{state[\"town\"]}}.').content]}}\n\n"
    "def join(state):\n    return {{'book': llm.invoke(f'Make a book of these: {{state[\"tales\"]}}').content}}\n\n"
    "b = StateGraph(dict)\nb.add_node(find)\nb.add_node(tell)\nb.add_node(join)\nb.add_edge(START, 'find')\n"
    "b.add_conditional_edges('find', spread, ['tell'])\nb.add_edge('tell', 'join')\nb.add_edge('join', END)\n"
)


def test_what_is_sent_for_each_item_of_a_list_is_done_for_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = SENDING.format(spread="[Send('tell', {'town': town}) for town in state['towns']]")
    conversion = found_in(tmp_path, code)
    assert not [each for each in conversion.diagnostics if each.code == "graph-unread"]
    towns = [f"Town {number}" for number in range(5)]
    script: list[dict[str, object]] = [
        {"schema": "Found", "reply": {"towns": towns}},
        {"schema": "", "match": "Town 1\\.", "reply": "The bell of Town 1."},
        {"schema": "", "reply": "A tale."},
    ]
    with FakeModelServer(script=Script(script)) as server:
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        with loaded_package(conversion.rendered, tmp_path / "out") as pipeline:
            reply = pipeline.run_pipeline(river="Ister")
        asked = [call.prompt for call in server.calls]
    assert [f"Tell a tale of Town {number}." in asked[number + 1] for number in range(5)] == [True] * 5
    assert "The bell of Town 1.\n\nA tale." in asked[-1]
    assert len(asked) == len(towns) + 2
    assert [step.step for step in reply.steps] == ["find", *["tell"] * len(towns), "join"]


@pytest.mark.parametrize(
    "spread",
    [
        "[Send('tell', {'town': town}) for town in state['towns'] if town]",
        "[Send('tell', {'town': town}) for town in state['others']]",
        "[Send('tell', state) for town in state['towns']]",
        "[Send('tell', {'town': town.upper()}) for town in state['towns']]",
        "[Send('tell', {'town': 'a'}), Send('tell', {'town': 'b'})]",
    ],
)
def test_what_is_sent_otherwise_is_named(spread: str, tmp_path: Path) -> None:
    conversion = found_in(tmp_path, SENDING.format(spread=spread))
    (finding,) = [each for each in conversion.diagnostics if each.code == "graph-unread"]
    assert "sent" in finding.message
    assert conversion.inventory.procedure is not None
    assert all(not step.over for step in conversion.inventory.procedure.steps)


NODE = (
    "from langchain_core.messages import HumanMessage, SystemMessage\n"
    "from desk.words import TELL\n"
    "from datetime import datetime\n\n"
    "def today():\n    return datetime.now().strftime('%x')\n\n"
    "def tell(state):\n    said = TELL.format(messages=state['messages'], date=today())\n"
    "    answer = llm.invoke([HumanMessage(content=said)])\n"
    "    return {'tale': answer, 'later': [SystemMessage(content='You are the next one.')]}\n\n"
)
ONE = "b = StateGraph(dict)\nb.add_node(tell)\nb.add_edge(START, 'tell')\n"


def test_a_node_is_given_what_its_model_is_sent_and_no_more(tmp_path: Path) -> None:
    (tmp_path / "desk").mkdir()
    (tmp_path / "desk" / "words.py").write_text("TELL = 'Tell of {messages} on {date}.'\n", encoding="utf-8")
    conversion = found_in(tmp_path, NODE + ONE)
    procedure = conversion.inventory.procedure
    assert procedure is not None
    (step,) = procedure.steps
    assert (step.fills, step.persona, procedure.clocks) == ({"messages": "message"}, "", ("date",))
    assert (procedure.placeholders, procedure.takes_message) == ({}, True)
    assert all(each.value != "You are the next one." for each in conversion.inventory.elements)


def test_a_graph_without_an_end_is_converted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = NODE.replace("from desk.words import TELL", "TELL = 'Tell of {messages} on {date}.'")
    conversion = found_in(tmp_path, f"{code}{ONE}b.add_edge('tell', 'tell')\n")
    assert lint_file_set(conversion.rendered).passed
    with FakeModelServer(script=Script([{"reply": "A tale."}])) as server:
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        with loaded_package(conversion.rendered, tmp_path / "out") as pipeline:
            assert pipeline.run_pipeline("rain").stopped == "budget"


@pytest.mark.parametrize(("variable", "first"), [("graph", "tell"), ("other", "sing")])
def test_the_graph_that_the_configuration_names_is_taken(variable: str, first: str, tmp_path: Path) -> None:
    (tmp_path / "langgraph.json").write_text(
        f'{{"graphs": {{"x": "./graph.py:{variable}"}}}}', encoding="utf-8"
    )
    sing = "def sing(state):\n    return {'song': llm.invoke('Sing a song of rain.')}\n\n"
    two = "graph = b.compile()\nc = StateGraph(dict)\nc.add_node(sing)\nother = c.compile()\n"
    procedure = found_in(tmp_path, f"{NODE}{sing}{ONE}{two}").inventory.procedure
    assert procedure is not None
    assert procedure.steps[0].step_id == first


def test_a_node_that_makes_the_calls_of_the_model_is_no_step(tmp_path: Path) -> None:
    code = (
        "def weigh(crate):\n    '''Weigh a crate.'''\n\n"
        "def agent(state):\n    return {'messages': [llm.bind_tools([weigh]).invoke([('system', 'You weigh crates.')])]}\n\n"
        "def act(state):\n    return [weigh(**each['args']) for each in getattr(state['messages'][-1], 'tool_calls', [])]\n\n"
        "def send(state):\n    post(state['messages'][-1].tool_calls[0]['args']['to'])\n\n"
        "b = StateGraph(dict)\nb.add_node(agent)\nb.add_node(act)\nb.add_node(send)\nb.add_edge(START, 'agent')\n"
        "b.add_conditional_edges('agent', choose, ['act', 'send'])\nb.add_edge('act', 'agent')\n"
    )
    procedure = found_in(tmp_path, code).inventory.procedure
    assert procedure is not None
    assert [step.step_id for step in procedure.steps] == ["agent", "send"]


def test_a_tool_node_becomes_the_tools_of_the_step_before_it(tmp_path: Path) -> None:
    code = (
        "def weigh(crate):\n    '''Weigh a crate.'''\n\n"
        "def agent(state):\n    return {'messages': [llm.bind_tools([weigh]).invoke([('system', 'You weigh crates.')])]}\n\n"
        "b = StateGraph(dict)\nb.add_node(agent)\nb.add_node('tools', ToolNode([weigh]))\nb.add_edge(START, 'agent')\n"
        "b.add_conditional_edges('agent', tools_condition)\nb.add_edge('tools', 'agent')\ngraph = b.compile()\n"
    )
    procedure = found_in(tmp_path, code).inventory.procedure
    assert procedure is not None
    (step,) = procedure.steps
    assert (step.tools, step.next) == (("weigh",), (Branch(END),))


def test_code_that_routes_is_a_choice_that_is_named(tmp_path: Path) -> None:
    code = (
        "def first(state):\n    return {'a': llm.invoke('Say the first thing.')}\n\n"
        "def second(state):\n    return {'b': llm.invoke('Say the second thing.')}\n\n"
        "def route(state):\n    '''Go on while there is time.'''\n    return 'second' if clock() else END\n\n"
        "b = StateGraph(dict)\nb.add_node(first)\nb.add_node(second)\nb.add_edge(START, 'first')\n"
        "b.add_conditional_edges('first', route)\ngraph = b.compile()\n"
    )
    conversion = found_in(tmp_path, code)
    assert conversion.inventory.procedure is not None
    choice = conversion.inventory.procedure.by_id["after_first"]
    assert choice.does is Does.CHOOSE
    assert [branch.when for branch in choice.next] == ["second", "end"]
    assert "Routing by code" in {found.title for found in conversion.inventory.unsupported}


def test_code_and_format_are_those_of_ruff() -> None:
    modules = [
        file.data
        for name in NAMES
        for file in graph(name).rendered.files
        if file.path.endswith("pipeline.py")
    ]
    assert ruff_format_changes(modules, lint=True) == ""
