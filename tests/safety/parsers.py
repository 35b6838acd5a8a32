"""Every parser of untrusted text as a function of that text; what each may raise is in its row (spec/safety.md 6).

`tests/safety/test_fuzzing.py` feeds them with hypothesis.
"""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from melleafy_tui.actions.resolved_settings import read_config
from melleafy_tui.core.decisions.file import parse_decisions
from melleafy_tui.core.decisions.keys import fold, slug
from melleafy_tui.core.dialects.claude_code.instructions import imports_of
from melleafy_tui.core.dialects.tool_facts import tool_fact
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.core.language.reply_checks import check_of
from melleafy_tui.core.language.time.active_hours import active_hours_in, read_active_hours
from melleafy_tui.core.language.time.cadence import read_cadence, read_time_cell
from melleafy_tui.core.language.time.clock import read_interval
from melleafy_tui.core.language.time.cron import find_cron
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.models.visible_text import visible
from melleafy_tui.core.openclaw.sessions.transcripts import moment, read_transcript
from melleafy_tui.core.package.permissions import commands_in, hosts_in, rule_covers, rule_parts
from melleafy_tui.core.source.dropped_values import without_settings_values, without_values
from melleafy_tui.core.source.frontmatter import split_frontmatter
from melleafy_tui.core.source.json5 import Json5Error, parse_json5
from melleafy_tui.core.source.markdown import parse_markdown
from melleafy_tui.core.source.python_code import python_facts
from melleafy_tui.core.source.secrets.detector import mask_secrets
from melleafy_tui.core.source.segments import cut_sections, cut_segments
from melleafy_tui.core.source.snapshot_reader import decode


@dataclass(frozen=True)
class Parser:
    """A parser: what reads a text, and the errors that are its own."""

    read: Callable[[str], object]
    errors: tuple[type[Exception], ...] = ()

    def __call__(self, text: str) -> None:
        """Read a text; anything but the parser's own errors comes out."""
        try:
            self.read(text)
        except self.errors:
            return


def _source(text: str, path: str = "AGENTS.md") -> SourceFile:
    return SourceFile(path, text.encode("utf-8", "surrogatepass"), text)


def _tools(text: str) -> object:
    file = _source(text, "TOOLS.md")
    snapshot = Snapshot("w", "/w", (file,), ("TOOLS.md",))
    return [tool_fact(segment, segment.words, segment.text, snapshot) for segment in cut_segments(file)]


def _transcript(text: str) -> object:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "s.jsonl")
        place.write_bytes(text.encode("utf-8", "surrogatepass"))
        return list(read_transcript(place))


def _configuration(text: str) -> object:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "config.toml")
        place.write_bytes(text.encode("utf-8", "surrogatepass"))
        return read_config(place)


PARSERS: Final[dict[str, Parser]] = {
    "text": Parser(lambda text: decode("x.md", text.encode("utf-8", "surrogatepass"))),
    "frontmatter": Parser(split_frontmatter),
    "frontmatter block": Parser(lambda text: split_frontmatter(f"---\n{text}\n---\n")),
    "markdown": Parser(lambda text: parse_markdown(_source(text).lines)),
    "segments": Parser(lambda text: cut_segments(_source(text))),
    "sections": Parser(lambda text: cut_sections(_source(text))),
    "json5": Parser(parse_json5, (Json5Error,)),
    "settings values": Parser(without_settings_values),
    "environment file": Parser(without_values),
    "python source": Parser(python_facts),
    "secrets": Parser(mask_secrets),
    "tools": Parser(_tools),
    "imports": Parser(lambda text: imports_of(_source(text, "CLAUDE.md"))),
    "cadence": Parser(read_cadence),
    "cadence in a cell": Parser(lambda text: read_time_cell(text, "Every")),
    "active hours": Parser(read_active_hours),
    "active hours in prose": Parser(active_hours_in),
    "cron": Parser(find_cron),
    "interval": Parser(read_interval),
    "moment": Parser(moment),
    "transcript": Parser(_transcript, (MelleafyError,)),
    "decisions": Parser(parse_decisions, (MelleafyError,)),
    "configuration": Parser(_configuration, (MelleafyError,)),
    "rule": Parser(lambda text: check_of(text, (text[:40],))),
    "permission": Parser(lambda text: (rule_parts(text), rule_covers(text, "Bash", text), commands_in(text))),
    "addresses": Parser(hosts_in),
    "keys": Parser(lambda text: (slug(text, 5), fold(text))),
    "visible": Parser(lambda text: (visible(text), visible(text, block=True))),
}
