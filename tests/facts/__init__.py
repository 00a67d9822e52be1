"""The table of cases that tests every fact of docs/behaviours.md, and generates that page."""
