"""What people see of what a write does to a file, from a table that both doors read."""

from typing import Final, NamedTuple

from melleafy_tui.core.output.write_plan import Action
from melleafy_tui.core.tables import table_beside


class ShownAction(NamedTuple):
    """What a write does to a file: its mark, its words, and its tone on screens."""

    mark: str
    words: str
    tone: str


ACTIONS: Final = {
    Action(name): ShownAction(*shown) for name, shown in table_beside(__file__, "write_actions.toml").items()
}
