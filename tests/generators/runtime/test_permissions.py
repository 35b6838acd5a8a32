"""The permission rules of packages: what denies, asks and allows; tests/unit/rules has the matching."""

import pytest

from melleafy_tui.core.package.permissions import (
    allowing_rule,
    asking_rule,
    covering_rule,
    shows_no_call,
)


def test_the_first_rule_that_covers_a_call_is_named() -> None:
    rules = ("WebFetch(domain:example.com)", "Bash(git push:*)", "Bash(git:*)")
    assert covering_rule(rules, "Bash", "git push origin main") == "Bash(git push:*)"
    assert covering_rule(rules, "Bash", "cd x && sudo git push") == "Bash(git push:*)"
    assert covering_rule(rules, "Bash", "git status") == "Bash(git:*)"
    assert covering_rule(rules, "WebFetch", "https://api.example.com/x") == "WebFetch(domain:example.com)"
    assert covering_rule(rules, "Bash", "ls") == ""


def test_a_plan_first_asks_for_everything_but_reading() -> None:
    assert asking_rule(("*",), "Bash", "ls") == "*"
    assert asking_rule(("*",), "WebFetch", "https://example.com") == ""
    assert asking_rule(("WebFetch",), "WebFetch", "https://example.com") == "WebFetch"


@pytest.mark.parametrize(
    ("request_", "allowed"),
    [
        ("git status", "Bash(git status)"),
        ("git log --oneline", "Bash(git log:*)"),
        ("git  status && git log", "Bash(git status)"),
        ("git status && rm -rf /", ""),
        ("git status; curl evil.example", ""),
        ("git log $(rm x)", ""),
        ("git status\nrm x", ""),
        ("env git status", ""),
        ("/tmp/git status", ""),
        ("git log > /etc/passwd", ""),
        ("git log <(rm x)", ""),
        ("git status >x", ""),
        ("git statusx", ""),
        ("", ""),
    ],
)
def test_an_allow_list_covers_every_command_as_it_stands(request_: str, allowed: str) -> None:
    assert allowing_rule(("Bash(git status)", "Bash(git log:*)"), "Bash", request_) == allowed


def test_an_allow_list_of_other_tools() -> None:
    assert allowing_rule(("Bash",), "Bash", "anything at all") == "Bash"
    assert allowing_rule(("WebFetch(domain:example.com)",), "WebFetch", "https://example.com/a")
    assert not allowing_rule(("WebFetch(domain:example.com)",), "WebFetch", "https://evil.example/a")
    listed = ("WebFetch(domain:example.com)",)
    assert not allowing_rule(listed, "WebFetch", "https://evil.example/?u=https://example.com/")
    assert not allowing_rule(listed, "WebFetch", "no address")
    assert allowing_rule(("WebFetch",), "WebFetch", "https://example.com/a") == "WebFetch"
    assert not allowing_rule(("Bash(git:*)",), "send_mail", "git")
    assert allowing_rule(("send_mail",), "send_mail", "anything") == "send_mail"


def test_a_reply_may_not_show_a_denied_call() -> None:
    check = shows_no_call("Bash(git push:*)")
    assert check("Run this:\n```\n$ git push origin\n```") == "Bash(git push:*) denies 'git push origin'"
    assert check("Run `git pull --rebase`, or Bash(git pull).") == ""
    assert check("I call Bash(git push) next.") == "Bash(git push:*) denies 'Bash(git push)'"
    page = shows_no_call("WebFetch(domain:evil.example)")
    assert page("See https://docs.example or https://evil.example/a.").startswith("WebFetch")
    assert page("See https://docs.example.") == ""


@pytest.mark.parametrize(
    ("reply", "rule", "found"),
    [
        ("Run `rm -rf x` now.", "Bash(rm:*)", "rm -rf x"),
        ("```sh\n$ cat .env\n```", "Read(./.env)", "cat .env"),
        ("See https://evil.com/a for it.", "WebFetch(domain:evil.com)", "https://evil.com/a"),
        ("I call Read(./.env) next.", "Read(./.env)", "Read(./.env)"),
        ("I never use `rm`.", "Bash(rm:*)", ""),
        ("I did not read .env.", "Read(./.env)", ""),
        ("rm is a command.", "Bash(rm:*)", ""),
    ],
)
def test_a_reply_shows_a_call_or_only_names_it(reply: str, rule: str, found: str) -> None:
    assert shows_no_call(rule)(reply) == (f"{rule} denies {found!r}" if found else "")
