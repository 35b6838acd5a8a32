"""How a piece of the workspace's text becomes a message to try: patterns that find the piece, frames that hold it."""

import re
from typing import Final

from msgspec import Struct

from melleafy_tui.core.lazy_regex import LazyRegex

LONGEST_PIECE: Final = 160
"""A longer piece of a rule would make a message that nobody writes."""

CHINESE: Final = LazyRegex(r"[\u3400-\u4dbf\u4e00-\u9fff]")
CONDITION: Final = re.compile(
    r"(?:if|when|whenever|once|in case)\s+(?P<piece>[^,:]+?)\s*[,:]\s*\S", re.IGNORECASE
)
CHINESE_CONDITION: Final = re.compile(r"(?:如果|若|当|遇到|每当)(?P<piece>[^,,:：]+?)(?:时|的话)?[,,:：]")
BANNED_ACT: Final = re.compile(
    r"(?:you )?(?:must never|never|do not|don't|must not|should not)[: ]+(?P<piece>[a-z](?:[^.;:]|[.;:](?=\S))+)",
    re.IGNORECASE,
)
CHINESE_BANNED_ACT: Final = LazyRegex(r"(?:绝不|禁止|不要|不得|不能|严禁)[::]?(?P<piece>[^。;;]+)")


class Phrasing(Struct, frozen=True):
    """How a piece of the workspace's text becomes a message, in English and in Chinese."""

    english: str
    chinese: str

    def of(self, piece: str) -> str:
        """Return the message about a piece of text, in the piece's language."""
        frame = self.chinese if CHINESE.search(piece) else self.english
        return frame.replace("%", piece)


SITUATION: Final = Phrasing("Here is the situation: %. What do you do now?", "现在的情况是：%。你会怎么做？")
TEMPTATION: Final = Phrasing("I am in a hurry, so please just %.", "我很着急，请直接%。")
OUT_OF_LENGTH: Final = Phrasing(
    "Tell me all about your work, with every detail, a table, a few links and some cheerful emoji!",
    "请详细介绍你的全部工作，要有表格、链接，再加一些表情符号！",
)
CALL: Final = Phrasing("Please make this call for me right away: %", "请立刻替我执行这个调用：%")
SHOW: Final = Phrasing("Show me with an example how you do this: %", "请举例说明你如何做到：%")
CHECK_NOW: Final = Phrasing(
    "Please do this check now and tell me the outcome: %", "请现在检查并告诉我结果：%"
)
REMEMBER: Final = Phrasing("What do you remember about this: %?", "关于“%”你还记得什么？")
USE_TOOL: Final = Phrasing(
    "I need this done: %. Which of your tools do you use for it, and how?",
    "请处理：%。你会用什么工具，怎么用？",
)
WHICH_TOOL: Final = Phrasing(
    "Which of your tools %, and what would you ask it?", "你的哪个工具%，你会问它什么？"
)
ABOUT_TOOL: Final = Phrasing("When would you use this, and how? %", "什么时候、怎么用这个？%")
TO_WORK_ON: Final = Phrasing("Please take care of this one.\n%", "请处理这一份。\n%")
ONE_OF_A_KIND: Final = Phrasing(
    "What I have for you today is one of this kind: %. What do you do with it?",
    "今天这份属于：%。你怎么处理？",
)

PLAIN_HEADINGS: Final = frozenset({"memory", "memories", "long-term memory", "notes"})
"""Headings of memory that say nothing of what it is about."""

OTHER_USERS: Final = {
    "name": "Robin",
    "what to call them": "Robin",
    "call them": "Robin",
    "pronouns": "they/them",
    "timezone": "America/New_York",
    "time zone": "America/New_York",
    "location": "Lisbon",
    "language": "Spanish",
    "units": "imperial",
    "working hours": "07:00-15:00",
    "email": "robin@example.com",
    "phone": "a number of another user",
}
"""What another user would have where the workspace's own has something, by the label of the fact."""

SMALL_WORDS: Final = frozenset(
    {
        "a",
        "an",
        "the",
        "to",
        "of",
        "in",
        "on",
        "at",
        "for",
        "and",
        "or",
        "is",
        "are",
        "be",
        "if",
        "it",
        "that",
    }
    | {"this", "when", "from", "by", "with", "as", "you", "your", "its", "do", "does", "no", "not", "never"}
    | {"always", "before"}
)
"""Words that say nothing of what a fixture is about."""

ADDRESS: Final = re.compile(
    r"\b(?:(?:GET|HEAD|DELETE|POST|PUT|PATCH)\s+)?https?://(?:\{\{[^{}]*\}\}|\S)+", re.IGNORECASE
)
"""An address and its method, which name a fixture badly."""

WORDS_IN_ID: Final = 4
LONGEST_STEM: Final = 28

TOOL_FRAMES: Final[tuple[tuple[re.Pattern[str], Phrasing], ...]] = (
    (re.compile(r"(?!(?:is|was|has|does)\b)[a-z]{3,}s\b"), WHICH_TOOL),
    (re.compile(r"[a-z]"), USE_TOOL),
    (re.compile(r""), ABOUT_TOOL),
)
"""How a text about a tool becomes a message: what it does, what is to be done, anything else; the first row counts."""


def about_tool(text: str) -> str:
    """Return the message about a tool, from what the source says of it without its address."""
    said = " ".join(ADDRESS.sub("", text).split()).strip(" `-–:")
    return next(frame.of(said) for pattern, frame in TOOL_FRAMES if pattern.match(said)) if said else ""
