"""Time of virtual machines in a profile of their host: it is counted where the host enters and leaves them.

is_guest("vmx_vcpu_run")  ->  True
"""

from __future__ import annotations

_ENTRIES = frozenset({
    "vmx_vcpu_run", "__vmx_vcpu_run", "vmx_vcpu_enter_exit", "vmx_vmexit",
    "svm_vcpu_run", "__svm_vcpu_run", "svm_vcpu_enter_exit", "__svm_sev_es_vcpu_run",
})  # fmt: skip
"""Functions of `arch/x86/kvm/vmx` and `svm` around the instruction that enters a guest."""

COUNTED = "here a host counts the time of its virtual machines"


def is_guest(name: str) -> bool:
    """Return whether time in a function is, nearly all, that of a virtual machine."""
    return name in _ENTRIES
