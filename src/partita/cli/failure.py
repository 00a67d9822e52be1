"""How a command says that it cannot do what it was asked to: one line and exit code 2."""

from __future__ import annotations

import sys
from typing import NoReturn


def fail(reason: str) -> NoReturn:
    """Ends the process. `reason` is one line that says what is wrong and what to do."""
    line = " ".join(reason.split())
    print(f"partita: {line}", file=sys.stderr)
    sys.exit(2)
