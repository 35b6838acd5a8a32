"""Labelled lines for measuring secret detection, and the generator of their values.

`lines.jsonl` holds one JSON object per line:

- `text`: what somebody would write in SOUL.md, TOOLS.md, USER.md, MEMORY.md, a daily note, a script or a config file;
  it may hold several lines. `«…»` marks a secret, `‹…›` a generated value that is none.
- `kind`: the kind of secret, or `look-alike/…` for a line without one.
- `language`: the language around the value (`en` for code).

Its writer had not read the detector, and the detector's writers have not read the lines: they are scored in totals only
(`test_held_out.py`). Each line was made in November 2026 from a list of kinds, provider formats and fourteen languages;
none comes from a real workspace, and every value is made up.

A mark holds parts joined by `|`: either literal text or `ALPHABET:LENGTH` (`hex:32`), drawn from a generator whose
seed is the line itself. So a line always reads the same, no line depends on another, and the file holds no token that a
host's push protection would refuse. The words of seed phrases are literal: they were drawn once, with a valid checksum.

Detector rules must not be written from `lines.jsonl`: then it would measure nothing.
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
