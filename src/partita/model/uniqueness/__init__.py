"""Attributes that must be unique: a marker item holds each value's key. Says which actions a write needs.

Imports `flows`, `expressions` and what is below them; sends nothing.
"""
