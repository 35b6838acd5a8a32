"""No text of a workspace becomes code, breaks a file, or leaves the package's folder (spec/safety.md 1, 2, 5)."""

import ast
from pathlib import PurePosixPath

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import convert

from melleafy_tui.core.errors import OutputRefused
from melleafy_tui.core.language.orders import Polarity
from melleafy_tui.core.models.classification import Schedule
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.facts import Facts, ToolFact
from melleafy_tui.core.models.file_set import RUNTIME_FOLDER, EmittedFile
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind, Modality, Tag
from melleafy_tui.core.package.dispositions import allowed_for
from melleafy_tui.core.package.result_schemas import schema_facts
from melleafy_tui.generators.render import check_paths, render_package
from tests.generators.committed import Piece, committed_plan
from tests.generators.emitting import ruff_format_changes

MARK = "planted_by_the_workspace"

TEXT = st.one_of(
    st.text(st.characters(codec=None) | st.sampled_from("\"'\\\n\r\t\0{}#`%\u2028\ud800🎫"), max_size=60),
    st.sampled_from(
        [
            f'"""\n{MARK}()\n"""',
            f"'); {MARK}() #",
            f"\\\n{MARK}()",
            f"# fmt: off\n{MARK}()",
            "{{ config.__class__ }}{% raw %}",
            "%(prog)s %s %",
            "../../etc/passwd",
            "x" * 300,
            "# type: ignore # noqa",
        ]
    ),
)

KINDS = [kind for kind in EntryKind if kind not in (EntryKind.BACKEND, EntryKind.CROSS_REFERENCE)]


@st.composite
def pieces(draw: st.DrawFn) -> Piece:
    kind = draw(st.sampled_from(KINDS))
    text = draw(TEXT)
    facts = {
        "name": draw(TEXT),
        "url": f"https://example.com/{draw(TEXT)}",
        "command": draw(TEXT),
        "script": draw(TEXT),
    }
    if kind is EntryKind.SCHEMA:
        row = st.tuples(TEXT, TEXT, TEXT)
        return Piece(
            "x.md",
            "1",
            kind,
            statement=text or "x",
            tag=Tag.SCHEMA,
            facts=schema_facts(draw(TEXT), draw(st.lists(row, min_size=1, max_size=3))),
        )
    return Piece(
        draw(TEXT) or "x.md",
        "1",
        kind,
        draw(st.sampled_from(allowed_for(kind))),
        label=draw(st.one_of(st.just(""), TEXT)),
        value=draw(TEXT),
        statement=text or "x",
        scope=draw(st.sampled_from(["", "docs"])) if kind is EntryKind.RULE else "",
        tag=Tag.CONFIG,
        polarity=draw(st.sampled_from(list(Polarity))),
        facts=Facts(convert({key: value for key, value in facts.items() if draw(st.booleans())}, ToolFact)),
    )


@st.composite
def plans(draw: st.DrawFn) -> CommittedPlan:
    schedule = Schedule(
        type="interval", cadence=draw(TEXT), seconds=60, active_hours=draw(TEXT), timezone=draw(TEXT)
    )
    return committed_plan(
        {},
        draw(st.lists(pieces(), max_size=8)),
        name=draw(TEXT),
        modality=draw(st.sampled_from(list(Modality))),
        schedule=schedule,
    )


def is_planted(node: ast.AST) -> bool:
    """Return whether a node is the call that the hostile texts try to plant; the name alone may be a tool's."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == MARK
        and not node.args
    )


def field_piece(label: str, fields: list[tuple[str, str, str]]) -> Piece:
    return Piece(
        "x.md", "1", EntryKind.SCHEMA, statement="x", tag=Tag.SCHEMA, facts=schema_facts(label, fields)
    )


FOUND_BY_CHANCE = [
    field_piece("Form", [("kind", "one of: a, b", "which kind")]),
    *(
        field_piece("Form " + "of a very long name " * 3, [(long, kind, "a word " * words)])
        for long in ("a", "a" * 40, "field_" * 8, "b" * 60)
        for kind in (
            "optional one of: a, b",
            "list of one of: a, b",
            "list of numbers, optional",
            "one of: a, b",
        )
        for words in (1, 12)
    ),
    *(
        Piece(
            "x.md",
            "1",
            kind,
            Disposition.REAL_IMPL,
            statement="Use config.json, call(x), Path(y) or joined(z)",
        )
        for kind in (EntryKind.MEMORY, EntryKind.STATE)
    ),
    Piece("x.md", "1", EntryKind.RULE, statement='Say checked(x), or at_most(3, "words").', scope="joined"),
]


def python_of(piece: Piece, *names: str) -> list[bytes]:
    """Return the modules of the package of one entry, those of some names or all but the same in every package."""
    return [
        file.data
        for file in render_package(committed_plan({"x.md": "x\n"}, [piece])).files
        if file.path.endswith(names or ".py") and RUNTIME_FOLDER not in file.path
    ]


@pytest.mark.slow
def test_ruff_leaves_what_chance_found() -> None:
    modules = [module for piece in FOUND_BY_CHANCE for module in python_of(piece)]
    assert ruff_format_changes(modules, lint=True) == ""


@pytest.mark.slow
def test_ruff_leaves_fields_of_every_length() -> None:
    modules: list[bytes] = []
    for words in ("", "w", "a word or two more", "a word " * 12):
        for kind in (
            "one of: a, b",
            "optional one of: a, b",
            "list of one of: a, b",
            "list of numbers, optional",
        ):
            fields = [("n" * length, kind, words) for length in range(1, 64)]
            (schemas,) = python_of(field_piece("Form of a name that is long", fields), "/schemas.py")
            modules.append(schemas)
    assert ruff_format_changes(modules, lint=True) == ""


@pytest.mark.slow
def test_ruff_leaves_names_of_every_length() -> None:
    modules: list[bytes] = []
    for length in range(34, 50):
        named = Facts(convert({"name": "x" * length, "url": "https://example.com/a"}, ToolFact))
        for disposition in (Disposition.STUB, Disposition.EXTERNAL_INPUT):
            piece = Piece("x.md", "1", EntryKind.TOOL_CONCRETE, disposition, statement="Ask it", facts=named)
            modules += python_of(piece, "/tools.py", "/pipeline.py")
    assert ruff_format_changes(modules, lint=True) == ""


@pytest.mark.parametrize("examples", [15, pytest.param(60, marks=pytest.mark.slow)])
def test_whatever_the_workspace_says_the_code_stays_ours(examples: int) -> None:
    code: list[bytes] = []

    @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))
    @given(plans())
    def rendered(plan: CommittedPlan) -> None:
        for file in render_package(plan).files:
            assert ".." not in PurePosixPath(file.path).parts
            assert not file.path.startswith("/")
            if file.path.endswith(".py") and "/scripts/" not in file.path:
                assert not any(map(is_planted, ast.walk(ast.parse(file.data.decode("utf-8"))))), file.path
                if not file.path.endswith(
                    "_runtime/__init__.py"
                ):  # offers names again, which ruff allows there
                    code.append(file.data)

    rendered()
    assert ruff_format_changes(code, lint=True) == ""


@pytest.mark.parametrize("path", ["../x.py", "/x.py", "a//b", "a/../b", "a/./b", "", "C:/x", "a\\b"])
def test_a_path_that_leaves_the_output_is_refused(path: str) -> None:
    with pytest.raises(OutputRefused, match="outside the output folder"):
        check_paths([EmittedFile(path, b"")])


@pytest.mark.parametrize(
    ("other", "said"), [("a/b.py", "have the same path"), ("a/B.py", "differ only in case")]
)
def test_two_files_of_one_path_are_refused(other: str, said: str) -> None:
    with pytest.raises(OutputRefused, match=said):
        check_paths([EmittedFile("a/b.py", b""), EmittedFile(other, b"")])
