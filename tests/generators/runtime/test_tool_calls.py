"""Tools that the model may call, through Mellea against a stand-in server."""

import asyncio
import json
import logging
from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import partial
from typing import Any, Literal

import pytest
from mellea import MelleaSession, start_session
from mellea.backends import ModelOption
from mellea.core import SamplingResult
from mellea.stdlib.components import Instruction, Message
from mellea.stdlib.context import ChatContext
from pydantic import BaseModel

from melleafy_tui.core.package.permissions import confirming, denying, granting
from melleafy_tui.generators.runtime import tool_calls
from melleafy_tui.generators.runtime.call_rules import CallRules
from melleafy_tui.generators.runtime.confirming import asking, confirmed
from melleafy_tui.generators.runtime.prompts import Piece, prompt
from melleafy_tui.generators.runtime.rule_panel import Panel
from melleafy_tui.generators.runtime.runtime import EndingBackend, not_empty, tokens_of
from melleafy_tui.generators.runtime.tool_calls import Tool, ToolCalls
from melleafy_tui.generators.runtime.tools_common import ToolError
from tests.generators.runtime.tool_model import Said, ToolModel, serving

NO_TOOLS = (400, "registry.ollama.ai/library/granite4.1:3b does not support tools")


@pytest.fixture(scope="module")
def model() -> Iterator[ToolModel]:
    logging.getLogger("mellea").setLevel(logging.CRITICAL)
    with serving() as found:
        yield found


@pytest.fixture
def m(model: ToolModel) -> Iterator[MelleaSession[Any]]:
    with start_session(
        "ollama", "granite4.1:3b", base_url=model.url, model_options={"num_ctx": 4096}
    ) as found:
        yield found


class Shop:
    """Tools that remember how they were called."""

    def __init__(self) -> None:
        self.calls: list[tuple[object, ...]] = []

    def order(self, number: str, days: int = 3, kind: Literal["in", "out"] = "in") -> dict[str, object]:
        """Return an order.

        Args:
            number: The number as printed.
            days: How far back.
            kind: Its direction.
        """
        self.calls.append(("order", number, days, kind))
        return {"net": 1000.5, "supplier": "Lindqvist Mö"}

    def mail(self, to: str) -> str:
        """Send a mail."""
        self.calls.append(("mail", to))
        return "sent"

    def fails(self) -> str:
        """Fail."""
        raise ToolError("https://api.example.com: HTTP status 503")

    def stub(self, request: str) -> str:
        """Do something that nobody wrote."""
        raise NotImplementedError("stub: connect the tool (SETUP.md §8)")

    def crash(self) -> str:
        """Crash."""
        raise ZeroDivisionError


@pytest.fixture
def shop() -> Shop:
    return Shop()


def use_tools(
    m: MelleaSession[Any],
    request: str,
    tools: list[Tool],
    notes: list[str],
    *,
    prefix: str | None = None,
    known: dict[str, str] | None = None,
    model_options: dict[str, object] | None = None,
    **limits: Any,
) -> str:
    calls = ToolCalls(tools, notes, **limits)
    choose(m, request, calls, prefix=prefix, known=known, model_options=model_options)
    return calls.results


def choose(
    m: MelleaSession[Any],
    request: str,
    calls: ToolCalls,
    *,
    prefix: str | None = None,
    known: dict[str, str] | None = None,
    model_options: dict[str, object] | None = None,
) -> None:
    """Let the model call tools, as it does before a typed answer."""
    asked = Instruction(prompt("", message=request, **(known or {})), prefix=prefix)
    backend = EndingBackend.of(m.backend)
    asyncio.run(calls.choose(asked, m.ctx, backend, model_options or {}, tool_calls.OR_NONE))


def test_a_call_is_made_with_typed_arguments(model: ToolModel, m: MelleaSession[Any], shop: Shop) -> None:
    model.say([("order", {"number": 4500123, "days": "7"})])
    notes: list[str] = []
    found = use_tools(m, "Check 4500123", [Tool(shop.order)], notes, prefix="You are Ada.")
    assert shop.calls == [("order", "4500123", 7, "in")]
    assert found == ('order(number="4500123", days=7): {"net": 1000.5, "supplier": "Lindqvist Mö"}')
    assert notes == []
    first, second = model.requests
    function = first.tools[0]["function"]
    assert function["name"] == "order"
    assert function["description"] == "Return an order."
    assert function["parameters"]["required"] == ["number"]
    assert function["parameters"]["properties"]["days"]["type"] == "integer"
    assert function["parameters"]["properties"]["kind"]["enum"] == ["in", "out"]
    assert function["parameters"]["properties"]["number"]["description"] == "The number as printed."
    assert "You are Ada." in first.prompt
    assert "Check 4500123" in first.prompt
    assert first.options["num_ctx"] == 4096
    assert found in second.prompt
    assert not first.schema


def test_several_calls_at_once_and_one_after_another(
    model: ToolModel, m: MelleaSession[Any], shop: Shop
) -> None:
    model.say([("order", {"number": "1"}), ("order", {"number": "2"})], [("mail", {"to": "a"})])
    found = use_tools(m, "x", [Tool(shop.order), Tool(shop.mail, ask=False)], [])
    assert [line.partition(":")[0] for line in found.splitlines()] == [
        *('order(number="1")', 'order(number="2")', 'mail(to="a")'),
    ]
    assert len(model.requests) == 3


def test_no_call_is_made_when_none_is_needed(model: ToolModel, m: MelleaSession[Any], shop: Shop) -> None:
    model.say("none")
    assert use_tools(m, "hello", [Tool(shop.order)], []) == ""
    assert len(model.requests) == 1
    model.say()
    assert use_tools(m, "hello", [], []) == ""
    assert not model.requests


def test_a_repeated_call_is_made_once(model: ToolModel, m: MelleaSession[Any], shop: Shop) -> None:
    model.answer = lambda _: [("mail", {"to": "a"})]
    model.requests.clear()
    assert use_tools(m, "x", [Tool(shop.mail)], [], rounds=9) == 'mail(to="a"): sent'
    assert shop.calls == [("mail", "a")]
    assert len(model.requests) == 2


def test_rounds_are_limited(model: ToolModel, m: MelleaSession[Any], shop: Shop) -> None:
    calls: list[Said] = [[("mail", {"to": str(number)})] for number in range(9)]
    model.say(*calls)
    assert len(use_tools(m, "x", [Tool(shop.mail)], [], rounds=2).splitlines()) == 2
    assert len(model.requests) == 2


def test_calls_are_limited(model: ToolModel, m: MelleaSession[Any], shop: Shop) -> None:
    model.say([("mail", {"to": str(number)}) for number in range(12)])
    notes: list[str] = []
    assert len(use_tools(m, "x", [Tool(shop.mail)], notes).splitlines()) == 10
    assert len(shop.calls) == 10
    assert notes == [f'mail(to="{number}") was not called: 10 calls a run' for number in (10, 11)]


def test_earlier_turns_are_seen_and_the_context_stays(model: ToolModel, shop: Shop) -> None:
    model.say([("mail", {"to": "a"})])
    context = ChatContext().add(Message("user", "My order is 7.")).add(Message("assistant", "Noted."))
    with start_session("ollama", "granite4.1:3b", ctx=context, base_url=model.url) as m:
        use_tools(m, "x", [Tool(shop.mail)], [], known={"memory": "likes tea"})
        assert m.ctx is context
    for request in model.requests:
        assert [message["role"] for message in request.messages] == ["user", "assistant", "user"]
        assert "My order is 7." in request.prompt
        assert "likes tea" in request.prompt


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        (("orders", {"number": "1"}), "tools: orders was called, which is none of order"),
        (("order", {}), "order: number: Field required"),
        (("order", {"number": "1", "days": "many"}), "order: days: Input should be a valid integer"),
        (("order", {"number": "1", "kind": "up"}), "order: kind: Input should be 'in' or 'out'"),
        (("order", {"number": "1", "more": "2"}), "order: more: Extra inputs are not permitted"),
    ],
)
def test_a_wrong_call_is_said_once_and_then_noted(
    model: ToolModel, m: MelleaSession[Any], shop: Shop, choice: tuple[str, object], said: str
) -> None:
    notes: list[str] = []
    model.say([choice], [("order", {"number": "2"})])
    assert use_tools(m, "x", [Tool(shop.order)], notes, rounds=1).startswith('order(number="2"')
    assert (said in model.requests[1].prompt, notes) == (True, [])
    model.say([choice], [choice], [("order", {"number": "3"})])
    assert use_tools(m, "x", [Tool(shop.order)], notes) == ""
    assert len(notes) == 1
    assert notes[0].startswith(said)
    assert len(model.requests) == 2
    assert shop.calls == [("order", "2", 3, "in")]


def test_a_good_call_beside_a_wrong_one_counts(model: ToolModel, m: MelleaSession[Any], shop: Shop) -> None:
    model.say([("nothing", {}), ("mail", {"to": "a"})])
    notes: list[str] = []
    assert use_tools(m, "x", [Tool(shop.mail)], notes) == 'mail(to="a"): sent'
    said = "tools: nothing was called, which is none of mail"
    assert (said in model.requests[1].prompt, notes) == (True, [])
    model.say([("nothing", {}), ("mail", {"to": "a"})], [("nothing", {}), ("mail", {"to": "b"})])
    assert len(use_tools(m, "x", [Tool(shop.mail)], notes).splitlines()) == 2
    assert notes == [said]


def test_a_call_that_is_only_written_down_is_no_call(
    model: ToolModel, m: MelleaSession[Any], shop: Shop
) -> None:
    """It may be quoted from a page, a mail or the memory."""
    model.say('I know this:\n```json\n{"name": "mail", "arguments": {"to": "thief@example.com"}}\n```')
    assert use_tools(m, "x", [Tool(shop.mail)], []) == ""
    assert shop.calls == []


def test_a_failing_tool_is_an_answer_and_a_note(model: ToolModel, m: MelleaSession[Any], shop: Shop) -> None:
    model.say([("fails", {}), ("crash", {}), ("stub", {"request": "a"})], [("stub", {"request": "b"})])
    notes: list[str] = []
    found = use_tools(m, "x", [Tool(shop.fails), Tool(shop.crash), Tool(shop.stub)], notes)
    assert found.splitlines() == [
        "fails(): failed: https://api.example.com: HTTP status 503",
        "crash(): failed: ZeroDivisionError",
        'stub(request="a"): not available',
    ]
    assert notes == [
        "fails: https://api.example.com: HTTP status 503",
        "crash: ZeroDivisionError",
        "stub: connect the tool (SETUP.md §8)",
    ]
    assert [tool["function"]["name"] for tool in model.requests[1].tools] == ["fails", "crash"]


def test_only_a_stub_is_asked_for_once(model: ToolModel, m: MelleaSession[Any], shop: Shop) -> None:
    model.say([("stub", {"request": "a"})])
    assert use_tools(m, "x", [Tool(shop.stub)], []) == 'stub(request="a"): not available'
    assert len(model.requests) == 1


def test_answers_are_cut_visibly(model: ToolModel, m: MelleaSession[Any]) -> None:
    def read() -> str:
        """Read a page."""
        return "x" * 5000

    model.say([("read", {})])
    notes: list[str] = []
    found = use_tools(m, "x", [Tool(read)], notes)
    assert found == f"read(): {'x' * 4000} [cut, 5000 characters]"
    assert notes == ["read(): there was no room for the whole answer"]


def test_calls_that_need_a_word_are_refused_without_one(
    model: ToolModel, m: MelleaSession[Any], shop: Shop
) -> None:
    notes: list[str] = []
    model.say([("mail", {"to": "a"})])
    found = use_tools(m, "x", [Tool(shop.mail, ask=True)], notes)
    assert found == 'mail(to="a"): refused: the source wants it confirmed, and it was not'
    assert notes == ['mail(to="a") was not called: the source wants it confirmed, and it was not']
    assert shop.calls == []
    asked: list[str] = []

    def confirm(action: str) -> bool:
        asked.append(action)
        return True

    model.say([("mail", {"to": "a"})])
    assert use_tools(m, "x", [Tool(shop.mail, ask=True)], [], confirm=confirm) == 'mail(to="a"): sent'
    assert asked == ['mail(to="a")']


def test_rules_of_the_source_deny_ask_and_allow(model: ToolModel, m: MelleaSession[Any]) -> None:
    ran: list[str] = []

    def git(words: str) -> str:
        """Run git."""
        ran.append(words)
        return "done"

    def tool(**rules: Any) -> Tool:
        return Tool(git, rules=CallRules("Bash", "git {words}", **rules))

    def outcome(tool: Tool, words: str, confirm: Callable[[str], bool] = lambda _: False) -> str:
        model.say([("git", {"words": words})])
        return use_tools(m, "x", [tool], [], confirm=confirm).partition("): ")[2]

    denies = tool(denied=denying("Bash(git push:*)"))
    assert outcome(denies, "push origin") == "refused: Bash(git push:*) denies it"
    assert outcome(denies, "status && git push") == "refused: Bash(git push:*) denies it"
    assert outcome(denies, "pull") == "done"
    asking = tool(ask=confirming("Bash(git commit:*)"))
    assert outcome(asking, "commit -m x") == "refused: Bash(git commit:*) wants it confirmed, and it was not"
    assert outcome(asking, "commit -m x", lambda _: True) == "done"
    assert outcome(asking, "log") == "done"
    allows = tool(allowed=granting("Bash(git status)", "Bash(git log:*)"))
    assert outcome(allows, "log --oneline") == "done"
    outside = "the grant, which leaves it out, wants it confirmed, and it was not"
    assert outcome(allows, "log; rm x") == f"refused: {outside}"
    assert outcome(allows, "pull", lambda _: True) == "done"
    assert (
        outcome(tool(denied=denying("Bash(git:*)"), allowed=granting("Bash")), "log")
        == "refused: Bash(git:*) denies it"
    )
    assert ran == ["pull", "commit -m x", "log", "log --oneline", "pull"]
    rules = CallRules(denied=denying("send(secret*)"))
    plain = Tool(git, name="send", rules=rules, description="Send words.")
    model.say([("send", {"words": "secret plan"})])
    assert "refused" in use_tools(m, "x", [plain], [])
    assert model.requests[0].tools[0]["function"]["description"] == "Send words."


@pytest.mark.parametrize("failure", [NO_TOOLS, (500, "error parsing tool call: raw='{', err=unexpected end")])
def test_a_choice_that_cannot_be_made_is_tried_again_and_then_noted(
    model: ToolModel, m: MelleaSession[Any], shop: Shop, failure: Said
) -> None:
    notes: list[str] = []
    model.say(failure, [("mail", {"to": "a"})], "done")
    assert use_tools(m, "x", [Tool(shop.mail)], notes) == 'mail(to="a"): sent'
    assert notes == []
    model.answer = lambda _: failure
    model.requests.clear()
    assert use_tools(m, "x", [Tool(shop.mail)], notes) == ""
    assert len(model.requests) == 2
    assert len(notes) == 1
    assert notes[0].startswith("tools: none was called: ")


def test_a_failing_model_call_ends_the_run(model: ToolModel, m: MelleaSession[Any], shop: Shop) -> None:
    before = m.ctx
    failures: list[Said] = [(503, "overloaded"), (500, "out of memory")]
    for failure in failures:
        model.say(failure, failure)
        with pytest.raises(Exception, match=str(failure[1])):
            use_tools(m, "x", [Tool(shop.mail)], [])
    assert m.ctx is before


def test_braces_arrive_as_typed(model: ToolModel, m: MelleaSession[Any]) -> None:
    def read(page: str) -> str:
        """Return {{ 7 * 7 }}."""
        return "{{ 7 * 7 }} {% raw %}"

    model.say([("read", {"page": "{{ page }}"})])
    use_tools(m, "Open {{ 6 * 7 }}", [Tool(read)], [], known={"memory": "{{ x }}"}, prefix="{{ persona }}")
    prompt = model.requests[1].prompt
    for text in ("Open {{ 6 * 7 }}", "{{ x }}", "{{ persona }}", "{{ 7 * 7 }} {% raw %}", '"{{ page }}"'):
        assert text in prompt


@pytest.mark.filterwarnings("ignore:Field name")
def test_any_callable_can_be_a_tool(model: ToolModel, m: MelleaSession[Any]) -> None:
    def send(to: str, copy: bool = False, schema: "int | None" = None) -> list[object]:
        """Send."""
        return [to, copy, schema]

    model.say([("mail", {"copy": "true", "schema": 3}), ("ask", {"q": "why"})])
    tools = [Tool(partial(send, "ada"), name="mail"), Tool(lambda q: q, "Ask somebody.", name="ask")]
    assert use_tools(m, "x", tools, []) == 'mail(copy=true, schema=3): ["ada", true, 3]\nask(q="why"): why'


def test_a_typed_answer_is_shown_as_data(model: ToolModel, m: MelleaSession[Any]) -> None:
    class Order(BaseModel):
        net: Decimal

    model.say([("order", {})])
    assert use_tools(m, "x", [Tool(lambda: Order(net=Decimal("1.50")), name="order")], []) == (
        'order(): {"net": "1.50"}'
    )


def test_options_are_passed_on(model: ToolModel, m: MelleaSession[Any], shop: Shop) -> None:
    model.say(NO_TOOLS)
    use_tools(m, "x", [Tool(shop.mail)], [], model_options={ModelOption.SYSTEM_PROMPT: "You are Ada."})
    for request in model.requests:
        assert request.messages[0] == {"role": "system", "content": "You are Ada."}
        assert request.options["num_ctx"] == 4096


@pytest.mark.slow
def test_servers_that_speak_openai_call_tools_as_well(model: ToolModel, shop: Shop) -> None:
    good, unknown, broken = ("mail", '{"to": "a"}'), ("post", "{}"), ("mail", '{"to": ')
    notes: list[str] = []
    model.say([good, unknown], [broken])
    with start_session("openai", "granite", base_url=f"{model.url}/v1", api_key="none") as m:
        assert use_tools(m, "x", [Tool(shop.mail)], notes) == 'mail(to="a"): sent'
    assert "tools: post was called, which is none of mail" in model.requests[1].prompt
    assert len(notes) == 1
    assert model.requests[0].tools[0]["function"]["name"] == "mail"


def test_whoever_can_be_asked_is_asked(model: ToolModel, m: MelleaSession[Any], shop: Shop) -> None:
    assert not confirmed("anything")
    with asking(lambda action: action.startswith("mail")):
        model.say([("mail", {"to": "a"})])
        assert use_tools(m, "x", [Tool(shop.mail, ask=True)], [], confirm=confirmed).endswith("sent")
        assert not confirmed("post()")
    assert not confirmed("mail()")


def reply(
    m: MelleaSession[Any], calls: ToolCalls, panel: Panel | None = None, *, budget: int = 2
) -> SamplingResult[str]:
    """Ask for a reply as a package does, with the tools on offer."""
    return m.instruct(
        "Where is 7?",
        prefix="You are Ada.",
        requirements=[*(panel.requirements if panel else ()), not_empty()],
        strategy=calls.strategy(loop_budget=budget),
        return_sampling_results=True,
    )


def kept(*broken: int) -> str:
    """Return the judge's answer on one rule, "broken" for the number 1."""
    verdict = "broken" if broken else "kept"
    return json.dumps({"rule_1": {"reason": "so it is", "verdict": verdict}})


def test_words_are_the_first_attempt_of_the_reply(
    model: ToolModel, m: MelleaSession[Any], shop: Shop
) -> None:
    model.say("It is on its way.", kept())
    found = reply(
        m, ToolCalls([Tool(shop.order)], []), Panel([Piece("- Be kind.\n", asks="Be kind.")], inputs=dict)
    )
    assert (str(found), found.success, len(found.sample_generations)) == ("It is on its way.", True, 1)
    asked, judge = model.requests
    assert [tool["function"]["name"] for tool in asked.tools] == ["order"]
    assert asked.prompt.endswith(f"{tool_calls.TASK} {tool_calls.OR_REPLY}")
    assert (judge.schema, judge.tools) == ("Verdicts", [])


def test_a_reply_is_asked_for_again_with_what_the_tools_answered(
    model: ToolModel, m: MelleaSession[Any], shop: Shop
) -> None:
    model.say([("order", {"number": "7"})], "It is on its way.", kept())
    calls = ToolCalls([Tool(shop.order)], [])
    found = reply(m, calls, Panel([Piece("- Be kind.\n", asks="Be kind.")], inputs=dict))
    assert str(found) == "It is on its way."
    first, second, judge = model.requests
    assert calls.results not in first.prompt
    assert calls.results in second.prompt
    assert (bool(second.tools), judge.schema) == (True, "Verdicts")


def test_a_repair_offers_no_tools(model: ToolModel, m: MelleaSession[Any], shop: Shop) -> None:
    model.say("No idea!", kept(1), "It is on its way.", kept())
    found = reply(
        m, ToolCalls([Tool(shop.order)], []), Panel([Piece("- Be kind.\n", asks="Be kind.")], inputs=dict)
    )
    assert (str(found), len(found.sample_generations)) == ("It is on its way.", 2)
    asked, _, repair, _ = model.requests
    assert "Your last answer was:\nNo idea!" in repair.prompt
    assert tool_calls.TASK not in repair.prompt
    assert (bool(asked.tools), repair.tools) == (True, [])


def test_an_empty_answer_is_repaired(model: ToolModel, m: MelleaSession[Any], shop: Shop) -> None:
    model.say("", "Here it is.")
    assert str(reply(m, ToolCalls([Tool(shop.order)], []))) == "Here it is."


MAIL = ("mail", {"to": "a"})
STUB = ("stub", {"request": "a"})


@pytest.mark.parametrize(
    ("said", "offers", "note"),
    [
        ([[MAIL], [MAIL], "Sent."], [1, 1, 0], ""),
        ([[MAIL], [("mail", {"to": "b"})], "Sent."], [1, 1, 0], ""),
        ([[("post", {})], [("post", {})], "Sorry."], [1, 1, 0], "tools: post was called, which is none of"),
        ([[STUB], [STUB], "Sorry."], [1, 1, 1], "stub: connect the tool"),
        ([NO_TOOLS, "Hello."], [1, 1], ""),
        ([NO_TOOLS, NO_TOOLS, "Hello."], [1, 1, 0], "tools: none was called"),
    ],
)
def test_a_reply_ends_with_words(
    model: ToolModel, m: MelleaSession[Any], shop: Shop, said: list[Said], offers: list[int], note: str
) -> None:
    model.say(*said)
    notes: list[str] = []
    assert str(reply(m, ToolCalls([Tool(shop.mail), Tool(shop.stub)], notes, rounds=2))) == said[-1]
    assert [bool(request.tools) for request in model.requests] == list(map(bool, offers))
    assert "".join(notes).startswith(note)
    assert bool(notes) is bool(note)


def test_a_reply_without_tools_is_a_plain_one(model: ToolModel, m: MelleaSession[Any]) -> None:
    model.say("Hello.")
    assert str(reply(m, ToolCalls([], []))) == "Hello."
    assert [request.tools for request in model.requests] == [[]]


def test_a_failing_call_of_a_reply_ends_the_run(model: ToolModel, m: MelleaSession[Any], shop: Shop) -> None:
    model.say((503, "overloaded"), (503, "overloaded"))
    with pytest.raises(Exception, match="overloaded"):
        reply(m, ToolCalls([Tool(shop.order)], []))


def test_answers_are_kept_as_far_as_there_is_room(
    model: ToolModel, m: MelleaSession[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tool_calls, "ROOM", 2000)
    said = {"1": "q" * 3000, "2": "z" * 3000, "3": "v" * 3000}
    model.say([("look", {"number": number}) for number in said])

    def look(number: str) -> str:
        """Look a number up."""
        return said[number]

    notes: list[str] = []
    calls = ToolCalls([Tool(look)], notes)
    room = calls.room
    choose(m, "x", calls)
    found = calls.results
    assert found.count("q") == 3000
    assert 1500 < found.count("z") < 2000
    assert [line[-23:] for line in found.splitlines()[1:]] == [" [cut, 3000 characters]"] * 2
    assert notes == [f'look(number="{number}"): there was no room for the whole answer' for number in "23"]
    assert 2000 + tokens_of("Look a number up.") < room < 2200
    assert tokens_of(found) < 2000 + 60
