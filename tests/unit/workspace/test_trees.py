"""Large trees: what is walked, what is skipped and said, what is read in skipped folders, and what Python costs."""

import ast
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path

import pytest

from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.source.limits import SKIPPED_TREES, VERSION_CONTROL, Limits
from melleafy_tui.core.source.snapshot_reader import read_snapshot
from melleafy_tui.core.source.sources_below import sources_below
from melleafy_tui.engine import open_conversion, read_workspace

PROJECT = Path(__file__).parents[3]
SOUL = {"SOUL.md": "# Soul\n\nSteady.\n", "IDENTITY.md": "- **Name:** Loam\n"}


def made(root: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def snapshot_of(root: Path, files: Mapping[str, str]) -> Snapshot:
    return read_workspace(made(root, files), Dialects.default())


def skips_of(snapshot: Snapshot) -> list[str]:
    return [found.message for found in snapshot.diagnostics if found.code == "skipped-folders"]


def read(snapshot: Snapshot) -> list[str]:
    return [file.path for file in snapshot.files if file.path not in SOUL]


# --- the table of skipped folders -------------------------------------------------------------------


def test_each_folder_of_the_table_is_skipped_and_counted_by_its_kind(tmp_path: Path) -> None:
    failures: list[tuple[object, ...]] = []
    for kind, names in SKIPPED_TREES.items():
        root = tmp_path / kind.replace(" ", "-")
        files = {f"{place}{name}/x/y/code.py": "import crewai\n" for name in names for place in ("", "app/")}
        snapshot = snapshot_of(root, {**SOUL, **files})
        inside = [name for name in snapshot.names if name.endswith("code.py")]
        said = [] if kind == VERSION_CONTROL else [f"hold {kind} and were not searched ({2 * len(names)})"]
        if inside or read(snapshot) or len(skips_of(snapshot)) != len(said):
            failures.append((kind, inside, read(snapshot), skips_of(snapshot)))
        failures += [(kind, words) for words in said if words not in skips_of(snapshot)[0]]
    assert failures == []


@pytest.mark.parametrize("mark", ["pyvenv.cfg", "CACHEDIR.TAG"])
def test_a_folder_is_skipped_for_the_mark_in_it(tmp_path: Path, mark: str) -> None:
    snapshot = snapshot_of(tmp_path, {**SOUL, f"mine/{mark}": "x", "mine/lib/code.py": "import crewai\n"})
    assert not snapshot.has("mine/lib/code.py")
    assert "(1): mine/." in skips_of(snapshot)[0]


def test_only_the_first_folders_are_named_and_all_are_counted(tmp_path: Path) -> None:
    files = {f"part-{number}/node_modules/x/y.js": "" for number in range(8)}
    (said,) = skips_of(snapshot_of(tmp_path, {**SOUL, **files}))
    assert "(8): part-0/node_modules/, part-1/node_modules/" in said
    assert said.endswith("and 3 more.")


def test_workspaces_are_looked_for_in_vendored_folders_and_not_in_libraries(tmp_path: Path) -> None:
    places = ("vendor/a", "build/b", "node_modules/c", "venv/d", ".cache/e")
    made(tmp_path, {f"{place}/SOUL.md": "s" for place in places})
    found = sources_below(tmp_path, Dialects.default().main_files)
    assert [source.path for source in found] == ["build/b", "vendor/a"]


# --- .gitignore ---------------------------------------------------------------------------------------

IGNORED: Mapping[str, tuple[Mapping[str, str], str]] = {
    "a name at any depth": ({".gitignore": "data/"}, "+data +app/data -database"),
    "without a slash at the end": ({".gitignore": "data"}, "+data +app/data"),
    "anchored": ({".gitignore": "/data"}, "+data -app/data"),
    "a path": ({".gitignore": "app/data"}, "+app/data -data -x/app/data"),
    "a star": ({".gitignore": "*.egg-info"}, "+x.egg-info +app/y.egg-info -egg-info"),
    "a star is no slash": ({".gitignore": "app/*/data"}, "+app/x/data -app/data -app/x/y/data"),
    "two stars": ({".gitignore": "app/**/data"}, "+app/data +app/x/y/data -data"),
    "everything below": ({".gitignore": "app/**"}, "+app/x +app"),
    "a question mark": ({".gitignore": "run?"}, "+run1 -run10"),
    "a class": ({".gitignore": "run[12]"}, "+run1 -run3"),
    "an escape": ({".gitignore": "\\#data\n\\!odd"}, "+#data +!odd -data"),
    "a comment": ({".gitignore": "# data\n#data"}, "-data"),
    "spaces at the end": ({".gitignore": "data   "}, "+data"),
    "negated": ({".gitignore": "data*\n!data-kept/"}, "+data-x -data-kept"),
    "negated too late": ({".gitignore": "!data\ndata"}, "+data"),
    "below an ignored folder nothing is negated": ({".gitignore": "app/\n!app/data/"}, "+app"),
    "nested": ({"app/.gitignore": "data/"}, "+app/data -data"),
    "nested, anchored": ({"app/.gitignore": "/data"}, "+app/data -app/x/data"),
    "nested overrules": ({".gitignore": "data", "app/.gitignore": "!data"}, "+data -app/data"),
    "nested ignores again": ({".gitignore": "!data", "app/.gitignore": "data"}, "+app/data -data"),
    "a byte order mark": ({".gitignore": "\ufeffdata/"}, "+data"),
    "CRLF": ({".gitignore": "data/\r\nlogs/\r\n"}, "+data +logs"),
}


def folders_of(verdicts: str) -> dict[str, bool]:
    return {verdict[1:]: verdict[0] == "+" for verdict in verdicts.split()}


def test_gitignore_is_obeyed_as_git_does(tmp_path: Path) -> None:
    skipped, wanted = {}, {}
    for number, (ignore_files, verdicts) in enumerate(IGNORED.values()):
        files = {folder: f"{folder}/deep/er/file.txt" for folder in folders_of(verdicts)}
        snapshot = snapshot_of(
            tmp_path / str(number), {**SOUL, **ignore_files, **dict.fromkeys(files.values(), "")}
        )
        for folder, is_ignored in folders_of(verdicts).items():
            path = f"{number}/{files[folder]}"
            wanted[path] = is_ignored
            skipped[path] = not snapshot.has(files[folder])
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True, timeout=60)
    done = subprocess.run(
        ["git", "-C", str(tmp_path), "check-ignore", "--stdin", "-z"],
        input="\0".join(wanted),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    by_git = {path: path in done.stdout.split("\0") for path in wanted}
    names = list(IGNORED)
    assert {names[int(path.split("/")[0])]: path for path in wanted if by_git[path] != wanted[path]} == {}
    assert {names[int(path.split("/")[0])]: path for path in wanted if skipped[path] != wanted[path]} == {}


def test_lines_that_no_pattern_can_be_made_of_are_left_out(tmp_path: Path) -> None:
    many = "*a" * 20
    ignored = f"data/\n{many}\n!\n/\n[\n{'x' * 1000}\n"
    started = time.perf_counter()
    snapshot = snapshot_of(tmp_path, {**SOUL, ".gitignore": ignored, "data/x": "", f"{'a' * 200}b/x/y": ""})
    assert time.perf_counter() - started < 5
    assert not snapshot.has("data/x")
    assert snapshot.has(f"{'a' * 200}b/x/y")


def test_a_large_ignore_file_is_not_read(tmp_path: Path) -> None:
    snapshot = snapshot_of(tmp_path, {**SOUL, ".gitignore": "data/\n" + "#\n" * 200_000, "data/x/y": ""})
    assert snapshot.has("data/x/y")


def test_a_declared_surface_is_read_although_it_is_ignored(tmp_path: Path) -> None:
    surfaces = {
        "memory-wiki/entities/ada.md": "# Ada\n",
        "skills/tide/SKILL.md": "---\nname: tide\ndescription: Tells the tide.\n---\n\nTell it.\n",
        "skills/build/SKILL.md": "---\nname: build\ndescription: Builds.\n---\n\nBuild it.\n",
        ".claude/skills/dist/SKILL.md": "Run it.\n",
        ".claude/commands/target/go.md": "Go.\n",
        "harbour/AGENTS.md": "- Never guess.\n",
        "hooks/vendor/HOOK.md": "---\nname: x\n---\n",
        "src/ship/config/agents.yaml": "a:\n  role: b\n",
    }
    run = ".claude/skills/dist/scripts/vendor/run.py"
    listed = {"memory/2026-10-30.md": "Quiet.\n", "hooks/vendor/handler.ts": "", run: "print(1)\n"}
    snapshot = snapshot_of(tmp_path, {**SOUL, **surfaces, **listed, ".gitignore": "*\n"})
    assert read(snapshot) == sorted(surfaces)
    assert [name for name in listed if not snapshot.has(name)] == []


def test_a_skill_in_an_ignored_folder_is_whole_and_what_is_beside_it_stays_out(tmp_path: Path) -> None:
    skill = {"skills/tide/SKILL.md": "---\nname: tide\n---\n", "skills/tide/chart.png": ""}
    others = {"skills/note.txt": "", "logs/a.txt": ""}
    snapshot = snapshot_of(tmp_path, {**SOUL, **skill, **others, ".gitignore": "skills/\nlogs/\n"})
    assert {name: snapshot.has(name) for name in (*skill, *others)} == {
        **dict.fromkeys(skill, True),
        **dict.fromkeys(others, False),
    }


def test_every_file_that_a_dialect_reads_is_where_it_declares(tmp_path: Path) -> None:
    dialects = Dialects.default()
    folders = [*(PROJECT / "examples").iterdir(), *(PROJECT / "tests/dialects").glob("*/workspaces/*")]
    missing = []
    for folder in folders:
        for path in folder.rglob("*"):
            name = path.relative_to(folder).as_posix()
            if path.is_file() and dialects.wants(name) and not name.endswith(".py"):
                above = name[: name.rfind("/") + 1]
                if not dialects.reach.holds(above, skipped=False):
                    missing.append(f"{folder.name}: {name}")
    assert len(folders) > 40
    assert missing == []


# --- files that a source names ----------------------------------------------------------------------


def test_a_file_that_a_text_names_is_found_in_a_skipped_folder(tmp_path: Path) -> None:
    tools = "# Tools\n\nRun `python3 vendor/tides/count.py` every hour.\nNever touch vendor/gone.py or xvendor/other.py.\n"
    skill = "---\nname: tide\ndescription: d\n---\n\nRead node_modules/tide-tables/north.json first.\n"
    files = {
        "TOOLS.md": tools,
        "skills/tide/SKILL.md": skill,
        "vendor/tides/count.py": "print(1)\n",
        "vendor/other.py": "print(2)\n",
        "skills/tide/node_modules/tide-tables/north.json": "{}",
        "skills/tide/node_modules/tide-tables/south.json": "{}",
    }
    snapshot = snapshot_of(tmp_path, {**SOUL, **files})
    found = [name for name in snapshot.names if name.endswith((".py", ".json"))]
    assert found == ["skills/tide/node_modules/tide-tables/north.json", "vendor/tides/count.py"]
    assert read(snapshot) == ["TOOLS.md", "skills/tide/SKILL.md", "vendor/tides/count.py"]


def test_a_file_of_an_ignored_folder_that_names_its_own_folder_is_read_to_its_end(tmp_path: Path) -> None:
    """Without its own folder nothing is left of the name, and nothing was found for ever."""
    settings = '{"permissions": {"allow": ["Bash(.claude/tide.sh)"]}}'
    files = {"CLAUDE.md": "- Be kind.\n", ".claude/settings.json": settings, ".claude/tide.sh": "true\n"}
    snapshot = snapshot_of(tmp_path, {**files, ".gitignore": ".claude/\n"})
    assert snapshot.has(".claude/tide.sh")


@pytest.mark.parametrize("target", ["vendor/../../outside.py", "vendor/link.py", "vendor/credentials/key.py"])
def test_a_named_path_leads_nowhere_else(tmp_path: Path, target: str) -> None:
    made(tmp_path, {"outside.py": "print('out')\n"})
    root = made(
        tmp_path / "work",
        {**SOUL, "TOOLS.md": f"Run `python3 {target}` daily.\n", "vendor/credentials/key.py": "x = 1\n"},
    )
    (root / "vendor" / "link.py").symlink_to(tmp_path / "outside.py")
    assert read(read_workspace(root, Dialects.default())) == ["TOOLS.md"]


# --- Python -------------------------------------------------------------------------------------------

CREW = 'from crewai import Agent\nfrom crewai.tools import tool\n\n\n@tool("x")\ndef f():\n    """Do it."""\n\n\nAgent(role="clerk", goal="Keep the harbour.")\n'


def test_of_many_python_files_only_those_are_kept_that_import_a_runtime(tmp_path: Path) -> None:
    kept = {
        "a.py": "import os\nfrom crewai import Agent\n",
        "app/b.py": "import os, smolagents\n",
        "app/x/c.py": "def f():\n    from langgraph.graph import StateGraph\n",
        "app/x/y/d.py": "from letta_client import Letta\n",
        "e.py": "import agents\n",
        "f.py": "import chromadb\n",
    }
    others = {f"app/module_{number}.py": "from app import agents_list  # crewai\n" for number in range(20)}
    others |= {"app/x/y/z/w/deep.py": "import crewai\n", "tests/test_a.py": "import crewai\n"}
    assert read(snapshot_of(tmp_path, {**SOUL, **kept, **others})) == sorted(kept)


def test_a_python_file_of_a_skill_is_read_whatever_it_imports(tmp_path: Path) -> None:
    files = {"SKILL.md": "---\nname: a\ndescription: b\n---\n", "scripts/run.py": "print(1)\n"}
    assert read(snapshot_of(tmp_path, files)) == ["SKILL.md", "scripts/run.py"]


def conversion_of(root: Path) -> Conversion:
    return open_conversion(root, as_of=date(2026, 11, 1), generated_at="2026-11-01T00:00:00Z")


def test_a_python_file_is_parsed_once_whatever_asks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: Counter[str] = Counter()
    parse: Callable[..., ast.AST] = ast.parse

    def counting(source: str | bytes, *rest: object, **options: object) -> ast.AST:
        parsed[source if isinstance(source, str) else source.decode()] += 1
        return parse(source, *rest, **options)

    files = {f"part_{number}.py": CREW.replace("clerk", f"clerk {number}") for number in range(700)}
    script = '"""Counts."""\n\nif __name__ == "__main__":\n    print(1)\n'
    skill = "---\nname: a\ndescription: b\n---\n\nRun `scripts/count.py` first.\n"
    root = made(tmp_path, {**files, "SKILL.md": skill, "scripts/count.py": script})
    monkeypatch.setattr(ast, "parse", counting)
    conversion = conversion_of(root)
    assert conversion.classification.scores
    assert conversion.inventory.elements
    assert conversion.plan.entries
    ours = {*files.values(), script}
    assert {text: count for text, count in parsed.items() if text in ours and count > 1} == {}
    assert len(ours & parsed.keys()) == len(ours)


def test_a_file_that_cannot_be_parsed_costs_its_finding_alone(tmp_path: Path) -> None:
    broken = {"broken.py": "from crewai import (\n", "deep.py": f"import crewai\nx = {'(' * 5_000}\n"}
    root = made(
        tmp_path, {"crew.py": CREW, **broken, "unrelated.py": "print 'two'\n", "config/agents.yaml": ""}
    )
    conversion = conversion_of(root)
    found = [finding.file for finding in conversion.diagnostics if finding.code == "python-syntax"]
    assert found == ["broken.py", "deep.py"]
    assert "crewai" in [score.runtime for score in conversion.classification.scores if score.candidate]
    assert any(element.source_file == "crew.py" for element in conversion.inventory.elements)


def test_the_search_ends_at_a_limit_and_says_so(tmp_path: Path) -> None:
    files = {f"app/module_{number}.py": "import crewai\n" for number in range(9)}
    dialects = Dialects.default()
    snapshot = read_snapshot(
        made(tmp_path, {**SOUL, **files}),
        wants=dialects.wants,
        reach=dialects.reach,
        limits=Limits(searched_bytes=40),
    )
    assert read(snapshot) == ["app/module_0.py", "app/module_1.py", "app/module_2.py"]
    assert [(found.code, found.file) for found in snapshot.diagnostics] == [
        ("search-stopped", "app/module_3.py")
    ]


# --- progress and cancelling ------------------------------------------------------------------------


def big(root: Path) -> Path:
    return made(root, {**SOUL, **{f"app/part-{n % 40}/module_{n}.py": "x = 1\n" for n in range(400)}})


def test_progress_grows_within_the_reading(tmp_path: Path) -> None:
    told: list[float] = []
    said: list[str] = []

    def tell(share: float, found: str) -> None:
        told.append(share)
        said.append(found)

    read_workspace(big(tmp_path), Dialects.default(), progress=tell)
    assert said[0].endswith("files and folders found")
    assert said[-1].endswith(" files, 0.0 MB")
    assert told == sorted(told)
    assert len({round(share, 2) for share in told}) > 10
    assert 0 < told[0] < 0.5 < told[-1] <= 1


def test_reading_ends_where_the_progress_is_refused(tmp_path: Path) -> None:
    class Cancelled(Exception):
        pass

    for last in (1, 5, 45, 50):  # in the walk, and while files are searched
        told: list[float] = []

        def cancel(share: float, _found: str, told: list[float] = told, last: int = last) -> None:
            told.append(share)
            if len(told) == last:
                raise Cancelled

        with pytest.raises(Cancelled):
            read_workspace(big(tmp_path), Dialects.default(), progress=cancel)
        assert len(told) == last
