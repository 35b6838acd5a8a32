"""Rules that Python can check: from wording to check, from check to verdict (spec/package.md 3)."""

from melleafy_tui.core.rules.compiler import compile_rule
from melleafy_tui.core.rules.kinds import KINDS, evaluate

__all__ = ["KINDS", "compile_rule", "evaluate"]
