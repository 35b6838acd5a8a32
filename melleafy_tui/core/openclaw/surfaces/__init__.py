"""Converts named surfaces to an OpenClaw workspace and back, as exact copies."""
