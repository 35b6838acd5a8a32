"""Finds secrets in text and masks them.

`detector` finds them using the formats in `forms` and the checks in `values`; `masking` replaces them.
"""
