"""Modules that declare designs, by their names or files."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import traceback
from pathlib import Path
from types import ModuleType

from partita.design.findings import Finding, refused
from partita.model.errors import ModelError


class NotLoaded(Exception):
    """A module cannot be imported; the message is one line that says why."""


class Undeclarable(Exception):
    """A declaration of the module cannot work at all, so that importing it ended there."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.reason)
        self.finding = finding


def load(name: str) -> ModuleType:
    """The module `shop.patterns`, also from the current directory, or the file `shop/patterns.py`.

    Raises NotLoaded, Undeclarable.
    """
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        return _from_file(Path(name)) if name.endswith(".py") else importlib.import_module(name)
    except ModelError as error:
        raise Undeclarable(refused("declaration", f"module {name}", f"{_place(error)}{error}")) from error
    except ModuleNotFoundError as error:
        if error.name is not None and f"{name}.".startswith(f"{error.name}."):
            raise NotLoaded(
                f"there is no module {name}: name one as Python imports it, or a .py file"
            ) from None
        raise _unimportable(name, error) from error
    except Exception as error:
        raise _unimportable(name, error) from error


def _from_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise NotLoaded(f"there is no file {path}")
    # Its neighbours can be imported, as when it is run.
    sys.path.insert(0, str(path.parent.resolve()))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Annotations are looked up in it while its classes are made.
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def _unimportable(name: str, error: Exception) -> NotLoaded:
    return NotLoaded(f"{name} cannot be imported: {_place(error)}{type(error).__name__}: {error}")


def _place(error: BaseException) -> str:
    """`shop.py:12: `: the last line of the traceback that is not in this package."""
    package = str(Path(__file__).resolve().parent.parent)
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith(package) and not frame.filename.startswith("<frozen")
    ]
    ours = [frame for frame in frames if "importlib" not in frame.filename]
    return f"{Path(ours[-1].filename).name}:{ours[-1].lineno}: " if ours else ""
