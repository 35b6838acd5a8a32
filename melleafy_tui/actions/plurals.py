"""Counts with their nouns, for every sentence that has one."""


def counted(number: int, noun: str, many: str = "") -> str:
    """Return a count with its noun: `1 fixture`, `2 fixtures`.

    Args:
        number: The count.
        noun: The noun for one.
        many: The noun for more, if it doesn't end with an s.
    """
    return f"{number} {noun if number == 1 else many or f'{noun}s'}"
