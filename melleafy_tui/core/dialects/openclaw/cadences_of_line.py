"""Finds the cadences of a line, as far as its file, its place and its words make them schedules.

In HEARTBEAT.md every cadence counts, elsewhere one in a list of jobs, behind a label of time, or in a line about cron
or the heartbeat. What only sounds like one doesn't: the name of a thing, part of a path, what something else does.
"""

# ruff: noqa: E501 - a word list is easier to read in one piece, and has letters of other scripts

import re
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.dialects.openclaw.cadence_subject import subject_of
from melleafy_tui.core.dialects.openclaw.file_outline import FileOutline
from melleafy_tui.core.dialects.openclaw.job_lists import (
    NAME_AND_TIME,
    job_in_list,
    jobs_in_paragraph,
    jobs_on_line,
)
from melleafy_tui.core.dialects.openclaw.wake_words import (
    JOB,
    LABEL_FIRST,
    REGISTER,
    TIME_LABELLED,
    WAKING_REMARK,
    is_condition,
    is_reminder,
    speaks_of_waking,
)
from melleafy_tui.core.language.scripts import HAN
from melleafy_tui.core.language.time.cadence import (
    TimeRow,
    read_cadence,
    read_cadences,
    read_limit,
    read_time_row,
    readable_line,
    with_days,
)
from melleafy_tui.core.language.time.clock import DAY_SECONDS
from melleafy_tui.core.language.wording import plain_text
from melleafy_tui.core.lazy_regex import LONGEST_READ, LazyRegex
from melleafy_tui.core.models.classification import Schedule
from melleafy_tui.core.source.segments import Segment

_LIMITED: Final = ("heading", "lead_in", "item")
"""The kinds of segments in which a limit such as `at most once a day` is a task's cadence."""
_NUMBER_IN_BRACKETS: Final = LazyRegex(r"[(（][^(（)）\d]*\d")
_BARS: Final = re.compile(r"\s\|\s")
TIME_FIELD: Final = LazyRegex(
    r"^\s*(?:-\s+)?[\"']?(?:interval|every|cadence|schedule|cron|frequency|cooldown)[\"']?\s*[:：]\s*(?P<value>\S.*)$",
    re.IGNORECASE,
)
LABELLED: Final = re.compile(r"\W*[^:：\n]{1,24}[:：]\s*\S")
_ADVERB_LABEL: Final = re.compile(
    r"\W*(?:hour|dai|night|week|month|quarter)ly(?: [\w-]+){0,3}\W{0,3}[:：]\s", re.IGNORECASE
)
_DAILY_TIME_LABEL: Final = LazyRegex(
    r"^\W*[^\s:：]{1,12}(?:时间|時間|時刻)\s*[:：]\s*[每毎][天日晚早][^\n\d]{0,8}\d{1,2}[:：]\d\d(?!\d|\s*[-–—~至到])"
)
"""A label over a clock time of each day: `复盘时间：每日 23:00`; opening hours are none."""
_CODED_PATH: Final = re.compile(r"`[^`\n]*[/\\\\][^`\n]*`")
_PATH_FIRST: Final = LazyRegex(r"\s*[\w~.-]*[/\\]")
_DESCRIBES: Final = LazyRegex(
    r"\bautomatic(?:ally)?\b|\b(?:synced|mirrored|replicated|backed up|cloned)\b", re.IGNORECASE
)
_FAILED: Final = LazyRegex(
    r"\b(?:failed|broke|crashed|was (?:broken|failing|skipped)|did(?:n['’]t| not) (?:run|fire))\b"
    r"|而失败|而失敗|失败了|未执行|未執行",
    re.IGNORECASE,
)
"""A line about what went wrong with a job, which is no schedule of it."""
_BY_ITSELF: Final = LazyRegex(r"\W*auto-?\w+\W{0,4}:", re.IGNORECASE)
"""A label over what a service does by itself, unless a scheduler's job does it: `Auto-sync: daily`."""
_MADE: Final = LazyRegex(
    r"(?:生成|创建|創建|检查|檢查|监控|監控|监测|监视|監視|确认|確認|验证|驗證|核对|阅读|跟踪|追踪|关注|归档|写入|存入|纳入|[到入]|查看|发送|發送|更新|整理|整合|记录|記錄|回顾|推送|输出|撰写|避免|[写读读看做的])[^\w(（]{0,2}$"
)
"""What is done before a thing whose name begins with how often: `生成每日新闻`."""
_SAYING: Final = LazyRegex(r"[每毎][日天周週月]一[句词詞题題图圖诗詩]")
_IN_CLAUSE: Final = LazyRegex(
    r"\b(?:that|which|whether|que|qui|dass|ob|что|котор\w+)\s[^,;:.()（）—–-]*$", re.IGNORECASE
)
"""A clause that says what another thing does: `check that the backup runs daily`."""
_EXCEPTED: Final = LazyRegex(
    r"(?:^|[(（,，;；:：—–-])\s*(?:except(?: for)?|other than|außer|ausser|salvo|excepto|exceto|sauf|кроме|除了?)\b[^)）]*$",
    re.IGNORECASE,
)
_ONCE_ONLY: Final = LazyRegex(
    r"\bone[- ](?:time|off)\b|\b(?:just|only) once\b(?! (?:an?|per|every|each)\b)|一次性|単発|\beinmalig\w*|\bpor única vez\b|\búnica vez\b|\bразов\w+",
    re.IGNORECASE,
)
_UNTIL_OR_DONE: Final = LazyRegex(
    r"(?:\b(?:no later than|deadline|until|(?:bis )?spätestens|bis|hasta|até|jusqu['’]à|до)|截止(?:时间|時間|到)?"
    r"|\b(?:sent|done|ran|completed|finished|posted|delivered|executed|updated|last(?: \w+)?|latest|última vez|zuletzt|letzte\w*"
    r"|dernière?(?: fois)?|последн\w+)|上次|最[后後]一次|最近一?次?|前回|已(?:完成|发送|執行|执行))"
    r"[\s:：(（@*_]*(?:on|at|um|às|a las|à|в)?\s*$",
    re.IGNORECASE,
)
"""What stands before the time at which something has to be ready, or was done."""
_SECTION_NUMBER: Final = re.compile(
    r"^\W*\d{1,2}\.\d{1,2}(?:\.\d{1,2})*\s+(?!uhr\b|h\b|[ap]\.?m\b|[-–—])", re.IGNORECASE
)
"""The number of a section, which looks like a clock time: `3.10 Use the pump (twice)`."""
_QUOTED: Final = re.compile(r"[\"“«「]([^\"“”«»「」]{8,200})[\"”»」]")
_SAID: Final = 8
"""How much longer a quoted text is than the cadence that it only speaks of."""
_INTERVAL_LABEL: Final = LazyRegex(r"\W*[^:：\n]{0,8}(?:间隔|間隔|频率|頻率|頻度|周期|週期)\s*[:：]")
_DURATION_FIRST: Final = re.compile(r"\d{1,4}\s*个?個?(?:分[钟鐘]|分間?|小[时時]|時間|秒|天|日)(?![\d])")
_LAST_TIME: Final = LazyRegex(
    r"\W*(?:last|latest|previous|último|última|letzte\w*|dernier|dernière|последн\w+)\s(?:[\w-]+\s){0,2}?[\w-]+\s*[:：]"
    r"|\W*(?:上次|最后一次|最後一次|前回)[^:：\n]{0,8}[:：]",
    re.IGNORECASE,
)
"""A label over when something was done last."""
_DATED_STATE: Final = re.compile(r"[:：]\s*20\d\d[-/.]\d\d[-/.]\d\d(?:[T ,]\s?\d\d:\d\d(?::\d\d)?)?Z?\W*$")
"""A label over the date of the last run."""
_AFTER_EVENT: Final = LazyRegex(
    r"\W*(?:\d{1,2}[.)]\s*)?(?:after|following|nach|después de|depois de|após|après|после)\b", re.IGNORECASE
)
REPEATS: Final = LazyRegex(
    r"every|each|daily|hourly|nightly|(?:week|month)ly|\*|[每毎]|ごと|おき|定[时時]|cada|tod[oa]s?\b|diari|semanal|jede|alle\b"
    r"|täglich|wöchentlich|stündlich|chaque|tous|toutes|quotidien|hebdo|кажд|ежедн|еженед|\d+\s?(?:分|小时|小時|天)",
    re.IGNORECASE,
)
"""Words of a cadence that make it one even in a dated entry of a log."""
_BY_OTHERS: Final = LazyRegex(
    r"由[^，。,]{2,40}(?:负责|負責|执行|執行|触发|觸發)|(?:系统|系統|宿主机|主机|服务器|伺服器)\s?(?:cron\s?|定时任务|定時任務)?[会會将]?自[动動]",
    re.IGNORECASE,
)
"""What another program does: `系统 cron 会自动执行`."""
_OF_THING: Final = LazyRegex(r"[毎每][日週月朝晩]の[^をがはに、。]{1,20}[をが]")
"""A Japanese "daily" that belongs to the object of a verb: `毎日のバックアップを見る`."""
_ADJECTIVE: Final = LazyRegex(
    r"diari[oa]s?|semana(?:l|les|is)|mensual(?:es)?|mensa(?:l|is)|diári[oa]s?|quotidien(?:ne)?s?|hebdomadaires?|mensuel(?:le)?s?",
    re.IGNORECASE,
)
_OBJECT: Final = LazyRegex(
    r"\w\s+(?:l['’]|(?:la|el|los|las|una?|del|al|o|a|os|as|uma?|do|da|le|les|une|du|des)\s+)(?:[\w-]+\s+){1,2}$",
    re.IGNORECASE,
)
"""A noun with its article after another word, which an adjective behind it describes: `mirar la copia diaria`."""
_PASSIVE: Final = LazyRegex(r"\b(?:is|are|gets?|will be) (?:\w+ly )?\w+ed\b", re.IGNORECASE)
_TIME_LABEL: Final = re.compile(r"[^:：\n]{3,48}(?:[:：]\d\d[^:：\n]{0,24})?(?:[:：](?!\d))")
"""A line whose start may be a time as its label; cheaper than reading its cadence."""
_AFTER_TIME: Final = LazyRegex(r"\W{0,3}(?:[A-Z]{2,4}\b)?\W{0,3}[:：]")
_CLOCK_OR_NAME_FIRST: Final = re.compile(rf"[\W_]*(?:[01]?\d|2[0-3])[:：][0-5]\d\b|{NAME_AND_TIME}\W*$")
"""A job in a memory that begins with its clock time, or is a name with its time in brackets."""
_PRODUCT_LIST: Final = LazyRegex(
    r"\b(?:outputs?|deliverables?|artifacts?|files?|format|salidas?|entregables?|saídas?|entregáveis|ausgaben?|livrables?|результат\w*)\W*$"
    r"|(?:输出|輸出|产出|出力|成果物|交付物)\W*$",
    re.IGNORECASE,
)
"""A lead-in or heading whose items are what is made, not when."""
_BEFORE_CHANGE: Final = LazyRegex(
    r"\W*(?:before|old|previous(?:ly)?|antes|vorher|avant|до|было)\W*|[^\s]{0,6}(?:之前|以前|[化改更整级級]前|旧|舊)[^\s]{0,2}|変更前",
    re.IGNORECASE,
)
"""The column of a table of changes that says what was."""
_BRACKETS: Final = re.compile(r"[(（]([^()（）\n]{1,40})[)）]\W*$")
_NAME_AND_CLOCK: Final = re.compile(
    r"(?P<name>[^:：\d()（）\n]{3,30}?)\s+(?P<clock>(?:[01]?\d|2[0-3])[:：][0-5]\d)\s*(?:$|[—–-]\s)"
)


_CLAUSES: Final = re.compile(
    r"\s*(?:[;；|。]|[.](?=\s+[^\W\d])|[,，](?!\d)|\b(?:and|und|et|y)\b"
    r"|\be(?=\s+(?:tod[oa]s?|a? ?cada)\b)|\bи(?=\s+кажд)|、(?=[毎每]))\s*"
)


def _clauses_with_times(text: str) -> list[str]:
    """Return the parts of a line that each say what is done and how often: `count daily at 9:00, write every Friday`."""
    pieces = [piece for piece in _CLAUSES.split(text[:LONGEST_READ]) if piece.strip()]
    if not _LEAST_CLAUSES <= len(pieces) <= _MOST_CLAUSES or read_cadence(text) is None:
        return []
    parts: list[str] = []
    for piece in pieces:
        found = read_cadence(piece, dated=True)
        if found is not None and (found.times or found.type in ("interval", "cron")):
            about = subject_of(piece, found)
            if about.is_waking and not about.more:
                return []
            parts.append(piece)
        elif not parts:
            return []
    return parts if len(parts) >= _LEAST_CLAUSES else []


_LEAST_CLAUSES: Final = 2
_MOST_CLAUSES: Final = 8


def parts_of(segment: Segment, outline: FileOutline) -> Sequence[Segment]:
    """Return the parts of a line such as `Daily review (10AM) | Weekly audit (Sunday)`, else the line.

    The lines of a paragraph that all have labels, one of them for a time, are parts, too.
    """
    if segment.kind == "paragraph" and (fields := _labelled_lines(segment)):
        return fields
    jobs = jobs_on_line(segment.text) if segment.kind in ("item", "paragraph") else []
    if jobs or (jobs := jobs_in_paragraph(segment)):
        return [replace(segment, kind="item", text=part) for part in jobs]
    parts = _BARS.split(segment.text) if segment.kind in ("item", "paragraph") else []
    if len(parts) < _LEAST_CLAUSES:
        in_words = outline.is_heartbeat and segment.kind in ("item", "paragraph")
        parts = _clauses_with_times(segment.text) if in_words else []
    return [replace(segment, text=part) for part in parts] if len(parts) > 1 else [segment]


def _labelled_lines(segment: Segment) -> list[Segment]:
    """Return the lines of a paragraph if all have labels, and a later one that of a time: `Frequency: hourly`."""
    texts = list(map(plain_text, segment.lines))
    if not any(map(TIME_LABELLED.match, texts[1:])) or not all(map(LABELLED.match, texts)):
        return []
    return [
        replace(segment, first=number, last=number, text=text)
        for number, text in enumerate(texts, segment.first)
    ]


def cadences_in(segment: Segment, line: Segment, outline: FileOutline) -> tuple[Schedule, ...]:
    """Return the cadences of a segment or a part of it, as far as its file, line and place make them schedules."""
    text, whole = plain_text(segment.text), plain_text(line.text)
    if segment.kind == "heading":
        text = _SECTION_NUMBER.sub("", text)
    if segment.kind == "item" and _PRODUCT_LIST.search(segment.parent or segment.lead_in):
        return ()
    labelled = (
        _in_field(segment, text, outline)
        or in_waking_remark(text, outline)
        or job_in_list(segment, line, text)
    )
    if labelled is not None:
        return (labelled,)
    label = _timed_label(segment, text)
    expected = bool(label) or _expects_time(segment, text, outline)
    if label and read_cadence(text.removeprefix(f"{label}: ")) is None:
        text = label
    if not outline.is_heartbeat and not (expected or _is_schedule(whole, outline)):
        return ()
    if TIME_LABELLED.match(text) and (said := labelled_time(text)):
        return said
    read = read_cadences(text, expected=expected, dated=bool(JOB.search(whole)) or _opens_with_time(text))
    read = _with_clock_behind(text, read) if expected else read
    read = _with_clock_in_brackets(text, read) if segment.kind == "heading" else read
    found = tuple(
        each
        for each in read
        if _counts(each, outline)
        and not _is_name_of_thing(text, each)
        and not _stands_in_path(segment.text, each)
        and not _is_spoken_of(segment, text, each)
    )
    if not found and segment.kind in _LIMITED and (limit := read_limit(text)) is not None:
        return (limit,)
    return found


def _is_spoken_of(segment: Segment, text: str, found: Schedule) -> bool:
    """Return whether a cadence is that of another thing, an exception, a deadline, or when something was done."""
    if (
        _ONCE_ONLY.search(text)
        or any(map(_ONCE_ONLY.search, segment.section[-1:]))
        or _DATED_STATE.search(text)
        or _LAST_TIME.match(text)
        or _BY_OTHERS.search(text)
    ):
        return True
    line = readable_line(text[:LONGEST_READ])
    before = line.partition(found.cadence)[0] if found.cadence in line else ""
    if any(
        found.cadence in quoted and len(quoted) > len(found.cadence) + _SAID
        for quoted in _QUOTED.findall(line)
    ):
        return True
    if (_IN_CLAUSE.search(before) and not speaks_of_waking(text)) or _EXCEPTED.search(before):
        return True
    if REPEATS.search(found.cadence):
        conditional = is_condition(text) and not found.times and re.search("[,，:：→]", before)
        return bool(conditional) and not found.days
    after_event = segment.kind == "heading" and _AFTER_EVENT.match(text)
    return bool(after_event or _UNTIL_OR_DONE.search(before))


def is_description(segment: Segment, outline: FileOutline) -> bool:
    """Return whether a line says what something else does: `every hour it is copied`, under `Automatic`."""
    if not outline.is_heartbeat or not _PASSIVE.search(segment.text):
        return False
    return any(_DESCRIBES.search(text) for text in (*segment.section[-1:], segment.text))


def _in_field(segment: Segment, text: str, outline: FileOutline) -> Schedule | None:
    """Return the cadence of an item such as `- every: 30m` in HEARTBEAT.md, or None."""
    field = TIME_FIELD.match(text) if outline.is_heartbeat and segment.kind == "item" else None
    return read_cadence(field["value"]) if field is not None else None


def in_waking_remark(text: str, outline: FileOutline) -> Schedule | None:
    """Return the cadence of the heartbeat in a remark after it, such as `Every heartbeat (30m)`, or None."""
    remark = WAKING_REMARK.search(text) if outline.is_heartbeat else None
    if remark is None:
        return None
    found = read_cadence(remark["inner"]) or read_cadence(f"every {remark['inner']}")
    return found if found is not None and (found.seconds or DAY_SECONDS) < DAY_SECONDS else None


def _expects_time(segment: Segment, text: str, outline: FileOutline) -> bool:
    """Return whether a line is one where a mere clock time is a schedule, by its place or its label."""
    return (
        _in_register(segment, outline)
        or (outline.is_memory and bool(_CLOCK_OR_NAME_FIRST.match(text)))
        or (outline.is_heartbeat and is_reminder(text, " ".join(segment.section[-2:])))
        or (
            segment.kind == "heading" and ("(" in text.replace("（", "(") or outline.is_below_rhythm(segment))
        )
        or (outline.is_heartbeat and bool(TIME_LABELLED.match(text)))
    )


def _counts(found: Schedule, outline: FileOutline) -> bool:
    """Return whether a cadence counts in this file: outside HEARTBEAT.md only one that names a time does."""
    if outline.is_heartbeat:
        return True
    timed = bool(found.seconds or found.days or found.times)
    return found.type != "event" and (found.type != "words" or timed)


def _is_schedule(text: str, outline: FileOutline) -> bool:
    """Return whether a line outside HEARTBEAT.md is about a scheduled job or the heartbeat."""
    if _DESCRIBES.search(text) or _FAILED.search(text) or (_BY_ITSELF.match(text) and not JOB.search(text)):
        return False
    if _opens_with_time(text):
        return True
    labelled = LABEL_FIRST.match(text)
    if (
        JOB.search(text)
        or _DAILY_TIME_LABEL.match(text)
        or (labelled and not _PATH_FIRST.match(text[labelled.end() :]))
    ):
        return True
    found = read_cadence(text)
    if found is None:
        return False
    if speaks_of_waking(text):
        return subject_of(text, found).is_waking
    return outline.path == "TOOLS.md" and bool(found.times or found.active_start)


def _in_register(segment: Segment, outline: FileOutline) -> bool:
    if segment.kind != "item":
        return False
    above = (*segment.section[-2:], segment.lead_in)
    return any(REGISTER.search(heading) for heading in above if heading and heading != outline.title)


def _timed_label(segment: Segment, text: str) -> str:
    """Return the label of a line such as `Report (9:00): send it`, or `""`."""
    label, separator, _ = text.partition(": ")
    is_label = separator and segment.kind in ("paragraph", "item") and _NUMBER_IN_BRACKETS.search(label)
    return label if is_label else ""


def labelled_time(text: str) -> tuple[Schedule, ...]:
    """Return the cadences behind a label such as `Runs:`; a mere Chinese or Japanese duration is one, too."""
    value = re.split("[:：]", text, maxsplit=1)[1].strip()
    found = read_cadences(value, expected=True)
    duration = _DURATION_FIRST.match(value) if not found and _INTERVAL_LABEL.match(text) else None
    every = read_cadence(f"每{duration.group()}") if duration else None
    return (replace(every, cadence=duration.group()),) if every is not None and duration else found


def _opens_with_time(text: str) -> bool:
    """Return whether a line starts with days and a clock time as its label: `Sunday at 9pm EST: write the report`."""
    if not _TIME_LABEL.match(text):
        return False
    found = read_cadence(text, dated=True)
    if found is None or not found.times:
        return False
    before, _, after = readable_line(text).partition(found.cadence)
    if _ADVERB_LABEL.match(before):
        return True
    label = _AFTER_TIME.match(after)
    return not re.search(r"\w", before) and label is not None and not is_condition(after[label.end() :])


def begins_name(text: str, found: Schedule) -> bool:
    """Return whether a Chinese word for how often stands directly before a noun: `每日检查清单`."""
    _, cadence, after = text.partition(found.cadence)
    return bool(cadence) and HAN[0] <= after[:1] <= HAN[1]


def _is_name_of_thing(text: str, found: Schedule) -> bool:
    """Return whether how often only describes a thing: `生成每日新闻`, `每日一句`, `mirar la copia diaria`."""
    if found.times:
        return False
    if _ADJECTIVE.fullmatch(found.cadence) and _OBJECT.search(
        text[:LONGEST_READ].partition(found.cadence)[0]
    ):
        return True
    if not begins_name(text, found):
        return bool(_OF_THING.search(text))
    before, cadence, after = text.partition(found.cadence)
    return bool(_MADE.search(before[-8:]) or _SAYING.match(cadence + after[:2]))


def _stands_in_path(text: str, found: Schedule) -> bool:
    """Return whether a cadence is only part of a path in code: ``read `notes/每日/log.md` ``."""
    if "`" not in text or found.times or found.cron:
        return False
    return found.cadence in text and found.cadence not in _CODED_PATH.sub(" ", text)


def _with_clock_behind(text: str, read: tuple[Schedule, ...]) -> tuple[Schedule, ...]:
    """Return the clock time of a line such as `每日检查 09:00 — 看水位`, where how often is part of the name."""
    timed = _NAME_AND_CLOCK.match(text)
    if timed is None or len(read) != 1 or read[0].times or read[0].seconds != DAY_SECONDS:
        return read
    last_word = timed["name"].rpartition(" ")[2]
    for words in (f"{last_word} {timed['clock']}", timed["clock"]):
        found = read_cadence(words, expected=words == timed["clock"])
        if found is not None and found.times:
            return (found,)
    return read


def _with_clock_in_brackets(text: str, read: tuple[Schedule, ...]) -> tuple[Schedule, ...]:
    """Return the clock time at the end of a heading such as `Review every Sunday evening (Sunday 22:00)`."""
    brackets = _BRACKETS.search(text)
    if brackets is None or len(read) != 1 or read[0].times or read[0].type == "event":
        return read
    seconds, days = read[0].seconds or DAY_SECONDS, read[0].days
    exact = read_cadence(brackets[1], expected=True)
    if (
        exact is None
        or not exact.times
        or seconds < DAY_SECONDS
        or (exact.days or days) != (days or exact.days)
    ):
        return read
    return (with_days(exact, days),) if seconds == DAY_SECONDS or exact.days else read


def time_in_row(segment: Segment, outline: FileOutline) -> TimeRow | None:
    """Return when a table row says something is due, None if it doesn't or the table isn't one of times."""
    if any(map(_BEFORE_CHANGE.fullmatch, segment.header)):
        return None
    above = (*segment.section[-2:], *segment.header)
    if not outline.is_heartbeat and not any(map(REGISTER.search, above)):
        return None
    return read_time_row(segment.cells, segment.header)
