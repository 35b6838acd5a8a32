"""The keys that work on every step, in every list, and wherever something is searched or copied."""

from typing import Final

from melleafy_tui.keys.row import DECIDE, DETECT, INVENTORY, LIST, PREVIEW, WRITE, Key

_LISTED: Final = (INVENTORY, DECIDE, PREVIEW, DETECT)

EVERYWHERE: Final[tuple[Key, ...]] = (
    # --- everywhere ----------------------------------------------------------------------------
    Key(
        "step.1",
        "1",
        "go('detect')",
        "Detect",
        "Go to step 1: which runtime the workspace comes from.",
        display="1",
    ),
    Key(
        "step.2",
        "2",
        "go('inventory')",
        "Inventory",
        "Go to step 2: every element of the source.",
        display="2",
    ),
    Key("step.3", "3", "go('decide')", "Decide", "Go to step 3: what becomes of each entry.", display="3"),
    Key(
        "step.4",
        "4",
        "go('preview')",
        "Preview",
        "Go to step 4: the files as they would be written.",
        display="4",
    ),
    Key("step.5", "5", "go('write')", "Write", "Go to step 5: write the package.", display="5"),
    Key("step.next", "n", "next_step", "Next", "Go to the next step.", display="n", shown=True),
    Key("step.previous", "p", "previous_step", "Back", "Go to the previous step.", display="p"),
    Key(
        "history.undo",
        "u",
        "undo",
        "Undo",
        "Take back the last act, on whichever screen it was made.",
        display="u",
    ),
    Key("history.redo", "ctrl+r", "redo", "Redo", "Do the act again that was taken back last.", display="^r"),
    Key(
        "decisions.save",
        "ctrl+s",
        "save",
        "Save",
        "Save the decisions; the first time it asks where.",
        display="^s",
    ),
    Key("app.palette", "ctrl+p", "command_palette", "Palette", "Find any action by its name.", display="^p"),
    Key(
        "app.theme",
        "t",
        "next_theme",
        "Theme",
        "Go through the themes: dark, light, high contrast, 16 colours.",
        display="t",
    ),
    Key(
        "app.help",
        "question_mark,f1",
        "help",
        "Help",
        "Show keys and terms of this screen.",
        display="?",
        shown=True,
    ),
    Key("app.hint", "h", "dismiss_hint", "Hide hint", "Hide this screen's hint for good.", display="h"),
    Key(
        "app.quit",
        "q,ctrl+q",
        "leave",
        "Quit",
        "Leave the wizard; it asks when decisions are unsaved.",
        display="q",
    ),
    Key(
        "app.interrupt",
        "ctrl+c",
        "interrupt",
        "Interrupt",
        "Stop long work, or leave the wizard.",
        display="^c",
    ),
    # --- every list ----------------------------------------------------------------------------
    Key("list.down", "down,j", "cursor(1)", "Down", "Move down.", (LIST,), "↓ j"),
    Key("list.up", "up,k", "cursor(-1)", "Up", "Move up.", (LIST,), "↑ k"),
    Key("list.page-down", "pagedown,ctrl+d", "page(1)", "Page down", "Move down one page.", (LIST,), "PgDn"),
    Key("list.page-up", "pageup,ctrl+u", "page(-1)", "Page up", "Move up one page.", (LIST,), "PgUp"),
    Key("list.first", "g,home", "edge(-1)", "First", "Go to the first row.", (LIST,), "g"),
    Key("list.last", "G,end", "edge(1)", "Last", "Go to the last row.", (LIST,), "G"),
    Key("list.fold", "left", "fold", "Fold", "Fold the group, or go to its head.", (LIST,), "←"),
    Key(
        "list.unfold",
        "right",
        "unfold",
        "Unfold",
        "Unfold the group, or scroll a file to the right.",
        (LIST,),
        "→",
    ),
    Key(
        "list.open",
        "enter",
        "open",
        "Open",
        "Open what the cursor is on; fold or unfold a group.",
        (LIST,),
        "⏎",
    ),
    Key("list.next-pane", "tab", "app.focus_next", "Next pane", "Go to the next pane.", (LIST,), "Tab"),
    # --- search, filter, copy ------------------------------------------------------------------
    Key(
        "search.start",
        "slash",
        "search",
        "Search",
        "Narrow the list as you type; Esc clears.",
        _LISTED,
        "/",
        True,
    ),
    Key("search.clear", "escape", "clear_search", "Clear", "Clear search and filter.", _LISTED, "Esc"),
    Key(
        "filter.choose",
        "f",
        "filter",
        "Filter",
        "Filter by file, tag, category, disposition and more.",
        (INVENTORY, DECIDE),
        "f",
    ),
    Key(
        "copy.row",
        "y",
        "copy",
        "Copy",
        "Copy the row under the cursor to the terminal's clipboard (OSC 52).",
        (*_LISTED, WRITE),
        "y",
    ),
)

DIALOG_KEYS: Final[tuple[Key, ...]] = (
    Key("dialog.close", "escape", "cancel", "Close", "Close without a choice.", display="Esc", shown=True),
)
