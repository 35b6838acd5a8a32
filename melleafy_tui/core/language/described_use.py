"""Tells an order or a description of use ("run X to …", "`X --all`: lists …") from a mere mention of a command.

A mention is no permission: only what a text orders or describes becomes a tool that the model may call.
"""

# ruff: noqa: E501 - a pattern is easier to read in one piece

import re
from collections.abc import Iterable, Iterator
from typing import Final

from melleafy_tui.core.language.orders import is_forgiven, is_imperative
from melleafy_tui.core.language.wording import sentences
from melleafy_tui.core.lazy_regex import LazyRegex

_CALL: Final = "\ufdd2"
"""Stands for a command with arguments, an interpreter or a method: its form shows how it is called."""

_NAME: Final = "\ufdd3"
"""Stands for a script of which only the path is written."""

_X: Final = f"[{_CALL}{_NAME}]"
_NEAR: Final = r"(?:[\w'’/-]+ ){0,4}?"
_LONGEST: Final = 4_000
"""Characters of a text that are judged."""

_SPAN: Final = LazyRegex(r"`{1,3}([^`\n]{1,2000})`{1,3}")
_EMPHASIS: Final = str.maketrans("", "", "*_")
_STRUCK: Final = LazyRegex(r"~~[^~\n]{1,2000}~~")
_MARKS: Final = LazyRegex(r"^[\W\d]*?(?=[\ufdd2\ufdd3]|\w)")
_CLAUSES: Final = LazyRegex(r"[;；]\s*|[,，]\s+(?:but|then|and then)\s+|[，](?=[再然])")


def _pattern(text: str) -> LazyRegex:
    return LazyRegex(text, re.IGNORECASE)


_RUN: Final = (
    r"(?:re-?run|run|use|call|execute|invoke|launch|start|try|query|trigger|do|hit|GET|"
    r"ejecut[ae]|usa|use|utili[zs][ae]|llama|lanza|corre|rode|execute|chame|"
    r"exécute[rz]?|lance[rz]?|utilise[rz]?|appelle[rz]?|"
    r"führe|verwende|benutze|nutze|starte|rufe|"
    r"запусти(?:те)?|запускай(?:те)?|используй(?:те)?|вызови(?:те)?|вызывай(?:те)?|выполни(?:те)?|"
    r"uruchom|użyj|gebruik|voer|draai|esegui|usa|lancia|використовуй|запусти)"
)
_BEFORE_ORDER: Final = (
    r"(?:^|[:：,.(—–→]\s*|[-]>\s*|\b(?:then|first|always|please|just|also|and|or|simply|only|either|"
    r"you(?: \w+){0,2}|agent (?:can|may|must|should)|(?:forget|remember|sure|need|have) to|primero|luego|puedes|siempre|d'abord|toujours|immer|zuerst|сначала|всегда|затем)\s+)"
)
_ORDER: Final = tuple(
    _pattern(text)
    for text in (
        rf"{_BEFORE_ORDER}{_RUN} {_NEAR}{_X}",
        rf"(?:运行|運行|执行|執行|调用|調用|呼叫|使用|请用|請用|可用|先用|再用|用|通过|透過|跑)(?:一下|脚本|腳本|命令|指令)?\s*{_X}",
        rf"{_X}\s*(?:を(?:使|用い|実行|呼|起動|走)|で(?:確認|取得|検索|調べ|計算|作成|送信|記録|実行|検証)|(?:을|를) (?:실행|사용|호출)|(?:으로|로) (?:확인|조회|검색|계산|실행))",
        rf"{_X}\s*(?:komutunu|betiğini)\s+(?:çalıştır|kullan)|\b(?:çalıştır|kullan)\w*:?\s+{_X}",
        rf"\b(?:запусти|запускай|используй|вызови|вызывай|выполни|використовуй)(?:те)? {_NEAR}{_X}",
        rf"(?:führe|voer)\s+{_NEAR}{_X}\s+{_NEAR}(?:aus|uit)\b",
    )
)
"""Orders to run something, and permissions to."""

_CELL: Final = LazyRegex(
    r"(?:^|; )(?:purpose|use[sd]?(?: for)?|when(?: to use)?|what(?: it does)?|description|does|function|task|usage|"
    r"用途|说明|說明|描述|功能|作用|用法|目的|機能|説明|용도|설명|propósito|descripción|uso|descrição|finalidade|but|description|zweck|beschreibung|назначение|описание)[:：]\s*\S",
    re.IGNORECASE,
)
"""A table's cell that says what something is for."""

_DESCRIBED: Final = (
    _CELL,
    *map(
        _pattern,
        (
            rf"{_X} (?:is|are|can be|may be|should be|must be) (?:\w+ ){{0,2}}?(?:used|run|called|invoked|for|there to|how you|how to)\b(?! by (?:hand|the|our|a|cron|ci|ops|admin)| (?:only )?(?:manually|nightly|daily|hourly|weekly|every|from|in|at|on)\b)",
            rf"{_X} lets you\b|{_X} (?:sirve para|se usa para|serve para|é usad[oa] para|sert à|permet de|dient|служит для|используется для|нужен для|serve a|służy do|dient om)\b",
            rf"{_X}\s*(?:用于|用來|用来|可以|可用來|可用来|可查|使って|で\S{{1,20}}(?:できる|できます|する|します))",
            rf"\bse (?:usa|utiliza|ejecuta|llama a) {_NEAR}{_X}",
        ),
    ),
)
"""Descriptions of what something is used for."""

_WITH: Final = _pattern(rf"\b(?:with|via|using|through|by running|by calling) {_NEAR}{_X}")
"""What an order is carried out with."""

_USAGE: Final = _pattern(
    r"(?:usage|how to (?:use|run|call)(?: it)?|to use|run|use|call|commands?|cli|command line|invoke|invocation|try|examples?|"
    r"用法|使用方法|使用方式|用途|命令|指令|命令行|运行|執行|执行|使い方|コマンド|実行|사용법|명령|실행|"
    r"uso|modo de uso|comando|ejecución|ejemplo|execução|exemplo|utilisation|commande|exemple|"
    r"verwendung|aufruf|befehl|beispiel|использование|запуск|команда|пример|użycie|polecenie|gebruik|kullanım|komut)"
    rf"[^\w{_CALL}{_NAME}]*{_X}"
)
"""A label that announces how something is called."""

_NOT_CALLED: Final = _pattern(
    r"\b(?:never|do not|don['’]?t|must not|mustn['’]t|should(?: not|n['’]t)|may not|cannot|can['’]t|avoid|no longer|nobody|not for|instead of|rather than|replaced by|forbidden|off[- ]limits)\b"
    r"|不要|不得|不能|不可|禁止|严禁|嚴禁|切勿|请勿|請勿|别|別|勿|しないで|してはいけない|使わない|実行しない|지 마|금지|"
    r"\b(?:nunca|jamás|no (?:ejecut|us|llam|lanc)\w+|não|nao|ne \w+ (?:pas|jamais)|jamais|n['’]\w+ (?:pas|jamais)|nie(?:mals)?|nicht|keinesfalls|non|nooit|niet|asla|sakın)\b"
    r"|\b(?:никогда|не|нельзя|запрещено|ніколи)\b"
)
"""A prohibition; it counts where it stands before the command, or right after it."""

_HISTORY: Final = _pattern(
    r"\b(?:was|were|wrote|written|ran|had|broke|crashed|deleted|failed|deprecated|obsolete|legacy|retired|unused|historical|formerly|removed in|yesterday|last (?:week|month|year|night)|once)\b"
    r"|昨天|上周|上週|曾经|曾經|以前|废弃|廢棄|已弃用|已停用|作者|昨日|以前|廃止|非推奨|書いた|어제|작성했|폐기|"
    r"\b(?:escribió|ejecutó|ayer|obsolet\w+|borró|rompió|escreveu|rodou|ontem|quebrou|écrit par|a écrit|hier|obsolète|a lancé|schrieb|lief|gestern|veraltet|geschrieben|wurde|hat \w+ geschrieben)\b"
    r"|\b(?:написал\w*|вчера|устарел\w*|запускал\w*|сломал\w*|wczoraj|napisał\w*|gisteren|geschreven|dün|yazdı|ieri|scritto)\b"
)
_OTHERS: Final = _pattern(
    r"\b(?:lives?|located|is kept|is stored|sits|resides|belongs|owned|maintained|source of|see also|part of|defined in|documented|imported by|called by|triggered by|invoked by|executed by|run by)\b"
    r"|\b(?:admins?|administrators?|ops|operators?|humans?|developers?|maintainers?|cron(?:tab)?|ci|github actions?|nightly job|systemd|launchd|hook|installer|we|they|he|she|i|my|manually|by hand)\b"
    r"|位于|位於|存放|由(?:管理员|管理員|运维|維運|人工|开发)|管理员|管理員|手动|手動|定时任务自动|にある|管理者|手動|に置|에 있|관리자|"
    r"\b(?:está en|se encuentra|administrador\w*|a mano|fica em|administrador\w*|manualmente|se trouve|à la main|administrateurs?|liegt|befindet|von hand|administrator\w*|находится|лежит|администратор\w*|вручную|znajduje|ręcznie|staat in|beheerder|si trova|a mano|bulunur|yönetici)\b"
)
"""Words about where a command is, or about others who run it."""

_UNDONE: Final = _pattern(
    r"^\s*(?:(?!(?:und|aber|sondern|aus|en|maar|uit)\b)\w+ ){0,3}(?:niemals|nie|nicht|keinesfalls|nooit|niet)\b"
    r"|^\s*(?:を|は|も)\s*(?:絶対に|決して)?(?:使用|実行|利用|起動|呼び出)?(?:し|さ|使わ|用い|呼ば|走らせ|動かさ)?(?:ない|てはいけ|てはなら|禁止)"
)
"""What takes an order back after the command."""

_TOLD: Final = _pattern(
    r"\b(?:attackers?|strangers?|e?-?mails?|messages?|web ?pages?|sites?|documents?|injections?|someone|somebody)\b.{0,40}\b(?:tell|ask|trick|order|urge|instruct|want)s? you (?:in)?to\b"
    rf"|\bbad (?:example|idea)|\bwrong[:：]|决不|決して|絶対に(?=.*ない)|^would (?:you|i|we) {_RUN}\b"
)
"""What makes an order someone else's, or an example of what not to do."""

_RISK: Final = _pattern(
    rf"^(?:if|when) (?:you|anyone|someone) (?:ever )?{_RUN} {_NEAR}{_X}.*\b(?:breaks?|crash(?:es)?|destroys?|los(?:e|es)|corrupts?|stops? working)\b"
)
"""What an order would break."""

_REFUSING_TITLE: Final = _pattern(
    r"^\W*(?:(?:(?:what|things|commands|tools|scripts) )?(?:not to|you (?:must|should|may) not)\b.*|(?:what|things|commands|tools|scripts) to (?:avoid|never)\b.*|"
    r"(?:do(?:n['’]?ts?|\s+not)|never|avoid)(?:(?: ever)? (?:do|run|use|call|execute|invoke|touch|these|this|those)\b.*)?\W*|"
    r".*(?<!-)\b(?:deprecated|obsolete|retired|forbidden|prohibited|disallowed|off[- ]limits|anti-?patterns?|not allowed|not to (?:do|run|use)|humans? only|veraltet|verboten|obsolet[oae]s?|prohibid[oa]s?|interdit(?:e?s)?|proibid[oa]s?|устарел\w*|запрещ[её]н\w*)\b.*|"
    r".*(?:禁止|已弃用|已停用|废弃|廢棄|非推奨|廃止|금지|폐기).*)$"
)
"""A heading or an introduction of what isn't to be done."""

_PLACE_LABEL: Final = _pattern(
    r"^(?:[\w' -]{0,30}\b)?(?:scripts?|files?|paths?|locations?|source|module|code|repo|author|old|wrapper|see|note|history|incident|changelog|todo|"
    r"skript|datei|archivo|fichier|arquivo|скрипт|файл|путь|plik)$"
    r"|(?:位置|脚本|腳本|文件|檔案|路径|路徑|模組|模块|ファイル|場所|スクリプト|파일|위치|스크립트)$"
)
"""A label that says where something is, not what it does."""

_LEADING: Final = LazyRegex(rf"^{_X}\s*(?:[—–:：\-(（]|->|→)\s*(?P<purpose>\S.{{2,}})$", re.DOTALL)
_STATED: Final = LazyRegex(rf"^{_CALL}(?:\s+(?P<purpose>\S.*))?$", re.DOTALL)
_LABELLED: Final = LazyRegex(rf"^(?P<label>[^:：.!?\n]{{1,60}}?)(?:[:：]|\s[—–-])\s*(?P<call>{_X})")


def describes_use(text: str, target: str, *, is_call: bool) -> bool:
    """Return whether a text orders a command or describes its use, rather than only mentioning it.

    Args:
        text: The text with its code spans.
        target: The command, address or path as the text writes it.
        is_call: Whether the command shows how it is called: arguments, an interpreter, a method.
    """
    marked = _marked(text[:_LONGEST], target, _CALL if is_call else _NAME)
    return any(_says_use(clause) for clause in _clauses(marked))


def refuses_use(text: str) -> bool:
    """Return whether a text that introduces commands forbids them or speaks of the past."""
    return bool(_NOT_CALLED.search(text) or _HISTORY.search(text)) or refuses_below(text)


def refuses_below(title: str) -> bool:
    """Return whether a heading says that what is under it isn't to be done, or no longer is."""
    return bool(_REFUSING_TITLE.match(title))


def _marked(text: str, target: str, mark: str) -> str:
    """Return a text without emphasis, with the code spans and words that hold a target replaced by a mark."""
    spans = _SPAN.sub(lambda found: mark if target in found[1] else found[1], _STRUCK.sub("", text))
    return re.sub(rf"\S*{re.escape(target)}[^\s,;:，；：。)）]*", mark, spans).translate(_EMPHASIS)


def _clauses(marked: str) -> Iterator[str]:
    """Yield the clauses that hold a mark; a table's row is one clause."""
    if _CELL.search(marked):
        yield marked
    for sentence in sentences(marked):
        for clause in _CLAUSES.split(sentence):
            if _CALL in clause or _NAME in clause:
                yield _MARKS.sub("", clause, count=1).strip()


def _says_use(clause: str) -> bool:
    before, _, after = clause.replace(_CALL, _NAME).partition(_NAME)
    if not is_forgiven(before) and _any_of((_NOT_CALLED, _HISTORY), before):
        return False
    if _any_of((_TOLD, _RISK), clause) or _UNDONE.search(after) or clause.endswith(("?", "？")):
        return False
    if _is_ordered(clause):
        return True
    mentioned = _any_of((_NOT_CALLED, _HISTORY), after) or _OTHERS.search(clause)
    return not mentioned and (_any_of(_DESCRIBED, clause) or _has_purpose(clause))


def _any_of(patterns: Iterable[LazyRegex], text: str) -> bool:
    return any(pattern.search(text) for pattern in patterns)


def _is_ordered(clause: str) -> bool:
    return _any_of(_ORDER, clause) or (bool(_WITH.search(clause)) and is_imperative(clause))


def _has_purpose(clause: str) -> bool:
    """Return whether a clause is a command with its purpose after it or as its label."""
    if _USAGE.match(clause) or _LEADING.match(clause) or _STATED.match(clause):
        return True
    labelled = _LABELLED.match(clause)
    if labelled is None or _PLACE_LABEL.search(labelled["label"].strip()):
        return False
    return labelled["call"] == _CALL or is_imperative(labelled["label"])
