"""The dialect for Hermes homes."""
