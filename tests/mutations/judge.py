"""`python -m tests.mutations.judge NAME`: the first fact that fails in a process with that mutation.

Runs the facts that the mutation names, and prints a JSON list: the failure's fact and text, or nothing.
Without NAME nothing is mutated, and all facts that any mutation names are run.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

from tests.facts.table import Fact
from tests.mutations.planted import MUTATIONS

FACTS = Path(__file__).parents[1] / "facts"


def main(names: list[str]) -> None:
    by_name = {mutation.name: mutation for mutation in MUTATIONS}
    chosen = [by_name[name] for name in names]
    for mutation in chosen:
        mutation.plant()
    numbers = {number for mutation in chosen or MUTATIONS for number in mutation.noticed_by}
    # Not at the top: the engine must not be imported before it is mutated.
    from tests.facts.client import EngineClient
    from tests.facts.runner import run_all

    for mutation in chosen:
        assert mutation.module in sys.modules, f"{mutation.name}: nothing imports {mutation.module}"
    failures = run_all(EngineClient, _facts(numbers), stop_after=1)
    print(json.dumps([(failure.number, failure.text) for failure in failures]))


def _facts(numbers: Iterable[str]) -> list[Fact]:
    """The facts with these numbers; imports no section that has none of them."""
    wanted = set(numbers)
    found: list[Fact] = []
    for section in sorted({int(number.split(".")[0]) for number in wanted}):
        (file,) = FACTS.glob(f"section_{section:02}_*.py")
        module = import_module(f"tests.facts.{file.stem}")
        facts: tuple[Fact, ...] = module.CELLS if section == 0 else module.SECTION.facts
        found += [fact for fact in facts if fact.number in wanted]
    missing = wanted - {fact.number for fact in found}
    assert not missing, f"there are no facts {sorted(missing)}"
    return found


if __name__ == "__main__":
    main(sys.argv[1:])
