"""Secrets: what is found, what is left alone, and that a mask hides it whole (spec/safety.md 4).

The values are put together at run time, so that no scanner takes this file for a leak.
"""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from melleafy_tui.core.source.secrets.detector import certain_secrets, find_secrets, mask_secrets
from tests.guard import bounded

MIXED = "abcDEF123ghiJKL456mnoPQR789stuVWX012yz"
KEY_BLOCK = "-----BEGIN RSA PRIVATE " + "KEY-----\nMIIEabc\nDEFghi==\n-----END RSA PRIVATE " + "KEY-----"

FOUND = [
    ("- **GitHub token:** ghp_" + "a1B2" * 9, "GITHUB_TOKEN"),
    ("use github_pat_" + "a1B2" * 9, "GITHUB_TOKEN"),
    ("glpat-" + "a1B2c3D4e5F6g7H8i9J0", "GITLAB_TOKEN"),
    ("use AKIA" + "ABCDEFGHIJ234567", "AWS_ACCESS_KEY"),
    ("AccountKey=" + "aB1" * 29 + "=", "AZURE_STORAGE_KEY"),
    ("sk-ant-" + MIXED, "ANTHROPIC_API_KEY"),
    ("OPENAI_API_KEY=sk-proj-" + MIXED, "OPENAI_API_KEY"),
    ("AIza" + "aB1_-" * 7, "GOOGLE_API_KEY"),
    ("hf_" + "aBcDeF" * 6, "HF_TOKEN"),
    ("xoxb-" + "123456789012-" * 2 + "aBcDeFgHiJkL", "SLACK_TOKEN"),
    ("https://hooks.slack" + ".com/services/T01AB/B02CD/aBcDeF123456", "SLACK_TOKEN"),
    ("| Stripe API key | sk_live_" + "a1B2c3" * 4 + " |", "STRIPE_API_KEY"),
    ('"botToken": "123456789:AAF' + "x1Y-" * 8 + '",', "BOT_TOKEN"),
    ("M" + "aB1" * 8 + ".aBcDeF." + "aB1" * 9, "DISCORD_BOT_TOKEN"),
    ("SG." + "aB1_" * 5 + "aB." + "aB1_" * 10 + "aB1", "SENDGRID_API_KEY"),
    ("pypi-AgEIcHlwaS5vcmc" + "aB1_" * 20, "PYPI_TOKEN"),
    ("npm_" + "aB1c" * 9, "NPM_TOKEN"),
    ("eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxIn0." + "abcDEF123_-xyz", "JWT_TOKEN"),
    ("Authorization: Bearer " + MIXED, "BEARER_TOKEN"),
    ("postgres://app:s3cr3tPw@db.local:5432/x", "POSTGRES_PASSWORD"),
    ("mongodb+srv://u:p4ssw0rd@cluster.example.net", "MONGODB_PASSWORD"),
    ("https://me:hunter2x@host.example/x", "BASIC_AUTH_PASSWORD"),
    (KEY_BLOCK, "PRIVATE_KEY"),
    ("Password: hunter2", "PASSWORD"),
    ("- **Password:** swordfish99", "PASSWORD"),
    ("- **Password:** `$ecret99!`", "PASSWORD"),
    ("- **API key:** " + MIXED, "API_KEY"),
    ("- **Password**: `swordfish99`", "PASSWORD"),
    ("the wifi password is Tr0ub4dor&3.", "WIFI_PASSWORD"),
    ("default password: swordfishes", "DEFAULT_PASSWORD"),
    ('  "password": "hunter2!",', "PASSWORD"),
    ("密码：kiosk2041", "PASSWORD"),
    ("Das Passwort lautet kiosk2041", "PASSWORT"),
    ("La contraseña del router es kiosk2041", "CONTRASENA"),
    ("- The alarm code is 48213, tell nobody.", "ALARM_CODE"),
    ("Router PIN: 7731", "ROUTER_PIN"),
    ("api key is 9f86d081884c7d659a2feaa0c55ad015", "API_KEY"),
    ('apiKey: "abcd1234efgh5678",', "API_KEY"),
    ("https://api.host.example/v1?token=abcd1234efgh5678zz", "TOKEN"),
    ("Send `Api-Key: marinasnorthgate` with each call.", "API_KEY"),
    ("curl -H 'Api-Key: marinasnorthgate' host", "API_KEY"),
    ('Set "SIGNING_SECRET=marinas_north_gate" first.', "SIGNING_SECRET"),
]

LEFT_ALONE = [
    "The `Api-Key: required` header",
    "`api_key: marinasnorthgate is gone` is a message",
    "Api-Key: marinasnorthgate",
    "The api key: mandatory everywhere",
    '"password_policy_2": constrained_slots.password_policy_2,',
    '"reset_password_7": "reset-password: Reset password",',
    "Password: `password_lookup_tool`: x",
    '"mcp__passcode_2__get": constrained_slots.mcp__passcode_2__get,',
    '"password_manager_server": "mcp__password-manager__*",',
    "| elem_1 | Forgotten password | `skill.heading` |",
    "| see /etc/passwd | `skills/skill-22/SKILL.md:1-8` |",
    "Never share a password with strangers.",
    "- [ ] Ask for the password before unlocking",
    "Passwords: never write them down",
    "Password: stored in 1Password",
    "Password manager: 1Password",
    "token: ${GITHUB_TOKEN}",
    "api_key: your-api-key-here",
    "API key: <paste your key>",
    "API key: sk-xxxxxxxxxxxxxxxxxxxx",
    "password: OPENAI_API_KEY",
    "set OPENAI_API_KEY in the environment",
    "token: op://vault/item/field",
    'apiKey: "process.env.OPENAI_API_KEY",',
    "sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
    "550e8400-e29b-41d4-a716-446655440000",
    "integrity sha512-" + MIXED + "==",
    "max tokens: 4096000000",
    "token budget: 150000 characters",
    "Secret: always keep things private",
    "session key: agent:main:whatsapp:12345678",
    "See memory/2026-02-11-project-notes-and-things.md",
    "https://docs.google.com/document/d/1A2b3C4d5E6f7G8h9I0jKlMnOpQrStUvWxYz12345678/edit",
    "skills/very-long-skill-name/scripts/do_something_great_2.py",
    "BaseHTTPRequestHandler2024ConfigurationThing",
    "Key insight: 2026-01-01T10:00:00Z",
    "The key thing is performance2024improvement",
    "public key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJq0abcDEF123ghiJKL456mnoPQR",
    "user@example.com",
    "ask for a token at https://github.com/settings/tokens",
    "postgres://app:${DB_PASSWORD}@db.local/x",
    "postgres://user:password@localhost/db",
    "Keyboard: QMK-firmware-v0.24.8-beta",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ",
    "![x](https://host.example/aB1cD2eF3gH4iJ5kL6mN7oP8qR9s.png)",
]


def test_found() -> None:
    found = [(text, *(span.variable for span in find_secrets(f"before\n{text}\nafter"))) for text, _ in FOUND]
    assert found == FOUND


def test_masked_whole() -> None:
    for text, variable in FOUND:
        (span,) = find_secrets(text)
        masked = mask_secrets(text)
        assert text[span.start : span.end] not in masked, text
        assert f"${{{variable}}}" in masked, text
        assert masked.count("\n") == text.count("\n"), text
        assert find_secrets(masked) == (), text


def test_left_alone() -> None:
    assert [mask_secrets(text) for text in LEFT_ALONE] == list(LEFT_ALONE)


def test_spans_are_in_order_and_apart() -> None:
    text = "password: hunter22 and postgres://a:b1c2d3e4@h/x and token: abcd1234efgh5678"
    spans = find_secrets(text)
    assert [text[span.start : span.end] for span in spans] == ["hunter22", "b1c2d3e4", "abcd1234efgh5678"]


def test_one_name_for_one_value() -> None:
    text = "password: hunter22\npassword: other333\npassword: hunter22\n"
    assert [span.variable for span in find_secrets(text)] == ["PASSWORD", "PASSWORD_2", "PASSWORD"]


def test_a_secret_beyond_the_window() -> None:
    text = "x " * 5_000 + "password: hunter22 " + "y " * 5_000
    (span,) = find_secrets(text)
    assert text[span.start : span.end] == "hunter22"


def test_an_open_key_block_ends_at_a_blank_line() -> None:
    text = KEY_BLOCK.rpartition("\n")[0] + "\n\nNext rule."
    assert mask_secrets(text).endswith("\n\nNext rule.")
    assert "MIIE" not in mask_secrets(text)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "password: ",
        "://",
        "a://b:",
        "key",
        "a",
        "-----BEGIN PRIVATE KEY-----",
        "aA1",
        "token=",
        "sk-",
        "eyJ",
        "MNO",
    ],
)
def test_time_is_linear(text: str) -> None:
    with bounded():
        find_secrets(text * (100_000 // len(text)))


@given(st.text(max_size=300))
def test_masking_twice_changes_nothing(text: str) -> None:
    masked = mask_secrets(text)
    assert mask_secrets(masked) == masked


@given(st.from_regex(r"[A-Za-z0-9]{3}[0-9][a-z][A-Z]{2}[!@#$%^&*]{1,3}[a-z0-9]{2,20}", fullmatch=True))
def test_a_password_field_never_shows_its_value(value: str) -> None:
    assert value not in mask_secrets(f"- **Password:** {value}")


@pytest.mark.parametrize(
    "text",
    [
        "Log in with api_key=Zk83jfKq92LmPx71QwTe and password: Tr0ub4dor-77 and go on.",
        "api_key=Zk83jfKq92LmPx71QwTe token: Pq92LmZk83jfKx71QwTe password: Tr0ub4dor-77",
        "password: Tr0ub4dor-77 api_key=Zk83jfKq92LmPx71QwTe",
    ],
)
def test_no_variable_is_named_after_the_secret_before_it(text: str) -> None:
    variables = [span.variable for span in find_secrets(text)]
    assert len(variables) > 1
    assert not any(part in name for name in variables for part in ("ZK83", "QWTE", "PQ92", "TR0UB", "DOR"))


@pytest.mark.parametrize(
    "line",
    [
        "Authorization: Bearer a0x_mcp_abc123...",
        "| Header | `Authorization: Bearer pc_agent_x1y2z3…` |",
        "curl -H 'Authorization: Bearer YOUR_API_KEY' https://example.org",
    ],
)
def test_what_is_an_example_in_the_source_is_one_in_the_package(line: str) -> None:
    """A value that isn't masked at reading never stops the package that has it."""
    assert not find_secrets(line, path="SKILL.md")
    assert not certain_secrets(json.dumps({"content_full": f"{line}\nNever share it."}, ensure_ascii=False))
