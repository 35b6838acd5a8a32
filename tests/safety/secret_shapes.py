"""Values in the shapes that vendors give out, drawn from a seed, so that no secret stands in the repository."""

import random
import string
from collections.abc import Callable
from typing import Final

LOWER_HEX: Final = "0123456789abcdef"
ALPHANUMERIC: Final = string.ascii_letters + string.digits
BASE64_URL: Final = ALPHANUMERIC + "-_"
BASE64: Final = ALPHANUMERIC + "+/"
UPPER: Final = string.ascii_uppercase + string.digits
LOWER: Final = string.ascii_lowercase + string.digits

WORDS: Final = (
    "harbor",
    "velvet",
    "mango",
    "tundra",
    "pixel",
    "Copper",
    "Falcon",
    "ginger",
    "Orbit",
    "maple",
)
SIGNS: Final = "!#%&*?"

Shape = Callable[[random.Random], str]


def drawn(alphabet: str, length: int) -> Shape:
    """Return the shape of so many characters of an alphabet, with at least two digits and two letters."""

    def draw(source: random.Random) -> str:
        while True:
            value = "".join(source.choice(alphabet) for _ in range(length))
            digits = sum(character.isdigit() for character in value)
            if 2 <= digits <= length - 2:
                return value

    return draw


def joined(*parts: str | Shape) -> Shape:
    """Return the shape of several parts in a row."""

    def draw(source: random.Random) -> str:
        return "".join(part if isinstance(part, str) else part(source) for part in parts)

    return draw


def chosen_password(source: random.Random) -> str:
    """Return what a person makes up: a word or two with digits and a sign."""
    first, second = source.sample(WORDS, 2)
    return source.choice(
        (
            f"{first}{source.randint(10, 9999)}{source.choice(SIGNS)}",
            f"{first}-{second}-{source.randint(10, 99)}",
            f"{first.capitalize()}{second.capitalize()}{source.randint(100, 999)}",
            f"{first[:3]}{source.choice(SIGNS)}{second}{source.randint(1, 99)}",
        )
    )


def generated_password(source: random.Random) -> str:
    """Return what a password manager makes up."""
    alphabet = ALPHANUMERIC + "!@#%^&*-_=+"
    while True:
        value = "".join(source.choice(alphabet) for _ in range(18))
        if any(c.isdigit() for c in value) and any(c.isalpha() for c in value) and value[0].isalnum():
            return value if value[-1].isalnum() else value + "7"


def door_code(source: random.Random) -> str:
    """Return the digits that open a door."""
    return "".join(source.choice(string.digits) for _ in range(source.randint(4, 6)))


SHAPES: Final[dict[str, Shape]] = {
    "github classic": joined("ghp_", drawn(ALPHANUMERIC, 36)),
    "github oauth": joined("gho_", drawn(ALPHANUMERIC, 36)),
    "github fine-grained": joined("github_pat_", drawn(ALPHANUMERIC, 22), "_", drawn(ALPHANUMERIC, 59)),
    "gitlab": joined("glpat-", drawn(BASE64_URL, 20)),
    "openai": joined("sk-", drawn(ALPHANUMERIC, 20), "T3BlbkFJ", drawn(ALPHANUMERIC, 20)),
    "openai project": joined("sk-proj-", drawn(BASE64_URL, 100)),
    "anthropic": joined("sk-ant-api03-", drawn(BASE64_URL, 93), "AA"),
    "openrouter": joined("sk-or-v1-", drawn(LOWER_HEX, 64)),
    "groq": joined("gsk_", drawn(ALPHANUMERIC, 52)),
    "xai": joined("xai-", drawn(ALPHANUMERIC, 80)),
    "google": joined("AIza", drawn(BASE64_URL, 35)),
    "google oauth": joined("GOCSPX-", drawn(BASE64_URL, 28)),
    "hugging face": joined("hf_", drawn(string.ascii_letters + "0123456789", 34)),
    "aws id": joined("AKIA", drawn(UPPER, 16)),
    "aws secret": drawn(BASE64, 40),
    "azure storage": joined(drawn(BASE64, 86), "=="),
    "slack bot": joined("xoxb-", "2345678901234-9876543210987-", drawn(ALPHANUMERIC, 24)),
    "slack app": joined("xapp-1-A0", drawn(UPPER, 9), "-", "5012345678901-", drawn(LOWER_HEX, 64)),
    "discord": joined(
        "MT", drawn(ALPHANUMERIC, 24), ".G", drawn(ALPHANUMERIC, 5), ".", drawn(BASE64_URL, 38)
    ),
    "telegram": joined("7123456789:AA", drawn(BASE64_URL, 33)),
    "stripe live": joined("sk_live_", drawn(ALPHANUMERIC, 24)),
    "stripe restricted": joined("rk_live_", drawn(ALPHANUMERIC, 24)),
    "stripe webhook": joined("whsec_", drawn(ALPHANUMERIC, 32)),
    "sendgrid": joined("SG.", drawn(BASE64_URL, 22), ".", drawn(BASE64_URL, 43)),
    "mailgun": joined("key-", drawn(LOWER_HEX, 32)),
    "twilio": joined("SK", drawn(LOWER_HEX, 32)),
    "npm": joined("npm_", drawn(ALPHANUMERIC, 36)),
    "pypi": joined("pypi-AgEIcHlwaS5vcmc", drawn(BASE64_URL, 120)),
    "notion": joined("ntn_", drawn(ALPHANUMERIC, 46)),
    "linear": joined("lin_api_", drawn(ALPHANUMERIC, 40)),
    "airtable": joined("pat", drawn(ALPHANUMERIC, 14), ".", drawn(LOWER_HEX, 64)),
    "shopify": joined("shpat_", drawn(LOWER_HEX, 32)),
    "digitalocean": joined("dop_v1_", drawn(LOWER_HEX, 64)),
    "doppler": joined("dp.pt.", drawn(ALPHANUMERIC, 43)),
    "vault": joined("hvs.", drawn(BASE64_URL, 90)),
    "tailscale": joined("tskey-auth-", drawn(ALPHANUMERIC, 16), "-", drawn(ALPHANUMERIC, 32)),
    "supabase": joined("sbp_", drawn(LOWER_HEX, 40)),
    "replicate": joined("r8_", drawn(ALPHANUMERIC, 37)),
    "perplexity": joined("pplx-", drawn(ALPHANUMERIC, 48)),
    "tavily": joined("tvly-", drawn(ALPHANUMERIC, 32)),
    "home assistant": joined(
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ", drawn(ALPHANUMERIC, 90), ".", drawn(BASE64_URL, 43)
    ),
    "plain hex": drawn(LOWER_HEX, 32),
    "plain mixed": drawn(ALPHANUMERIC, 32),
    "short mixed": drawn(ALPHANUMERIC, 20),
    "long base64": joined(drawn(BASE64, 43), "="),
    "chosen password": chosen_password,
    "generated password": generated_password,
    "pin": drawn("0123456789ab", 8),
    "door code": door_code,
}
"""Each shape by its name."""


def value_of(shape: str, seed: int) -> str:
    """Return the value of a shape for a seed."""
    return SHAPES[shape](random.Random(f"{shape} {seed}"))
