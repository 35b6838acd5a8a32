"""Chinese wordings of checkable rules, simplified and traditional; each pattern must match the whole rule."""

# ruff: noqa: E501 - a wording is easier to read in one piece

import re
from collections.abc import Iterator
from itertools import chain
from typing import Final

from melleafy_tui.core.language.checks.kinds import (
    QUOTED,
    RuleReading,
    count_check,
    feature_check,
    has_quote,
    phrases_in,
)
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.mapping import RuleCheck

_DIGITS: Final = {digit: value for value, digit in enumerate("零一二三四五六七八九十")} | {"两": 2, "兩": 2}
_SCALES: Final = {"十": 10, "百": 100, "千": 1000}

_UNITS: Final[tuple[tuple[str, str], ...]] = (
    ("characters", r"个?字符|個?字元"),
    ("words", r"个?汉?字|個?漢?字|个?单词|個?單詞|个?词"),
    ("sentences", r"句话?|句話|个?句子|個?句子"),
    ("lines", r"行"),
    ("paragraphs", r"个?段落?|個?段落?"),
    ("bullets", r"[个個]?要[点點]|条要点|條要點|[个個]?[项項]目符[号號]"),
    ("questions", r"[个個]?问题|個?問題"),
    ("emoji", r"[个個]?(?:表情符[号號]|emoji)"),
    ("exclamation_marks", r"[个個]?感[叹嘆][号號]"),
)

_FEATURES: Final[tuple[tuple[str, str], ...]] = (
    ("emoji", r"表情符[号號]|emoji(?:表情)?"),
    ("exclamation_marks", r"感[叹嘆][号號]"),
    ("links", r"[链鏈連][接結]|[网網]址|超[链連][接結]"),
    ("tables", r"(?:markdown)?表格"),
    ("headings", r"(?:markdown)?[标標][题題]"),
    ("code_fences", r"代[码碼][块塊]|程式碼區塊"),
    ("bullets", r"[项項]目符[号號](?:列表)?|[无無]序列表"),
    ("bold", r"加粗(?:文字|字体)?|粗[体體]"),
    ("hashtags", r"[话話][题題][标標][签籤]|井[号號][标標][签籤]"),
    ("em_dashes", r"破折[号號]"),
    ("first_person", r"第一人[称稱]"),
    ("markdown", r"markdown(?:格式|语法|語法)?"),
)

_NUMBER: Final = r"\d{1,6}|[零一二两兩三四五六七八九十百千]{1,7}"
_UNIT: Final = "|".join(f"(?:{pattern})" for _, pattern in _UNITS)
_FEATURE: Final = "|".join(f"(?:{pattern})" for _, pattern in _FEATURES)
_LIST: Final = rf"(?P<features>(?:{_FEATURE})(?:(?:、|,|和|与|與|或|及|或者)(?:{_FEATURE}))*)"
_SUBJECT: Final = (
    r"(?:(?:所有|每[个個条條次]?|任何|你的|您的|每一[条條次个個]|[单單][次条條])*(?:回复|回覆|回答|答[复覆]|消息|[输輸]出|[应應]答)"
    r"(?:[内內]容|文本|[长長]度|字[数數])?(?:中|里|裡)?)"
)
_MUST: Final = r"(?:都|均|[请請]|必[须須]|[应應][该該当當]?|需要?|要|[务務]必|一律|始[终終]|[总總]是)*"
_NOT: Final = r"(?:都|均|[请請]|必[须須]|[绝絕]|永[远遠]|一律|[务務]必)*(?:不要|不得|不能|不可以?|不[许許]|不[应應][该該]?|禁止|[严嚴]禁|[请請]勿|切勿|勿|避免|[绝絕]不|从不|不)"
_MAX: Final = r"(?:不要?超[过過]|不得超[过過]|不能超[过過]|不可超[过過]|不[应應]超[过過]|最多|至多|不多[于於]|不[长長][于於])"
_LESS: Final = r"(?:少[于於]|低[于於]|小[于於])"
_MIN: Final = r"(?:至少|不少[于於]|不低[于於]|最少)"
_KEEP: Final = r"(?:(?:控制|限制|保持)在)"
_WITHIN: Final = r"(?:以[内內]|之[内內]|[内內])"
_USE: Final = r"(?:使用|包含|包括|出[现現]|加入|添加|[发發]送|[写寫]|[带帶]|用|有|插入|含有|含)?"


_NAMES_A_UNIT: Final = LazyRegex(_UNIT, re.IGNORECASE)
_NAMES_A_FEATURE: Final = LazyRegex(_FEATURE, re.IGNORECASE)

_QUANTITY: Final = rf"(?P<number>{_NUMBER})(?P<unit>{_UNIT})"
_COUNT_RULES: Final[tuple[tuple[str, int, LazyRegex], ...]] = tuple(
    (bound, shift, LazyRegex(pattern, re.IGNORECASE))
    for bound, shift, pattern in (
        ("max", 0, rf"{_SUBJECT}?,?{_MUST}{_MAX}{_QUANTITY}"),
        ("max", -1, rf"{_SUBJECT}?,?{_MUST}{_LESS}{_QUANTITY}"),
        ("max", 0, rf"{_SUBJECT}?,?{_MUST}(?:把|将|將)?{_SUBJECT}?{_KEEP}{_QUANTITY}{_WITHIN}"),
        ("max", 0, rf"{_SUBJECT},?{_MUST}(?:在)?{_QUANTITY}{_WITHIN}"),
        ("min", 0, rf"{_SUBJECT},?{_MUST}{_MIN}{_QUANTITY}"),
        ("max", 0, rf"(?:一次|每次)(?:最多|至多|只能?)(?:[问問]|提出?|使用|用){_QUANTITY}"),
        ("max", 0, rf"{_SUBJECT}?(?:最多|至多)(?:[问問]|提出?|使用|用|包含|有){_QUANTITY}"),
    )
)
_ABSENCE_RULES: Final = tuple(
    LazyRegex(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:在?{_SUBJECT},?)?{_NOT}(?:在{_SUBJECT})?{_USE}(?:任何)?{_LIST}",
        rf"(?:在?{_SUBJECT},?)?{_LIST}(?:禁止使用|不得使用|不要使用)",
    )
)
_FORBIDDEN_FEATURES: Final = LazyRegex(rf"(?:在{_SUBJECT})?{_USE}(?:任何)?{_LIST}", re.IGNORECASE)
_QUOTES: Final = rf"(?P<quotes>{QUOTED}(?:(?:、|,|和|与|與|或|或者|及)?{QUOTED})*)"
_NOUN: Final = r"(?:一?[词詞]|[这這][个個][词詞]|[这這]句[话話]|等?字[样樣]|[这這]些[词詞])?"
_PHRASE_RULES: Final[tuple[tuple[str, bool, LazyRegex], ...]] = tuple(
    (kind, negative, LazyRegex(pattern, re.IGNORECASE))
    for kind, negative, pattern in (
        ("not_contains", True, rf"(?:在?{_SUBJECT},?)?{_NOT}(?:[说說]|出[现現]|提及|提到){_QUOTES}{_NOUN}"),
        ("not_contains", True, rf"在?{_SUBJECT},?{_NOT}(?:使用|包含|用|含有|有){_QUOTES}{_NOUN}"),
        (
            "not_contains",
            True,
            rf"{_NOT}(?:使用|用){_QUOTES}(?:一[词詞]|[这這][个個][词詞]|[这這]句[话話]|等?字[样樣]|[这這]些[词詞])",
        ),
        ("contains", False, rf"在?{_SUBJECT},?{_MUST}(?:包含|包括|含有|提到){_QUOTES}{_NOUN}"),
        ("starts_with", False, rf"{_SUBJECT},?{_MUST}以{_QUOTES}(?:[开開][头頭始]|[开開][场場])"),
        ("not_starts_with", True, rf"{_SUBJECT}?,?{_NOT}以{_QUOTES}(?:[开開][头頭始]|[开開][场場])"),
        ("ends_with", False, rf"{_SUBJECT},?{_MUST}以{_QUOTES}(?:[结結]尾|[结結]束|收尾)"),
        ("not_ends_with", True, rf"{_SUBJECT}?,?{_NOT}以{_QUOTES}(?:[结結]尾|[结結]束|收尾)"),
    )
)
_ANSWER: Final = r"(?:回复|回覆|回答|[输輸]出|答[复覆]|[书書][写寫]|[返傳]回)"
_FIXED_RULES: Final[tuple[tuple[RuleCheck, bool, LazyRegex], ...]] = tuple(
    (check, negative, LazyRegex(pattern, re.IGNORECASE))
    for check, negative, pattern in (
        (
            RuleCheck("plain_text"),
            False,
            rf"(?:{_SUBJECT},?)?{_MUST}(?:只|[仅僅])?(?:使用|用|以|[为為]|是)[纯純]文[本字](?:格式)?(?:{_ANSWER})?",
        ),
        (
            RuleCheck("json"),
            False,
            rf"(?:{_SUBJECT},?)?{_MUST}(?:只|[仅僅])?(?:{_ANSWER}|使用|用|以|[为為]|是)(?:有效的?|合法的?)?json(?:格式)?(?:{_ANSWER})?",
        ),
        (RuleCheck("no_questions"), True, rf"{_NOT}(?:提出?|[问問])(?:任何)?(?:[问問][题題])"),
    )
)


def read_chinese(text: str) -> RuleReading | None:
    """Return what a Chinese rule demands, or None if no pattern covers all of it.

    Args:
        text: One sentence without lead-in, markers, spaces or final stop, with half-width digits and commas.
    """
    readings = chain(_counts(text), _absences(text), _phrases(text), _fixed(text))
    return next(readings, None)


def _counts(text: str) -> Iterator[RuleReading | None]:
    for bound, shift, pattern in _COUNT_RULES if _NAMES_A_UNIT.search(text) else ():
        if found := pattern.fullmatch(text):
            number, unit = _number(found["number"]), _named(found["unit"], _UNITS)
            yield None if number is None else RuleReading(count_check(bound, unit, number + shift))


def _absences(text: str) -> Iterator[RuleReading | None]:
    for pattern in _ABSENCE_RULES if _NAMES_A_FEATURE.search(text) else ():
        if found := pattern.fullmatch(text):
            yield _absence(found["features"])


def _phrases(text: str) -> Iterator[RuleReading | None]:
    for kind, negative, pattern in _PHRASE_RULES if has_quote(text) else ():
        if found := pattern.fullmatch(text):
            phrases, joined_by_or = phrases_in(found["quotes"])
            if kind in ("starts_with", "ends_with") and len(phrases) > 1 and not joined_by_or:
                yield None
            chosen = "contains_any" if kind == "contains" and joined_by_or else kind
            yield RuleReading(RuleCheck(chosen, phrases=phrases), negative=negative)


def _fixed(text: str) -> Iterator[RuleReading | None]:
    for check, negative, pattern in _FIXED_RULES:
        if pattern.fullmatch(text):
            yield RuleReading(check, negative=negative)


def read_forbidden_chinese_act(text: str) -> RuleReading | None:
    """Return the reading of a bare act that a lead-in forbids, such as 使用表情符号 under 禁止：."""
    if _NAMES_A_FEATURE.search(text) and (found := _FORBIDDEN_FEATURES.fullmatch(text)):
        return _absence(found["features"])
    return read_chinese(f"不要{text}")


def _absence(words: str) -> RuleReading:
    named = re.split(r"、|,|和|与|與|或者|或|及", words)
    return RuleReading(feature_check([_named(name, _FEATURES) for name in named]), negative=True)


def _named(words: str, table: tuple[tuple[str, str], ...]) -> str:
    return next(name for name, pattern in table if re.fullmatch(pattern, words, re.IGNORECASE))


def _number(words: str) -> int | None:
    if words.isascii():
        return int(words)
    total, digit = 0, 0
    for character in words:
        if character in _SCALES:
            total += (digit or 1) * _SCALES[character]
            digit = 0
        elif digit:
            return None
        else:
            digit = _DIGITS[character]
    return total + digit
