"""Recognises lines of AGENTS.md that state something and order nothing: reasons, commands, stories, forms, jobs."""

# ruff: noqa: E501 - a word list is easier to read in one piece

from typing import Final

from melleafy_tui.core.dialects.tag_rules import ROUTE, Wording, lead_of, pattern
from melleafy_tui.core.lazy_regex import LONGEST_READ, LazyRegex
from melleafy_tui.core.models.vocabulary import Polarity
from melleafy_tui.core.source.segments import Segment

REASON_LABEL: Final = pattern(
    r"^\W*(?:purpose|reason|rationale|why|goal|aim|cause|root cause|impact|benefits?|origin|outcome|example|examples? that[^:：]{1,30}|目的|目标|目標|原因|理由|意义|意義|示例|例子|背景|影响|影響|効果|motivo|razón|razão|objetivo|propósito|ejemplo|exemplo|zweck|grund|ziel|beispiel|raison|exemple|but|цель|причина|пример)\W{0,4}(?:[:：]|\s[—–-]\s)\W*\S"
)
"""A label over why something is so or what it is for, whatever verb follows it."""
COMMAND_DESCRIBED: Final = pattern(
    r"^(?:(?:\*\*|__)[^*_`\n]{1,40}[:：]?(?:\*\*|__)[:：]?\s*)?[*_]{0,2}`(?:/[\w-]+|[\w-]+|[\w./~-]+\.(?:js|ts|py|sh|rb))(?: [^`\n]{1,60})?`[*_]{0,2}(?:\s?\([^()]{1,30}\))?\s*(?:[—–-]|:|：)\s+(?!(?:always|never|only|must|use|do not|don['’]t|if|when|before|after)\b)(?:[A-Z]|(?-i:[\u3400-\u9fff]))"
)
"""A command or the name of a tool with what it does ("`/list` - Show what is open")."""
RELATIVE_LINK: Final = LazyRegex(r"\W{0,4}\[[^\]\n]{1,120}\]\((?!https?:)[^)\s]{1,200}\)\W*$")
HOW_OFTEN: Final = pattern(
    r"^\W*(?:frequency|cadence|schedule|interval|how often|频率|頻率|周期|週期|频次|頻度|間隔|frecuencia|frequência|fréquence|häufigkeit|частота)\W*$"
)
"""The name of a column that says how often a job runs."""
_OFTEN: Final = pattern(
    r"\d{1,2}[:：]\d\d|\b(?:every|each|daily|weekly|hourly|monthly|nightly|cron|cada|diari\w*|semanal\w*|täglich|wöchentlich|quotidien\w*)\b|每|毎|^\W*\d+ ?(?:m|min|h|s|hours?|days?)\b|[周週][一二三四五六日]|ежедневно|кажд"
)


def says_how_often(segment: Segment) -> bool:
    """Return whether a table row has a column that says how often a job runs, with a cadence in it."""
    return any(
        HOW_OFTEN.match(name) and _OFTEN.search(cell)
        for name, cell in zip(segment.header, segment.cells, strict=False)
    )


NAMED_FILE: Final = pattern(
    r"^[`\"(]?[\w./~*<>-]+\.(?:md|json5?|ya?ml|txt|csv|db)[`\")]?\s*(?:→|->|=>)\s*(?![^→]*(?:`|\.(?:md|jsonl?|ya?ml|txt|csv|db)\b|→))"
)
NAMED_TOOL: Final = LazyRegex(r"[*_]{0,2}`[\w.-]{2,40}`[*_]{0,2}\s*(?:→|->|=>)\s*(?!.*`)\S")
TOOLS_ABOVE: Final = pattern(
    r"\b(?:skills?|tools?|mcps?|plugins?|commands?|scripts?|aliases|models?|agents?|available|dispon[íi]\w+|verfügbar\w*|herramientas|ferramentas|outils)\b|技能|工具|可用|脚本|腳本|スキル|ツール|инструмент\w*"
)
"""Headings over lists of tools by name."""
STORY_ABOVE: Final = pattern(
    r"^\W*(?:the )?(?:violations?|root causes?|causes?|problems?|incidents?|what (?:happened|went wrong|broke)|impact|symptoms? seen|background|mistakes?|failures?|原因|根因|问题|問題|事故|经过|經過|背景|错误(?:做法)?|錯誤(?:做法)?|经緯|経緯|causa(?: raíz)?|problema|ursachen?|problème|причин[аы])\W*$"
)
"""Headings and lead-ins over what happened and why."""
FORM_LABEL: Final = pattern(
    r"^\W*(?:(?:preferred|allowed|default|output|reply|response|answer|message|report)? ?(?:formats?|tone|length|style|language)|formatos?(?: preferid[oa]s?)?|tono|tom|estilo|idioma|ton|stil|sprache|format|langue|тон|стиль|язык|формат|语言|語言|语气|語氣|格式|风格|風格|长度|長度|言語|口調|形式|文体)\W{0,4}[:：]\s*\S"
)
"""A label for the form of what it says or writes."""
DAY_PART: Final = pattern(
    r"^\W*(?:(?:early |late |every )?(?:morning|noon|midday|afternoon|evening|night|daily|weekly|hourly|monday|friday|sunday)|\d{1,2}[:：]\d\d|早上|早晨|上午|中午|下午|晚上|每[天日周週]|朝|昼|夜|mañana|tarde|noche|manhã|noite|morgens|mittags|abends|утро|вечер)[^:：]{0,40}[:：]"
)
"""A label for the part of the day in which a wake-up looks at things."""
QUOTED_WORDS: Final = pattern(r"^\W*[\"“«「][^\"”»」]{12,400}[\"”»」](?:\W*$|[.。]?\s*[\"“«「])")
"""Words to say, and nothing else."""
SAYS_LEAD_IN: Final = pattern(
    r"\b(?:repl(?:y|ies)|answers?|responses?|messages?|reports?|summar(?:y|ies)|updates?)\b[^:：]{0,40}\b(?:say|says|includes?|contains?|states?|mentions?|lists?|covers?)\W*$|(?:回复|回覆|回答|报告|報告|汇报|消息)[^:：]{0,12}(?:包含|包括|说明|說明|列出)\W*$|(?:respuestas?|informes?|resumen|relatórios?)\b[^:]{0,30}\b(?:incluy\w+|inclu\w+|debe\w* decir)\W*$"
)
"""Lead-ins over what a reply must say."""

TRIGGERS_ABOVE: Final = pattern(
    r"\b(?:triggers?|phrases?|keywords?|examples?|when|if|says?|asks?)\b|触发|觸發|关键词|關鍵詞|例|トリガー"
)
"""Words over what somebody else says."""


def tells_story(wording: Wording) -> bool:
    """Return whether an item tells what happened and why, under words for that; one that forbids is a lesson."""
    above = lead_of(wording.segment) or wording.heading
    return (
        wording.segment.kind == "item"
        and wording.own_polarity is not Polarity.FORBIDS
        and bool(STORY_ABOVE.search(above))
        and not ROUTE.search(wording.text)
    )


def is_canned_reply(wording: Wording) -> bool:
    """Return whether a segment is only words to say: a fence under a case, or an item that no case governs."""
    segment = wording.segment
    if segment.kind == "fence":
        body = " ".join(
            line.strip() for line in segment.lines if not line.lstrip().startswith(("```", "~~~"))
        )
        return bool(QUOTED_WORDS.match(body[:LONGEST_READ].strip()))
    return (
        segment.kind == "item"
        and bool(QUOTED_WORDS.match(wording.text))
        and not wording.lead_in
        and not any(map(TRIGGERS_ABOVE.search, (wording.heading, segment.lead_in, segment.parent)))
    )
