"""The documents tell the truth: links lead somewhere, options exist, the README's example is what comes out."""

import re
from pathlib import Path

from melleafy_tui.cli.argument_table import NAMED_COMMANDS
from tests.conftest import PROJECT
from tests.contracts.test_install_routes import ROUTES
from tests.safety.chain import run

DOCUMENTS = [
    *(path.name for path in sorted(PROJECT.glob("*.md"))),
    *(str(path.relative_to(PROJECT)) for path in sorted((PROJECT / "docs").rglob("*.md"))),
    "examples/README.md",
]
COMMANDS = tuple(row.name for row in NAMED_COMMANDS)


def test_every_relative_link_leads_to_a_file() -> None:
    lost = [
        (document, target)
        for document in DOCUMENTS
        for target in re.findall(
            r"\]\(([^)#:]+)(?:#[^)]*)?\)", (PROJECT / document).read_text(encoding="utf-8")
        )
        if not ((PROJECT / document).parent / target).exists()
    ]
    assert lost == []


FOLDERS_OF_CODE = ("", "melleafy_tui", "melleafy_tui/core")
FIRST_FOLDERS = "melleafy_tui|core|screens|generators|widgets|wizard|cli|actions|scripts|benchmarks|tests"


def test_every_path_of_code_that_is_named_exists() -> None:
    lost = [
        (document, path)
        for document in DOCUMENTS
        if document != "CHANGELOG.md"
        for path in re.findall(
            rf"`((?:{FIRST_FOLDERS})/(?:[\w/.-]*\w\.(?:py|json|tcss)|[\w/.-]*))(?:::[^`]*)?`",
            (PROJECT / document).read_text(encoding="utf-8"),
        )
        if not any((PROJECT / folder / path).exists() for folder in FOLDERS_OF_CODE)
    ]
    assert lost == []


def commands_in(text: str) -> list[list[str]]:
    """Return the words of each melleafy-tui command line in fenced blocks, without comment, redirection and pipe."""
    blocks = re.findall(r"```[a-z]*\n(.*?)```", text, re.DOTALL)
    lines = [
        re.split(r' (?:#|2?>|\|) ?(?=(?:[^"]*"[^"]*")*[^"]*$)', line.removeprefix("$ "))[0].strip()
        for block in blocks
        for line in re.sub(r"\\\n\s*", "", block).splitlines()
    ]
    return [line.split()[1:] for line in lines if line.startswith("melleafy-tui ")]


def test_every_option_in_a_command_line_exists() -> None:
    pages = {command: run(*filter(None, [command]), "--help").out for command in ("", *COMMANDS)}
    known = {command: set(re.findall(r"--[a-z][a-z-]+", page)) for command, page in pages.items()}
    unknown = []
    for document in DOCUMENTS:
        for words in commands_in((PROJECT / document).read_text(encoding="utf-8")):
            used = {word.partition("=")[0] for word in words if word.startswith("--")}
            if not used <= known[words[0] if words[0] in COMMANDS else ""]:
                unknown.append((document, words))
    assert unknown == []


def test_every_make_target_in_the_docs_exists() -> None:
    targets = set(
        re.findall(r"^([a-z-]+):", (PROJECT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    )
    texts = {
        name: (PROJECT / name).read_text(encoding="utf-8") for name in DOCUMENTS if name != "CHANGELOG.md"
    }
    named = {
        (document, word)
        for document, text in texts.items()
        for block in [*re.findall(r"```\w*\n(.*?)```", text, re.DOTALL), *re.findall(r"`(make [^`]+)`", text)]
        for words in re.findall(r"^make ((?:[a-z-]+ ?)+)", block, re.MULTILINE)
        for word in words.split()
    }
    assert {(document, word) for document, word in named if word not in targets} == set()
    assert named


def test_every_install_route_of_the_readme_is_tried() -> None:
    section = (PROJECT / "README.md").read_text(encoding="utf-8").partition("## Install")[2]
    lines = [line.partition("#")[0].split() for line in section.split("```")[1].strip().splitlines()]
    routes = [
        *(step for route in ROUTES.values() for step in route.steps),
        *(route.tool for route in ROUTES.values()),
    ]
    tried = [
        set(re.sub(r"\{place\}/clone", ".", route).replace("uv tool run", "uvx").split()) for route in routes
    ]
    unknown = [line for line in lines if not any({*line} - {"pip", "./my-agent"} <= words for words in tried)]
    assert unknown == []
    assert len(lines) == 4


def test_nothing_is_installed_from_an_index_that_does_not_have_it() -> None:
    code = [
        path
        for folder in ("melleafy_tui", "screens", "generators")
        for path in (PROJECT / folder).rglob("*.py")
    ]
    named = [
        str(path)
        for path in [*(PROJECT / name for name in DOCUMENTS), *code, PROJECT / "docs" / "melleafy-tui.1"]
        if re.search(r"install [\"']?melleafy-tui", path.read_text(encoding="utf-8"))
    ]
    assert named == []


def test_the_readme_s_commands_are_there_to_be_checked() -> None:
    assert len(commands_in((PROJECT / "README.md").read_text(encoding="utf-8"))) >= 3


def test_the_readme_s_example_is_what_comes_out(tmp_path: Path) -> None:
    readme = (PROJECT / "README.md").read_text(encoding="utf-8")
    source, emitted = (
        re.search(rf"```{kind}\n(.*?)```", readme, re.DOTALL) for kind in ("markdown", "python")
    )
    assert source is not None
    assert emitted is not None
    workspace = tmp_path / "desk"
    workspace.mkdir()
    for name, text in re.findall(r"<!-- (\S+) -->\n(.*?)(?=<!-- |\Z)", source[1], re.DOTALL):
        (workspace / name).write_text(text, encoding="utf-8")
    assert run(workspace, "--dependencies=auto").code == 0
    package = next((tmp_path / "desk_mellea").glob("*_mellea"))
    assert emitted[1] in (package / "requirements.py").read_text(encoding="utf-8")
