"""Gets a published `openclaw` package into a cache outside the repository and assembles prompts with its own code."""

import json
import os
import re
import shutil
import subprocess
import tarfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

import pytest

HERE: Final = Path(__file__).parent
NODE: Final = "24.16.0"
"""The least Node that the newest release asks for."""

CACHE: Final = Path(
    os.environ.get("OPENCLAW_PACKAGES")
    or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "melleafy-tui-tests" / "openclaw"
)
"""Where packages are kept; read before a test moves the home folder away."""

_SECONDS: Final = 420


@dataclass(frozen=True)
class Case:
    """One prompt to assemble."""

    id: str
    workspace: str
    session: str
    mode: str
    config: object = field(default_factory=dict)


@dataclass(frozen=True)
class Published:
    """What the package made of a case: its files in the order of their budget, and the prompt around them."""

    files: tuple[tuple[str, str], ...]
    prompt: str


def package(release: str) -> Path:
    """Return the folder of a release, installed where it is not there yet; skip where that cannot be done."""
    folder = CACHE / release
    done = folder / "package.txt"
    if not done.is_file():
        if shutil.which("npm") is None:
            pytest.skip("npm is not installed: the published package cannot be got")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        done.write_text(str(_installed(release, folder)), "utf-8")
    return Path(done.read_text("utf-8"))


def assemble_all(release: str, cases: Sequence[Case], folder: Path) -> dict[str, Published]:
    """Return what a release makes of the cases."""
    file = folder / f"cases-{release}.json"
    file.write_text(json.dumps([asdict(case) for case in cases]), "utf-8")
    result = folder / f"result-{release}.json"
    home = folder / "home"
    home.mkdir(exist_ok=True)
    run = subprocess.run(
        [
            node(),
            "--no-warnings",
            str(HERE / "openclaw_assembly.mjs"),
            str(package(release)),
            str(file),
            str(result),
        ],
        capture_output=True,
        check=False,
        timeout=_SECONDS,
        env={"PATH": os.environ["PATH"], "HOME": str(home), "TZ": "UTC"},
    )
    assert run.returncode == 0, run.stderr.decode("utf-8", "replace")[-3000:]
    return {
        name: Published(tuple((each["path"], each["content"]) for each in found["files"]), found["prompt"])
        for name, found in json.loads(result.read_text("utf-8")).items()
    }


def node() -> str:
    """Return a Node that is new enough: that of the machine, else one from the registry; skip where there is none."""
    own = shutil.which("node")
    if own is not None and _is_new_enough(own):
        return own
    if shutil.which("npm") is None:
        pytest.skip("neither a Node that is new enough nor npm is installed")
    folder = CACHE / "node"
    binary = folder / "node_modules" / "node" / "bin" / "node"
    if not binary.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text('{"private": true}', "utf-8")
        _npm(
            ["install", "node@24", "--no-audit", "--no-fund", "--no-package-lock", "--foreground-scripts"],
            folder,
        )
    if not binary.is_file() or not _is_new_enough(str(binary)):
        pytest.skip("no Node that is new enough could be installed")
    return str(binary)


def _is_new_enough(binary: str) -> bool:
    said = subprocess.run([binary, "--version"], capture_output=True, check=False, timeout=30).stdout.decode()
    found = re.match(r"v(\d+)\.(\d+)\.(\d+)", said)
    return found is not None and tuple(map(int, found.groups())) >= tuple(map(int, NODE.split(".")))


def _installed(release: str, folder: Path) -> Path:
    """Return where a release was put: with what it needs, else, where that cannot be got, alone.

    Some of the older ones need a package from a git server. What they need is not part of the assembly
    (`openclaw_hooks.mjs` stands in for it).
    """
    (folder / "package.json").write_text('{"private": true}', "utf-8")
    words = ["--ignore-scripts", "--omit=optional", "--no-audit", "--no-fund", "--no-package-lock"]
    if release >= "2026.8" and _npm(["install", f"openclaw@{release}", *words], folder, needed=False):
        return folder / "node_modules" / "openclaw"
    _npm(["pack", f"openclaw@{release}", "--silent"], folder)
    archives = sorted(folder.glob("openclaw-*.tgz"))
    if not archives:
        pytest.skip(f"openclaw {release} could not be got from the registry")
    with tarfile.open(archives[0]) as archive:
        archive.extractall(folder, filter="data")
    archives[0].unlink()
    return folder / "package"


def _npm(words: Sequence[str], folder: Path, *, needed: bool = True) -> bool:
    try:
        run = subprocess.run(
            ["npm", *words],
            cwd=folder,
            capture_output=True,
            check=False,
            timeout=_SECONDS,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired:
        run = None
    if run is not None and run.returncode == 0:
        return True
    if needed:
        pytest.skip(f"the registry cannot be reached: `npm {' '.join(words[:2])}` failed")
    return False
