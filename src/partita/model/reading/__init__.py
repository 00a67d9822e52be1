"""Reads: key ranges, shards merged in order, cursors, batches of keys, scans; all of them as flows.

Imports `flows`, `expressions` and what is below them; nothing that writes.
"""
