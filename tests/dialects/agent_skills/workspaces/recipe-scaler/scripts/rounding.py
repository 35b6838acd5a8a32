"""Rounds as a kitchen scale does."""


def kitchen(amount: float) -> float:
    """Return the amount to five grams above a hundred, to one below."""
    return round(amount / 5) * 5 if amount >= 100 else round(amount)
