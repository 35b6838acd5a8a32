"""What wording means, in several languages: orders and prohibitions, times, checkable rules."""
