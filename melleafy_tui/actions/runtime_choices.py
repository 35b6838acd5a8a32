"""Lists the source runtimes to choose from: as detected, one runtime, or a hybrid of two with signals."""

from collections.abc import Iterable, Sequence
from itertools import permutations
from typing import Final

from msgspec import Struct

from melleafy_tui.actions.choices import AS_DETECTED
from melleafy_tui.core.models.classification import RuntimeScore
from melleafy_tui.core.models.vocabulary import HYBRID, Runtime
from melleafy_tui.core.pipeline.classify import NEVER_HYBRID

_MOST_PAIRED: Final = 3
"""How many runtimes, those with the highest scores, are offered in hybrids."""


class RuntimeChoice(Struct, frozen=True):
    """One choice: a runtime, `hybrid` with its runtimes, leading one first, or `""` for the detected one."""

    runtime: str = ""
    contributing: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """Return the choice as text for people."""
        return " + ".join(self.contributing) or self.runtime or AS_DETECTED

    @property
    def settings(self) -> dict[str, str | tuple[str, ...] | None]:
        """Return the settings that make this choice."""
        return {"source_runtime": self.runtime or None, "contributing_runtimes": self.contributing}


def runtime_choices(
    scores: Iterable[RuntimeScore], chosen: RuntimeChoice
) -> Sequence[tuple[RuntimeChoice, str]]:
    """Return the choices, each with a note; the current choice is always included.

    Args:
        scores: The scores of the runtimes.
        chosen: The current choice.
    """
    by_runtime = {score.runtime: score.score for score in scores}
    names = sorted((runtime.value for runtime in Runtime), key=lambda name: -by_runtime.get(name, 0.0))
    with_signals = [name for name in names if by_runtime.get(name, 0.0) > 0][:_MOST_PAIRED]
    offered = [
        (RuntimeChoice(), "what the signals say"),
        *((RuntimeChoice(name), f"score {by_runtime.get(name, 0.0):.1f}") for name in names),
        *(
            (RuntimeChoice(HYBRID, pair), f"a hybrid; {pair[0]} leads")
            for pair in permutations(with_signals, 2)
            if set(pair) != set(NEVER_HYBRID)
        ),
    ]
    if all(choice != chosen for choice, _ in offered):
        offered.append((chosen, "as you chose it"))
    return offered
