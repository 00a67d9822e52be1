"""Writes: planned as actions, sent as flows."""
