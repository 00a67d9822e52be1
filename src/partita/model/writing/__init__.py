"""Writes: planned as actions, with those on markers that `uniqueness` adds, and sent as flows.

Imports that and what is below; nothing that reads.
"""
