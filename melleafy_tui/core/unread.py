"""Names the files of another runtime that no dialect read, so that nothing of a source is left out in silence.

A workspace may hold the `CLAUDE.md` of a second runtime without being a hybrid (spec/conversion.md 2.1); its text is
not converted then, and the user is told so.
"""

from collections.abc import Iterator

from melleafy_tui.core.diagnostics import diagnose
from melleafy_tui.core.models.classification import Classification
from melleafy_tui.core.models.diagnostics import Diagnostic
from melleafy_tui.core.models.inventory import Inventory
from melleafy_tui.core.models.snapshot import Snapshot


def unread_files(
    classification: Classification, inventory: Inventory, snapshot: Snapshot
) -> Iterator[Diagnostic]:
    """Yield one diagnostic for each file with text that speaks for a runtime which does not read this source.

    Args:
        classification: Whose scores name the files.
        inventory: Whose files were taken by a dialect.
        snapshot: The workspace as it was read.
    """
    reading = classification.dialect_runtimes
    taken = {file.path for file in inventory.files}
    told: set[str] = set()
    for score in classification.scores:
        for signal in score.evidence:
            path = signal.file
            if score.runtime in reading or signal.ambient or path in taken or path in told:
                continue
            file = snapshot.file(path)
            if file is not None and (file.text or "").strip():
                told.add(path)
                both = ",".join((*reading, score.runtime))
                yield diagnose("not-of-this-runtime", path, runtime=score.runtime, runtimes=both)
