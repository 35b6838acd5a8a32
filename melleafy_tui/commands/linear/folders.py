"""Other folders in plain lines: a workspace back from the package, and surfaces from and to workspaces."""

from pathlib import Path

from melleafy_tui.commands.linear.talk import Talk
from melleafy_tui.folder_works import (
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
from melleafy_tui.typed_paths import path_fault, typed_path
from melleafy_tui.words import place


def make_workspace_back(talk: Talk, _: str) -> None:
    """Make a workspace of the source runtime again from the package that was written."""
    if talk.session.is_written:
        _carry_out(talk, export_work(talk.session))
    else:
        talk.dialogue.say(f"{NOT_WRITTEN_YET} w writes it.")


def take_apart(talk: Talk, _: str) -> None:
    """Take the workspace apart into named surfaces."""
    _carry_out(talk, surfaces_work(talk.session))


def put_together(talk: Talk, _: str) -> None:
    """Put a workspace together from named surfaces."""
    _carry_out(talk, workspace_work(talk.session))


def _carry_out(talk: Talk, work: FolderWork) -> None:
    """Ask for the folders, ask once more, and say what came of it; an error goes to the conversation."""
    dialogue = talk.dialogue
    dialogue.say(f"{work.title}. {NEVER_OVER}")
    source = _folder(talk, READ_FROM, work.source)
    target = _folder(talk, WRITE_TO, work.target)
    memory = work.memory or ""
    if work.memory is not None:
        typed = dialogue.text(f"{MEMORY_ASKED}?", current=memory)
        memory = memory if typed is None else typed
    if dialogue.confirm(f"Read {place(source)} and write {place(target)}?", NEVER_OVER):
        _say_done(talk, work.carry_out(source, target, memory))
    else:
        dialogue.say("Nothing was written.")


def _folder(talk: Talk, asked: str, offered: Path) -> Path:
    while True:
        typed = talk.dialogue.text(f"{asked} which folder?", current=place(offered))
        if typed is None:
            return offered
        fault = path_fault(typed)
        if not fault:
            return typed_path(typed)
        talk.dialogue.say(fault)


def _say_done(talk: Talk, done: FolderDone) -> None:
    dialogue = talk.dialogue
    dialogue.say(f"Written to {place(done.target)}.")
    if done.summary:
        dialogue.say(done.summary)
    for warning in done.warnings:
        dialogue.say(f"warning: {warning}")
    told = [f"{state}: {reason}" for state, reason in done.exceptions]
    told.extend(
        f"{origin}: {f'{source} to {path}' if source else path}" for origin, source, path in done.files
    )
    dialogue.say("The same without questions:")
    dialogue.say(f"  melleafy-tui {done.command}")
    if told:
        dialogue.say("File by file:")
        dialogue.list(told, empty="")
