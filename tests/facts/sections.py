"""The sections in the order of the page."""

from tests.facts import (
    section_00_prefix,
    section_01_wire,
    section_02_validation,
    section_03_values,
    section_04_sizes,
    section_05_keys,
    section_06_grammar,
    section_07_conditions,
    section_08_updates,
    section_09_return_values,
    section_10_projections,
    section_11_query_scan,
    section_12_batches,
    section_13_transactions,
    section_14_capacity,
    section_15_tables,
    section_16_update_table,
    section_17_multi_keys,
    section_18_streams,
    section_19_time_to_live,
    section_20_tags,
    section_21_partiql,
    section_22_legacy,
    section_23_limits,
)
from tests.facts.table import Fact, Section

SECTIONS: tuple[Section, ...] = (
    section_01_wire.SECTION,
    section_02_validation.SECTION,
    section_03_values.SECTION,
    section_04_sizes.SECTION,
    section_05_keys.SECTION,
    section_06_grammar.SECTION,
    section_07_conditions.SECTION,
    section_08_updates.SECTION,
    section_09_return_values.SECTION,
    section_10_projections.SECTION,
    section_11_query_scan.SECTION,
    section_12_batches.SECTION,
    section_13_transactions.SECTION,
    section_14_capacity.SECTION,
    section_15_tables.SECTION,
    section_16_update_table.SECTION,
    section_17_multi_keys.SECTION,
    section_18_streams.SECTION,
    section_19_time_to_live.SECTION,
    section_20_tags.SECTION,
    section_21_partiql.SECTION,
    section_22_legacy.SECTION,
    section_23_limits.SECTION,
)
FACTS: tuple[Fact, ...] = tuple(fact for section in SECTIONS for fact in section.facts)
CHECKED: tuple[Fact, ...] = (*section_00_prefix.CELLS, *FACTS)
"""All that has cases: the cells of section 0 and the facts."""
