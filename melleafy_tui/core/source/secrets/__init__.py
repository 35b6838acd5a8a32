"""Finds secrets in text and masks them.

`detector` finds them: by forms of their own (`providers`, `connections`, `seed_phrases`), and by evidence. For that,
`reading` takes the lines that may hold one, `candidates` their values, `evidence` describes each by its form
(`forms`) and the words around it (`vocabulary`, `words`, `talk`), and `judge` adds up the points of `weights`.
`masking` replaces them, `json_texts` reads the strings of JSON as texts of their own.
"""
