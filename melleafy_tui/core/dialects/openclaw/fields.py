"""Reads `Label: value` fields in all their forms, recognises placeholders, and translates labels.

The forms are bullets with bold labels, bare lines, table rows, values on the next line, and full-width colons. A value
never extends into the next field.
"""

# ruff: noqa: E501 - a word list is easier to read in one piece

import re
from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from melleafy_tui.core.language.wording import join_lines, plain_text, without_block_marks
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.source.segments import Segment

LABELS: Final[Mapping[str, tuple[str, ...]]] = {
    "name": ("name", "agent name", "my name", "display name", "名字", "名称", "名稱", "姓名", "名前", "имя", "ім'я", "ім’я",
             "nombre", "nome", "nama", "이름", "nom", "שם"),
    "role": ("role", "my role", "job", "position", "title", "角色", "职责", "職責", "职位", "定位", "役割", "роль", "rol", "cargo",
             "função", "papel", "peran", "peranan", "역할", "rôle", "rolle", "תפקיד"),
    "creature": ("creature", "species", "being", "nature", "物种", "生物", "种类", "存在", "種族", "生き物", "существо", "істота",
                 "criatura", "makhluk", "créature", "יצור"),
    "vibe": ("vibe", "vibes", "personality", "tone", "style", "氛围", "气质", "氣質", "风格", "風格", "性格", "雰囲気", "вайб", "стиль",
             "атмосфера", "estilo", "vibra", "suasana", "gaya", "אווירה"),
    "emoji": ("emoji", "signature emoji", "表情", "表情符号", "签名表情", "絵文字", "эмодзи", "емодзі", "emojis", "이모지", "אמוג'י"),
    "avatar": ("avatar", "picture", "image", "头像", "頭像", "アバター", "аватар", "아바타", "אווטאר"),
    "theme": ("theme", "主题", "主題", "テーマ", "тема", "tema", "thème"),
}  # fmt: skip
"""Canonical identity labels with their synonyms, case folded."""

_CANONICAL: Final = {word: label for label, words in LABELS.items() for word in words}

_FIELD = re.compile(
    r"^(?P<open>\*\*|__|\*|_)?(?P<label>[^:：*_`|<>\[\]\n]{1,60}?)\s*+(?P<inner>\*\*|__|\*|_)?\s*+(?P<colon>[:：])\s?(?P<outer>\*\*|__|\*|_)?"
    r"(?P<value>.*)$",
    re.DOTALL,
)
_PLACEHOLDER = LazyRegex(
    r"^(?:[*_]{1,2}[(（][^`]{0,300}[)）][*_]{1,2}|[(（]\s*(?:pick|optional|fill|your|choose|e\.g|path|todo|workspace-relative|unknown"
    r"|not set|not yet|none yet|pending(?=\s*[)）])|to be|tbd|可选|待|未|例如|選択|необязательно|опционально|opcional|ваш).{0,300}[)）]|[\[<{]{1,2}\s*[^\[\]<>{}\"]{0,80}[\]>}]{1,2}"
    r"|_{2,}|\.{2,}|…+|[-–—?]+|tbd\.?|todo(?:\s*[:：—-].{0,80})?|(?-i:TODO)\b.{0,80}|n/?a|unknown|not set|待定|未设置|未設定|未填写|待填写|待补充|暂无)$",
    re.IGNORECASE | re.DOTALL,
)


class LabelledField(Struct, frozen=True):
    """One field: the label as written, its canonical form, and the value without markers."""

    label: str
    canonical: str
    value: str
    raw_value: str

    @property
    def is_filled(self) -> bool:
        """Return whether the field has a value."""
        return bool(self.value) and not is_placeholder(self.raw_value)


def canonical_label(label: str) -> str:
    """Return the canonical identity label, or the label itself in lower case."""
    folded = " ".join(plain_text(label).casefold().split()).strip(" .:：")
    folded = re.sub(r"^[^\w]+", "", folded).strip()
    return _CANONICAL.get(folded, folded)


def is_known_label(label: str) -> bool:
    """Return whether a label is one of OpenClaw's identity fields, in any supported language."""
    return canonical_label(label) in LABELS


def is_placeholder(value: str) -> bool:
    """Return whether a value is a placeholder to be filled in."""
    bare = value.strip()
    if _PLACEHOLDER.match(bare):
        return True
    plain = plain_text(bare)
    return plain != bare and bool(_PLACEHOLDER.match(plain))


def field_of(text: str) -> LabelledField | None:
    """Return the field in a line or an item's text, or None."""
    match = _FIELD.match(text.strip())
    if match is None:
        return None
    label, value = match["label"].strip(), match["value"].strip()
    marked = bool(match["open"])
    if marked and match["open"] not in (match["inner"], match["outer"]):
        return None
    if len(label.split()) > (8 if marked else 5) or not re.search(r"\w", label):
        return None
    spaced = not value or match["colon"] == "：" or bool(match["inner"] or match["outer"])
    if not marked and not spaced and not text[text.index(":") + 1].isspace():
        return None
    return LabelledField(plain_text(label), canonical_label(label), plain_text(value), value)


def field_of_row(cells: tuple[str, ...]) -> LabelledField | None:
    """Return the field in a table row of label and value, or None."""
    if len(cells) < 2 or not cells[0].strip():
        return None
    label = plain_text(cells[0]).rstrip(":：")
    value = " | ".join(cell.strip() for cell in cells[1:] if cell.strip())
    return LabelledField(label, canonical_label(label), plain_text(value), value)


class PlacedField(Struct, frozen=True):
    """A field with its first and last line."""

    first: int
    last: int
    field: LabelledField


def fields_of_lines(segment: Segment) -> tuple[PlacedField, ...]:
    """Return the fields of a paragraph that holds one on each line, else nothing.

    A value may be broken over lines where the first field, and a later one, has a label of OpenClaw's.
    """
    if segment.kind != "paragraph" or len(segment.lines) != segment.last - segment.first + 1:
        return ()
    lines = [without_block_marks(line).removesuffix("\\") for line in segment.lines]
    starts = [place for place, line in enumerate(lines) if field_of(line) is not None]
    if len(starts) < len(lines):
        known = [place for place in starts if (found := field_of(lines[place])) and found.canonical in LABELS]
        if len(known) < _FEWEST_KNOWN or known[0]:
            return ()
    ends = [*starts[1:], len(lines)]
    texts = [join_lines(lines[start:end]) for start, end in zip(starts, ends, strict=True)]
    return tuple(
        PlacedField(segment.first + start, segment.first + end - 1, found)
        for start, end, text in zip(starts, ends, texts, strict=True)
        if (found := field_of(text)) is not None
    )


_FEWEST_KNOWN: Final = 2


def field_of_piece(segment: Segment) -> LabelledField | None:
    """Return the field in an item, a one-line paragraph or a table row, or None."""
    if segment.kind in ("table_row", "table_header"):
        return field_of_row(segment.cells)
    if segment.kind in ("item", "paragraph", "lead_in"):
        return field_of(join_lines([segment.text]))
    return None
