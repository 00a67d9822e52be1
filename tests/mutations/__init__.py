"""Mutations of the engine, each of which the facts must catch."""
