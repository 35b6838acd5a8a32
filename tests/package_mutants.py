"""Break emitted packages on purpose and see which of their fixtures notice.

    python -m tests.package_mutants                     the examples and ten test workspaces, one table
    python -m tests.package_mutants rule-heavy -v       one of them, each mutant with the fixture that kills it

A mutant changes the emitted code by what it is named (a constant, a parameter, a list of rules), not by where it stands,
so that it survives a change of the code's shape. It is killed if a fixture that held no longer holds.
"""

import argparse
import ast
import copy
import io
import multiprocessing
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from melleafy_tui.core.models.reports import FixtureStatus
from melleafy_tui.core.smoke import driver, runner
from melleafy_tui.core.smoke.fake_server import CASES_PATH, FakeModelServer
from tests.converted import files_of
from tests.generators.emitting import write_files

PROJECT: Final = Path(__file__).parents[1]
EXAMPLES: Final = tuple(sorted(path.name for path in (PROJECT / "examples").iterdir() if path.is_dir()))
WORKSPACES: Final = {
    folder.name: folder
    for folder in (
        *(PROJECT / "examples" / name for name in EXAMPLES),
        *(
            PROJECT / "tests/dialects" / dialect / "workspaces" / name
            for dialect, name in (
                ("openclaw", "agents-chinese"),
                ("openclaw", "agents-scoped"),
                ("openclaw", "agents-thresholds-and-checks"),
                ("openclaw", "heartbeat-tasks-block"),
                ("openclaw", "large-ferry-office"),
                ("openclaw", "large-mixed-languages"),
                ("openclaw", "memory-sections"),
                ("agent_skills", "recipe-scaler"),
                ("agent_skills", "supplier-vetting"),
                ("claude_code", "permissions"),
            )
        ),
    )
}

Change = Callable[[ast.Module], object]
NICE: Final = "Be nice to everybody."
OPPOSITES: Final = (
    ("never", "always"),
    ("always", "never"),
    ("don't ", ""),
    ("do not ", ""),
    (" not ", " "),
    ("no ", "any "),
    ("不", ""),
)


class Mutant(NamedTuple):
    """A change of one emitted file."""

    name: str
    file: str
    change: Change


# --- what can be changed --------------------------------------------------------------------------


OF_THE_HOST: Final = frozenset(
    {"BACKEND", "MODEL_ID", "SCHEDULE_CONFIG", "MEMORY_FOLDER", "ENVIRONMENT_VARIABLES", "PERSONA_NOTES"}
)
"""Constants that change where a package runs, not what its model reads."""


def _constants(package: Path) -> Iterator[Mutant]:
    """Yield the constants of config.py that the agent's code reads, emptied and cut in half."""
    config = ast.parse((package / "config.py").read_text("utf-8"))
    read = "\n".join(path.read_text("utf-8") for path in package.glob("*.py"))
    for node in config.body:
        if not isinstance(node, ast.AnnAssign) or not isinstance(node.target, ast.Name) or not node.value:
            continue
        name = node.target.id
        if f"config.{name}" not in read or name in OF_THE_HOST:
            continue
        if name == "LOOP_BUDGET":
            yield Mutant("repair off", "config.py", _assigned(name, lambda _: ast.Constant(1)))
        elif name in ("AGENT_NAME", "AGENT_ROLE", "AGENT_METADATA"):
            continue
        elif isinstance(node.value, ast.Dict):
            for key in node.value.keys:
                if isinstance(key, ast.Constant):
                    yield Mutant(f"{name}[{key.value!s}] replaced", "config.py", _entry(name, key.value))
        elif isinstance(node.value, ast.Tuple | ast.List) and node.value.elts:
            yield Mutant(f"{name} emptied", "config.py", _assigned(name, lambda _: ast.Tuple([], ast.Load())))
        elif isinstance(node.value, ast.Constant) and isinstance(node.value.value, str) and node.value.value:
            yield Mutant(f"{name} emptied", "config.py", _assigned(name, lambda _: ast.Constant("")))
            if node.value.value.strip().count("\n") > 1:
                yield Mutant(f"{name} cut in half", "config.py", _assigned(name, _half))
    if "config.AGENT_NAME" in read or "config.AGENT_METADATA" in read:
        yield Mutant("identity emptied", "config.py", _no_identity)


def _assigned(name: str, value: Callable[[ast.expr], ast.expr]) -> Change:
    def change(tree: ast.Module) -> None:
        for node in tree.body:
            if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == name and node.value:
                node.value = value(node.value)

    return change


def _half(text: ast.expr) -> ast.expr:
    lines = ast.literal_eval(text).rstrip().split("\n")
    return ast.Constant("\n".join(lines[: len(lines) // 2]))


def _entry(name: str, key: object) -> Change:
    def emptied(table: ast.expr) -> ast.expr:
        assert isinstance(table, ast.Dict)
        for place, found in enumerate(table.keys):
            if isinstance(found, ast.Constant) and found.value == key:
                table.values[place] = ast.Constant("Something else.")
        return table

    return _assigned(name, emptied)


def _no_identity(tree: ast.Module) -> None:
    for name in ("AGENT_NAME", "AGENT_ROLE"):
        _assigned(name, lambda _: ast.Constant(""))(tree)
    _assigned("AGENT_METADATA", lambda _: ast.Dict([], []))(tree)


IGNORED: Final = {
    "message": 'message = "hello" if isinstance(message, str) and message.strip() not in ("", "heartbeat") else message',
    "history": "history = None",
    "confirm": "confirm = lambda *_: True",
}


def _parameters(package: Path) -> Iterator[Mutant]:
    """Yield the parameters of run_pipeline, ignored."""
    entry = _pipeline(ast.parse((package / "pipeline.py").read_text("utf-8")))
    defaults = dict(zip(reversed(entry.args.args), reversed(entry.args.defaults), strict=False))
    for parameter in entry.args.args:
        name, default = parameter.arg, defaults.get(parameter)
        line = IGNORED.get(name, f"{name} = {ast.unparse(default) if default else None}")
        yield Mutant(f"{name} ignored", "pipeline.py", _first(line))


def _pipeline(tree: ast.Module) -> ast.FunctionDef:
    return next(n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == "run_pipeline")


def _first(line: str) -> Change:
    return lambda tree: _pipeline(tree).body.insert(1, ast.parse(line).body[0])


NOT_BLOCKS: Final = frozenset(
    [
        "prefix",
        "requirements",
        "strategy",
        "format",
        "return_sampling_results",
        "model_options",
        "label",
        "model",
        "inputs",
        "text",
        "skipped",
        "reason",
        "unmet",
        "notes",
        "message",
        "otherwise",
        "catch",
        "rounds",
        "ctx",
        "confirm",
        "loop_budget",
        "woken",
        "name",
        "role",
        "room",
        "confirming",
        "allowed",
    ]
)
"""Keywords of the pipeline's calls that are no block of a prompt."""


def _blocks(package: Path) -> Iterator[Mutant]:
    """Yield what the pipeline gives to prompts, to the judge and to its result, left out."""
    tree = ast.parse((package / "pipeline.py").read_text("utf-8"))
    names = dict.fromkeys(name for node in ast.walk(tree) for name in _named(node))
    judged = "judged" in map(_kind, _pieces(_requirements(package)))
    slots = "".join(path.read_text("utf-8") for path in package.glob("constrained_slots.py"))
    for name in names:
        if name == "daily_notes" and "load_working_state:" in slots:  # a stub that has none
            continue
        if name not in NOT_BLOCKS and (judged or name not in ("conversation", "tool_results")):
            yield Mutant(f"block {name} empty", "pipeline.py", _without_block(name))
    yield Mutant("turns not sent", "pipeline.py", _calls("chat_context", "chat_context([])"))
    if judged:
        yield Mutant("judge blinded", "pipeline.py", _keyword(("Panel", "Judge"), "inputs", ast.Name("dict")))
        yield Mutant("turns not judged", "pipeline.py", _calls("transcript", '""'))
    if 'PREFIX_TEXT: Final = ""\n' not in (package / "config.py").read_text("utf-8"):
        yield Mutant("persona not passed", "pipeline.py", _keyword((), "prefix", ast.Constant("")))
    yield Mutant("skip ignored", "pipeline.py", _said("skip", "never"))
    if {"judged", "checked"} & set(map(_kind, _pieces(_requirements(package)))):
        yield Mutant("unmet not reported", "pipeline.py", _keyword((), "unmet", ast.List([], ast.Load())))
        yield Mutant("rules not required", "pipeline.py", _unstarred)


def _named(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Dict):
        yield from (str(key.value) for key in node.keys if isinstance(key, ast.Constant))
    elif isinstance(node, ast.Call):
        yield from (keyword.arg for keyword in node.keywords if keyword.arg)


def _without_block(name: str) -> Change:
    def change(tree: ast.Module) -> None:
        for node in ast.walk(tree):
            if isinstance(node, ast.Dict):
                for place, key in enumerate(node.keys):
                    if isinstance(key, ast.Constant) and key.value == name:
                        node.values[place] = ast.Constant("")
            elif isinstance(node, ast.Call):
                for keyword in node.keywords:
                    if keyword.arg == name:
                        keyword.value = ast.Constant("")

    return change


def _called(node: ast.AST) -> str:
    return ast.unparse(node.func).rpartition(".")[2] if isinstance(node, ast.Call) else ""


def _keyword(functions: Sequence[str], name: str, value: ast.expr) -> Change:
    def change(tree: ast.Module) -> None:
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and (not functions or _called(node) in functions):
                for keyword in node.keywords:
                    if keyword.arg == name:
                        keyword.value = value

    return change


def _replaced(wanted: Callable[[ast.AST], bool], value: ast.expr) -> Change:
    class Replacer(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return copy.deepcopy(value) if wanted(node) else self.generic_visit(node)

    return lambda tree: Replacer().visit(tree)


def _calls(function: str, code: str) -> Change:
    return _replaced(lambda node: _called(node) == function, ast.parse(code, mode="eval").body)


def _said(text: str, other: str) -> Change:
    return _replaced(lambda node: isinstance(node, ast.Constant) and node.value == text, ast.Constant(other))


def _unstarred(tree: ast.Module) -> None:
    for node in ast.walk(tree):
        if isinstance(node, ast.List):
            node.elts = [item for item in node.elts if not isinstance(item, ast.Starred)]


# --- rules ----------------------------------------------------------------------------------------

CHECK_COUNT: Final = 8


def _rules(package: Path) -> Iterator[Mutant]:
    """Yield the rules lost, replaced, turned round, and their checks changed."""
    file = "requirements.py"
    tree = _requirements(package)
    kinds = [_kind(node) for node in _pieces(tree)]
    for kind in ("guidance", "judged", "checked"):
        places = [place for place, found in enumerate(kinds) if found == kind]
        for place in dict.fromkeys([*places[:1], *places[len(places) // 2 :][:1], *places[-1:]]):
            yield Mutant(f"{kind} {place + 1} lost", file, _lost([place]))
        if len(places) > 1:
            yield Mutant(f"all {kind} lost", file, _lost(places))
        if kind == "judged" and places:
            yield Mutant("all judged nice", file, _reworded(places, lambda _: NICE))
            for place in dict.fromkeys([places[0], places[-1]]):
                yield Mutant(f"judged {place + 1} inverted", file, _reworded([place], _inverted))
    for number in range(min(CHECK_COUNT, sum(1 for _ in _checks(tree)))):
        for name, change in (("+1", 1), ("-1", -1)):
            yield Mutant(f"check {number + 1} {name}", file, _check(number, change))


def _requirements(package: Path) -> ast.Module:
    path = package / "requirements.py"
    return ast.parse(path.read_text("utf-8") if path.exists() else "")


def _pieces(tree: ast.AST) -> list[ast.Call]:
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _kind(node)]
    return sorted(found, key=lambda node: node.lineno)


def _kind(node: ast.Call) -> str:
    name = _called(node)
    if name in ("judged", "checked", "guidance"):
        return name
    given = {keyword.arg for keyword in node.keywords}
    if name == "Piece":
        return "checked" if given & {"check", "checks"} else "judged" if "asks" in given else "guidance"
    return ""


def _wording(piece: ast.Call) -> ast.Constant | None:
    asks = next((keyword.value for keyword in piece.keywords if keyword.arg == "asks"), None)
    found = asks or (piece.args[0] if piece.args else None)
    return found if isinstance(found, ast.Constant) else None


def _lost(places: Sequence[int]) -> Change:
    def change(tree: ast.Module) -> None:
        pieces = _pieces(tree)
        gone = {id(pieces[place]) for place in places}
        for node in ast.walk(tree):
            if isinstance(node, ast.List | ast.Tuple):
                node.elts = [item for item in node.elts if id(item) not in gone]

    return change


def _reworded(places: Sequence[int], reword: Callable[[str], str]) -> Change:
    def change(tree: ast.Module) -> None:
        pieces = _pieces(tree)
        for wording in (_wording(pieces[place]) for place in places):
            if wording is not None:
                wording.value = reword(str(wording.value))

    return change


def _inverted(text: str) -> str:
    for word, other in OPPOSITES:
        found = re.search(
            rf"\b{word}" if word.isascii() and word.strip() == word else word, text, re.IGNORECASE
        )
        if found:
            return text[: found.start()] + other + text[found.end() :]
    return f"Never: {text}"


def _checks(tree: ast.AST) -> Iterator[ast.Call]:
    """Yield the calls that make checks and take literals, such as at_most(119, "words")."""
    for piece in _pieces(tree):
        if _kind(piece) == "checked":
            for node in ast.walk(piece):
                if isinstance(node, ast.Call) and node.args and node is not piece and _literals(node):
                    yield node


def _literals(call: ast.Call) -> bool:
    return all(isinstance(argument, ast.Constant) for argument in call.args)


def _check(number: int, by: int) -> Change:
    """Move the limit of a check by one; of one with phrases, change the first or the last."""

    def change(tree: ast.Module) -> None:
        call = list(_checks(tree))[number]
        limits = [node for node in call.args if isinstance(node, ast.Constant) and type(node.value) is int]
        texts = [node for node in call.args if isinstance(node, ast.Constant) and isinstance(node.value, str)]
        for limit in limits[-1:] if by > 0 else limits[:1]:
            assert isinstance(limit.value, int)
            limit.value += by
        if not limits and _called(call) not in ("in_language",):
            (texts[0] if by > 0 else texts[-1]).value = _other(_called(call), str(texts[0].value))

    return change


def _other(function: str, text: str) -> str:
    """Return another argument of a check: another feature where it takes one, else another phrase."""
    if function in ("without", "has"):
        return "code fences" if text != "code fences" else "tables"
    return "xyzzy"


# --- memory and tools -----------------------------------------------------------------------------


def _functions(package: Path) -> Iterator[Mutant]:
    """Yield the hooks and tools that give nothing, and what goes wrong with addresses, headers and approval."""
    for file in ("constrained_slots.py", "tools.py", "loader.py", "mock_tools.py"):
        if not (package / file).exists():
            continue
        tree = ast.parse((package / file).read_text("utf-8"))
        for node in tree.body:
            is_open = isinstance(node, ast.FunctionDef) and isinstance(node.body[-1], ast.Raise)
            if isinstance(node, ast.FunctionDef) and not is_open and node.name != "confirm":
                yield Mutant(f"{node.name} gives nothing", file, _hollow(node.name))
        yield Mutant("no tool offered", file, _assigned("TOOLS", lambda _: ast.List([], ast.Load())))
        yield Mutant("addresses changed", file, _addresses)
        yield Mutant("headers lost", file, _keyword((), "headers", ast.Dict([], [])))
        yield Mutant("approval lost", file, _keyword(("Tool",), "asks", ast.Constant("")))


def _hollow(name: str) -> Change:
    def change(tree: ast.Module) -> None:
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and node.name == name:
                node.body = ast.parse('return ""').body

    return change


def _addresses(tree: ast.Module) -> None:
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and re.match(r"https?://", node.value)
        ):
            node.value = re.sub(r"(https?://[^/]+)/", r"\1/elsewhere/", node.value)


def mutants_of(package: Path) -> Iterator[Mutant]:
    """Yield the mutants of an emitted package; those that change nothing are left out.

    Args:
        package: Its folder.
    """
    for make in (_constants, _parameters, _blocks, _rules, _functions):
        for mutant in make(package):
            code = (package / mutant.file).read_text("utf-8")
            if _changed(code, mutant) != ast.unparse(ast.parse(code)):
                yield mutant


def _changed(code: str, mutant: Mutant) -> str:
    tree = ast.parse(code)
    mutant.change(tree)
    return ast.unparse(ast.fix_missing_locations(tree))


# --- the runs -------------------------------------------------------------------------------------


def failed_in(package: Path) -> list[str]:
    """Return what the fixtures of a package notice, up to the first that doesn't hold; run in a process of its own.

    Args:
        package: Its folder.
    """
    with tempfile.TemporaryDirectory() as state, FakeModelServer() as server:
        environment = runner._environment(package, server, state)
        os.environ.clear()
        os.environ.update(environment)
        request = {
            "folder": str(package.parent),
            "package": package.name,
            "fixtures": [],
            "backend": "ollama",
            "model": "",
            "server": server.url,
            "cases": CASES_PATH,
        }
        for event in driver.play(request):
            if event["event"] in ("loaded", "finished"):
                continue
            run = runner._outcome(event, server, held=True)
            if run.status not in (FixtureStatus.PASSED, FixtureStatus.EXPECTED):
                return [run.fixture_id, *run.mismatches, run.error]
    return []


def _attempt(package: Path, answer: "multiprocessing.connection.Connection[object, object]") -> None:
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        sink = os.open(os.devnull, os.O_WRONLY)
        os.dup2(sink, 1)
        os.dup2(sink, 2)
        try:
            answer.send(failed_in(package))
        except BaseException as error:
            answer.send(["import", f"{type(error).__name__}: {error}"])
    os._exit(0)


def played(package: Path, time_limit: float = 60.0) -> list[str]:
    """Return what the fixtures of a package notice, from a forked process that has Mellea loaded.

    Args:
        package: Its folder.
        time_limit: Seconds after which the run counts as noticed.
    """
    fork = multiprocessing.get_context("fork")
    here, there = fork.Pipe(duplex=False)
    process = fork.Process(target=_attempt, args=(package, there))
    process.start()
    there.close()
    try:
        return list(here.recv()) if here.poll(time_limit) else ["time", "the run did not end"]
    except EOFError:
        return ["crash", "the process ended"]
    finally:
        process.kill()
        process.join()


@cache
def _preload() -> None:
    """Load Mellea once, before the processes are forked, and let all clients share one TLS context."""
    import httpx._config
    import httpx._transports.default
    import mellea.backends.ollama  # noqa: F401

    context = httpx._config.create_ssl_context()
    vars(httpx._transports.default)["create_ssl_context"] = lambda **_: context


def measured(workspace: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the mutants of a workspace's package and what its fixtures notice; the first is the package itself.

    Args:
        workspace: The workspace.
    """
    _preload()
    with tempfile.TemporaryDirectory() as folder:
        write_files(files_of(workspace), Path(folder))
        (package,) = (path.parent for path in Path(folder).glob("*/melleafy.json"))
        yield "none", played(package)
        for mutant in mutants_of(package):
            path = package / mutant.file
            code = path.read_text("utf-8")
            path.write_text(_changed(code, mutant), "utf-8")
            yield mutant.name, played(package)
            path.write_text(code, "utf-8")
            shutil.rmtree(package / "__pycache__", ignore_errors=True)


def main() -> int:
    """Print the table of the workspaces; return 1 if fewer than nine in ten mutants are killed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("workspace", nargs="*", help="a name or a folder; all of the table if none is given")
    parser.add_argument("-v", "--verbose", action="store_true", help="show what kills each mutant")
    options = parser.parse_args()
    say = sys.stdout.write
    killed = total = 0
    for name in options.workspace or WORKSPACES:
        (_, before), *found = measured(WORKSPACES.get(name, Path(name)))
        survivors = [mutant for mutant, noticed in found if not noticed]
        if before:
            say(f"{name}: its own fixtures don't hold: {'; '.join(before)[:300]}\n")
        total, killed = total + len(found), killed + len(found) - len(survivors)
        say(
            f"{Path(name).name:32}{len(found) - len(survivors):4} of {len(found):3}  {'; '.join(survivors)}\n"
        )
        for mutant, noticed in found if options.verbose else ():
            say(f"  {mutant}: {' | '.join(noticed)[:160] or 'SURVIVES'}\n")
        sys.stdout.flush()
    say(f"{'all':32}{killed:4} of {total:3}  {killed / max(total, 1):.0%}\n")
    return int(killed < 0.9 * total)


if __name__ == "__main__":
    sys.exit(main())
