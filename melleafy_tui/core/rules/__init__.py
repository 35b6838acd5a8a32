"""Rules whose wording Python can check: from a sentence to a check, and from a check to a verdict (spec/package.md 3)."""

from melleafy_tui.core.rules.compiler import compile_rule
from melleafy_tui.core.rules.kinds import KINDS, evaluate

__all__ = ["KINDS", "compile_rule", "evaluate"]
