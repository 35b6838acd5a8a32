"""What holds for every prompt: no output over its budget, and each character of a file present or counted as gone."""

import re

from hypothesis import example, given, settings
from hypothesis import strategies as st

from melleafy_tui.core.dialects.openclaw.budgets import limit_for
from melleafy_tui.core.dialects.openclaw.file_rules import BOOTSTRAP_NAMES
from melleafy_tui.core.dialects.openclaw.reader import own_budget
from melleafy_tui.core.models.context import FileState, LineState, PromptMode, SessionKind
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.openclaw.prompt.assembly import assemble
from melleafy_tui.core.openclaw.prompt.releases import ASSEMBLIES, DIALECT_ASSEMBLY, Cutting, assembly_of
from melleafy_tui.core.openclaw.prompt.utf16 import WHITE_SPACE, characters, units

RELEASES = (DIALECT_ASSEMBLY.release, *(row.release for row in ASSEMBLIES))
_LETTERS = st.sampled_from(
    [
        "a",
        " ",
        "\n",
        "\r\n",
        "\r",
        "- must ",
        "# x\n",
        "---\n",
        "🔴",
        "禁止",
        "🚢",
        "\ufeff",
        "\x85",
        "é",
        "\n\n\n\n",
    ]
)
_BLOCK = st.tuples(st.lists(_LETTERS, max_size=30).map("".join), st.integers(1, 40))
_TEXTS = st.lists(_BLOCK, max_size=6).map(lambda blocks: "".join(text * count for text, count in blocks))
_TREES = st.dictionaries(st.sampled_from(sorted(BOOTSTRAP_NAMES)), _TEXTS, max_size=6)
_LIMITS = st.one_of(st.none(), st.integers(1, 3_000))


def _snapshot(tree: dict[str, str], per_file: int | None, total: int | None) -> Snapshot:
    own = [
        f'"{name}": {limit}'
        for name, limit in (("bootstrapMaxChars", per_file), ("bootstrapTotalMaxChars", total))
        if limit
    ]
    files = {**tree, "openclaw.json": '{"agents": {"defaults": {' + ", ".join(own) + "}}}"}
    opened = tuple(
        SourceFile(path, text.encode(), text.removeprefix("\ufeff")) for path, text in sorted(files.items())
    )
    return Snapshot("w", "/w", opened, tuple(sorted(files)))


@settings(max_examples=60)
@given(_TREES, _LIMITS, _LIMITS, st.sampled_from(RELEASES), st.sampled_from(SessionKind))
@example({"AGENTS.md": "aa"}, 1, None, "2026.2.17", SessionKind.MAIN)
def test_every_character_is_present_or_counted(
    tree: dict[str, str], per_file: int | None, total: int | None, release: str, session: SessionKind
) -> None:
    context = assemble(_snapshot(tree, per_file, total), release=release, session=session)
    for file in (*context.files, *context.left_out):
        text = units(tree.get(file.path, ""))
        assert file.characters == len(text)
        assert file.present + file.cut + file.frontmatter + file.trimmed == len(text)
        assert min(file.present, file.cut, file.frontmatter, file.trimmed) >= 0
        if file.state is FileState.WHOLE:
            kept = characters(text[file.frontmatter :].rstrip(WHITE_SPACE))
            assert file.content == (
                re.sub(r"\n{3,}", "\n\n", kept) if assembly_of(release).collapses else kept
            )


@settings(max_examples=60)
@given(_TREES, _LIMITS, _LIMITS, st.sampled_from(RELEASES), st.sampled_from(SessionKind))
def test_no_file_and_no_prompt_is_over_its_budget(
    tree: dict[str, str], per_file: int | None, total: int | None, release: str, session: SessionKind
) -> None:
    snapshot = _snapshot(tree, per_file, total)
    budget = own_budget(snapshot, release)
    context = assemble(snapshot, release=release, session=session)
    lengths = {file.path: len(units(file.content)) for file in context.files}
    if budget.total is not None:
        assert sum(lengths.values()) <= budget.total
    if assembly_of(release).cutting is Cutting.FITTED:
        for path, length in lengths.items():
            limit = limit_for(budget, path)
            present = path in tree
            assert not present or limit is None or length <= limit
    else:
        # The early way puts the marker beside 90 % of the limit; what is over is the marker's alone.
        for file in context.files:
            limit = limit_for(budget, file.path)
            # With a limit below 5 the end of it is counted as none, which JavaScript takes for all.
            assert file.state is FileState.MISSING or limit is None or limit < 5 or file.present <= limit


@settings(max_examples=30)
@given(_TREES, _LIMITS, _LIMITS, st.sampled_from(RELEASES))
def test_each_line_that_holds_something_has_one_state(
    tree: dict[str, str], per_file: int | None, total: int | None, release: str
) -> None:
    context = assemble(_snapshot(tree, per_file, total), release=release)
    for file in (*context.files, *context.left_out):
        numbers = [number for run in file.lines for number in (run.first, run.last)]
        assert numbers == sorted(numbers)
        if file.state is FileState.WHOLE:
            assert {run.state for run in file.lines} <= {LineState.SEEN, LineState.FRONTMATTER}


def test_the_prompt_is_the_text_of_its_lines() -> None:
    tree = {"SOUL.md": "a\n\n\n\nb\n" * 900, "AGENTS.md": "- must\nplain\n" * 4_000}
    for release in RELEASES:
        context = assemble(_snapshot(tree, None, None), release=release)
        for file in context.files:
            assert f"## {file.heading}\n{file.content}\n" in context.prompt, (release, file.path)


def test_mode_none_is_one_line() -> None:
    for release in RELEASES:
        context = assemble(_snapshot({"SOUL.md": "x"}, None, None), release=release, mode=PromptMode.NONE)
        assert context.prompt.count("\n") == 1, release
        assert not context.files, release
