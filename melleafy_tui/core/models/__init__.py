"""The contracts between the steps: frozen models and records, all of them JSON at the edges."""
