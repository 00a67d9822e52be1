"""Markers of unique values against the items that own them: what is wrong, and its repair; as flows.

Imports `writing` and what is below it.
"""
