"""Exports to other folders in plain lines: a workspace from the package, surfaces, a workspace from surfaces."""

from pathlib import Path

from melleafy_tui.actions.labels import path_fault, place, typed_path
from melleafy_tui.actions.workspace_exports import (
    MEMORY_ASKED,
    NEVER_OVER,
    NOT_WRITTEN_YET,
    READ_FROM,
    WRITE_TO,
    FolderDone,
    FolderWork,
    export_work,
    surfaces_work,
    workspace_work,
)
from melleafy_tui.cli.linear.session import LinearSession


def export_workspace(session: LinearSession, _: str) -> None:
    """Export the written package back to a workspace of its source runtime."""
    if session.wizard.is_written:
        _carry_out(session, export_work(session.wizard))
    else:
        session.dialogue.say(NOT_WRITTEN_YET)


def extract_surfaces(session: LinearSession, _: str) -> None:
    """Extract named surfaces from the workspace."""
    _carry_out(session, surfaces_work(session.wizard))


def assemble_workspace(session: LinearSession, _: str) -> None:
    """Assemble a workspace from named surfaces."""
    _carry_out(session, workspace_work(session.wizard))


def _carry_out(session: LinearSession, work: FolderWork) -> None:
    """Ask for the folders and for confirmation, and show the result; errors are left to the caller."""
    dialogue = session.dialogue
    dialogue.say(f"{work.title}. {NEVER_OVER}")
    source = _folder(session, READ_FROM, work.source)
    target = _folder(session, WRITE_TO, work.target)
    memory = work.memory or ""
    if work.memory is not None:
        typed = dialogue.text(f"{MEMORY_ASKED}?", current=memory)
        memory = memory if typed is None else typed
    if dialogue.confirm(f"Read {place(source)} and write {place(target)}?", NEVER_OVER):
        _show_done(session, work.carry_out(source, target, memory))
    else:
        dialogue.say("Nothing was written.")


def _folder(session: LinearSession, asked: str, offered: Path) -> Path:
    while True:
        typed = session.dialogue.text(f"{asked} which folder?", current=place(offered))
        if typed is None:
            return offered
        fault = path_fault(typed)
        if not fault:
            return typed_path(typed)
        session.dialogue.say(fault)


def _show_done(session: LinearSession, done: FolderDone) -> None:
    dialogue = session.dialogue
    dialogue.say(f"Written to {place(done.target)}.")
    if done.summary:
        dialogue.say(done.summary)
    for warning in done.warnings:
        dialogue.say(f"warning: {warning}")
    files = [f"{state}: {reason}" for state, reason in done.exceptions]
    files.extend(
        f"{origin}: {f'{source} to {path}' if source else path}" for origin, source, path in done.files
    )
    dialogue.say("The same without questions:")
    dialogue.say(f"  melleafy-tui {done.command}")
    if files:
        dialogue.say("File by file:")
        dialogue.list(files, empty="")
