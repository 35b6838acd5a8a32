"""The key table: what the user can do, where, and with which key.

Footer, help, palette, configuration and the plain-line mode read it. The keys of steps and dispositions come from
their own tables; all others are defined here and nowhere else. The id of
a row is what users remap and tests name.
"""

from collections.abc import Collection
from typing import Final

from msgspec import Struct

from melleafy_tui.actions.steps import STEP_INFO, Step
from melleafy_tui.core.models.vocabulary import DISPOSITIONS

ALL: Final = "all"
LIST: Final = "list"
SEARCHING: Final = "searching"
"""A context of its own: while a search is active, its keys come before those of the screen."""
CHOOSER: Final = "chooser"
"""The screen before the first step that lists the sources in a folder."""
_LISTED: Final[tuple[str, ...]] = (Step.INVENTORY, Step.DECIDE, Step.PREVIEW, Step.DETECT)


class Key(Struct, frozen=True):
    """One row of the key table.

    Attributes:
        id: Stable name, `screen.act`.
        keys: Textual's key names, separated by commas.
        action: The action that the key runs.
        label: One or two words for the footer.
        tooltip: One sentence for help and palette.
        where: The screens it works on.
        display: How the key is shown, if Textual's own form isn't clear.
        shown: Whether the footer lists it; help and palette list all.
    """

    id: str
    keys: str
    action: str
    label: str
    tooltip: str
    where: tuple[str, ...] = (ALL,)
    display: str = ""
    shown: bool = False

    @property
    def spelled(self) -> str:
        """Return the key as shown to people."""
        return self.display or self.keys.split(",")[0]

    @property
    def letter(self) -> str:
        """Return the character that stands for the key in the plain-line mode, or `""`."""
        signs = (sign for sign in self.spelled.split() if len(sign) == 1)
        return next((sign for sign in signs if sign.isascii() or sign.isalnum()), "")


_EVERYWHERE: Final[tuple[Key, ...]] = (
    # --- everywhere ----------------------------------------------------------------------------
    *(
        Key(
            f"step.{number}",
            f"{number}",
            f"go({step.value!r})",
            info.title,
            f"Go to step {number}: {info.about}.",
            display=f"{number}",
        )
        for number, (step, info) in enumerate(STEP_INFO.items(), 1)
    ),
    Key("step.next", "n", "next_step", "Next", "Go to the next step.", display="n", shown=True),
    Key(
        "step.previous",
        "p",
        "previous_step",
        "Back",
        "Go to the previous step; from the first one, to the other sources in the folder.",
        display="p",
    ),
    Key(
        "review.open",
        "exclamation_mark",
        "review",
        "Review",
        "Open the review: what needs you, card by card, worst first.",
        display="!",
    ),
    Key(
        "history.undo",
        "u",
        "undo",
        "Undo",
        "Undo the last change, on any screen.",
        display="u",
    ),
    Key("history.redo", "ctrl+r", "redo", "Redo", "Redo the change that was undone last.", display="^r"),
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
        "source.reread",
        "R,f5",
        "reread",
        "Read again",
        "Read the source again when it has changed on the disk; decisions follow their elements.",
        display="R",
    ),
    Key(
        "fixtures.pick",
        "F",
        "pick_fixtures",
        "Fixtures",
        "Pick real user turns from the agent's history, masked, as fixtures of the package.",
        display="F",
    ),
    Key(
        "package.export",
        "E",
        "export",
        "Export",
        "Export a workspace from the written package.",
        display="E",
    ),
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
    # --- search, filter, copy ------------------------------------------------------------------
    Key(
        "search.start",
        "slash",
        "search",
        "Search",
        "Narrow the list as you type; Esc clears.",
        (*_LISTED, CHOOSER),
        "/",
        True,
    ),
    Key(
        "search.next",
        "n",
        "next_hit",
        "Next hit",
        "Go to the next hit of the search.",
        (SEARCHING,),
        "n",
        True,
    ),
    Key(
        "search.previous",
        "N",
        "previous_hit",
        "Previous hit",
        "Go to the previous hit of the search.",
        (SEARCHING,),
        "N",
        True,
    ),
    Key(
        "search.clear",
        "escape",
        "clear_search",
        "Clear",
        "Clear search and filter.",
        (*_LISTED, CHOOSER),
        "Esc",
    ),
    Key(
        "filter.choose",
        "f",
        "filter",
        "Filter",
        "Filter by file, tag, category, disposition and more.",
        (Step.INVENTORY, Step.DECIDE),
        "f",
    ),
    Key(
        "copy.row",
        "y",
        "copy",
        "Copy",
        "Copy the row under the cursor to the terminal's clipboard (OSC 52).",
        (*_LISTED, Step.WRITE),
        "y",
    ),
)

_PANES: Final[tuple[Key, ...]] = (
    # --- panes ---------------------------------------------------------------------------------
    Key(
        "panes.next",
        "tab",
        "next_pane",
        "Next pane",
        "Go to the next pane; one that is hidden takes the place beside the list.",
        _LISTED,
        "Tab",
    ),
    Key(
        "panes.previous",
        "shift+tab",
        "previous_pane",
        "Previous pane",
        "Go to the previous pane.",
        _LISTED,
        "⇧Tab",
    ),
    Key(
        "panes.maximise",
        "z",
        "maximise",
        "Maximise",
        "Maximise the pane, or show all panes again.",
        _LISTED,
        "z",
    ),
    Key("panes.grow", "greater_than_sign", "share(1)", "Wider", "Give the list more room.", _LISTED, ">"),
    Key("panes.shrink", "less_than_sign", "share(-1)", "Narrower", "Give the list less room.", _LISTED, "<"),
)

_OF_STEPS: Final[tuple[Key, ...]] = (
    # --- 1 Detect ------------------------------------------------------------------------------
    Key(
        "detect.runtime",
        "r",
        "override_runtime",
        "Runtime",
        "Choose another source runtime.",
        (Step.DETECT,),
        "r",
        True,
    ),
    Key(
        "detect.modality",
        "m",
        "override_modality",
        "Trigger",
        "Choose how the agent is woken.",
        (Step.DETECT,),
        "m",
        True,
    ),
    Key(
        "detect.output",
        "o",
        "choose_output",
        "Output",
        "Choose the output folder and the package name.",
        (Step.DETECT,),
        "o",
        True,
    ),
    Key(
        "detect.backend",
        "b",
        "choose_backend",
        "Backend",
        "Choose the backend and the model.",
        (Step.DETECT,),
        "b",
        True,
    ),
    Key(
        "detect.load",
        "d",
        "load_decisions",
        "Load decisions",
        "Load a decisions file and see the status of each override.",
        (Step.DETECT,),
        "d",
        True,
    ),
    # --- 2 Inventory ---------------------------------------------------------------------------
    Key(
        "inventory.view",
        "v",
        "next_view",
        "View by…",
        "View by file, by tag or by category.",
        (Step.INVENTORY,),
        "v",
        True,
    ),
    Key(
        "inventory.retag",
        "T",
        "retag",
        "Retag",
        "Change the element's tag; only allowed ones are offered.",
        (Step.INVENTORY,),
        "T",
        True,
    ),
    Key(
        "inventory.recategorise",
        "C",
        "recategorise",
        "Category",
        "Change the element's category; only allowed ones are offered.",
        (Step.INVENTORY,),
        "C",
        True,
    ),
    Key(
        "inventory.use",
        "U",
        "change_use",
        "Use",
        "Change what the package does with the element: judged, guided, enforced and others.",
        (Step.INVENTORY,),
        "U",
        True,
    ),
    Key(
        "inventory.release",
        "S",
        "release_secret",
        "No secret",
        "Mark a masked value of the element as not a secret, or mask it again.",
        (Step.INVENTORY,),
        "S",
    ),
    Key(
        "inventory.emitted",
        "e",
        "show_emitted",
        "Emitted",
        "Show the emitted lines that carry the element.",
        (Step.INVENTORY,),
        "e",
        True,
    ),
    Key(
        "inventory.restore",
        "backspace",
        "restore",
        "Reset",
        "Reset tag, category and use to what the rules gave.",
        (Step.INVENTORY,),
        "⌫",
    ),
    # --- 3 Decide ------------------------------------------------------------------------------
    *(
        Key(
            f"decide.{info.label.replace('_', '-')}",
            info.key,
            f"dispose({disposition.value!r})",
            info.key_label,
            info.key_help,
            (Step.DECIDE,),
            info.key,
            info.in_footer,
        )
        for disposition, info in DISPOSITIONS.items()
    ),
    Key(
        "decide.default",
        "backspace",
        "dispose('')",
        "default",
        "Go back to the default.",
        (Step.DECIDE,),
        "⌫",
        True,
    ),
    Key(
        "decide.individually",
        "J",
        "judge_individually",
        "Judge alone",
        "Let the model judge a rule by a requirement of its own, or undo that.",
        (Step.DECIDE,),
        "J",
    ),
    Key(
        "decide.mark",
        "space",
        "mark",
        "Mark",
        "Mark the row, or all rows of a group; keys act on what is marked, and marks end with the act.",
        (Step.DECIDE,),
        "␣",
    ),
    Key(
        "decide.mark-group",
        "asterisk",
        "mark_group",
        "Mark group",
        "Mark every row of the group.",
        (Step.DECIDE,),
        "*",
    ),
    Key(
        "decide.mark-all",
        "A",
        "mark_all",
        "Mark all",
        "Mark every row in view, also under a filter.",
        (Step.DECIDE,),
        "A",
    ),
    Key(
        "decide.rationale",
        "a",
        "rationale",
        "Why",
        "Give a reason for the override; the report quotes it.",
        (Step.DECIDE,),
        "a",
    ),
    Key(
        "decide.group",
        "v",
        "next_grouping",
        "Group by…",
        "Group by category, by mapping row, or not at all.",
        (Step.DECIDE,),
        "v",
    ),
    Key(
        "decide.conflicts",
        "c",
        "next_conflict",
        "Conflicts",
        "Go to the next conflict between two runtimes and resolve it.",
        (Step.DECIDE,),
        "c",
    ),
    Key(
        "decide.attention",
        "w",
        "next_attention",
        "Attention",
        "Go to the next row that needs attention.",
        (Step.DECIDE,),
        "w",
    ),
    Key(
        "decide.differences",
        "D",
        "toggle_differences",
        "Differences",
        "Show only what differs from the defaults.",
        (Step.DECIDE,),
        "D",
    ),
    Key(
        "decide.unseen",
        "X",
        "drop_unseen",
        "Never seen",
        "Remove what OpenClaw never showed the agent; press again to keep it.",
        (Step.DECIDE,),
        "X",
    ),
    # --- 4 Preview -----------------------------------------------------------------------------
    Key(
        "preview.view",
        "v",
        "next_view",
        "View",
        "Show content, the diff against the disk, or the diff against the defaults.",
        (Step.PREVIEW,),
        "v",
        True,
    ),
    Key(
        "preview.source",
        "s",
        "toggle_source",
        "Source",
        "Show the source element of the line under the cursor.",
        (Step.PREVIEW,),
        "s",
        True,
    ),
    Key(
        "preview.places",
        "e",
        "next_place",
        "Next place",
        "Go to the next emitted lines that carry the same element.",
        (Step.PREVIEW,),
    ),
    Key(
        "preview.lint",
        "L",
        "next_lint",
        "Next lint",
        "Go to the next lint failure.",
        (Step.PREVIEW,),
        "L",
        True,
    ),
    # --- 5 Write -------------------------------------------------------------------------------
    Key("write.write", "w", "write", "Write", "Write the package.", (Step.WRITE,), "w", True),
    Key(
        "write.smoke",
        "s",
        "smoke",
        "Smoke run",
        "Run the fixtures against a fake model server.",
        (Step.WRITE,),
        "s",
        True,
    ),
    Key("write.stop", "escape", "stop_work", "Stop", "Stop the smoke run.", (Step.WRITE,), "Esc"),
    Key(
        "write.output",
        "o",
        "choose_output",
        "Output",
        "Choose the output folder and the package name.",
        (Step.WRITE,),
        "o",
        True,
    ),
    Key("write.save", "S", "app.save", "Save decisions", "Save the decisions.", (Step.WRITE,), "S"),
)

KEYMAP: Final[tuple[Key, ...]] = (*_EVERYWHERE, *_PANES, *_OF_STEPS)

DIALOG_KEYS: Final[tuple[Key, ...]] = (
    Key("dialog.close", "escape", "cancel", "Close", "Close without a choice.", display="Esc", shown=True),
)

CONFLICT_KEYS: Final[tuple[Key, ...]] = (
    Key("conflict.keep", "m", "keep", "keep mine", "Keep your text; the new one is left out.", shown=True),
    Key("conflict.take", "t", "take", "take new", "Take the new text; yours goes to the backup.", shown=True),
    Key(
        "conflict.edit",
        "e",
        "edit",
        "edit",
        "Edit both in one text, with the program of $VISUAL or $EDITOR.",
        shown=True,
    ),
    Key("conflict.next", "n", "difference(1)", "next", "Go to the next difference.", shown=True),
    Key("conflict.previous", "N", "difference(-1)", "previous", "Go to the previous difference."),
    *DIALOG_KEYS,
)
"""The keys of a conflict between your edits and the new text."""

REVIEW_KEYS: Final[tuple[Key, ...]] = (
    Key(
        "review.accept",
        "enter",
        "accept",
        "Accept",
        "Take the first answer, which is suggested.",
        display="⏎",
    ),
    Key("review.skip", "space", "skip", "Skip", "Leave the card open and go on.", display="␣"),
    Key("review.undo", "u", "undo", "Undo", "Undo the last answer and show its card again.", display="u"),
    Key(
        "review.accept-all",
        "A",
        "accept_all",
        "All of this kind",
        "List all cards of this kind and accept them.",
    ),
    Key("review.look", "o", "look", "Open", "Open the place on its screen; Esc comes back.", display="o"),
    Key("review.close", "exclamation_mark", "cancel", "Close", "Close the review.", display="!"),
    *DIALOG_KEYS,
)
"""The keys of the review, beside the letters of each card's answers."""

BEFORE_STEPS: Final = ("app.theme", "app.help", "app.quit", "app.interrupt")
"""The keys of the wizard that work before a workspace is open."""

TASKS: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("Review", ("review",)),
    ("On this step", tuple(Step)),
    ("Move and look", ("list", "panes", "copy")),
    ("Find", ("search", "filter")),
    ("Undo and save", ("history", "decisions")),
    ("Go to a step", ("step",)),
    ("Source and package", ("source", "fixtures", "package")),
    ("Wizard", ("app",)),
)
"""The groups of the help: what a person wants to do, and the first parts of the ids of its keys."""

_ALWAYS_FIRST: Final = ("list.open",)
_THEN: Final = (
    "review.open",
    "search.start",
    "panes.next",
    "filter.choose",
    "history.undo",
    "step.next",
    "panes.maximise",
    "decisions.save",
    "source.reread",
)
"""The keys of lists and of the wizard in the footer, by use; the others come after the step's own."""


def task_of(key: Key) -> str:
    """Return the group of the help that a key is in."""
    head = key.id.partition(".")[0]
    return next(title for title, heads in TASKS if head in heads)


SECTION: Final = "keys"
"""The table of the configuration file that remaps keys."""


class KeyTable(Struct, frozen=True):
    """The key table of one user."""

    rows: tuple[Key, ...] = KEYMAP

    def on(self, screen: str) -> tuple[Key, ...]:
        """Return every key that works on a screen: its own first, then those of lists, then the global ones."""
        own = tuple(key for key in self.rows if screen in key.where)
        lists = tuple(key for key in self.rows if LIST in key.where)
        everywhere = (key for key in self.rows if ALL in key.where)
        return (*own, *lists, *(key for key in everywhere if screen != CHOOSER or key.id in BEFORE_STEPS))

    def within(self, context: str) -> tuple[Key, ...]:
        """Return the keys of a context, such as SEARCHING."""
        return tuple(key for key in self.rows if context in key.where)

    def footer(self, screen: str, idle: Collection[str]) -> tuple[Key, ...]:
        """Return the keys for the footer of a screen, most useful first.

        Args:
            screen: The screen.
            idle: Ids of keys that do nothing now.
        """
        working = {key.id: key for key in self.on(screen) if key.id not in idle}
        own = [key for key in working.values() if key.where == (screen,)]
        order = [
            *_ALWAYS_FIRST,
            *(key.id for key in own if key.shown),
            *_THEN,
            *(key.id for key in own),
            *(name for name in working if name.partition(".")[0] not in ("list", "step")),
        ]
        return tuple(working[name] for name in dict.fromkeys(order) if name in working)

    def pressed(self, name: str) -> tuple[Key, ...]:
        """Return the rows of a pressed key, by Textual's name for it."""
        return tuple(key for key in self.rows if name in key.keys.split(","))

    def row(self, name: str) -> Key:
        """Return the row with an id."""
        return next(key for key in self.rows if key.id == name)

    def spelled(self, name: str) -> str:
        """Return the key of an id, as shown to people."""
        return self.row(name).spelled

    def spelled_of(self, action: str) -> str:
        """Return the key that runs an action, as shown to people."""
        return next(key.spelled for key in self.rows if key.action == action)
