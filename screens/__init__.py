"""The five screens of the wizard (spec/wizard.md)."""
