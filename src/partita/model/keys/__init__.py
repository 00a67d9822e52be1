"""Keys as texts: templates, how values stand in them, conditions on them, and whether two can collide.

Imports `values`.
"""
