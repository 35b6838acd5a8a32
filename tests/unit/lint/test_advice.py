"""What the command line advises on failing lints: a report only for faults of the converter."""

from melleafy_tui.cli.commands.convert import advice_on
from melleafy_tui.core.models.reports import LintFinding


def finding(lint: str, file: str) -> LintFinding:
    return LintFinding(lint=lint, tier=2, file=file, line=1, column=1, message="it fails", hint="Mend it.")


def test_only_a_fault_of_the_converter_is_to_be_reported() -> None:
    copied = finding("parseable", "desk_mellea/scripts/check.py")
    secret = finding("category-specific", "desk_mellea/config.py")
    emitted = finding("session-boundary", "desk_mellea/pipeline.py")
    for findings, reported in (([copied], False), ([secret, copied], False), ([copied, emitted], True)):
        assert ("report" in advice_on(findings)) is reported, findings
