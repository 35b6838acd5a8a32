"""Steps 3 to 7 of a conversion: what follows from its plan, up to the file set as it would be written.

Rendering is handed in, because the core knows nothing of templates (design.md, Imports); writing is `core/writing`.
"""

from collections.abc import Callable
from dataclasses import replace

from melleafy_tui.core.cost import run_cost
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.mapping import as_judged
from melleafy_tui.core.models.committed import CommittedPlan, Earlier
from melleafy_tui.core.models.lint import LintReport
from melleafy_tui.core.models.package import FileSet, RunCost
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.naming import package_name, project_name
from melleafy_tui.core.plan_steps import Circumstances, PlanSteps
from melleafy_tui.core.source.secrets.masking import copies_without_secrets
from melleafy_tui.core.writing.emitted import with_reports
from melleafy_tui.version import __version__

RenderPackage = Callable[[CommittedPlan], FileSet]


class PackageSteps(PlanSteps):
    """The steps from a workspace to its package; what is made from this one says which decisions hold.

    Args:
        snapshot: The workspace as it was read.
        dialects: The dialects to read it with.
        render: The generators' door.
        circumstances: Day and stamp.
    """

    def __init__(
        self, snapshot: Snapshot, *, dialects: Dialects, render: RenderPackage, circumstances: Circumstances
    ) -> None:
        super().__init__(snapshot, dialects=dialects, circumstances=circumstances)
        self._render = render
        self._earlier = Earlier()

    @property
    def committed(self) -> CommittedPlan:
        """Return everything that the emitted files depend on."""
        inventory, plan, settings = self.inventory, self.plan, self.settings
        classification, mapping = self.classification, self.mapping
        fixtures = self.decisions.fixtures
        released = self.released_secrets
        costing = (inventory, plan, settings, classification, self._circumstances.as_of, fixtures, released)
        parts = (*costing, self._circumstances.generated_at)

        def build() -> CommittedPlan:
            agent = project_name(self._snapshot, inventory)
            committed = CommittedPlan(
                project_name=agent,
                package_name=package_name(settings, self._snapshot, inventory),
                settings=settings,
                snapshot=self._snapshot,
                classification=classification,
                inventory=inventory,
                mapping=as_judged(mapping, plan),
                plan=plan,
                diagnostics=self.diagnostics,
                as_of=self._circumstances.as_of.isoformat(),
                generated_at=self._circumstances.generated_at,
                melleafy_tui_version=__version__,
                fixtures=fixtures,
                runtime_titles=self._dialects.titles,
                without_secrets=self._kept(
                    "without secrets",
                    (self._snapshot, inventory, released),
                    lambda: copies_without_secrets(self._snapshot, inventory.elements, released),
                ),
                released_secrets=released,
                earlier=self._earlier,
            )
            return replace(committed, cost=self._kept("cost", costing, lambda: run_cost(committed)))

        return self._kept("committed", parts, build)

    @property
    def rendered(self) -> FileSet:
        """Return the generated files, before the lint report and the emitted manifest join them.

        Each is made when it is first asked for, so that a screen has the one that it shows before the others are made.
        """
        committed = self.committed
        return self._kept("rendered", (committed,), lambda: self._render(committed))

    @property
    def lints(self) -> LintReport:
        """Return step 7's result on the generated files."""
        from melleafy_tui.core.lint.runner import lint_file_set  # most commands never lint

        rendered, committed = self.rendered, self.committed
        return self._kept("lints", (rendered,), lambda: lint_file_set(rendered, committed))

    @property
    def files(self) -> FileSet:
        """Return the complete file set, as it would be written."""
        rendered, lints = self.rendered, self.lints
        return self._kept("files", (rendered, lints), lambda: with_reports(rendered, lints))

    @property
    def cost(self) -> RunCost:
        """Return what one run of the package costs as it stands now."""
        committed = self.committed
        return committed.cost or run_cost(committed)

    @property
    def stamp(self) -> str:
        """Return the stamp that the package carries."""
        return self._circumstances.generated_at

    def expect_acts(self) -> None:
        """Keep from the first state on what is made of each element; a command has one state and keeps nothing."""
        self._earlier.keeps = True
