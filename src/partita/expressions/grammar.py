"""The grammars of conditions, updates and projections; each makes a tree of one expression's text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from partita.errors import ValidationException
from partita.expressions.operands import OperandParser, Placeholders
from partita.expressions.tokens import END, NAME
from partita.expressions.tree import (
    Action,
    Add,
    And,
    Arithmetic,
    Between,
    Call,
    Comparison,
    Condition,
    Delete,
    In,
    Not,
    Operand,
    Or,
    Path,
    Remove,
    Set,
)

_COMPARATORS = frozenset({"=", "<>", "<", "<=", ">", ">="})
_CONDITION_KEYWORDS = frozenset({"AND", "OR", "NOT", "BETWEEN", "IN"})
_UPDATE_KEYWORDS = frozenset({"SET", "REMOVE", "ADD", "DELETE"})


@dataclass(slots=True)
class _Group:
    """A parenthesis, or the whole text, whose conditions are being read."""

    start: int
    """Where it opened; -1: the whole text."""
    alternatives: list[Condition]
    """Before the last OR."""
    conjuncts: list[Condition]
    """Since then, before the last AND."""
    negations: int = 0
    """NOTs before the condition that comes next."""

    @property
    def is_fresh(self) -> bool:
        return not (self.alternatives or self.conjuncts or self.negations)


class ConditionParser(OperandParser):
    """Condition, filter and key condition expressions."""

    def __init__(self, expression: str, text: str, placeholders: Placeholders) -> None:
        super().__init__(expression, text, placeholders, _CONDITION_KEYWORDS)

    def parse(self) -> Condition:
        groups = [_Group(-1, [], [])]
        while True:
            self._open(groups)
            condition = self._condition(groups)
            if self._joined(groups, condition):
                continue
            while self.kind == ")" and len(groups) > 1:
                group = groups.pop()
                self.close_group(group.start)
                condition = self._folded(group)
                if self._joined(groups, condition):
                    break
            else:
                if len(groups) == 1 and self.kind == END:
                    return self._folded(groups[0])
                raise self.syntax_error()

    def _open(self, groups: list[_Group]) -> None:
        """Takes the NOTs and parentheses before a condition."""
        while True:
            if self.kind == "NOT":
                groups[-1].negations += 1
                self.operator_count += 1
            elif self.kind == "(":
                groups.append(_Group(self.at, [], []))
            else:
                return
            self.at += 1

    def _condition(self, groups: list[_Group]) -> Condition:
        """A comparison, BETWEEN, IN or function; parentheses around its first operand alone are closed."""
        self.new_part()
        left = self.operand()
        while self.kind == ")" and len(groups) > 1 and groups[-1].is_fresh:
            self.close_group(groups.pop().start)
            left = self.continue_path(left)
        condition: Condition
        if self.kind in _COMPARATORS:
            operator = self.take(self.kind).text
            condition = Comparison(operator, left, self.operand())
        elif self.take_if("BETWEEN"):
            low = self.operand()
            self.take("AND")
            condition = Between(left, low, self.operand())
        elif self.take_if("IN"):
            self.take("(")
            options = [self.operand()]
            while self.take_if(","):
                options.append(self.operand())
            self.take(")")
            condition = In(left, tuple(options))
        elif isinstance(left, Call):
            return left
        else:
            raise self.syntax_error()
        self.operator_count += 1
        self.note(condition)
        return condition

    def _joined(self, groups: list[_Group], condition: Condition) -> bool:
        """Adds `condition` to its group; whether AND or OR follows, so that another must."""
        group = groups[-1]
        for _ in range(group.negations):
            condition = Not(condition)
            self.nodes.append(condition)
        group.negations = 0
        group.conjuncts.append(condition)
        if self.take_if("AND"):
            self.operator_count += 1
            return True
        if self.kind != "OR":
            return False
        self.at += 1
        self.operator_count += 1
        self._end_conjunction(group)
        return True

    def _end_conjunction(self, group: _Group) -> None:
        if len(group.conjuncts) == 1:
            group.alternatives += group.conjuncts
        else:
            conjunction = And(tuple(group.conjuncts))
            self.nodes.append(conjunction)
            group.alternatives.append(conjunction)
        group.conjuncts = []

    def _folded(self, group: _Group) -> Condition:
        self._end_conjunction(group)
        if len(group.alternatives) == 1:
            return group.alternatives[0]
        disjunction = Or(tuple(group.alternatives))
        self.nodes.append(disjunction)
        return disjunction


class UpdateParser(OperandParser):
    def __init__(self, expression: str, text: str, placeholders: Placeholders) -> None:
        super().__init__(expression, text, placeholders, _UPDATE_KEYWORDS)
        self.repeated_section: str | None = None

    def parse(self) -> tuple[Action, ...]:
        readers = {"SET": self._set, "REMOVE": self._remove, "ADD": self._add, "DELETE": self._delete}
        actions: list[Action] = []
        seen = set()
        while self.kind != END:
            section = self.kind
            read = readers.get(section)
            if read is None:
                raise self._misplaced()
            if section in seen and self.repeated_section is None:
                self.repeated_section = section
            seen.add(section)
            self.at += 1
            actions.append(self._action(read))
            while self.take_if(","):
                actions.append(self._action(read))
        if not actions:
            raise self.syntax_error()
        return tuple(actions)

    def _misplaced(self) -> ValidationException:
        if self.at == 0 and self.kind == NAME and self.tokens[1].kind == "-":
            self.at = 1  # `a-b` is faulted at its minus, although no name may come first (fact 6.47)
        return self.syntax_error()

    def _action(self, read: Callable[[], Action]) -> Action:
        self.new_part()
        action = read()
        self.note(action)
        return action

    def _set(self) -> Action:
        path = self.path()
        self.take("=")
        return Set(path, self._assigned())

    def _remove(self) -> Action:
        return Remove(self.path())

    def _add(self) -> Action:
        return Add(self.path(), self.value())

    def _delete(self) -> Action:
        return Delete(self.path(), self.value())

    def _assigned(self) -> Operand:
        """The right side of SET: an operand, or two with `+` or `-` between, also in parentheses."""
        opened = []
        while self.kind == "(":
            opened.append(self.at)
            self.at += 1
        assigned = self.operand()
        while True:
            if opened and self.kind == ")":
                self.close_group(opened.pop())
                assigned = self.continue_path(assigned)
            elif self.kind in ("+", "-") and not isinstance(assigned, Arithmetic):
                operator = self.take(self.kind).text
                self.operator_count += 1
                assigned = Arithmetic(operator, assigned, self.operand())
                self.note(assigned)
            elif opened:
                raise self.syntax_error()
            else:
                return assigned


class ProjectionParser(OperandParser):
    def parse(self) -> tuple[Path, ...]:
        self.new_part()
        paths = [self.path()]
        while self.take_if(","):
            paths.append(self.path())
        self.take(END)
        return tuple(paths)
