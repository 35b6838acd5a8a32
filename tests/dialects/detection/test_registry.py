"""The registry: built-in dialects, added ones, the generic one behind them (spec/conversion.md 7)."""

from melleafy_tui.core.dialects.generic.dialect import GenericDialect
from melleafy_tui.core.dialects.openclaw.dialect import OpenClawDialect
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.models.vocabulary import Runtime


class AddedDialect(OpenClawDialect):
    """A dialect of another distribution."""

    runtime = "added"

    def wants(self, path: str) -> bool:
        return path == "added.bin"


def test_known_runtimes_in_the_order_that_breaks_ties() -> None:
    assert Dialects.default().known_runtimes == tuple(runtime.value for runtime in Runtime)
    assert Dialects.of(AddedDialect()).known_runtimes[-1] == "added"


def test_signal_tables_follow_the_known_runtimes() -> None:
    dialects = Dialects.default()
    assert tuple(runtime for runtime, _ in dialects.signal_tables()) == dialects.known_runtimes
    assert all(signals for _, signals in dialects.signal_tables())


def test_a_runtime_without_a_dialect_is_read_by_the_generic_one() -> None:
    dialects = Dialects.default()
    assert isinstance(dialects.get("letta"), GenericDialect)
    assert isinstance(dialects.get("openclaw"), OpenClawDialect)
    assert (dialects.has("letta"), dialects.has("openclaw")) == (False, True)


def test_wants_asks_dialects_and_detection() -> None:
    dialects = Dialects.of(AddedDialect())
    assert dialects.wants("added.bin")
    assert dialects.wants("langgraph.json")
    assert dialects.wants("app.py")
    assert not dialects.wants("other.bin")


def test_of_means_exactly_these() -> None:
    assert not Dialects.of(AddedDialect()).has("openclaw")
