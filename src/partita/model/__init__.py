"""Single-table models: entities, keys, indexes, unique attributes, sessions, against any server."""
