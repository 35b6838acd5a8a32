"""Convert real sources with a checkout of the converter, and compare what two checkouts make of them.

The sources are public repositories, named in `corpus.toml` and kept outside this repository; their text is never
committed. Four ways to run it:

    corpus.py --checkout GITS --corpus ROOT        unpack the listed commits from GITS/<owner>+<name>/repo
    corpus.py --corpus ROOT --store A.json         convert with --tree (this checkout), keep packages with --keep DIR
                                                   (with `prompt`: lines of the documents that the prompt tears,
                                                   doubles or loses; 0 is a prompt that is the documents)
    corpus.py --before A.json --after B.json       print what differs
    corpus.py --before A.json --after B.json --show SOURCE [FILE]
"""

import argparse
import ast
import hashlib
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from itertools import takewhile, zip_longest
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).parent
AS_OF: Final = "2026-01-01"
# A conversion takes 1 to 25 seconds of a processor, on a busy machine many minutes of the clock.
PROCESSOR_LIMIT: Final = 150
CLOCK_LIMIT: Final = 1800
# Pictures, recordings and databases of this size say nothing about a converter and fill a disk.
LARGE_FILE: Final = 1_000_000
# A change that this many packages share to the byte is one change, of a file that all packages get.
SHARED: Final = 3
TOTALS: Final = (
    *("prompt", "judged", "checked", "guidance", "tools", "tasks", "stubs", "files", "seconds"),
    *("read", "carried", "named"),
)
ROWS: Final = 40

Json = dict[str, Any]


def listed(path: Path) -> Json:
    """Return the sources of a list such as `corpus.toml` by name, `owner/name` or `owner/name:folder`."""
    found: Json = {}
    for repository in tomllib.loads(path.read_text(encoding="utf-8"))["repository"]:
        for folder in repository["sources"]:
            name = repository["name"]
            found[f"{name}:{folder}" if folder else name] = {
                "commit": repository["commit"],
                "folder": f"{name.replace('/', '__')}/{folder}".rstrip("/"),
                "held": repository.get("held", False),
                "subset": folder in repository.get("subset", []),
            }
    return found


def checkout(gits: Path, corpus: Path, sources: Json) -> None:
    """Unpack every listed commit below the corpus, without large files and those that a snapshot lacks."""
    for name, commit in sorted({(name.split(":")[0], source["commit"]) for name, source in sources.items()}):
        place, git = corpus / name.replace("/", "__"), gits / name.replace("/", "+") / "repo"
        if place.exists():
            continue
        place.mkdir(parents=True)
        with tempfile.TemporaryDirectory() as scratch:
            call = partial(
                _git, place, {"GIT_INDEX_FILE": f"{scratch}/index", "GIT_DIR": str(git.absolute())}
            )
            call("read-tree", commit)
            entries = [
                entry.split(b"\t", 1) for entry in call("ls-tree", "-rlz", commit).split(b"\0") if entry
            ]
            sizes = [(path, facts.split()[-1]) for facts, path in entries]
            small = [path for path, size in sizes if size.isdigit() and int(size) <= LARGE_FILE]
            call("--work-tree=.", "checkout-index", "-zq", "--stdin", fed=b"\0".join(small))


def _git(place: Path, variables: dict[str, str], *words: str, fed: bytes = b"") -> bytes:
    environment = {**os.environ, **variables}
    ran = subprocess.run(
        ["git", *words], cwd=place, env=environment, input=fed, stdout=subprocess.PIPE, check=True
    )
    return ran.stdout


def convert(tree: Path, corpus: Path, keep: Path | None, name: str, folder: str) -> Json:
    """Convert one source with the `.venv` of a checkout; return a summary and the digests of its package."""
    with tempfile.TemporaryDirectory() as scratch:
        out = keep / name.replace("/", "__") if keep else Path(scratch, "out")
        shutil.rmtree(out, ignore_errors=True)
        python = tree / ".venv" / "bin" / "python"
        options = ["--dependencies=auto", f"--as-of={AS_OF}", f"--out={out.absolute()}"]
        # Settings of the user and of the machine must not tell.
        environment = {"PATH": os.environ["PATH"], "HOME": scratch, "TZ": "UTC", "LC_ALL": "C.UTF-8"}
        command = [python.absolute(), "-m", "melleafy_tui", (corpus / folder).absolute(), *options]
        run = partial(subprocess.run, cwd=scratch, env=environment, capture_output=True, timeout=CLOCK_LIMIT)
        started = resource.getrusage(resource.RUSAGE_CHILDREN)
        try:
            ran = run(command, text=True, errors="replace", preexec_fn=_limit)
            status, said = ran.returncode, ran.stderr.strip().splitlines()
        except subprocess.TimeoutExpired:
            status, said = -1, [f"no end after {CLOCK_LIMIT} s"]
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        files = {_place(path, out): path for path in sorted(out.rglob("*")) if path.is_file()}
        return {
            "summary": {
                "status": status,
                **({"error": said[-1]} if status and said else {}),
                **summary(files),
                "prompt": len(prompt_faults(files, corpus / folder)),
                "seconds": round(ended.ru_utime + ended.ru_stime - started.ru_utime - started.ru_stime, 1),
            },
            "files": {place: _digest(path) for place, path in files.items()},
        }


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_LIMIT, PROCESSOR_LIMIT))


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


def _place(path: Path, out: Path) -> str:
    """Return a file's path in its package, whatever the package is called; `../` is what lies beside it."""
    first, *rest = path.relative_to(out).parts
    return "/".join(rest) if rest else f"../{first}"


def summary(files: dict[str, Path]) -> Json:
    """Return the figures of a package that say whether it still does the same."""
    calls, tools = Counter[str](), 0
    for place, path in files.items():
        # What a package carries from its source isn't its own code.
        if not place.endswith(".py") or place.count("/") > 1:
            continue
        try:
            parsed = ast.parse(path.read_text(encoding="utf-8"))
        except (SyntaxError, ValueError):
            continue
        for node in ast.walk(parsed):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and place == "requirements.py":
                named = {keyword.arg for keyword in node.keywords}
                calls["checked"] += "check" in named
                calls["judged"] += "asks" in named and "check" not in named
                calls["guidance"] += "asks" not in named and node.func.id == "Piece"
                calls[node.func.id] += 1
            elif isinstance(node, ast.Raise) and "NotImplementedError" in ast.unparse(node):
                calls["stubs"] += 1
        if place == "tools.py":
            tools = sum(isinstance(node, ast.FunctionDef) and node.name[0] != "_" for node in parsed.body)
    manifest = json.loads(files["melleafy.json"].read_bytes()) if "melleafy.json" in files else {}
    schedule = manifest.get("schedule_config") or {}
    return {
        "runtime": manifest.get("source_runtime", ""),
        "modality": manifest.get("modality", ""),
        **{kind: calls[kind] for kind in ("judged", "checked", "guidance", "stubs")},
        "tools": tools,
        "tasks": len(schedule.get("tasks") or []) + len(schedule.get("wake_ups") or []),
        "files": len(files),
        **_account(
            files["mapping_report.md"].read_text(encoding="utf-8") if "mapping_report.md" in files else ""
        ),
    }


def _account(report: str) -> dict[str, int]:
    """Return how many files of the source a report counts as read, carried and named."""
    line = ACCOUNT.search(report)
    counts = re.findall(r"([\d,]+) (read|carried|named)", line[0] if line else "")
    return {kind: int(number.replace(",", "")) for number, kind in counts}


ACCOUNT: Final = re.compile(r"^[\d,]+ files?: .*(?= Every file below)", re.MULTILINE)

# Constants of config.py that hold the owner's documents, each as it stands.
TEXTS: Final = ("PREFIX_TEXT", "USER_CONTEXT", "TOOL_GUIDANCE", "HEARTBEAT_CHECKLIST")
BREAK: Final = re.compile(r"\r\n|\n|\r")
MASKED: Final = re.compile(r"\$\{\w+\}")
# The text of another file stands between these marks, where a sentence orders it.
INLINED: Final = re.compile(r"^\[(\S+\.md):\]\n.*?^\[end of \1\]\n", re.MULTILINE | re.DOTALL)


def prompt_faults(files: dict[str, Path], source: Path) -> list[str]:
    """Return where the texts of a prompt joined aren't the documents without what was left out.

    A line may have a value masked; what was left out is what the plan removes.
    """
    found, taken = [], set[tuple[str, int]]()
    for text, ranges in _prompt_texts(files):
        written = [line for line in BREAK.split(INLINED.sub("", text)) if line.strip()]
        lines = [(name, number) for name, first, last in ranges for number in range(first, last + 1)]
        if text.startswith("[") or not all(name.endswith(".md") for name, _ in lines):
            continue  # the text of another file, which a sentence orders
        there = [line for line in (_line(source, *each) for each in lines) if line.strip()]
        pairs = zip_longest(written, there, fillvalue="")
        first = lines[0] if lines else ("", 0)
        if _line(source, first[0], 1) == "---" and first[1] < _lines(source / first[0]).index("---", 1) + 1:
            continue  # a value of the frontmatter, which YAML writes its own way
        torn = sum(old != new and not MASKED.search(old) and f": {old}" not in new for old, new in pairs)
        found += [f"{name}:{first}: {torn} lines differ" for name, first, _ in ranges[:1] if torn]
        found += [f"{name}:{number} stands twice" for name, number in lines if (name, number) in taken]
        taken |= set(lines)
    records = {name: json.loads(files[f"intermediate/{name}.json"].read_bytes()) for name in RECORDS if files}
    removed = (
        {
            element
            for entry in records["dependency_plan"]["entries"]
            if entry["disposition"] == "remove"
            for element in entry["source_elements"]
        }
        if records
        else set()
    )
    documents = {name for name, _ in taken}
    rules = (
        {
            row["element_id"]
            for row in records["element_mapping"]["mappings"]
            if row["target_file"] == "requirements.py"
        }
        if records
        else set()
    )
    for element in records["inventory"]["elements"] if records else ():
        if element["element_id"] in rules - removed and element["source_file"] in documents:
            first, _, last = element["source_lines"].partition("-")
            for number in range(int(first), int(last or first) + 1):
                line = (element["source_file"], number)
                if line not in taken and _line(source, *line).strip():
                    found.append(f"{line[0]}:{number} is lost")
    return found


RECORDS: Final = ("dependency_plan", "element_mapping", "inventory")


def _prompt_texts(files: dict[str, Path]) -> Iterator[tuple[str, list[tuple[str, int, int]]]]:
    """Yield each text of the owner's in requirements.py and config.py with the lines that it has."""
    for place in ("requirements.py", "config.py"):
        code = files[place].read_text(encoding="utf-8") if place in files else ""
        lines = code.split("\n")
        for node in ast.walk(ast.parse(code)):
            match node:
                case ast.Call(
                    func=ast.Name(id="Piece"),
                    args=[ast.Constant(value=str(text)), ast.Constant(value=str(at))],
                ):
                    if text:
                        yield text, _ranges(at)
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.Constant(value=str(text))) if (
                    name in TEXTS
                ):
                    marked = takewhile(
                        lambda line: line.startswith("# PROVENANCE: "), lines[node.end_lineno or 0 :]
                    )
                    yield text, _ranges("\n".join(line for line in marked if "inlined" not in line))


def _ranges(text: str) -> list[tuple[str, int, int]]:
    found = re.findall(r"([^\s,][^:,\n]*?):(\d+)(?:-(\d+))?", text.replace("# PROVENANCE: ", ""))
    return [(name, int(first), int(last or first)) for name, first, last in found]


@cache
def _lines(path: Path) -> list[str]:
    return BREAK.split(path.read_bytes().decode("utf-8-sig", "replace")) if path.is_file() else []


def _line(source: Path, name: str, number: int) -> str:
    lines = _lines(source / name)
    return lines[number - 1] if number <= len(lines) else ""


def run(options: argparse.Namespace, sources: Json) -> None:
    """Convert the chosen sources, two at once, and write the store."""
    chosen = {
        name: source["folder"]
        for name, source in sources.items()
        if source["held"] == options.held and (source["subset"] or not options.subset)
    }
    started = time.monotonic()
    one = partial(convert, options.tree, options.corpus, options.keep)
    with ProcessPoolExecutor(options.jobs) as pool:
        results = dict(zip(chosen, pool.map(one, chosen, chosen.values()), strict=True))
    commit = ["git", "-C", options.tree, "describe", "--always", "--dirty"]
    store = {
        "tree": subprocess.run(commit, capture_output=True, text=True, check=False).stdout.strip(),
        "keep": str(options.keep.absolute()) if options.keep else "",
        "sources": results,
    }
    options.store.write_text(json.dumps(store, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    ends = Counter(result["summary"]["status"] for result in results.values())
    print(f"{len(results)} sources in {time.monotonic() - started:.0f} s; exit status: {dict(ends)}")


def compare(before: Json, after: Json) -> list[str]:
    """Return the lines of the report on two stores: failures, files, and each package that differs."""
    both = [name for name in before["sources"] if name in after["sources"]]
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    shared = Counter[tuple[str, str, str]]()
    changes: dict[str, dict[str, tuple[str, str]]] = {}
    for name in both:
        old, new = before["sources"][name]["files"], after["sources"][name]["files"]
        pairs = {place: (old.get(place, ""), new.get(place, "")) for place in sorted({*old, *new})}
        changes[name] = {place: pair for place, pair in pairs.items() if pair[0] != pair[1]}
        for place, pair in changes[name].items():
            kinds[place]["changed" if all(pair) else "gone" if pair[0] else "new"] += 1
            shared[place, *pair] += 1
    differing = sum(map(bool, changes.values()))
    totals = [f"{figure} {_total(before, both, figure)} → {_total(after, both, figure)}" for figure in TOTALS]
    trees = f"{before['tree']} → {after['tree']}"
    lines = [f"{trees}: {len(both)} sources, {differing} packages differ; {', '.join(totals)}", ""]
    failed = [name for name in both if _status(after, name) and _status(after, name) != _status(before, name)]
    lines += [f"NEW FAILURE: {name}: {after['sources'][name]['summary'].get('error')}" for name in failed]
    lines += ["| file | changed | new | gone |", "|---|--:|--:|--:|"]
    rows = sorted(kinds.items(), key=lambda item: (-item[1].total(), item[0]))
    lines += [f"| {place} | {n['changed']} | {n['new']} | {n['gone']} |" for place, n in rows[:ROWS]]
    lines += [f"| {len(rows) - ROWS} more | | | |"] if len(rows) > ROWS else []
    lines += ["", "| package | figures | files of its own, without `intermediate/` |", "|---|---|---|"]
    for name in both:
        old, new = before["sources"][name]["summary"], after["sources"][name]["summary"]
        moved = [key for key in {**old, **new} if key != "seconds" and old.get(key) != new.get(key)]
        figures = "; ".join(f"{key} {old.get(key, '–')} → {new.get(key, '–')}" for key in moved)
        own = [place for place, pair in changes[name].items() if shared[place, *pair] < SHARED]
        own = [place for place in own if not place.startswith("intermediate/")]
        if figures or own:
            lines.append(f"| {name} | {figures} | {', '.join(own[:8])}{' …' if own[8:] else ''} |")
    return lines


def _status(store: Json, name: str) -> int:
    return int(store["sources"][name]["summary"]["status"])


def _total(store: Json, names: list[str], figure: str) -> str:
    return f"{sum(store['sources'][name]['summary'].get(figure, 0) for name in names):,.0f}"


def show(before: Json, after: Json, name: str, file: str) -> int:
    """Print the difference between the two kept packages of one source, or of one file in them."""
    places = [Path(store["keep"], name.replace("/", "__")) for store in (before, after)]
    places = [next(place.glob(f"*/{file}"), Path("/dev/null")) if file else place for place in places]
    return subprocess.run(["git", "--no-pager", "diff", "--no-index", "--", *places], check=False).returncode


def main() -> int:
    """Do what the options ask for; return how the program exits."""
    shape = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=shape)
    for name in ("corpus", "checkout", "store", "keep", "before", "after"):
        parser.add_argument(f"--{name}", type=Path)
    parser.add_argument("--list", type=Path, default=HERE / "corpus.toml")
    parser.add_argument("--tree", type=Path, default=HERE.parent)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--subset", action="store_true", help="only the sources for a quick look")
    parser.add_argument("--held", action="store_true", help="only the sources that no builder reads")
    parser.add_argument("--show", nargs="+", metavar="SOURCE")
    options = parser.parse_args()
    if options.before and options.after:
        stores = [json.loads(path.read_bytes()) for path in (options.before, options.after)]
        if options.show:
            return show(stores[0], stores[1], options.show[0], "".join(options.show[1:]))
        print("\n".join(compare(*stores)))
    elif options.corpus and (options.checkout or options.store):
        sources = listed(options.list)
        if options.checkout:
            checkout(options.checkout, options.corpus, sources)
        if options.store:
            run(options, sources)
    else:
        parser.error("give --corpus with --checkout or --store, or --before with --after")
    return 0


if __name__ == "__main__":
    sys.exit(main())
