"""A mutation: one text in one module that is another text when the module is imported."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import decode_source
from types import CodeType, ModuleType


@dataclass(frozen=True)
class Mutation:
    name: str
    module: str
    text: str
    """Stands in the module's source exactly once."""
    replacement: str
    noticed_by: tuple[str, ...]
    """Numbers of the facts that tell the difference, as in docs/behaviours.md."""

    def apply(self, source: str) -> str:
        """The mutated source; AssertionError if the module no longer says what was to be mutated."""
        count = source.count(self.text)
        assert count == 1, f"{self.name}: {self.module} has this {count} times, not once:\n{self.text}"
        return source.replace(self.text, self.replacement)

    def plant(self) -> None:
        """Lets the module be mutated when it is first imported in this process."""
        assert self.module not in sys.modules, f"{self.module} is imported already"
        sys.meta_path.insert(0, _Finder(self))


class _Finder(MetaPathFinder):
    def __init__(self, mutation: Mutation) -> None:
        self._mutation = mutation

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != self._mutation.module:
            return None
        spec = PathFinder.find_spec(name, path, target)
        assert spec is not None
        assert spec.origin is not None
        spec.loader = _Loader(name, spec.origin, self._mutation)
        return spec


class _Loader(SourceFileLoader):
    """Compiles the mutated source each time: compiled files are neither read nor written."""

    def __init__(self, name: str, path: str, mutation: Mutation) -> None:
        super().__init__(name, path)
        self._mutation = mutation

    def get_code(self, fullname: str) -> CodeType:
        source = decode_source(self.get_data(self.path))
        return compile(self._mutation.apply(source), self.path, "exec", dont_inherit=True)
