"""Shared by the commands on a workspace: resolves settings, opens the conversion and applies decisions."""

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from melleafy_tui.actions.folder_sources import (
    FolderSources,
    HoldsSources,
    sources_by_name,
    sources_instead_of,
)
from melleafy_tui.actions.plurals import counted
from melleafy_tui.actions.resolved_settings import (
    DEFAULT,
    SETTING_ROWS,
    VARIABLE_PREFIX,
    Configuration,
    resolve,
)
from melleafy_tui.cli.argument_table import COMMANDS_BY_NAME, CONVERT, conversion_options
from melleafy_tui.cli.console import Console
from melleafy_tui.cli.json_documents import SettingsDocument, SettingValue
from melleafy_tui.core.errors import DecisionsUnresolved, UnusableInput, UsageError, did_you_mean
from melleafy_tui.core.models.conversion_settings import Settings
from melleafy_tui.core.models.file_set import FileSet
from melleafy_tui.core.models.findings import Diagnostic
from melleafy_tui.core.models.snapshot import ReadingOptions
from melleafy_tui.core.models.vocabulary import Severity
from melleafy_tui.core.package.backends import model_doubt
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.pipeline.timestamps import earlier_day, earlier_stamp, format_stamp, moment_of, settled
from melleafy_tui.engine import check_out, decisions_beside, default_out, open_conversion, workspace_root
from melleafy_tui.user_folders import config_file, home_folder, state_folder

if TYPE_CHECKING:  # most runs have no decisions file
    from melleafy_tui.actions.session import AssistOffer, WizardSession
    from melleafy_tui.cli.assist_run import Assistance
    from melleafy_tui.core.decisions.journal import JournalEntry
    from melleafy_tui.core.decisions.rebase import OverrideState
    from melleafy_tui.core.models.decisions import DecisionsDocument
    from melleafy_tui.core.pipeline.file_effects import FileEffects

CONFIG_PREFIX: Final = "config:"
MODES: Final = ("ask", "auto", "strict")
STANDARD_INPUT: Final = Path("-")
"""The decisions file of `--decisions -`; a file of that name is `./-`."""
_DECIDED: Final = frozenset(Settings.__struct_fields__)
"""Settings that a decisions file can hold; the configuration has already resolved them."""

MOST_WARNINGS: Final = 20
"""Warnings about the source that a conversion prints; the report has all of them."""


class Session(Struct, frozen=True):
    """One command's conversion with its settings and decisions.

    `now` is the timestamp for changed files, `""` if `SOURCE_DATE_EPOCH` sets it. `decisions_path` is the
    file in use, and `document` what it holds.
    """

    conversion: Conversion
    configuration: Configuration
    out: Path
    now: str
    decisions_path: Path | None = None
    states: "tuple[OverrideState, ...]" = ()
    document: "DecisionsDocument | None" = None

    @property
    def effects(self) -> "FileEffects | None":
        """Return what the file in use leaves out, lifts, releases and changes."""
        if self.document is None:
            return None
        from melleafy_tui.core.pipeline.file_effects import effects_of

        return effects_of(self.document, self.states, self.conversion)

    @property
    def files(self) -> FileSet:
        """Return the files to write, with their timestamp."""
        return settled(self.conversion, self.out, self.now)

    @property
    def digest(self) -> str:
        """Return the SHA-256 of the decisions file in use, `""` if there is none."""
        return self.document.digest if self.document is not None else ""


def named_decisions(arguments: argparse.Namespace) -> tuple[str, Path | None]:
    """Return the mode of `--dependencies` (`""` if not given) and the decisions file that was named.

    Raises:
        UsageError: the mode is unknown, or two different files are named.
    """
    environment = resolve(arguments, environment=os.environ, config_file=config_file(os.environ))
    mode = environment.text("dependencies")
    named = environment.text("decisions")
    path = _decisions_path(named) if named else None
    if mode.startswith(CONFIG_PREFIX):
        by_mode = _decisions_path(mode.removeprefix(CONFIG_PREFIX))
        if not mode.removeprefix(CONFIG_PREFIX):
            raise UsageError("--dependencies=config: names no file", hint="Write --dependencies=config:PATH.")
        if path is not None and path.absolute() != by_mode.absolute():
            raise UsageError(
                "--dependencies=config: and --decisions name two different files", hint="Name one of them."
            )
        return "config", by_mode
    if mode and mode not in MODES:
        raise UsageError(
            f"--dependencies is {mode!r}, which is not one of ask, auto, config:PATH, strict",
            hint=f"{did_you_mean(mode, MODES)} See `melleafy-tui --help`.".lstrip(),
        )
    return mode, path


def _decisions_path(text: str) -> Path:
    path = Path(text)
    return path.absolute() if path == STANDARD_INPUT and text != str(STANDARD_INPUT) else path


def refuse_standard_input(decisions_path: Path | None, why: str) -> None:
    """Refuse to read the decisions from standard input where that can't work.

    Args:
        decisions_path: The decisions file that was named.
        why: What standard input would be needed for, as a sentence.

    Raises:
        UsageError: the decisions would be read from standard input.
    """
    if decisions_path == STANDARD_INPUT:
        raise UsageError(f"{why}, so the decisions can't come from it", hint="Name a decisions file.")


def _name_of(decisions_path: Path | None) -> str:
    """Return the name of the decisions file for messages."""
    return "standard input" if decisions_path == STANDARD_INPUT else str(decisions_path or "")


def open_session(
    arguments: argparse.Namespace,
    console: Console,
    *,
    only_look: bool = False,
    one_source: bool = False,
    progress: Callable[[float, str], object] = lambda _share, _found: None,
) -> Session:
    """Read the workspace and return the session of a command.

    Args:
        arguments: The command line.
        console: For warnings.
        only_look: Return the statuses of a file with refused entries, without applying it, instead of
            raising.
        one_source: Whether a folder that isn't a source itself is refused if it holds some.
        progress: Called with the share that is read and what was found; may raise to end it.

    Raises:
        HoldsSources: `one_source` is set, and the folder only holds sources.
        MelleafyError: workspace, settings or decisions can't be used.
    """
    workspace = Path(arguments.workspace)
    _, decisions_path = named_decisions(arguments)
    document = _document(arguments, decisions_path)
    configuration = _resolved(arguments, document, decisions_path, console)
    one_source = one_source and configuration.settings.source_runtime is None
    if one_source and (sources := sources_by_name(workspace)):
        raise _holds_sources(arguments, sources)
    named_out = configuration.text("out")
    beside = Path(named_out).absolute() if named_out else default_out(workspace)
    root = workspace_root(workspace)
    written = root if configuration["in_place"] else beside
    with console.timed("reading"):
        conversion, now = _opened(
            workspace, configuration, written=written, progress=progress, options=reading_options(arguments)
        )
    if console.verbose:
        _tell(conversion, configuration, decisions_path, console)
    if one_source and (sources := sources_instead_of(conversion, workspace)):
        raise _holds_sources(arguments, sources)
    states: tuple[OverrideState, ...] = ()
    if document is not None:
        states = conversion.states_of(document, fixed=_DECIDED)
        if not (only_look and any(state.refused for state in states)):
            states = conversion.load(document, fixed=_DECIDED)
    judged, alone = getattr(arguments, "judge", None) or (), getattr(arguments, "no_judge", False)
    if judged or alone:
        from melleafy_tui.actions.named_rules import judging

        conversion.act(judging(conversion, judged, alone=alone))
    if answers := getattr(arguments, "answers", None):
        from melleafy_tui.cli.review_lines import answer_rows

        answer_rows(conversion, Path(answers))
    out = _out(conversion, configuration, beside, root)
    session = Session(conversion, configuration, out, now, decisions_path, states, document)
    doubt = model_doubt(configuration.text("backend"), configuration.text("model_id"))
    if doubt:
        console.warning(doubt)
    if session.effects is not None:
        from melleafy_tui.cli.review_lines import say_states

        for line in session.effects.lines:
            console.message(f"decisions: {line}", always=True)
        if not only_look:
            say_states(states, console)
    unresolved = sum(state.unresolved and not state.assisted for state in states)
    if configuration["strict_decisions"] and unresolved:
        raise DecisionsUnresolved(
            f"{counted(unresolved, 'decision')} of {_name_of(decisions_path)} can't be applied here",
            hint="Open the wizard to apply them, or drop them from the file.",
        )
    return session


def unknown_variables(environment: Mapping[str, str]) -> list[str]:
    """Return a sentence about each variable that is called like a setting and is none."""
    known = [row.variable for row in SETTING_ROWS]
    unknown = sorted(name for name in environment if name.startswith(VARIABLE_PREFIX) and name not in known)
    return [
        f"{name} is not a setting, so nothing reads it. {did_you_mean(name, known)}".rstrip()
        for name in unknown
    ]


def _resolved(
    arguments: argparse.Namespace,
    document: "DecisionsDocument | None",
    decisions_path: Path | None,
    console: Console,
) -> Configuration:
    configuration = resolve(
        arguments,
        environment=os.environ,
        config_file=config_file(os.environ),
        decided=document.settings if document is not None else None,
        decisions_source=_name_of(decisions_path),
    )
    for words in unknown_variables(os.environ):
        console.warning(words)
    return configuration


def _holds_sources(arguments: argparse.Namespace, sources: FolderSources) -> HoldsSources:
    if arguments.command != CONVERT:
        return HoldsSources(sources, command=arguments.command)
    mode = arguments.dependencies
    options = [f"--dependencies={mode}"] if mode in ("auto", "strict") else []
    return HoldsSources(sources, *options, *(["--linear"] if arguments.linear else []))


STAGES: Final = ("classification", "inventory", "mapping", "plan")
"""The stages whose time is told; the conversion keeps their results."""


def _tell(
    conversion: Conversion, configuration: Configuration, decisions_path: Path | None, console: Console
) -> None:
    """Tell what was read, where the settings come from, and how long the stages take."""
    snapshot = conversion.snapshot
    console.detail(f"read: {snapshot.root}, {counted(len(snapshot.files), 'file')}")
    for file in snapshot.files:
        console.detail(f"read: {file.path}, {len(file.data):,} bytes")
    if decisions_path is not None:
        console.detail(f"read: {_name_of(decisions_path)}")
    tell_settings(configuration, console)
    for name in STAGES:
        with console.timed(name):
            getattr(conversion, name)


def tell_settings(configuration: Configuration, console: Console) -> None:
    """Tell which configuration file was read, and each setting that isn't a default, with its source."""
    place = config_file(os.environ)
    if place is not None and place.is_file():
        console.detail(f"read: {place}")
    given = [item for item in configuration.resolved if item.source != DEFAULT]
    for item in given:
        console.detail(f"setting: {item.name} = {item.text}, from {item.source}")
    if not given:
        console.detail("setting: every setting has its default")


def reading_options(arguments: argparse.Namespace) -> ReadingOptions:
    """Return what the command line allows the reader; these are never settings of an environment or a file.

    Raises:
        UsageError: Python knows no such encoding.
    """
    given = {name: getattr(arguments, name, None) or "" for name in ReadingOptions.__struct_fields__}
    try:
        "".encode(given["encoding"] or "utf-8")
    except LookupError as error:
        raise UsageError(
            f"There is no encoding {given['encoding']!r}",
            hint="Name one such as latin-1.",
            location="--encoding",
        ) from error
    return ReadingOptions(**given)


def _opened(
    workspace: Path,
    configuration: Configuration,
    *,
    written: Path,
    progress: Callable[[float, str], object],
    options: ReadingOptions,
) -> tuple[Conversion, str]:
    """Return the conversion and the timestamp for changed files, `""` if `SOURCE_DATE_EPOCH` sets it.

    Day and timestamp of an existing package, in the folder `written`, may be kept.
    """
    clock = datetime.now(UTC)
    moment, fixed = moment_of(os.environ, clock)
    as_of = configuration.text("as_of")
    day = dated(as_of, moment.date() if fixed else clock.astimezone().date())
    stamp = format_stamp(moment if fixed else datetime.combine(day, time(), UTC))
    conversion = open_conversion(
        workspace,
        as_of=day,
        generated_at=stamp if fixed else (earlier_stamp(written) or stamp),
        settings=configuration.settings,
        home=home_folder(),
        earlier_day=None if fixed or as_of else earlier_day(written),
        out=written,
        progress=progress,
        options=options,
    )
    return conversion, "" if fixed else stamp


def interactive_session(
    session: Session, arguments: argparse.Namespace, console: Console
) -> "tuple[WizardSession, tuple[JournalEntry, ...], Path | None]":
    """Return what the wizard or the dialogue works with, once an interrupted write is finished.

    Args:
        session: The command's session.
        arguments: The command line.
        console: Told of a write that was finished.

    Returns:
        The session, the journals that earlier sessions left, and a decisions file that is not in use.
    """
    from melleafy_tui.actions.session import DecisionsSource, Output, WizardSession
    from melleafy_tui.core.decisions.journal import Journal, journal_folder, left_behind
    from melleafy_tui.core.output.writer import finish_interrupted
    from melleafy_tui.engine import source_reader

    if recovered := finish_interrupted(session.out):
        console.message(recovered)
    conversion = session.conversion
    state = state_folder(os.environ)
    journal: Journal | None = None
    earlier: tuple[JournalEntry, ...] = ()
    if state is not None:  # without a state folder there are no journals
        folder = journal_folder(state, conversion.snapshot.root)
        earlier = left_behind(folder)
        journal = Journal(folder, f"{os.getpid()}-{datetime.now(UTC):%Y%m%d%H%M%S%f}")
    user_session = WizardSession(
        conversion,
        Output(session.out, arguments.force, session.now),
        DecisionsSource(session.decisions_path, session.states, journal, session.digest),
        keys=session.configuration.keys,
        read_source=source_reader(conversion),
    )
    user_session.assist_offer = _assist_offer
    if conversion.unsaved and any(retag.assisted_by for retag in conversion.decisions.retags.values()):
        with suppress(OSError):  # a crash before the first act would lose what a model was asked
            user_session.note_in_journal(datetime.now(UTC))
    beside = decisions_beside(Path(arguments.workspace)) if session.decisions_path is None else None
    return user_session, earlier, beside


def _assist_offer(conversion: Conversion) -> "AssistOffer":
    from melleafy_tui.cli.assist_run import assist_offer  # most sessions ask no model

    return assist_offer(conversion)


def show_settings(arguments: argparse.Namespace, console: Console) -> int:
    """Print each setting with its source."""
    _, path = named_decisions(arguments)
    document = _document(arguments, path)
    configuration = _resolved(arguments, document, path, console)
    rows = [(item.name, item.text, item.source) for item in configuration.resolved]
    console.table(rows, indent="")
    console.document(
        SettingsDocument(
            settings=tuple(
                SettingValue(name=item.name, value=_plain(item.value), source=item.source)
                for item in configuration.resolved
            )
        )
    )
    return 0


def say_diagnostics(
    diagnostics: Iterable[Diagnostic], console: Console, *, limit: int = MOST_WARNINGS
) -> None:
    """Print what the reading warns of; only what ends a command begins with `error:`."""
    shown = [finding for finding in diagnostics if finding.severity is not Severity.INFO]
    for finding in shown[:limit]:
        place = f"{finding.location}: " if finding.location else ""
        console.warning(f"{place}{finding.message} {finding.hint}".rstrip())
    if len(shown) > limit:
        console.message(f"… and {len(shown) - limit} more; `melleafy-tui detect` lists all of them.")


def ask_model(arguments: argparse.Namespace, session: Session, console: Console) -> "Assistance | None":
    """Ask the configured model about the open decisions if `--assist` was given.

    Args:
        arguments: The command line.
        session: The command's session; its conversion gets the answers as one act.
        console: For progress and messages.

    Raises:
        UnusableInput: Mellea isn't installed.
    """
    if not getattr(arguments, "assist", False) or any(state.refused for state in session.states):
        return None
    from melleafy_tui.cli.assist_run import assist

    return assist(session.conversion, console, states=session.states, dry_run=arguments.dry_run)


def save_decisions(arguments: argparse.Namespace, session: Session, console: Console) -> None:
    """Save the decisions to the file of `--save`, if one was named."""
    if not arguments.save:
        return
    from melleafy_tui.core.decisions.file import write_decisions

    place = Path(arguments.save)
    if arguments.dry_run:
        console.message(f"{place} was not written (--dry-run).")
    else:
        written = write_decisions(place, session.conversion.to_document(), known=session.digest)
        console.message(f"The decisions were saved to {place}.{kept_words(written.backup)}")


def kept_words(backup: Path | None) -> str:
    """Return a sentence about the decisions file that was replaced, after a space, or `""`."""
    return f" Those that were there are kept in {backup}." if backup is not None else ""


def refuse_conversion_options(arguments: argparse.Namespace) -> None:
    """Refuse conversion options for a written package.

    Raises:
        UsageError: an option was given.
    """
    for option in conversion_options(COMMANDS_BY_NAME[arguments.command]):
        if getattr(arguments, option.dest) != option.default:
            raise UsageError(
                f"{option.option_strings[-1]} doesn't apply to a package, which has its decisions in it",
                hint="Name the workspace instead, or leave the option out.",
            )


def say_unused_decisions(arguments: argparse.Namespace, session: Session, console: Console) -> None:
    """Say that a decisions file was found that this run doesn't use."""
    beside = decisions_beside(Path(arguments.workspace))
    if session.decisions_path is None and beside is not None:
        console.message(
            f"note: {beside} is not used; to apply it, run with --dependencies={CONFIG_PREFIX}{beside}"
        )


def _document(arguments: argparse.Namespace, decisions_path: Path | None) -> "DecisionsDocument | None":
    """Return the decisions file, None if no file was named; `--assist` writes the named one if it doesn't exist."""
    if decisions_path is None or (
        getattr(arguments, "assist", False) and not os.path.lexists(decisions_path)
    ):
        return None
    from melleafy_tui.core.decisions.file import read_decisions, read_decisions_from  # most runs need neither

    if decisions_path != STANDARD_INPUT:
        return read_decisions(decisions_path)
    source = _name_of(STANDARD_INPUT)
    try:
        return read_decisions_from(sys.stdin.buffer, source=source)
    except (OSError, AttributeError) as error:  # a closed standard input is None
        raise UnusableInput(
            "The decisions cannot be read", hint="Pipe a decisions file into the command.", location=source
        ) from error


def _out(conversion: Conversion, configuration: Configuration, beside: Path, root: Path) -> Path:
    if configuration["in_place"]:
        if configuration.given("out"):
            raise UsageError("--in-place and --out contradict each other", hint="Give one of them.")
        return Path(conversion.snapshot.root) / conversion.committed.package_name
    check_out(beside, root)
    return beside


def dated(text: str | None, today: date) -> date:
    """Return the date of `--as-of`, today's if none was given.

    Raises:
        UsageError: it is no date.
    """
    if not text:
        return today
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise UsageError(f"{text!r} is not a date (use YYYY-MM-DD)", hint="Correct --as-of.") from error


def _plain(value: object) -> str | bool | list[str] | None:
    if value is None or isinstance(value, bool):
        return value
    return [str(part) for part in value] if isinstance(value, (list, tuple)) else str(value)
