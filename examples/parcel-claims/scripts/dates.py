"""Reads the two ways in which we write a day."""

from datetime import date


def parsed(text: str) -> date:
    if "." in text:
        day, month, year = text.split(".")
        return date(int(year), int(month), int(day))
    return date.fromisoformat(text)
