"""Reads: key ranges, shards merged in order, cursors, batches of keys, scans; all of them as flows."""
