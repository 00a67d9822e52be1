"""Python's values as attribute values: annotations, codecs, numbers, equality.

Knows neither tables nor keys; imports only the schema and the errors.
"""
