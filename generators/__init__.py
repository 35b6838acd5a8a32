"""The generators: from a committed plan to emitted files, in memory."""
