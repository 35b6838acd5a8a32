"""Reads frontmatter: the YAML mapping at the top of a Markdown file, with line numbers.

A leading `---` block counts as frontmatter only if it parses to a mapping; otherwise it is part of the body.
"""

from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct, field

from melleafy_tui.core.models.snapshot import SourceFile


class Frontmatter(Struct, frozen=True):
    """The frontmatter of a file.

    Attributes:
        data: The mapping, or None if there is no frontmatter.
        first_line: Line of the opening `---`, 0 without frontmatter.
        last_line: Line of the closing `---`, 0 without frontmatter.
        problem: Why a leading block isn't frontmatter, or `""`.
        key_lines: The line of each top-level key.
        simple_fields: The `name: value` lines of a block that isn't valid YAML, for readers that can use them (an
            unquoted `: ` in a description is the usual cause).
        simple_last_line: The last line of such a block, its closing `---` if there is one.
    """

    data: Mapping[str, object] | None = None
    first_line: int = 0
    last_line: int = 0
    problem: str = ""
    key_lines: Mapping[str, int] = field(default_factory=dict)
    simple_fields: Mapping[str, str] = field(default_factory=dict)
    simple_last_line: int = 0


def frontmatter_of(file: SourceFile) -> Frontmatter:
    """Return the frontmatter of a file."""
    text = file.text or ""
    return split_frontmatter("\n".join(file.lines) if "\r" in text else text.removesuffix("\n"))


def split_frontmatter(file_text: str) -> Frontmatter:
    """Return the frontmatter of a file's text, which has no byte order mark and keeps its own line endings."""
    return _split(file_text) if file_text.startswith("---") else Frontmatter()


@lru_cache(maxsize=8)
def _split(file_text: str) -> Frontmatter:
    from melleafy_tui.core.source.yaml_block import read_block  # YAML takes 10 ms to import

    return Frontmatter(**read_block(file_text))
