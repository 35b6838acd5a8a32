"""Finds secrets in text and masks them.

`detector` finds them using the formats in `forms` and the checks in `values`; `masking` replaces them;
`dropped_values` removes the values from environment files and settings as they are read.
"""
