"""Designs as commands are given them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from partita.cli.failure import fail

if TYPE_CHECKING:
    from partita.design.designs import Design


def design_in(module: str) -> Design:
    """The design of a module. Ends the process where there is none."""
    from partita.design.loading import Undeclarable

    try:
        return declared_design(module)
    except Undeclarable as failure:
        fail(str(failure))


def declared_design(module: str) -> Design:
    """As `design_in`, but raises Undeclarable for a declaration that cannot work at all."""
    from partita.design.designs import design_of
    from partita.design.loading import NotLoaded, load

    try:
        design = design_of(load(module), module)
    except NotLoaded as failure:
        fail(str(failure))
    if not design.tables:
        fail(f"{module} declares no entities and no patterns")
    return design
