"""The world that every test lives in: its own home, state and configuration folders, no colour switches, still cursors."""

import gc
import os
import shutil
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

# Read by rich and textual when they are imported, so they must go before any test module is loaded (style.md F).
for _variable in ("NO_COLOR", "FORCE_COLOR", "TEXTUAL_THEME", "COLORTERM", "SOURCE_DATE_EPOCH"):
    os.environ.pop(_variable, None)

import certifi
import pytest_textual_snapshot
from hypothesis import settings
from syrupy.data import SnapshotCollections
from syrupy.location import PyTestLocation

# A fifth of the suite's CPU time went into looking through syntax trees, elements and widgets that were still in use.
gc.set_threshold(50_000, 10, 10)

# A slow moment of the machine is no finding, and what runs before a landing tries the same inputs every time;
# HYPOTHESIS_PROFILE=explore looks for new ones.
settings.register_profile("same", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

TESTS = Path(__file__).resolve().parent
PROJECT = TESTS.parent
SNAPSHOTS = PROJECT / "snapshots"
_HOMES = count()
SHARED = PROJECT.parent / "shared"


class TopLevelSVGExtension(pytest_textual_snapshot.SVGImageExtension):  # type: ignore[misc]
    """Keep the pictures under snapshots/, one folder a test module (style.md F)."""

    @classmethod
    def dirname(cls, *, test_location: PyTestLocation) -> str:
        """Return the folder of a test module's pictures."""
        return str(SNAPSHOTS / Path(test_location.filepath).relative_to(TESTS).with_suffix(""))

    def discover_snapshots(self, *, test_location: PyTestLocation) -> SnapshotCollections:
        """Find none, so that an update of some pictures deletes no others; what is left over is a contract's to find.

        Syrupy tells by the names of tests and pictures which ones a selection leaves out, and takes ours for left over.
        """
        return SnapshotCollections()


def pytest_configure() -> None:
    """Let snap_compare find the pictures in the top-level folder."""
    pytest_textual_snapshot.SVGImageExtension = TopLevelSVGExtension


def pytest_collection_finish() -> None:
    """Leave modules and collected tests out of all later looks for garbage."""
    gc.freeze()


def pytest_sessionfinish() -> None:
    """Remove what the shared conversions left on the disk, where a test used them."""
    if "tests.converted" in sys.modules:
        sys.modules["tests.converted"].remove_copies()


@pytest.fixture(scope="session")
def one_authority(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file with one certificate authority: every HTTP client reads the file, and all of them take a tenth of a second."""
    first, end, _ = Path(certifi.where()).read_text(encoding="ascii").partition("-----END CERTIFICATE-----\n")
    path = tmp_path_factory.mktemp("authority") / "one.pem"
    path.write_text(first + end, encoding="ascii")
    return path


@pytest.fixture(autouse=True)
def own_world(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    one_authority: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Path]:
    """Give the test a home, state and configuration folder of its own, and packages a fixed clock; yield the home."""
    # Numbered here: pytest would look through the homes of every test before this one for the next number.
    home = tmp_path_factory.getbasetemp() / f"home{next(_HOMES)}"
    home.mkdir(mode=0o700)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_STATE_HOME", str(home / ".local" / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / ".cache"))
    # What a package sends holds the minute, and active hours depend on it: two runs of one test must agree.
    monkeypatch.setenv("MELLEA_AGENT_NOW", "2026-11-27T10:30:00+00:00")
    if not request.node.get_closest_marker("slow"):  # those of the slow matrix may install from a registry
        monkeypatch.setenv("SSL_CERT_FILE", str(one_authority))
    for variable in list(os.environ):
        if variable.startswith("MELLEAFY_") or variable in ("ACCESSIBLE", "NO_COLOR"):
            monkeypatch.delenv(variable)
    yield home
    shutil.rmtree(home, ignore_errors=True)


@pytest.fixture
def shared() -> Path:
    """Return the folder of the owner's documents, or skip where this is a plain clone."""
    if not (SHARED / "README.md").is_file():
        pytest.skip("../shared is not there: this is a plain clone")
    return SHARED
