"""Attributes that must be unique: a marker item holds each value's key, in one transaction with its owner."""
