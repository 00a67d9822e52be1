"""Classes of tables and entities: what they say, checked when they are made, and their items.

Imports `keys` and `values`; sends nothing.
"""
