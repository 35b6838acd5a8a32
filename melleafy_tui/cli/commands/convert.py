"""Runs a whole conversion: in lines with `--linear`, or without questions with `--dependencies`."""

import argparse
import gc
import os
import shlex
from collections.abc import Iterable
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from melleafy_tui.actions.plurals import counted
from melleafy_tui.cli.changes import documented, recap_of, rows, say_recap, summary, touched
from melleafy_tui.cli.console import Console, on_terminal
from melleafy_tui.cli.json_documents import ConvertDocument, part_of
from melleafy_tui.cli.workspace_conversion import (
    Session,
    ask_model,
    kept_words,
    named_decisions,
    open_session,
    refuse_standard_input,
    say_diagnostics,
    say_unused_decisions,
)
from melleafy_tui.core.errors import LintFailed, MelleafyError, OutputConflict, StrictRefusal, UsageError
from melleafy_tui.core.models.file_set import may_be_carried
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.reports import LintFinding
from melleafy_tui.core.models.vocabulary import Disposition
from melleafy_tui.core.output.target import inspect_target, refuse_unusable
from melleafy_tui.core.output.write_plan import WritePlan, plan_write
from melleafy_tui.core.output.writer import (
    WriteResult,
    finish_interrupted,
    is_unfinished,
    keep_partial,
    write,
)

if TYPE_CHECKING:
    from melleafy_tui.cli.assist_run import Assistance

ANSWERS: Final = "The wizard reads your answers from standard input"

LEFT_OPEN = (Disposition.STUB, Disposition.DELEGATE_TO_RUNTIME)
_OF_SOURCE = ("category-specific",)
"""Lints that a text of the workspace can fail: what looks like a secret, a tool's name without its server."""


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Convert a workspace."""
    mode, decisions_path = named_decisions(arguments)
    if not mode:
        mode = "auto" if arguments.yes else "ask"
    if arguments.linear and mode != "ask" and not arguments.yes:
        raise UsageError(
            f"--linear asks and --dependencies={mode} does not ask",
            hint="Give one of them; --dependencies=auto takes every default.",
        )
    if mode == "ask":
        return _linear(arguments, console, decisions_path)
    return _Headless(arguments, console, mode, decisions_path).run()


def _linear(arguments: argparse.Namespace, console: Console, decisions_path: Path | None) -> int:
    workspace = shlex.quote(arguments.workspace)
    needs_terminal = console.json or not (on_terminal() or arguments.linear)
    if needs_terminal and os.path.lexists(arguments.workspace):  # else reading it says that it's missing
        raise UsageError(
            "The wizard needs a terminal" + (" and prints no JSON" if console.json else ""),
            hint=(
                f"Convert without questions with `melleafy-tui {workspace} --dependencies=auto`, `config:FILE` or "
                f"`strict`, look first with "
                f"`melleafy-tui plan {workspace}`, or answer line by line with `melleafy-tui {workspace} --linear`."
            ),
        )
    refuse_standard_input(decisions_path, ANSWERS)
    session = open_session(arguments, console, one_source=True)
    ask_model(arguments, session, console)
    gc.enable()
    from melleafy_tui.cli.linear.conversation import run_linear

    return run_linear(session, arguments, console)


def advice_on(findings: Iterable[LintFinding]) -> str:
    """Return what to do about failing lints: only those that no text of the source can fail are faults of ours.

    Args:
        findings: The findings of the emitted package.
    """
    if all(found.lint in _OF_SOURCE or may_be_carried(found.file.partition("/")[2]) for found in findings):
        return "Each finding's line says what to change in the workspace."
    return "Please report this; a finding in emitted code is a bug."


class _Headless(Struct):
    arguments: argparse.Namespace
    console: Console
    mode: str
    decisions_path: Path | None
    assistance: "Assistance | None" = None

    def run(self) -> int:
        """Convert without questions, and return the exit code."""
        self._refuse_answers_without_file()
        session = open_session(self.arguments, self.console, one_source=True)
        say_diagnostics(session.conversion.diagnostics, self.console)
        if self.decisions_path is None:
            say_unused_decisions(self.arguments, session, self.console)
        self._ask_model(session)
        if self.mode == "strict":
            self._refuse_left_open(session)
        refuse_unusable(inspect_target(session.out), force=self.arguments.force)
        dry_run: bool = self.arguments.dry_run
        if dry_run and is_unfinished(session.out):
            self.console.warning(
                "an earlier write was interrupted; a run without --dry-run finishes it first"
            )
        if recovered := "" if dry_run else finish_interrupted(session.out):
            self.console.message(recovered)
        files = session.files
        self._refuse_lint_findings(session, files_kept=not dry_run)
        plan = plan_write(files, session.out, force=self.arguments.force)
        done, total = count(1), len(plan.changes)
        with self.console.timed("writing"):
            result = (
                None
                if dry_run
                else write(
                    plan, progress=lambda path: self.console.progress(min(next(done), total), total, path)
                )
            )
        return self._tell(session, result.plan if result else plan, result, recovered)

    def _refuse_answers_without_file(self) -> None:
        if not self.arguments.assist or self.arguments.dry_run:
            return
        refuse_standard_input(self.decisions_path, "--assist saves the model's answers to the decisions file")
        if self.decisions_path is None:
            raise UsageError(
                "--assist needs a file for the answers",
                hint="Add --decisions FILE, which is written if it doesn't exist.",
            )

    def _ask_model(self, session: Session) -> None:
        """Ask about uncertain elements if that was requested, and save the answers in the decisions file."""
        self.assistance = ask_model(self.arguments, session, self.console)
        if self.assistance and self.assistance.answers and self.decisions_path is not None:
            from melleafy_tui.core.decisions.file import write_decisions

            document = session.conversion.to_document()
            backup = write_decisions(self.decisions_path, document, known=session.digest).backup
            session.conversion.mark_saved()
            self.console.message(
                f"assist: the answers were saved to {self.decisions_path}.{kept_words(backup)}"
            )

    def _refuse_left_open(self, session: Session) -> None:
        left_open = tuple(
            entry for entry in session.conversion.plan.entries if entry.disposition in LEFT_OPEN
        )
        if not left_open:
            return
        self._document(session, None, None, exit_code=10, refused=left_open)
        self.console.table(
            [(entry.entry_id, entry.disposition.value, entry.target, entry.summary) for entry in left_open]
        )
        count = counted(len(left_open), "entry", "entries")
        raise StrictRefusal(
            f"{count} would be left as stubs or to the host, so nothing was written",
            hint="Decide on them in the wizard or in a decisions file.",
        )

    def _refuse_lint_findings(self, session: Session, *, files_kept: bool) -> None:
        report = session.conversion.lints
        if report.passed:
            return
        self._document(session, None, None, exit_code=11)
        for finding in report.findings:
            self.console.line(finding.spelled)
        where = ""
        if files_kept:
            released = session.conversion.released_secrets
            where = f" The files are in {keep_partial(session.files, session.out, released)}."
        raise LintFailed(
            f"The lints have {counted(len(report.findings), 'finding')}, so nothing was written",
            hint=f"{advice_on(report.findings)}{where}",
        )

    def _tell(self, session: Session, plan: WritePlan, result: WriteResult | None, recovered: str) -> int:
        conflicts = plan.conflicts
        self._document(session, plan, result, exit_code=14 if conflicts else 0, recovered=recovered)
        is_flat = (session.out / "melleafy.json").is_file()
        package = session.out if is_flat else session.out / plan.emission.package_name
        if not self.console.quiet:
            self._say_outcome(session, plan, result, package)
        if conflicts:
            raise _conflict(plan, written=result is not None)
        if result is not None:
            self._refuse_edited_findings(result, package)
        return 0

    def _say_outcome(
        self, session: Session, plan: WritePlan, result: WriteResult | None, package: Path
    ) -> None:
        done = "Would write" if result is None else "Wrote" if result.changed else "Up to date"
        self.console.heading(f"{done}: {package}")
        self.console.line(f"  {summary(plan)}")
        self.console.table(rows(touched(plan)), indent="  ")
        for backup in result.backups if result else ():
            self.console.line(f"  backup: {backup}")
        say_recap(
            session.conversion,
            self.console,
            workspace=self.arguments.workspace,
            out=session.out,
            package=package,
            in_place=bool(session.configuration["in_place"]),
        )

    def _refuse_edited_findings(self, result: WriteResult, package: Path) -> None:
        from melleafy_tui.actions.edited_package import (  # most packages have no edits
            are_fatal,
            findings_on_disk,
        )

        findings = findings_on_disk(result)
        for finding in findings:
            self.console.line(finding.spelled)
        if are_fatal(findings):
            raise LintFailed(
                f"With your edits, the package in {package} can't be used any more",
                hint="Correct the edited files, or run again with --force, which keeps a backup.",
            )

    def _document(
        self,
        session: Session,
        plan: WritePlan | None,
        result: WriteResult | None,
        *,
        exit_code: int,
        recovered: str = "",
        refused: tuple[PlanEntry, ...] = (),
    ) -> None:
        if not self.console.json:
            return
        from melleafy_tui.cli.review_lines import decided

        conversion = session.conversion
        self.console.document(
            part_of(
                ConvertDocument,
                decided(session.states, session.effects),
                out=str(session.out),
                package=conversion.committed.package_name,
                written=result is not None,
                dry_run=self.arguments.dry_run,
                recovered=recovered,
                files=tuple(documented(file, plan) for file in plan.files) if plan else (),
                new_files=result.new_files if result else (),
                backups=result.backups if result else (),
                recap=recap_of(conversion),
                diagnostics=conversion.diagnostics,
                lint_findings=conversion.lints.findings if exit_code != 10 else (),
                refused=refused,
                assist=self.assistance.summary if self.assistance else None,
                exit_code=exit_code,
            )
        )


def _conflict(plan: WritePlan, *, written: bool) -> MelleafyError:
    names = ", ".join(file.path for file in plan.conflicts)
    beside = "the new text is next to each as .new" if written else "nothing was written (--dry-run)"
    return OutputConflict(
        f"Your edits conflict with the new text of {names}; your files are unchanged, {beside}",
        hint="Merge them and delete the .new files, or run again with --force, which keeps a backup.",
    )
