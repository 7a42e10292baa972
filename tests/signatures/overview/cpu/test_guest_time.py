"""A host whose virtual machines run is not a host whose kernel is busy."""

from __future__ import annotations

import pytest

from tests.signatures.overview.test_first_screen import overview

TABLE = """\
# Overhead  Command          Shared Object      Symbol
    61.20%  CPU 0/KVM        [kernel.kallsyms]  [k] {first}
    12.10%  CPU 1/KVM        [kernel.kallsyms]  [k] vmx_vmexit
     3.10%  swapper          [kernel.kallsyms]  [k] intel_idle
     1.10%  qemu-system-x86  qemu-system-x86_64 [.] main_loop_wait
"""


@pytest.mark.parametrize("function", ["vmx_vcpu_run", "svm_vcpu_run"])
def test_time_of_virtual_machines_is_no_alarm_about_the_kernel(function):
    found = overview(TABLE.format(first=function))
    assert [one.statement.text for one in found.statements if one.statement.kind == "alarm"] == []
    assert "here a host counts the time of its virtual machines" in found.headline.text


def test_another_function_of_kvm_that_leads_is_an_alarm():
    found = overview(TABLE.format(first="kvm_mmu_zap_collapsible_sptes"))
    assert found.statements[0].statement.kind == "alarm"
