"""A dialect from outside brings everything through to a package that runs, without a line outside its own module."""

import importlib
import sys
import threading
from collections.abc import Iterator
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.smoke.runner import SmokeRequest, run_smoke
from melleafy_tui.engine import open_conversion
from tests.dialects.outside import lighthouse
from tests.dialects.outside.distribution import install
from tests.generators.emitting import imported, write_files


@pytest.fixture
def conversion(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Conversion]:
    module = Path(lighthouse.__file__).read_text(encoding="utf-8")
    points = {"lighthouse": "lighthouse_dialect:LighthouseDialect"}
    monkeypatch.syspath_prepend(install(tmp_path / "site", "lighthouse-dialect", module, points))
    importlib.invalidate_caches()
    workspace = lighthouse.lighthouse_workspace(tmp_path / "harbour")
    yield open_conversion(workspace, as_of=date(2026, 1, 15), generated_at="2026-01-15T00:00:00Z")
    sys.modules.pop("lighthouse_dialect", None)


def test_every_line_reaches_the_module_that_it_is_for(conversion: Conversion) -> None:
    assert conversion.classification.source_runtime == "lighthouse"
    assert conversion.lints.passed
    texts = {
        file.path.rpartition("/")[2]: file.data.decode()
        for file in conversion.files.files
        if file.path.count("/") < 2
    }
    for name, said in {
        "config.py": ['"seconds": 1800', "HEARTBEAT_CHECKLIST", "I keep the harbour light", "keeper's name is Ada"],
        "requirements.py": ['at_most(60, "words")', '"pier": [', "Name the berth in every reply."],
        "tools.py": ["def tide_table", "def count_ships", "def recall_memory", "def run_scheduler"],
        "constrained_slots.py": ["def new_lamp_oil"],
        ".env.example": ["TIDE_TOKEN="],
        "SETUP.md": ["§5 Long-term memory", "§6 External scheduler", "a ship calls the harbour"],
        "mapping_report.md": ["**Bell**", "Let your host ring.", "**Lamp**", "Who keeps the light? Ada."],
        "__init__.py": ["a workspace of Lighthouse"],
    }.items():  # fmt: skip
        assert [part for part in said if part not in texts[name]] == []
    (skill,) = [entry for entry in conversion.plan.entries if entry.symbol == "new_lamp_oil"]
    assert skill.subtype == "skill"


def test_a_secret_in_any_line_joins_the_row_for_credentials(tmp_path: Path) -> None:
    from melleafy_tui.core.dialects.registry import Dialects
    from melleafy_tui.core.pipeline.element_collection import take_inventory
    from melleafy_tui.engine import read_workspace

    workspace = lighthouse.lighthouse_workspace(tmp_path / "harbour")
    (workspace / lighthouse.SPEC).write_text("rule Log in with API_KEY=sk-proj-aB3dE5fG7hI9jK1lM3nO5pQ7\n")
    dialects = Dialects.of(lighthouse.LighthouseDialect())
    snapshot = read_workspace(workspace, dialects)
    inventory = take_inventory(
        snapshot, ("lighthouse",), dialects, as_of=date(2026, 1, 15), openclaw_release="dialect-1.0"
    )
    rule, *_, key = inventory.elements
    assert (rule.mapping_row, key.mapping_row) == ("lighthouse.rule", "lighthouse.key")
    assert rule.statement == "Log in with API_KEY=${LOG_IN_WITH_API_KEY}"


class Tides(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(f"asked for {self.path}".encode())

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@pytest.fixture
def tides() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Tides)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield f"127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


@pytest.mark.slow
def test_the_package_runs(conversion: Conversion, tmp_path: Path, tides: str) -> None:
    pytest.importorskip("mellea")
    package = write_files(conversion.files, tmp_path / "out")
    report = run_smoke(SmokeRequest(package))
    assert {"heartbeat_acts", "second_turn"} <= {run.fixture_id for run in report.runs}
    assert report.passed, [run.error for run in report.runs]
    tools = package / "tools.py"
    tools.write_text(tools.read_text(encoding="utf-8").replace("127.0.0.1:8765", tides), encoding="utf-8")
    with imported(package.name, package.parent):
        loaded = importlib.import_module(f"{package.name}.tools")
        assert loaded.tide_table("2026-01-15") == "asked for /tides?day=2026-01-15"
        assert loaded.count_ships("one two").strip() == "ships: 3"
        assert "north-west" in loaded.recall_memory("winter storms")
