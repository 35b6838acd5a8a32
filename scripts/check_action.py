"""Runs `check` for the GitHub Action (action.yml): annotations, outputs, and `diff` as the summary of the job.

It reads its inputs from the environment, and needs only the standard library and an installed melleafy-tui. Text of a
workspace can't become a workflow command: properties and messages are escaped, and everything else is printed while
commands are stopped.
"""

import json
import os
import re
import secrets
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

MOST_ANNOTATIONS: Final = 10
"""GitHub shows this many of each kind for one step."""

LARGEST_SUMMARY: Final = 1000 * 1024
"""GitHub takes a summary of 1 MiB."""

STALE: Final = 15
PROGRAM: Final = (sys.executable, "-P", "-m", "melleafy_tui")
"""Without the working folder on Python's path: the repository may hold a folder of that name."""

CHANGES: Final = {
    "create": "add",
    "replace": "replace",
    "remove": "remove",
    "merge": "merge your edits into",
    "conflict": "conflict with your edits of",
}
_HUNK: Final = re.compile(r"@@ -(\d+)")
_ESCAPES: Final = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY_ESCAPES: Final = {**_ESCAPES, ":": "%3A", ",": "%2C"}


class Annotation(NamedTuple):
    """A line that GitHub shows beside a file: `error`, `warning` or `notice`."""

    kind: str
    message: str
    file: str = ""
    line: int = 0
    title: str = ""

    def __str__(self) -> str:
        """Return the workflow command."""
        properties = {"file": self.file, "line": str(self.line or ""), "title": self.title}
        given = ",".join(
            f"{name}={_escaped(text, _PROPERTY_ESCAPES)}" for name, text in properties.items() if text
        )
        return f"::{self.kind}{f' {given}' if given else ''}::{_escaped(self.message, _ESCAPES)}"


def _escaped(text: str, escapes: Mapping[str, str]) -> str:
    return "".join(escapes.get(character, character) for character in text)


class Inputs(NamedTuple):
    """The inputs of the action."""

    workspaces: list[str]
    options: list[str]
    exact: bool
    compare: str

    @classmethod
    def of_environment(cls) -> "Inputs":
        """Read the inputs; `INPUT_WORKSPACES` has one folder a line; `INPUT_COMPARE` may be `none`."""
        listed = os.environ.get("INPUT_WORKSPACES", "").splitlines()
        compare = os.environ.get("INPUT_COMPARE", "").strip()
        return cls(
            workspaces=[line.strip() for line in listed if line.strip()] or ["."],
            options=shlex.split(os.environ.get("INPUT_OPTIONS", "")),
            exact=os.environ.get("INPUT_EXACT", "").strip().lower() == "true",
            compare="" if compare == "none" else compare,
        )


class Outcome(NamedTuple):
    """The result of a command: its exit code, its JSON document, and what it printed on standard error."""

    code: int
    document: dict[str, Any]
    said: str


def called(*words: str) -> Outcome:
    """Run a command of melleafy-tui with `--json`."""
    done = subprocess.run([*PROGRAM, *words, "--json"], capture_output=True, text=True, check=False)
    try:
        document = json.loads(done.stdout)
    except json.JSONDecodeError:
        document = {}
    return Outcome(done.returncode, document if isinstance(document, dict) else {}, done.stderr.strip())


def checked(workspace: str, inputs: Inputs) -> tuple[int, list[Annotation]]:
    """Check one workspace, and return the exit code with its annotations, errors first."""
    words = [workspace, *inputs.options]
    outcome = called("check", *words, *(["--exact"] if inputs.exact else []))
    print_text(f"{workspace}: exit {outcome.code}\n{outcome.said}")
    if outcome.code == 0:
        return 0, []
    if outcome.code != STALE:
        error = outcome.document.get("error", {})
        file, line = place_of(str(error.get("location") or ""), workspace)
        message = str(error.get("message") or outcome.said or f"check ended with exit {outcome.code}")
        return outcome.code, [Annotation("error", message, file, line, "melleafy-tui check")]
    return outcome.code, list(stale(workspace, words, outcome.document))


def stale(workspace: str, words: list[str], document: Mapping[str, Any]) -> Iterator[Annotation]:
    """Yield an annotation for the workspace, and one for each file of the package that differs."""
    out = str(document.get("out", ""))
    changes = [file for file in document.get("files", ()) if "/intermediate/" not in f"/{file['path']}"]
    differing = [file for file in document.get("differing", ()) if "/intermediate/" not in f"/{file['path']}"]
    yield Annotation(
        "error",
        f"{out} isn't what the workspace and its decisions give. Run the conversion again and commit the package.",
        relative(workspace),
        title="Stale package",
    )
    lines = first_lines(words) if changes else {}
    for file in changes:
        path = str(file["path"])
        message = (
            f"A conversion would {CHANGES.get(file['action'], 'change')} this file. {file['note']}".rstrip()
        )
        yield Annotation("error", message, relative(f"{out}/{path}"), lines.get(path, 0), "Stale file")
    named = {file["path"] for file in changes}
    for file in differing:
        if file["path"] not in named:
            path = relative(f"{out}/{file['path']}")
            yield Annotation("error", str(file["difference"]), path, title="Not what is emitted")


def first_lines(words: list[str]) -> dict[str, int]:
    """Return the first line on disk that differs, by file; nothing where the preview fails."""
    found: dict[str, int] = {}
    for file in called("preview", *words, "--diff").document.get("files", ()):
        start = _HUNK.search(file.get("diff") or "")
        if start is None:
            continue
        after = str(file["diff"])[start.end() :].splitlines()[1:]
        same = next((number for number, line in enumerate(after) if not line.startswith(" ")), 0)
        found[file["path"]] = max(1, int(start[1]) + same)
    return found


def place_of(location: str, workspace: str) -> tuple[str, int]:
    """Return the file and line of a location such as `SOUL.md:3`."""
    path, _, line = location.rpartition(":")
    if not path or not line.isdigit():
        path, line = location, "0"
    inside = Path(workspace, path)
    return relative(str(inside if inside.exists() else path or workspace)), int(line)


def relative(path: str) -> str:
    """Return a path as GitHub wants it: relative to the repository."""
    root = Path(os.environ.get("GITHUB_WORKSPACE") or ".").resolve()
    place = Path(path).resolve()
    return place.relative_to(root).as_posix() if place.is_relative_to(root) else path


def compared(workspace: str, before: Path, inputs: Inputs) -> tuple[str, list[Annotation]]:
    """Return the differences to the earlier workspace as Markdown, and a notice for each added or changed element."""
    place = relative(workspace)
    old = before / place
    if not old.is_dir():
        return f"`{place}` is new.".replace("\n", " "), []
    words = ["diff", str(old), workspace, *inputs.options]
    outcome = called(*words)
    if outcome.code:
        print_text(outcome.said)
        return "", []
    text = subprocess.run(
        [*PROGRAM, *words, "--format", "markdown"],
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    notices = [
        Annotation(
            "notice",
            str(change["new"]["text"]),
            relative(f"{workspace}/{change['new']['source_file']}"),
            int(str(change["new"]["source_lines"]).partition("-")[0] or 0),
            f"{change['group']}: {change['change']}",
        )
        for change in outcome.document.get("changes", ())
        if change["new"]
    ]
    return text.replace(str(before), inputs.compare), notices


def summary_and_notices(inputs: Inputs) -> tuple[str, list[Annotation]]:
    """Return the summary of the job and its notices: how each workspace differs from the commit to compare with."""
    if not inputs.compare:
        return "", []
    with TemporaryDirectory() as folder:
        before = Path(folder).resolve() / "before"
        if not (git("cat-file", "-e", f"{inputs.compare}^{{commit}}") or fetched(inputs.compare)):
            reason = f"{inputs.compare} isn't in this checkout, so nothing is compared; use fetch-depth: 0."
            return "", [Annotation("warning", reason, title="melleafy-tui diff")]
        if not git("worktree", "add", "--detach", "--force", str(before), inputs.compare):
            return "", [
                Annotation("warning", f"{inputs.compare} can't be checked out", title="melleafy-tui diff")
            ]
        try:
            found = [compared(workspace, before, inputs) for workspace in inputs.workspaces]
        finally:
            git("worktree", "remove", "--force", str(before))
    return "\n\n".join(text for text, _ in found if text), [
        notice for _, notices in found for notice in notices
    ]


def fetched(commit: str) -> bool:
    """Fetch one commit, and return whether that worked."""
    return git("fetch", "--quiet", "--depth=1", "origin", "--end-of-options", commit)


def git(*words: str) -> bool:
    """Run git in the repository, and return whether it succeeded; hooks of the repository don't run."""
    command = ["git", "-c", "core.hooksPath=/dev/null", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode and done.stderr:
        print_text(done.stderr.strip())
    return done.returncode == 0


def print_text(text: str) -> None:
    """Print text that isn't ours, so that no line of it is read as a workflow command."""
    token = secrets.token_hex(16)
    print(f"::stop-commands::{token}\n{text}\n::{token}::", flush=True)


def append(variable: str, text: str) -> None:
    """Append to the file that an environment variable names."""
    path = os.environ.get(variable)
    if path and text:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(text)


def main() -> int:
    """Check every workspace, and return the highest exit code."""
    inputs = Inputs.of_environment()
    if inputs.compare.startswith("-"):
        print(Annotation("error", "the input `compare` must be a commit"))
        return 2
    results = [checked(workspace, inputs) for workspace in inputs.workspaces]
    summary, notices = summary_and_notices(inputs)
    for annotation in [each for _, found in results for each in found][:MOST_ANNOTATIONS]:
        print(annotation)
    for notice in notices[:MOST_ANNOTATIONS]:
        print(notice)
    code = max(code for code, _ in results)
    current = ", ".join(name for name, (found, _) in zip(inputs.workspaces, results, strict=True) if found)
    append("GITHUB_OUTPUT", f"up-to-date={'true' if code == 0 else 'false'}\nexit-code={code}\n")
    verdict = (
        "Every package is up to date."
        if code == 0
        else f"Not up to date, or unreadable: {_code_span(current)}."
    )
    append("GITHUB_STEP_SUMMARY", f"# melleafy-tui check\n\n{verdict}\n\n{_cut(summary)}\n")
    return code


def _code_span(text: str) -> str:
    return "``" + " ".join(text.replace("`", "'").split()) + "``"


def _cut(text: str) -> str:
    data = text.encode("utf-8")
    if len(data) <= LARGEST_SUMMARY:
        return text
    return f"The differences take {len(data):,} bytes, more than a summary holds; run `melleafy-tui diff`."


if __name__ == "__main__":
    sys.exit(main())
