"""Words that tell a stable user fact from one that another user, host or day would change (spec/conversion.md 3.3)."""

# ruff: noqa: E501 - a word list is easier to read in one piece

import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from melleafy_tui.core.lazy_regex import LazyRegex


class FactRow(Struct, frozen=True):
    """One row: words in a label, words in free text, and what they speak of."""

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
"""Ordered rows; the first that matches says what the fact speaks of."""


def overridable_subject(label: str, text: str, section: Sequence[str] = ()) -> str:
    """Return what makes a fact overridable, in words, or `""` for a stable one."""
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
