"""Finding secrets in text and masking them.

`detector` finds them by the formats in `forms` and the judgement in `values`; `masking` replaces what was found;
`dropped_values` empties environment files and settings when they are read.
"""
