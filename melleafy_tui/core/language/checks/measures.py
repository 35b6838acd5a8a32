"""Functions that measure a reply, as the validators of packages do (`generators/runtime/checks.py`).

A property test compares the two.
"""

import json
import re


def count_words(text: str) -> int:
    """Return the number of words; a Chinese or Japanese character counts as one."""
    signs = 0
    if max(text, default="") >= "\u3040":  # the range takes longer to compile than all texts to count
        wide = r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"
        text, signs = re.subn(wide, " ", text)
    return signs + sum(1 for token in text.split() if any(c.isalnum() for c in token))


def count_characters(text: str) -> int:
    """Return the number of characters, without white space at both ends."""
    return len(text.strip())


def count_sentences(text: str) -> int:
    """Return the number of sentences; a list item or a heading counts as one."""
    marker = r"(?m)^[ \t]*(?:[-*+\u2022]|#{1,6}|\d{1,3}[.)])[ \t]+"
    pieces = re.split(r"\n[ \t]*\n", re.sub(marker, "\n\n", text.replace("\r", "")))
    short = r"(?i)\b(?:e\.g|i\.e|etc|vs|approx|mr|mrs|ms|dr|prof|st|no)\.(?=\s+[\w(])"
    stop = r"[.!?]+[\"'\u201d\u2019)\]*_]*(?=\s|$)|[\u3002\uff01\uff1f]+|\u2026(?=\s|$)"
    count = 0
    for piece in pieces:
        parts = re.split(stop, re.sub(short, " ", piece))
        count += sum(1 for part in parts if any(c.isalnum() for c in part))
    return count


def count_lines(text: str) -> int:
    """Return the number of lines that are not blank."""
    return sum(1 for line in re.split(r"\r\n|\r|\n", text) if line.strip())


def count_paragraphs(text: str) -> int:
    """Return the number of blocks of text between blank lines."""
    lines = re.sub(r"\r\n|\r", "\n", text)
    return sum(1 for block in re.split(r"\n[ \t]*\n", lines) if block.strip())


def count_bullets(text: str) -> int:
    """Return the number of bulleted list items."""
    return len(re.findall(r"(?m)^[ \t]*[-*+\u2022][ \t]+\S", text))


def count_list_items(text: str) -> int:
    """Return the number of list items, bulleted or numbered."""
    item = r"(?m)^[ \t]*(?:[-*+\u2022]|\d{1,3}[.)])[ \t]+\S"
    return len(re.findall(item, text))


def count_questions(text: str) -> int:
    """Return the number of questions; a question mark inside an address is none."""
    return len(re.findall(r"\?(?![\w?])|\uff1f(?!\uff1f)", without_code(text)))


def count_emoji(text: str) -> int:
    """Return the number of emoji."""
    return len(find_all_emoji(text))


def count_exclamation_marks(text: str) -> int:
    """Return the number of exclamation marks outside code."""
    return len(re.findall(r"!(?![=\[])|\uff01", without_code(text)))


def without_code(text: str) -> str:
    """Return the text without fenced blocks and code spans."""
    fence = r"(?ms)^[ \t]{0,3}(```+|~~~+)[^\n]*\n.*?(?:^[ \t]{0,3}\1[ \t]*$|\Z)"
    return re.sub(r"`[^`\n]+`", " ", re.sub(fence, "\n", text))


def find_all_emoji(text: str) -> list[str]:
    """Return every emoji in order; letters, digits and plain symbols are none."""
    pictures = (
        "\U0001f004\U0001f0cf\U0001f18e\U0001f191-\U0001f19a\U0001f1e6-\U0001f1ff"
        "\U0001f201-\U0001f251\U0001f300-\U0001f64f\U0001f680-\U0001f6ff"
        "\U0001f7e0-\U0001f7f0\U0001f900-\U0001f9ff\U0001fa70-\U0001faff"
        "\u231a\u231b\u23e9-\u23ec\u23f0\u23f3\u25fd\u25fe\u2614\u2615\u2639\u263a"
        "\u2648-\u2653\u2665\u267f\u2693\u26a1\u26aa\u26ab\u26bd\u26be\u26c4\u26c5"
        "\u26ce\u26d4\u26ea\u26f2\u26f3\u26f5\u26fa\u26fd\u2705\u270a\u270b\u2728"
        "\u274c\u274e\u2753-\u2755\u2757\u2764\u2795-\u2797\u27b0\u27bf\u2b1b\u2b1c"
        "\u2b50\u2b55"
    )
    return re.findall(f"[{pictures}]|[\u00a9\u00ae\u2000-\u2bff]\ufe0f|.\u20e3", text)


def find_emoji(text: str) -> str:
    """Return the first emoji, or an empty text."""
    return next(iter(find_all_emoji(text)), "")


def find_exclamation_mark(text: str) -> str:
    """Return the first exclamation mark outside code, or an empty text."""
    found = re.search(r"!(?![=\[])|\uff01", without_code(text))
    return found.group() if found else ""


def find_question(text: str) -> str:
    """Return the first question mark, or an empty text."""
    found = re.search(r"\?(?!\w)|\uff1f", without_code(text))
    return found.group() if found else ""


def find_link(text: str) -> str:
    """Return the first link or web address, or an empty text."""
    found = re.search(r"(?i)\bhttps?://\S+|\bwww\.\S+|\]\([^()\s]+\)", text)
    return found.group() if found else ""


def find_table(text: str) -> str:
    """Return the line under the header of the first Markdown table, or an empty text."""
    for line in re.split(r"\r\n|\r|\n", without_code(text)):
        cells = line.strip().strip("|").split("|")
        rule = all(re.fullmatch(r"[ \t]*:?-+:?[ \t]*", cell) for cell in cells)
        if "|" in line and rule:
            return line.strip()
    return ""


def find_heading(text: str) -> str:
    """Return the first Markdown heading, or an empty text."""
    found = re.search(r"(?m)^ {0,3}#{1,6}[ \t]+\S[^\r\n]*", without_code(text))
    return found.group().strip() if found else ""


def find_code_fence(text: str) -> str:
    """Return the mark that opens the first fenced block, or an empty text."""
    found = re.search(r"(?m)^[ \t]*(```+|~~~+)", text)
    return found.group(1) if found else ""


def find_bullet(text: str) -> str:
    """Return the first bulleted list item, or an empty text."""
    item = r"(?m)^[ \t]*[-*+\u2022][ \t]+\S[^\r\n]*"
    found = re.search(item, without_code(text))
    return found.group().strip() if found else ""


def find_bold(text: str) -> str:
    """Return the first text in Markdown bold, or an empty text."""
    bold = r"\*\*[^\s*][^*\n]*\*\*|(?<!\w)__[^\s_][^_\n]*__(?!\w)"
    found = re.search(bold, without_code(text))
    return found.group() if found else ""


def find_hashtag(text: str) -> str:
    """Return the first hashtag, or an empty text."""
    found = re.search(r"(?<![\w/&#])#[^\W\d_]\w*", without_code(text))
    return found.group() if found else ""


def find_em_dash(text: str) -> str:
    """Return the first em dash, or an empty text."""
    return "\u2014" if "\u2014" in text else ""


def find_first_person(text: str) -> str:
    """Return the first word in the first person outside code, or an empty text."""
    singular = r"\bI\b(?!\.\w)|\b[Mm](?:e|y|ine|yself)\b"
    plural = r"\b(?:[Ww]e|us|[Oo]ur(?:s|selves)?)\b|\u6211|\u54b1"
    found = re.search(f"{singular}|{plural}", without_code(text))
    return found.group() if found else ""


def find_markdown(text: str) -> str:
    """Return the first piece of Markdown markup, or an empty text."""
    code = re.search(r"`[^`\n]+`", text)
    return (
        find_code_fence(text)
        or find_heading(text)
        or find_table(text)
        or find_bullet(text)
        or find_bold(text)
        or (code.group() if code else "")
        or next(iter(re.findall(r"!?\[[^\]\n]+\]\([^()\s]+\)", text)), "")
    )


def find_capital(text: str) -> str:
    """Return the first upper-case letter outside code, or an empty text."""
    return next((c for c in without_code(text) if c.isupper()), "")


def json_error(text: str) -> str:
    """Return why the text is no JSON, or an empty text."""
    try:
        json.loads(text)
    except ValueError as error:
        return str(error)
    except RecursionError:
        return "it is nested too deeply"
    return ""


def plain_words(text: str) -> str:
    """Return the text for comparison: straight quotes, single spaces, no case."""
    straight = text.translate({0x2018: 39, 0x2019: 39, 0x201C: 34, 0x201D: 34})
    return " ".join(straight.split()).casefold()


def phrase_pattern(phrase: str) -> str:
    """Return the pattern of a phrase as whole words in plain text."""
    sought = plain_words(phrase)
    start = r"(?<![^\W_])" if sought[:1].isascii() and sought[:1].isalnum() else ""
    end = r"(?![^\W_])" if sought[-1:].isascii() and sought[-1:].isalnum() else ""
    return start + re.escape(sought) + end


def mentions(text: str, phrase: str) -> bool:
    """Return whether the text has the phrase as whole words, in any case."""
    return re.search(phrase_pattern(phrase), plain_words(text)) is not None


def starts_with(text: str, phrase: str) -> bool:
    """Return whether the text begins with the phrase, in any case."""
    return re.match(phrase_pattern(phrase), plain_words(text)) is not None


def ends_with(text: str, phrase: str) -> bool:
    """Return whether the text ends with the phrase, a full stop after it or not."""
    pattern = phrase_pattern(phrase) + r"[.\u3002]?$"
    return re.search(pattern, plain_words(text)) is not None
