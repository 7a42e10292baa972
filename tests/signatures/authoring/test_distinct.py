"""A draft tests the functions that what resembles its evidence does not have."""

from __future__ import annotations

from ingest.evidence import read_file
from signatures.authoring.distinct import distinct
from signatures.authoring.draft import draft
from signatures.authoring.draft_profile import profile_clauses
from signatures.document.files import LIBRARY
from signatures.judging.scope import items_of
from tests.signatures.build import item, profile
from tests.signatures.evidence import DATA, items_of_folder

READ = "do_syscall_64;ksys_read;vfs_read;seq_read_iter"
STATISTICS = f"{READ};memory_stat_show;memcg1_stat_format;seq_buf_printf"
EXIT = "do_syscall_64;do_exit;mmput;exit_mmap"


def sampled(samples):
    return profile([(stack, 1) for stack, count in samples.items() for _ in range(count)])


def evidence(samples):
    return [item("e", profiles=[sampled(samples)])]


OTHER_READS = evidence({f"{READ};show_map": 300, EXIT: 100})


def test_functions_that_look_alikes_have_are_not_drafted():
    items = evidence({STATISTICS: 300, f"{READ};show_map": 200, EXIT: 100})
    alone = draft("cgroup/mine", items)
    assert "under: [vfs_read]" in alone
    compared = draft("cgroup/mine", items, unlike=[OTHER_READS])
    assert "under: [memory_stat_show]" in compared
    assert "vfs_read" not in compared
    assert "exit_mmap" not in compared


def test_a_function_beside_the_point_is_no_second_condition():
    functions = list(profile_clauses(sampled({STATISTICS: 900, "do_syscall_64;do_sys_open;vfs_open": 60})))
    assert "hot_vfs_open" in {each.clause for each in functions}
    assert [round(each.share, 2) for each in distinct(functions, [OTHER_READS])] == [0.94]


def test_conditions_of_another_kind_stay():
    waits = items_of_folder(LIBRARY / "fs/fuse-server-hang/evidence/pos-loop-device")
    assert "waits_fuse_request" in draft("fs/mine", waits, unlike=[OTHER_READS, waits])


def test_functions_of_programs_are_not_drafted():
    functions = profile_clauses(sampled({"u_main;u_run_query;do_syscall_64;do_futex;futex_wake": 500}))
    assert [each.clause for each in functions] == ["hot_futex_wake"]


def test_what_every_open_passes_through_is_not_drafted():
    stack = (
        "do_syscall_64;__x64_sys_openat;do_sys_openat2;do_filp_open;path_openat;ext4_create;__ext4_new_inode"
    )
    functions = profile_clauses(sampled({stack: 500}))
    assert [each.clause for each in functions] == ["hot_ext4_new_inode", "hot_ext4_create"]


def test_what_prints_a_report_is_not_drafted():
    text = draft("mm/mine", items_of([read_file(DATA / "kernel-log" / "dmesg-oom.txt")]))
    assert "dump_" not in text
    assert "class: oom_kill, fields: {constraint:" in text
