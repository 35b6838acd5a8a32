"""Permission rules: which calls fall under one, and which calls a reply shows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from melleafy_tui.core.package.permissions import commands_in, path_covers, rule_covers
from melleafy_tui.core.package.sent_variables import may_cover

COVERED = [
    ("Bash(rm:*)", "Bash", "rm -rf /"),
    ("Bash(rm:*)", "Bash", "rm"),
    ("Bash(rm:*)", "Bash", "ls && /bin/rm x"),
    ("Bash(rm:*)", "Bash", "ls; rm x"),
    ("Bash(rm:*)", "Bash", "ls | xargs rm"),
    ("Bash(rm:*)", "Bash", "FOO=1 sudo rm x"),
    ("Bash(rm:*)", "Bash", "timeout 5 rm x"),
    ("Bash(rm:*)", "Bash", "bash -c 'rm x'"),
    ("Bash(rm:*)", "Bash", "echo $(rm x)"),
    ("Bash(rm:*)", "Bash", "\\rm x"),
    *(
        ("Bash(git push:*)", "Bash", line)
        for line in (
            *('git "push" origin', "git 'push'", "git pu\\sh", 'g"it" push', '"git" "push"', 'git pu""sh'),
            *('git$IFS"push"', "git${IFS}push", "git\\\npush", "bash -c $'git push'", 'su -c "git push"'),
            *("git -C /x push", "git --no-pager push", "git -c a=b -C /x --bare push origin"),
            *("sudo -u root git push", "timeout -s KILL 5 git push", "setsid git push", "doas git push"),
            *('eval "git push"', 'sh <<< "git push"', "find . -exec git push \\;", "busybox git push"),
        )
    ),
    ("Bash(rm:*)", "Bash", "find . -name x -execdir rm {} +"),
    ("Read(./.env)", "Bash", 'cat .e""nv'),
    ("Read(./.env)", "Bash", "cat .e\\nv"),
    ("Read(./.env)", "Bash", "cat $PWD/.env"),
    *(
        ("WebFetch(domain:evil.com)", "WebFetch", address)
        for address in (
            *(
                "https:evil.com/x",
                "https:/evil.com",
                "https:///evil.com",
                "//evil.com/x",
                "https://evil\u3002com",
            ),
            *("https://evil.com\\@good.com/", "https://%65vil.com", "https://\uff45vil.com"),
        )
    ),
    ("Bash(npm run test *)", "Bash", "npm run test"),
    ("Bash(npm run test *)", "Bash", "npm  run   test --watch"),
    ("Bash(git * main)", "Bash", "git push origin main"),
    ("Bash(git push)", "Bash", "git push"),
    ("Bash", "Bash", "anything"),
    ("Bash(*)", "Bash", "anything"),
    ("*", "Bash", "anything"),
    ("Read(./.env)", "Read", ".env"),
    ("Read(./.env)", "Read", "please read ./.env now"),
    ("Read(./.env)", "Read", '{"file_path": ".env"}'),
    ("Read(./.env)", "Read", "/home/a/project/.env"),
    ("Read(./.env)", "Read", "../project/.env"),
    ("Read(./.env)", "Read", ".ENV"),
    ("Read(./.env)", "Grep", "TOKEN .env"),
    ("Read(./.env)", "Bash", "cat .env"),
    ("Read(./.env)", "Bash", "cat < .env"),
    ("Read(./.env)", "Bash", "cat .e*"),
    ("Read(.env)", "Read", "deep/below/.env"),
    ("Read(./.env.*)", "Read", ".env.local"),
    ("Read(./secrets/**)", "Read", "secrets/a/b"),
    ("Read(./secrets)", "Read", "secrets/a/b"),
    ("Read(~/.ssh/**)", "Read", "~/.ssh/id_rsa"),
    ("Read(~/.ssh/**)", "Read", "/home/u/.ssh/id_rsa"),
    ("Read(//etc/passwd)", "Read", "/etc/passwd"),
    ("Edit(src/**/*.ts)", "Write", "src/a/b.ts"),
    ("Write(./dist/**)", "Write", "dist/x.js"),
    ("Read", "Glob", "**/*"),
    ("WebFetch(domain:evil.com)", "WebFetch", "https://evil.com/x"),
    ("WebFetch(domain:evil.com)", "WebFetch", "https://www.EVIL.com"),
    ("WebFetch(domain:evil.com)", "WebFetch", "evil.com/x"),
    ("WebFetch(domain:evil.com)", "Bash", "curl https://u:p@evil.com:80/"),
    ("WebFetch(domain:*.evil.com)", "WebFetch", "https://a.evil.com"),
    ("mcp__gh", "mcp__gh__x", ""),
    ("mcp__gh__*", "mcp__gh__x", ""),
    ("mcp__gh__delete_*", "mcp__gh__*", "delete_branch main"),
    ("Agent(Explore)", "Agent", "Explore the code"),
    ("Agent(model:opus)", "Agent", '{"model": "opus"}'),
]
FREE = [
    ("Bash(rm:*)", "Bash", "rmdir x"),
    ("Bash(rm:*)", "Bash", "echo rm"),
    ("Bash(rm:*)", "Read", "rm"),
    ("Bash(npm run test:*)", "Bash", "npm run test:unit"),
    ("Bash(git push)", "Bash", "git push -f"),
    ("Bash(git push:*)", "Bash", "git commit -m push"),
    ("Bash(git push:*)", "Bash", 'echo "git" push'),
    ("Bash(rm:*)", "Bash", 'git commit -m "rm is gone"'),
    ("WebFetch(domain:evil.com)", "WebFetch", "https://good.com/?next=evil.com"),
    ("Bash", "Read", "x"),
    ("Read(./.env)", "Read", "sub/.env"),
    ("Read(./.env)", "Bash", "cat .env.example"),
    ("Read(./.env)", "Write", ".env"),
    ("Read(./secrets/**)", "Read", "src/secrets.py"),
    ("Edit(src/**/*.ts)", "Read", "src/a/b.ts"),
    ("WebFetch(domain:evil.com)", "WebFetch", "https://notevil.com/x"),
    ("WebFetch(domain:evil.com)", "WebFetch", "https://evil.com.example.org/"),
    ("mcp__gh__x", "mcp__gh__y", ""),
    ("mcp__gh", "mcp__ghost__y", ""),
    ("mcp__gh__delete_*", "mcp__gh__*", "list_branches"),
]


@pytest.mark.parametrize(("rule", "tool", "request_text"), COVERED)
def test_a_call_falls_under_the_rule(rule: str, tool: str, request_text: str) -> None:
    assert rule_covers(rule, tool, request_text)


@pytest.mark.parametrize(("rule", "tool", "request_text"), COVERED)
def test_a_rule_that_covers_a_call_may_cover_the_tool(rule: str, tool: str, request_text: str) -> None:
    assert may_cover(rule, tool), request_text


@pytest.mark.parametrize(
    ("rule", "tool"),
    [
        ("Bash(git push:*)", "calendar"),
        ("Bash", "Read"),
        ("Read(./secrets/**)", "calendar"),
        ("Edit(src/**)", "Read"),
        ("Agent(Explore)", "Bash"),
        ("mcp__gh__delete_*", "mcp__ghost__*"),
        ("mcp__gh", "calendar"),
    ],
)
def test_a_rule_holds_for_no_call_of_another_tool(rule: str, tool: str) -> None:
    assert not may_cover(rule, tool)


@pytest.mark.parametrize(("rule", "tool", "request_text"), FREE)
def test_another_call_does_not(rule: str, tool: str, request_text: str) -> None:
    assert not rule_covers(rule, tool, request_text)


TEXT = st.text(alphabet=st.sampled_from(list("ab./*?[]~- |&;$()`'\"\\\n:")), max_size=60)


@given(rule=TEXT, tool=st.sampled_from(["Bash", "Read", "WebFetch"]), request_text=TEXT)
def test_no_text_breaks_the_reading_of_a_rule(rule: str, tool: str, request_text: str) -> None:
    assert rule_covers(rule, tool, request_text) in (True, False)


@given(path=st.from_regex(r"[a-z]{1,8}(/[a-z]{1,8}){0,3}", fullmatch=True))
def test_a_path_falls_under_itself_and_its_folder(path: str) -> None:
    assert path_covers(f"./{path}", path)
    assert path_covers(f"./{path}", f"{path}/below")
    assert not path_covers(f"./{path}", f"{path}x")


def test_many_wildcards_stay_cheap() -> None:
    assert path_covers("a" + "*" * 400 + "b", "a" * 4_000 + "c")
    assert not rule_covers("Bash(" + "*a" * 200 + ")", "Bash", "a" * 150)
    assert len(commands_in("".join(f"a{number};" for number in range(5_000)))) == 5_000
    for text in (
        '-c "',
        "- ",
        "sudo -u ",
        " -exec ",
        "git -C x ",
        '"',
        "\\",
        "$(",
        "a.",
        "https:",
        "//",
        "@",
    ):
        rule_covers("Bash(git push:*)", "Bash", text * 20_000)
        rule_covers("WebFetch(domain:evil.com)", "WebFetch", text * 20_000)
        rule_covers("Read(./.env)", "Bash", text * 20_000)
