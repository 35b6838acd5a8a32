"""Step 7: lints of an emitted package, one module a lint (spec/package.md 7)."""
