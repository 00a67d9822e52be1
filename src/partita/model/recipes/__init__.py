"""Patterns that need several parts of the toolkit, each a module to read, use or copy.

A recipe is a function of the session's context that gives a flow: `session.run(recipe)`, `await
session.run(recipe)`.
"""
