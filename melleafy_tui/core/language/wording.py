"""Extracts plain words from Markdown text: drops markers, joins wrapped lines, writes one-line summaries.

Only the form is handled here; the dialects and `core/language/orders.py` interpret the meaning.
"""

import re
from collections.abc import Sequence
from typing import Final

from melleafy_tui.core.language.text_measures import is_wide
from melleafy_tui.core.lazy_regex import LazyRegex

SUMMARY_LIMIT: Final = 100
"""Maximum length of a `content_summary`, in characters."""

_SPAN = 400
"""Inline spans longer than this are left unchanged, so that patterns stay linear."""

_CODE = LazyRegex(rf"(?<!`)(`{{1,3}})(?!`)([^`\n]{{1,{_SPAN}}}?)\1(?!`)")
_COMMENT = LazyRegex(r"<!--(?:(?!-->).)*(?:-->|$)", re.DOTALL)
_IMAGE = LazyRegex(rf"!\[([^\]\n]{{0,{_SPAN}}})\]\([^()\s]{{0,{_SPAN}}}\)")
_LINK = LazyRegex(
    rf"(?<!\[)\[([^\[\]\n]{{1,{_SPAN}}})\]\(([^()\s]{{1,{_SPAN}}})(?:\s+\"[^\"\n]{{0,{_SPAN}}}\")?\)"
)
_STRONG = LazyRegex(rf"(\*\*\*|\*\*|~~)(?=[^\s*])([^\n]{{1,{_SPAN}}}?)(?<=[^\s*])\1")
_UNDERSCORES = LazyRegex(rf"(?<!\w)(__|_)(?=[^\s_])([^\n]{{1,{_SPAN}}}?)(?<=[^\s_])\1(?!\w)")
_STAR = LazyRegex(rf"(?<![\w*])\*(?=[^\s*])([^*\n]{{1,{_SPAN}}}?)(?<=[^\s*])\*(?![\w*])")
_TAG = LazyRegex(
    r"</?(?:b|i|u|em|strong|br|sub|sup|kbd|p|div|span|details|summary)(?:\s[^<>\n]{0,200})?/?>",
    re.IGNORECASE,
)
_ESCAPE = LazyRegex(r"\\([!-/:-@\[-`{-~])")
_ENTITIES: Final = {
    "lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'", "#39": "'", "nbsp": " ", "mdash": "—", "ndash": "–",
    "hellip": "…", "rarr": "→", "le": "≤", "ge": "≥",
}  # fmt: skip
_ENTITY = LazyRegex(f"&({'|'.join(_ENTITIES)});")
"""Entities that people write in Markdown; code spans keep theirs."""
_HYPHEN_WRAP = LazyRegex(
    r"(?<=[^\W\d_])-\n(?=[^\W\d_])(?!(?:and|or|to|und|oder|bis|y|o|e|ou|et)\b)(?=[a-zß-ÿа-я])"
)
"""A hyphen at the end of a line inside a word ("chain-of-" + "thought"), not one that stands for a part left out."""
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]]?\s+(?=[\"'(“]?[A-Z0-9À-ÞА-Я*])|(?<=[。！？])(?![\"”」』])")
_ABBREVIATION = LazyRegex(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|no|mr|mrs|ms|dr|st|approx)|\b[A-Z])\.$", re.I)
_LONGEST_ABBREVIATION: Final = len("approx.") + 1
_TASK_MARK = LazyRegex(r"^\[[ xX]\]\s+")
_BLOCK_MARK = LazyRegex(r"^(?:\s{0,3}(?:[-*+]|\d{1,9}[.)]|>|#{1,6})(?:\s+|$))+")
_WORD = re.compile(r"\w+", re.UNICODE)
_KEPT = LazyRegex("\ufdd0(\\d+)\ufdd1")
_MARKS = re.compile("[`<\\[*~_\\\\&\ufdd0\ufdd1]")
"""Every match of the patterns in `plain_text` contains one of these; most lines have none."""


def first_of(names: Sequence[str], most: int) -> str:
    """Return the first names of many as one phrase: "a, b and 7 more"."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def join_lines(lines: Sequence[str]) -> str:
    """Return hard-wrapped lines as one line, without a space between two CJK characters."""
    joined = "\n".join(line.strip().removesuffix("\\") for line in lines)
    if "\n" in joined and not joined.isascii():
        joined = _with_wide_lines_closed_up(joined)
    if "-\n" in joined:
        joined = _HYPHEN_WRAP.sub("-", joined)
    return " ".join(joined.split())


def _with_wide_lines_closed_up(text: str) -> str:
    joined, *lines = text.split("\n")
    for line in lines:
        if is_wide(joined.rstrip()[-1:]) and is_wide(line.lstrip()[:1]):
            joined = joined.rstrip() + line.lstrip()
        else:
            joined = f"{joined}\n{line}"
    return joined


def plain_text(text: str, *, keep_code_marks: bool = False) -> str:
    """Return text without inline markers; links become their text, comments are dropped."""
    if not _MARKS.search(text):
        return " ".join(text.split())
    spans: list[str] = []

    def keep(match: re.Match[str]) -> str:
        spans.append(f"`{match[2].strip()}`" if keep_code_marks else match[2].strip())
        return f"\ufdd0{len(spans) - 1}\ufdd1"

    bare = text.replace("\ufdd0", "").replace("\ufdd1", "")
    if "`" in bare:
        bare = _CODE.sub(keep, bare)
    if "<" in bare:
        bare = _COMMENT.sub(" ", bare)
    if "](" in bare:
        bare = _LINK.sub(r"\1", _IMAGE.sub(r"\1", bare))
    if "<" in bare:
        bare = _TAG.sub(" ", bare)
    bare = _without_emphasis(bare)
    if "\\" in bare:
        bare = _ESCAPE.sub(r"\1", bare)
    if "&" in bare:
        bare = _ENTITY.sub(lambda match: _ENTITIES[match[1]], bare)
    if spans:
        bare = _KEPT.sub(lambda match: spans[int(match[1])], bare)
    return " ".join(bare.split())


def _without_emphasis(text: str) -> str:
    if "**" in text or "~~" in text:
        for _ in range(2):
            text = _STRONG.sub(r"\2", text)
    if "_" in text:
        text = _UNDERSCORES.sub(r"\2", text)
    return _STAR.sub(r"\1", text) if "*" in text else text


_END_OF_LEAD_IN: Final = LazyRegex(r"[:\uff1a\s]+(?=[*_]{0,3}$)")
"""Colons at the end, also inside of marks: "**Style rules:**" has one."""


def behind(lead_ins: Sequence[str], words: str) -> str:
    """Return words behind their lead-ins, each with one colon."""
    return "".join(f"{_END_OF_LEAD_IN.sub('', each)}: " for each in lead_ins) + words


def without_task_mark(text: str) -> str:
    """Return an item's text without its task list checkbox."""
    return _TASK_MARK.sub("", text)


def without_block_marks(line: str) -> str:
    """Return a line without leading list, quote and heading markers."""
    return _BLOCK_MARK.sub("", line).strip()


def _is_abbreviated(text: str) -> bool:
    """Return whether a text ends in an abbreviation, whose full stop doesn't end the sentence."""
    return bool(_ABBREVIATION.search(text[-_LONGEST_ABBREVIATION:]))


def first_sentence(text: str) -> str:
    """Return the first sentence of a text."""
    start = 0
    for end in _SENTENCE_END.finditer(text):
        if not _is_abbreviated(text[start : end.start()]):
            return text[: end.start()].strip()
    return text.strip()


def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a text."""
    found, start = [], 0
    for end in _SENTENCE_END.finditer(text):
        piece = text[start : end.start()]
        if not _is_abbreviated(piece):
            found.append(piece.strip())
            start = end.end()
    found.append(text[start:].strip())
    return tuple(piece for piece in found if piece)


def summarise(text: str, *, prefix: str = "", limit: int = SUMMARY_LIMIT) -> str:
    """Return the first sentence, shortened to `limit` characters without cutting a word.

    With a prefix such as `Rule: ` the sentence continues in lower case, unless its first word is a name or
    an abbreviation.
    """
    sentence = first_sentence(plain_text(text))
    if sentence.endswith(".") and not _is_abbreviated(sentence) and not sentence.endswith(".."):
        sentence = sentence[:-1]
    sentence = sentence.rstrip("。:：").strip() or plain_text(text)
    if prefix and not sentence.casefold().startswith(prefix.strip().casefold()):
        sentence = prefix + lower_first(sentence)
    return shorten(sentence, limit)


def shorten(text: str, limit: int = SUMMARY_LIMIT) -> str:
    """Return text of at most `limit` characters, cut between words and marked with `…`."""
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    if re.match(r"\s", text[limit - 1]):
        cut = len(head)
    else:
        ends = (
            end for end in range(len(head), 0, -1) if is_wide(head[end - 1]) or head[end : end + 1].isspace()
        )
        cut = next(ends, len(head))
    return head[:cut].rstrip(" ,;:–—-") + "…"


def lower_first(text: str) -> str:
    """Return text with its first letter in lower case, unless the first word is a name or an abbreviation."""
    word = re.match(r"[^\W\d_]+(?:['’][^\W\d_]+)?", text)
    if word is None or word[0] == "I" or word[0].startswith(("I'", "I’")) or not word[0][1:].islower():
        return text
    return text[0].lower() + text[1:]


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text, case folded, for comparison."""
    return tuple(_WORD.findall(text.casefold()))
