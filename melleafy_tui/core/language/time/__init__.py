"""Times in words: durations, clock times, cron lines, cadences and active hours."""
