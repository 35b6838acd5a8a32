"""Reads times in text: durations, clock times, cron lines, cadences and active hours."""
