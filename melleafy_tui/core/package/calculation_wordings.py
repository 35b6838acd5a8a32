"""The wordings of checks that Python can make, by language.

A wording that isn't here is left to the model: no calculation is better than a wrong one.
"""

# ruff: noqa: E501 - a wording is easier to read in one piece

import re
from enum import StrEnum
from typing import Final

from melleafy_tui.core.lazy_regex import LazyRegex


class Relation(StrEnum):
    """What a calculation says of its left operand."""

    EQUALS = "equals"
    SAME = "is the same as"
    SUM = "is the sum of"
    SUM_WITH_RATE = "is, plus a percentage,"
    DIFFERENCE = "is the difference of"
    LIST_SUM = "is the total of"
    SHARE = "is a percentage of"
    AT_MOST = "is at most"
    AT_LEAST = "is at least"
    MORE = "is more than"
    LESS = "is less than"
    PRESENT = "is given"
    ABSENT = "is not given"


_DIGITS: Final = r"\d{1,12}(?:[.,' ]\d{1,6}){0,4}"
_CURRENCY: Final = r"(?:euros?|eur|dollars?|usd|pounds?|gbp|chf|cents?|reais|yuan|€|\$|£|元)"
NUMBER: Final = LazyRegex(
    rf"{_CURRENCY}?\s?(?P<number>{_DIGITS})\s?{_CURRENCY}?|(?P<zero>zero|null|zéro|cero|零)", re.IGNORECASE
)
RATE_ENDINGS: Final = (
    "{} rate",
    "rate of {}",
    "{} percentage",
    "{}-satz",
    "{}satz",
    "taux de {}",
    "tasa de {}",
    "tipo de {}",
    "tipo del {}",
    "taxa de {}",
    "{}税率",
    "{}率",
)
OWNED: Final = (
    LazyRegex(r"(?P<owner>.{1,40}?)(?:['’]s|['’]) (?P<field>.{1,40})", re.IGNORECASE),
    LazyRegex(
        r"(?P<field>.{1,40}?) (?:(?:in|on|of|from|given in|stated in|im|in der|der|des|dans|du|de la|del|en el|en la|do|da|no|na) )(?P<owner>.{1,40})",
        re.IGNORECASE,
    ),
    LazyRegex(r"(?P<owner>.{1,20}?)(?:的|上的|中的)(?P<field>.{1,20})"),
)

VERBS: Final = LazyRegex(
    r"^(?:then |next |now )?(?:please )?(?:verify|check|confirm|ensure|make sure|validate|test|see|calculate)"
    r"(?: (?:that|whether|if)\b)?\s*|^(?:prüfe|überprüfe|stelle sicher|kontrolliere),?\s*(?:dass|ob)\s+"
    r"|^(?:vérifie[rz]?|contrôle[rz]?|assure-toi) (?:que |si |qu['’])"
    r"|^(?:verifi(?:ca|que|car)|comprueb[ae]|comprobar|confirm[ae]r?|confere?) (?:(?:de )?que |si |se )"
    r"|^(?:核对|检查|确认|核实|验证)(?:一下)?",
    re.IGNORECASE,
)

_WORD: Final = r"(?:[^,;:.]|(?<=\d)[.,](?=\d))"
_A: Final = rf"(?P<a>{_WORD}{{1,60}}?)"
_B: Final = rf"(?P<b>{_WORD}{{1,60}}?)"
_C: Final = rf"(?P<c>{_WORD}{{1,60}})"
_CL: Final = rf"(?P<c>{_WORD}{{1,60}}?)"
_N: Final = rf"(?P<n>{_DIGITS})"


def _rows(*rows: tuple[Relation, str]) -> tuple[tuple[Relation, LazyRegex], ...]:
    return tuple((relation, LazyRegex(text, re.IGNORECASE)) for relation, text in rows)


_IS: Final = (
    r"(?:(?:is|are) (?:equal to )?|equals? |matches |agrees with |adds up to |amounts to |corresponds to "
    r"|must (?:equal|be|match) |is the same as )"
)
CLAUSES: Final = _rows(
    # English
    (Relation.SUM, rf"{_A} {_IS}(?:the )?sum of {_B} (?:and|plus) {_C}"),
    (Relation.SUM, rf"{_A} {_IS}{_B} plus {_C}"),
    (Relation.SUM, rf"{_A} {_IS}{_B} \+ {_C}"),
    (
        Relation.SUM,
        rf"{_B} (?:and|plus|\+) {_CL} (?:adds?|sums?) up to {_A}",
    ),
    (
        Relation.SUM,
        rf"{_B} (?:plus|\+) {_CL} (?:is|equals|gives|makes) {_A}",
    ),
    (Relation.DIFFERENCE, rf"{_A} {_IS}{_B} (?:minus|less|-) {_C}"),
    (Relation.LIST_SUM, rf"{_A} {_IS}(?:the )?(?:sum|total) of (?:all |the )*{_C}"),
    (Relation.LIST_SUM, rf"(?:all |the )*{_CL} (?:add|sum) up to {_A}"),
    (Relation.SHARE, rf"{_A} {_IS}{_N} ?(?:%|percent|per cent) of {_C}"),
    (
        Relation.AT_MOST,
        rf"{_A} (?:does not|doesn't|must not|may not|should not|must never) exceed (?:{_N} ?(?:%|percent) of )?{_C}",
    ),
    (
        Relation.AT_MOST,
        rf"{_A} (?:is|must be|should be|are) (?:at most|not (?:more|greater|higher|larger|bigger) than|no (?:more|greater|higher|larger) than|not above) (?:{_N} ?(?:%|percent) of )?{_C}",
    ),
    (
        Relation.AT_LEAST,
        rf"{_A} (?:is|must be|should be|are) (?:at least|not (?:less|lower|smaller) than|no (?:less|lower|smaller) than|not below) (?:{_N} ?(?:%|percent) of )?{_C}",
    ),
    (
        Relation.MORE,
        rf"{_A} (?:is|must be|should be|are) (?:(?:more|greater|higher|larger|bigger) than|above|over) (?:{_N} ?(?:%|percent) of )?{_C}",
    ),
    (Relation.MORE, rf"{_A} exceeds (?:{_N} ?(?:%|percent) of )?{_C}"),
    (
        Relation.LESS,
        rf"{_A} (?:is|must be|should be|are) (?:(?:less|lower|smaller) than|below|under) (?:{_N} ?(?:%|percent) of )?{_C}",
    ),
    (
        Relation.PRESENT,
        rf"{_A} (?:is|are|must be) (?:present|given|printed|stated|filled(?: in)?|provided|there|not (?:missing|empty|blank))",
    ),
    (Relation.PRESENT, r"there is (?P<a>(?!no )[^,;:.]{1,60})"),
    (
        Relation.ABSENT,
        rf"{_A} (?:is|are) (?:missing|empty|absent|blank|not (?:present|given|printed|stated|provided))",
    ),
    (Relation.ABSENT, rf"there is no {_A}"),
    (Relation.EQUALS, rf"{_A} {_IS}{_C}"),
    (
        Relation.EQUALS,
        rf"{_A} and {_CL} (?:match|agree|are (?:equal|the same|identical))",
    ),
    # German
    (
        Relation.SUM,
        rf"{_A} (?:gleich|der Summe aus|die Summe aus) {_B} (?:plus|und|zuzüglich) {_CL}(?: ist| entspricht)?",
    ),
    (
        Relation.SUM,
        rf"{_A} (?:dem )?{_B} (?:plus|zuzüglich) {_CL} entspricht",
    ),
    (Relation.PRESENT, rf"{_A} (?:vorhanden|angegeben) ist"),
    (
        Relation.AT_MOST,
        rf"{_A} (?:nicht (?:größer|höher) als|höchstens) {_CL} ist",
    ),
    (Relation.MORE, rf"{_A} (?:größer|höher) als {_CL} ist"),
    (Relation.LESS, rf"{_A} (?:kleiner|niedriger) als {_CL} ist"),
    (
        Relation.EQUALS,
        rf"{_A} (?:gleich |mit |dem |der ){_CL} (?:ist|übereinstimmt|entspricht)",
    ),
    # French
    (
        Relation.SUM,
        rf"{_A} (?:est égal(?:e)? (?:à|au)|correspond (?:à|au)|égale) {_B} plus {_C}",
    ),
    (Relation.AT_MOST, rf"{_A} ne dépasse pas {_C}"),
    (Relation.MORE, rf"{_A} est (?:supérieur|supérieure) (?:à|au) {_C}"),
    (Relation.LESS, rf"{_A} est (?:inférieur|inférieure) (?:à|au) {_C}"),
    (Relation.PRESENT, rf"{_A} est (?:présent|présente|indiqué|indiquée)"),
    (
        Relation.EQUALS,
        rf"{_A} (?:est égal(?:e)? (?:à|au)|correspond (?:à|au)) {_C}",
    ),
    # Spanish and Portuguese
    (
        Relation.SUM,
        rf"{_A} (?:sea igual (?:a|al)|es igual (?:a|al)|coincid[ae] con|seja igual (?:a|ao|à)|é igual (?:a|ao|à)) {_B} (?:más|mais) {_C}",
    ),
    (
        Relation.AT_MOST,
        rf"{_A} (?:no supere|no supera|não ultrapass[ae]|não exced[ae]) {_C}",
    ),
    (
        Relation.MORE,
        rf"{_A} (?:es|sea|é|seja) (?:mayor|maior) (?:que|do que) {_C}",
    ),
    (Relation.LESS, rf"{_A} (?:es|sea|é|seja) (?:menor) (?:que|do que) {_C}"),
    (
        Relation.PRESENT,
        rf"{_A} (?:esté|está|esteja) (?:presente|indicado|indicada|informado|informada)",
    ),
    (
        Relation.EQUALS,
        rf"{_A} (?:sea igual (?:a|al)|es igual (?:a|al)|seja igual (?:a|ao|à)|é igual (?:a|ao|à)) {_C}",
    ),
    # Chinese
    (
        Relation.SUM,
        r"(?P<a>[^,，;；。]{1,20}?)(?:是否)?等于(?P<b>[^,，;；。]{1,20}?)(?:加上|加|与|\+)(?P<c>[^,，;；。]{1,20}?)(?:之和|的和)?",
    ),
    (Relation.AT_MOST, r"(?P<a>[^,，;；。]{1,20}?)(?:是否)?(?:不超过|不大于|不高于)(?P<c>[^,，;；。]{1,20})"),
    (
        Relation.AT_LEAST,
        r"(?P<a>[^,，;；。]{1,20}?)(?:是否)?(?:不少于|不小于|不低于)(?P<c>[^,，;；。]{1,20})",
    ),
    (Relation.MORE, r"(?P<a>[^,，;；。]{1,20}?)(?:是否)?(?:大于|高于|超过)(?P<c>[^,，;；。]{1,20})"),
    (Relation.LESS, r"(?P<a>[^,，;；。]{1,20}?)(?:是否)?(?:小于|低于)(?P<c>[^,，;；。]{1,20})"),
    (
        Relation.EQUALS,
        r"(?P<a>[^,，;；。]{1,20}?)(?:是否)?(?:等于|与)(?P<c>[^,，;；。]{1,20}?)(?:一致|相等|相同|相符)?",
    ),
)
"""Clauses that follow the verb of a check, the more specific ones first: `a` is the left operand, `b` and `c` others."""

COMPARISONS: Final = tuple(
    LazyRegex(text, re.IGNORECASE)
    for text in (
        rf"compare {_A} (?:with|to|against|and) {_C}",
        rf"(?:check|match|validate|verify) {_A} against {_C}",
        rf"vergleiche {_A} mit {_C}",
        rf"compare[rz]? {_A} (?:avec|à|au) {_C}",
        rf"compar(?:a|e|ar) {_A} con {_C}",
        rf"compar(?:a|e|ar) {_A} com {_C}",
        r"(?:比较|对比|比对|核对)(?P<a>[^,，;；。]{1,20}?)(?:与|和|同)(?P<c>[^,，;；。]{1,20})",
    )
)

_LIMIT: Final = rf"(?P<limit>{_DIGITS}) ?(?P<percent>%|percent|per cent|Prozent|pour cent|por ciento|por cento)?(?: ?{_CURRENCY})?"
TOLERANCES: Final = tuple(
    LazyRegex(text, re.IGNORECASE)
    for text in (
        rf"(?:an? |any )?(?:differences?|deviations?|gaps?|variances?)(?: of)? (?:up to|within|under|below|of at most|at most|less than|of) {_LIMIT} (?:is|are|counts? as|may be|can be) (?:just |only |still |considered )?(?:rounding|fine|ok(?:ay)?|acceptable|accepted|allowed|tolerated|tolerable|ignored|normal|no problem)",
        rf"(?:allow|accept|tolerate|ignore)(?: an?)?(?: differences?| deviations?)?(?: of)?(?: up to| within| at most| below| under)? {_LIMIT}(?: for rounding)?",
        rf"(?:with )?(?:a |the )?tolerance(?: for rounding)?(?: is| of|:)? {_LIMIT}",
        rf"(?:to )?within {_LIMIT}|(?:±|\+/-|plus or minus|give or take) ?(?P<limit2>{_DIGITS}) ?(?P<percent2>%|percent)?",
        rf"(?:eine )?(?:abweichung|differenz|abweichungen|differenzen)(?: von)?(?: bis zu| bis| unter)? {_LIMIT} (?:ist|sind|gilt als|gelten als) (?:rundung|rundungsdifferenz|in ordnung|zulässig|erlaubt|ok)",
        rf"(?:une )?(?:différence|écart)s?(?: de| d['’])?(?: jusqu['’]à| jusqu'à| moins de)? {_LIMIT} (?:est|sont) (?:un arrondi|de l['’]arrondi|acceptable|accepté|acceptée|toléré|tolérée|admis|admise)s?",
        rf"(?:una? |uma )?(?:diferencias?|diferenças?)(?: de)?(?: hasta(?: un| el)?| até)? {_LIMIT} (?:es|son|se considera|é|são) (?:redondeo|aceptables?|arredondamento|aceitável|aceitáveis|toleradas?|permitidas?)",
        rf"(?:差异|差额|误差)(?:在|不超过)?{_LIMIT}(?:以内|之内)?(?:视为|属于|是)?(?:四舍五入|舍入|可以?接受|允许|正常)?",
    )
)
SUFFIX: Final = LazyRegex(
    r"(?:,|;|，|；)?\s*(?:\((?P<aside>[^()]{1,60})\)|(?:,(?!\d)|;|，|；)\s*(?P<rest>[^;，；]{1,80}?)|\s(?P<near>within [^,;]{1,40}))$",
    re.IGNORECASE,
)
