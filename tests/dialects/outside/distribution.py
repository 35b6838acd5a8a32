"""Distributions with dialects for tests: real metadata in a folder on the path, as an installation leaves it."""

import re
import tomllib
from pathlib import Path

from tests.conftest import PROJECT

GUIDE = PROJECT / "docs" / "dialects" / "writing-one.md"
LANTERN = """\
# Night watch

> I speak softly and name the hour.

bell: the harbour bell rings

- Never wake the crew without need.
- Always name the hour in every reply.
- Reply in at most 60 words.

$ read_tide_table

The watch began in 1870.
"""


def modules() -> list[str]:
    """Return the modules of the guide: the example, and the one with steps."""
    return re.findall(r"^```python\n(.*?)^```", GUIDE.read_text(encoding="utf-8"), re.M | re.S)


def example() -> tuple[str, dict[str, str]]:
    """Return the first module of the guide, and the entry points that it names."""
    (toml,) = re.findall(r"^```toml\n(.*?)^```", GUIDE.read_text(encoding="utf-8"), re.M | re.S)
    points = tomllib.loads(toml)["project"]["entry-points"]["melleafy_tui.dialects"]
    return modules()[0], points


def install(site: Path, name: str, module: str, points: dict[str, str]) -> Path:
    """Put a distribution into a folder that is on the path, or will be; return the folder."""
    site.mkdir(exist_ok=True)
    (site / f"{name.replace('-', '_')}.py").write_text(module, encoding="utf-8")
    info = site / f"{name.replace('-', '_')}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    lines = "".join(f"{point} = {value}\n" for point, value in points.items())
    (info / "entry_points.txt").write_text(f"[melleafy_tui.dialects]\n{lines}", encoding="utf-8")
    return site


def lantern_workspace(folder: Path) -> Path:
    """Write a Lantern agent."""
    folder.mkdir()
    (folder / "LANTERN.md").write_text(LANTERN, encoding="utf-8")
    return folder
