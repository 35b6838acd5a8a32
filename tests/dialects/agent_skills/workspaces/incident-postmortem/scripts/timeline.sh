#!/bin/sh
# Prints time and text of every message of a channel export, oldest first.
set -eu
jq -r '.messages | sort_by(.ts) | .[] | "\(.ts)\t\(.text)"' "$1"
