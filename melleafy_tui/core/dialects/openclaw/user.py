"""Reads USER.md: one element per fact, stable or overridable."""

import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from melleafy_tui.core.dialects.element_factory import (
    UNCONVERTED,
    ElementText,
    Remarks,
    SourceSpan,
    TagDecision,
)
from melleafy_tui.core.dialects.openclaw.fields import (
    LabelledField,
    field_of_piece,
    fields_of_lines,
)
from melleafy_tui.core.dialects.openclaw.reader_task import Task
from melleafy_tui.core.dialects.openclaw.stock_text import is_stock_field, is_template_text
from melleafy_tui.core.dialects.openclaw.tag_rules import USER_RULES
from melleafy_tui.core.dialects.tag_rules import Wording, first_match, own_words
from melleafy_tui.core.language.directives import polarity_of
from melleafy_tui.core.language.lead_ins import read_with_lead_in
from melleafy_tui.core.language.wording import plain_text, summarise
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.facts import Facts, JudgmentFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Category, Polarity, Tag
from melleafy_tui.core.source.segments import Segment, cut_segments

# ruff: noqa: E501 - a word list is easier to read in one segment


class FactRow(Struct, frozen=True):
    """One row: words in a label, words in free text, and the subject they indicate."""

    subject: str
    labels: LazyRegex
    text: LazyRegex | None = None


def _whole(words: str) -> LazyRegex:
    return LazyRegex(rf"^\W*(?:{words})\W*$", re.IGNORECASE)


def _within(words: str) -> LazyRegex:
    return LazyRegex(words, re.IGNORECASE)


OVERRIDABLE: Final[tuple[FactRow, ...]] = (
    FactRow(
        "name or form of address",
        _whole(
            r"(?:full |first |last |user(?:'s)? |preferred |display |nick)?names?|nickname|username|(?:what to )?call (?:them|me|him|her|you)|goes by"
            r"|form of address|address(?:ed)? as|how to address.*|姓名|名字|称呼|稱呼|名前|呼び方|имя|как обращаться|ім'я|як звертатися|nombre|cómo llamar\w*|nome|como chamar"
            r"|nama|panggilan"
        ),
        _within(r"\b(?:call (?:me|him|her|them)|goes by|prefers to be called|is called|my name is)\b|称呼|叫我|呼んで"),
    ),
    FactRow(
        "pronouns",
        _whole(r"(?:preferred )?pronouns?|gender|代词|代詞|人称|性别|местоимения|займенники|pronombres|pronomes"),
        _within(r"\b(?:he/him|she/her|they/them)\b"),
    ),
    FactRow(
        "timezone",
        _whole(r"(?:local |home )?time ?zone|tz|utc offset|时区|時區|タイムゾーン|часовой пояс|часовий пояс|zona horaria|fuso(?: horário)?|zona waktu"),
        _within(r"\btime ?zone\b|\b(?:Europe|America|Asia|Africa|Australia|Pacific)/[A-Z]\w+|\bUTC ?[+-]\d|时区"),
    ),
    FactRow(
        "location",
        _whole(
            r"(?:current |home )?locations?|city|country|home|home address|address|based(?: in)?|lives? in|residence|region|place|所在地|位置|城市|地点|住所|场所|город|страна"
            r"|местоположение|ubicación|ciudad|localização|cidade|lokasi|kota"
        ),
        _within(r"\b(?:lives? (?:in|on|at|near)|based in|located in|currently in|moved to|residing in)\b|住在|位于"),
    ),
    FactRow(
        "language",
        _whole(r"(?:preferred |primary |native |main |spoken )?languages?|locale|mother tongue|语言|語言|言語|язык|мова|idiomas?|língua|bahasa"),
        _within(r"\b(?:speaks|native speaker|reply in|prefers? (?:english|german|french|spanish|chinese|japanese|russian|portuguese))\b|说中文|用中文"),
    ),
    FactRow("units", _whole(r"units?|measurement(?: system)?|currency|temperature|date format|单位|单位制|货币|単位|единицы|unidades|moeda"),
            _within(r"\b(?:celsius|fahrenheit|metric|imperial)\b")),
    FactRow(
        "working hours",
        _whole(
            r"(?:work(?:ing)?|office|business|quiet|active|available|sleep) hours?|availability|schedule|wakes?(?: up)?|sleeps?|work schedule|daily rhythm|工作时间|作息|勤務時間"
            r"|рабочие часы|график|horario|horário(?: de trabalho)?|jam kerja"
        ),
        _within(r"\b(?:works? (?:from )?\d|working hours|office hours|night owl|early (?:riser|bird)|wakes up|goes to bed|asleep)\b|工作时间"),
    ),
    FactRow(
        "contact channel",
        _whole(
            r"(?:e-?mails?|mail|phone|mobile|cell|telegram|whatsapp|discord|signal|slack|imessage|wechat|line|twitter|x|github|contact(?:s| channels?| info)?|handle|channels?|website|linkedin"
            r"|邮箱|电话|微信|联系方式|电子邮件|メール|電話|почта|телефон|correo|teléfono|telefone)(?: (?:address|number|id|handle|username))?"
        ),
        _within(r"[\w.+-]{1,64}@[\w-]{1,63}\.\w|\b(?:telegram|whatsapp|discord|signal|slack|wechat) (?:id|handle|@)"),
    ),
    FactRow(
        "device",
        _whole(r"devices?|phones? model|laptop|computer|machine|os|operating system|hardware|editor|shell|browser|terminal|设备|電腦|电脑|デバイス|устройства|компьютер|dispositivos?|perangkat"),
        _within(r"\b(?:macbook|iphone|ipad|android phone|windows pc|raspberry pi|homelab|uses? (?:a )?(?:mac|linux|windows|ubuntu))\b"),
    ),
)  # fmt: skip
"""Ordered rows; the first match gives the fact's subject."""


def overridable_subject(label: str, text: str, section: Sequence[str] = ()) -> str:
    """Return the subject that makes a fact overridable, or `""` for a stable fact."""
    for row in OVERRIDABLE:
        if label and row.labels.match(label):
            return row.subject
    for row in OVERRIDABLE:
        if row.text is not None and row.text.search(text):
            return row.subject
    if not label and section:
        for row in OVERRIDABLE:
            if row.labels.match(section[-1]) and row.subject not in ("name or form of address",):
                return row.subject
    return ""


STATUS: Final = LazyRegex(
    r"<!--(?:(?!-->).){0,400}?\bstatus:\s*(?P<status>\w+)(?:(?!-->).){0,400}?-->", re.IGNORECASE | re.DOTALL
)
"""A dated comment that says whether the facts under it are still valid."""

_OUTDATED: Final = frozenset(
    {"superseded", "retracted", "outdated", "obsolete", "expired", "inactive", "archived"}
)
_SET_ASIDE: Final = ("heading", "comment", "rule", "other", "frontmatter", "table_header", "html")


def read_user(task: Task) -> list[Element]:
    """Return the elements of USER.md."""
    elements: list[Element] = []
    status = ""
    for segment in cut_segments(task.file):
        full = task.file.cut(segment.first, segment.last)
        said = STATUS.search(full)
        if segment.kind == "heading":
            status = ""
        if segment.kind == "comment":
            status = said["status"].casefold() if said else status
        own_status = said["status"].casefold() if said else status
        elements += _segment(task, segment, outdated=own_status in _OUTDATED)
    return elements


def _segment(task: Task, segment: Segment, *, outdated: bool) -> list[Element]:
    full = task.file.cut(segment.first, segment.last)
    template = is_template_text(full)
    if segment.kind in _SET_ASIDE and not (segment.kind == "table_header" and _heads_a_card(segment)):
        rationale = "user.heading" if segment.kind == "heading" else "user.markup"
        return [task.factory.unconverted(segment, rationale, template=template)]
    if outdated:
        return [task.factory.unconverted(segment, "user.superseded", template=template)]
    lines = fields_of_lines(segment)
    if len(lines) > 1:
        return [_fact(task, segment, each.first, each.last, each.field) for each in lines]
    if template:
        return [task.factory.unconverted(segment, "user.template", template=True)]
    field = None if segment.kind == "lead_in" else field_of_piece(segment)
    return [_fact(task, segment, segment.first, segment.last, field)]


def _heads_a_card(segment: Segment) -> bool:
    """Return whether a table's header is itself a fact, as in a table without column names."""
    return len(segment.cells) == 2 and bool(overridable_subject(plain_text(segment.cells[0]), ""))


def _fact(task: Task, segment: Segment, first: int, last: int, field: LabelledField | None) -> Element:
    if field is not None and not field.is_filled:
        return _empty(task, segment, first, last, field)
    wording = _wording(segment, field)
    tagged = first_match(USER_RULES[-1:] if segment.kind == "table_header" else USER_RULES, wording)
    if tagged.tag is Tag.NO_DECOMPOSE:
        return task.factory.unconverted(segment, tagged.rationale, confidence=tagged.confidence)
    label, value = (field.label, field.value) if field is not None else ("", "")
    directive = tagged.tag is not Tag.CONFIG
    subject = "" if directive else overridable_subject(label, wording.text, segment.section)
    judgment = _judgment(subject)
    return task.factory.make(
        _span(segment, first, last, is_field=field is not None),
        ElementText(
            wording.statement,
            summary=summarise(wording.statement),
            polarity=wording.own_polarity,
            label=label.casefold(),
            value=value,
        ),
        TagDecision(
            tagged.tag,
            Category.C3,
            tagged.rationale if directive else _rationale(subject),
            f"user.{judgment.chosen}",
            confidence=tagged.confidence if field or subject or directive else 0.75,
        ),
        Facts(judgment),
        Remarks(notes=(judgment.reason,)),
    )


def _wording(segment: Segment, field: LabelledField | None) -> Wording:
    words = f"{field.label}: {field.value}" if field is not None else own_words(segment)
    polarity = polarity_of(words)
    if segment.kind in ("table_row", "table_header"):
        return Wording(segment, words, words, Polarity.DESCRIBES, polarity)
    reading = read_with_lead_in(words, segment.context)
    return Wording(segment, words, reading.statement, reading.polarity, polarity, reading.lead_ins)


def _judgment(subject: str) -> JudgmentFact:
    """Return whether a fact is stable or overridable, with the reason."""
    question = "Stable or overridable fact?"
    if subject:
        reason = f"Overridable: it speaks of {subject}, which another user, host or day would change."
        return JudgmentFact(question, "overridable", reason)
    reason = "Stable: no word of it speaks of what another user, host or day would change."
    return JudgmentFact(question, "stable", reason)


def _rationale(subject: str) -> str:
    return f"user.overridable.{subject.replace(' ', '_')}" if subject else "user.stable"


def _span(segment: Segment, first: int, last: int, *, is_field: bool) -> SourceSpan:
    kind = "field" if is_field and not segment.cells else segment.kind
    return SourceSpan(first, last, kind, section=segment.section, context=segment.context)


def _empty(task: Task, segment: Segment, first: int, last: int, field: LabelledField) -> Element:
    return task.factory.make(
        _span(segment, first, last, is_field=True),
        ElementText(f"{field.label}:", summary=f"{field.label}: (no value)", label=field.label.casefold()),
        TagDecision(*UNCONVERTED, "user.placeholder"),
        remarks=Remarks(template=is_template_text(task.file.cut(first, last)) or is_stock_field(field.label)),
    )
