"""Conditions, updates and projections: built from fields, rendered to the API's expressions.

Imports `declaring` and what is below it; sends nothing.
"""
