"""Labelled lines for measuring secret detection, and the generator of their values.

`lines.jsonl` holds one JSON object per line:

- `text`: what somebody would write in SOUL.md, TOOLS.md, USER.md, MEMORY.md, a daily note, a script or a config file;
  it may hold several lines. `«…»` marks a secret, `‹…›` a generated value that is none.
- `kind`: the kind of secret, or `look-alike/…` for a line without one.
- `language`: the language around the value (`en` for code).

The sets, each made in November 2026 from a list of kinds, provider formats and fourteen languages; no line comes from a
real workspace, and every value is made up:

- `lines.jsonl`: held out. Its writer had not read the detector, and the detector's writers have not read the lines; they
  were scored three times, in totals by kind: 91.4 %, 95.4 % and, for words that weren't kept, 95.0 % of 545 values.
  On 2026-11-26 and 27 its totals, and those of the next three, were a guard while false masks were mended; one word
  (`bg`) was left out for them.
- `earlier_lines.jsonl`: held out before, and scored seven times in totals (94.1 % of 527 values); still unread.
- `weak_lines.jsonl`: passphrases, PINs, passwords, Wi-Fi lines and labelled keys by three writers who saw no detector
  (82.3 % of 604 values); no word or rule of the detector comes from them.
- `hard_lines.jsonl`: written in the same way, but mostly as notes without a word for the secret. Its misses of six kinds
  were read after it was scored (79.1 % of 651 values); no rule was written from them.
- `practice_a.jsonl` to `practice_d.jsonl`: written in the same way, and read since (92.5 %, 92.1 %, 81.4 % and 94.5 %
  while unread).
- `practice_own.jsonl` and `practice_more.jsonl`: written by the writers of the rules, in order to learn.
- `practice_f.jsonl`, `practice_h.jsonl`, `practice_i.jsonl`: written by people who saw no detector, and read since.
- `practice_k.jsonl`, `practice_l.jsonl`: written by people who saw no detector, and read since (85.8 % of 791 and
  76.5 % of 865 values while unread).
- `practice_phrases.jsonl`: written by the writers of the rules: passphrases of disks and vaults, tables whose headers
  name what is opened, codes in capitals, passwords of two words with a sign, and what only looks like them.
- `practice_plain.jsonl`: the plainest ways to note a secret, in the same words of fourteen languages.
- `practice_tables.jsonl`: tables of door codes, passwords and recovery codes, and of what only looks like them.
- `practice_tests.jsonl`: the texts of `tests/safety` and `tests/unit/workspace`, whose values must not be missed.

A mark holds parts joined by `|`: either literal text or `ALPHABET:LENGTH` (`hex:32`), drawn from a generator whose
seed is the line itself. So a line always reads the same, no line depends on another, and the file holds no token that a
host's push protection would refuse. The words of seed phrases are literal: they were drawn once, with a valid checksum.

Detector rules must not be written from `lines.jsonl`: then it would measure nothing. Add lines, and keep wrong ones.
Once somebody has read its misses, it becomes `practice_e.jsonl`, and a new set takes its place.
"""

import base64
import hashlib
import json
import random
import re
import string
import uuid
from functools import partial
from pathlib import Path

import msgspec

LINES = Path(__file__).with_name("lines.jsonl")
_ALPHABETS = {
    "alnum": string.ascii_letters + string.digits,
    "ln": string.ascii_lowercase + string.digits,
    "UN": string.ascii_uppercase + string.digits,
    "hex": "0123456789abcdef",
    "HEX": "0123456789ABCDEF",
    "dig": string.digits,
    "low": string.ascii_lowercase,
    "url": string.ascii_letters + string.digits + "-_",
    "b64": string.ascii_letters + string.digits + "+/",
    "b32": string.ascii_uppercase + "234567",
    "b58": "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
    "bech": "qpzry9x8gf2tvdw0s3jn54khce6mua7l",
    "pw": string.ascii_letters + string.digits + "!#$%*+-_=?",
}
_MARK = re.compile(r"«(.+?)»|‹(.+?)›", re.DOTALL)
_PART = re.compile(r"([A-Za-z0-9]+):([0-9]+)")


class Line(msgspec.Struct, frozen=True):
    """One labelled text."""

    text: str
    secrets: tuple[str, ...]
    """The exact values that must be masked; empty for a look-alike."""
    kind: str
    language: str


def _draw(rng: random.Random, name: str, length: int) -> str:
    if name == "uuid":
        return str(uuid.UUID(int=rng.getrandbits(128), version=length))
    if name == "pem":
        return "\n".join(_draw(rng, "b64", 64) for _ in range(length))
    if name == "basic":
        return base64.b64encode(f"anna:{_draw(rng, 'alnum', length)}".encode()).decode()
    if name == "jwt":
        claims = json.dumps({"sub": _draw(rng, "ln", length), "iat": 1700000000}).encode()
        parts = (base64.urlsafe_b64encode(part).decode().rstrip("=") for part in (b'{"alg":"HS256"}', claims))
        return ".".join((*parts, _draw(rng, "url", 43)))
    return "".join(rng.choices(_ALPHABETS[name], k=length))


def _value(mark: str, rng: random.Random) -> str:
    parts = mark.split("|")
    return "".join(
        _draw(rng, found[1], int(found[2])) if (found := _PART.fullmatch(part)) else part for part in parts
    )


def _fill(match: re.Match[str], rng: random.Random, secrets: list[str]) -> str:
    value = _value(match[1] or match[2], rng)
    if match[1]:
        secrets.append(value)
    return value


def read_lines(path: Path = LINES) -> list[Line]:
    """Read the labelled lines with their values filled in.

    Args:
        path: The file of templates.

    Returns:
        The lines in the order of the file, always with the same values.
    """
    lines = []
    for row in path.read_text("utf-8").splitlines():
        record = json.loads(row)
        rng = random.Random(hashlib.sha256(record["text"].encode()).digest())
        secrets: list[str] = []
        text = _MARK.sub(partial(_fill, rng=rng, secrets=secrets), record["text"])
        lines.append(Line(text, tuple(secrets), record["kind"], record["language"]))
    return lines
