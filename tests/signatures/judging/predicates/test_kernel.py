"""`kernel`: releases, configuration and boot parameters."""

from __future__ import annotations

import pytest
import yaml

from signatures.document.condition_parser import test_of as build
from signatures.judging.fact_index import facts_of
from signatures.judging.observation import State
from signatures.judging.observe import observe_facts
from signatures.judging.states import outcome_of
from tests.signatures.build import ask_facts, fact, item

CMDLINE = fact("boot.cmdline", "BOOT_IMAGE=/vmlinuz mitigations=off quiet")


UBUNTU = fact("kernel.release", "6.8.0-1019-gcp")


@pytest.mark.parametrize(
    ("kernel", "facts", "state"),
    [
        ("{parameter: mitigations=off}", [CMDLINE], State.TRUE),
        ("{parameter: mitigations=on}", [CMDLINE], State.FALSE),
        ("{config: CONFIG_LRU_GEN}", [fact("kernel.config.lru_gen", "y")], State.TRUE),
        ("{config: CONFIG_LRU_GEN}", [fact("kernel.config.lru_gen", "n")], State.FALSE),
        ("{ecosystem: ubuntu}", [UBUNTU], State.TRUE),
        ("{ecosystem: rhel, release: '>=4.18'}", [UBUNTU], State.FALSE),
        ("{ecosystem: ubuntu, release: '>=6.5'}", [UBUNTU], State.TRUE),
    ],
)
def test_kernel_conditions_cover_config_and_parameters(kernel, facts, state):
    assert [found.state for found in ask_facts(f"{{kernel: {kernel}}}", *facts)] == [state]


def test_missing_kernel_facts_are_unknown():
    assert ask_facts("{kernel: {config: CONFIG_LRU_GEN}}", UBUNTU) == []


@pytest.mark.parametrize(("config", "state"), [("y", State.TRUE), ("n", State.FALSE), (None, State.UNKNOWN)])
def test_all_parts_of_a_kernel_condition_must_be_true(config, state):
    test = build("f", "c", yaml.safe_load("{kernel: {release: '>=6.5', config: CONFIG_LRU_GEN}}"))
    facts = [UBUNTU] + ([fact("kernel.config.lru_gen", config)] if config else [])
    index = facts_of([item("e", facts=facts)])
    assert outcome_of(test, lambda condition: observe_facts(condition, index)).state is state
