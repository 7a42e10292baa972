"""Wait points: the kind of resource from the functions of a stack."""

from __future__ import annotations

import pytest

from benchmarks.wait_points.__main__ import PARTS, right, stacks_of
from ingest.frames.kernel_series import series_of
from ingest.frames.wait_points import GENERIC, holdings, kinds, named_by_ps, served, title_of, wait_point

SCHEDULER = ("__schedule", "schedule")


@pytest.mark.parametrize(
    ("stack", "kind", "mode"),
    [
        ("rwsem_down_write_slowpath down_write filename_create do_mkdirat", "inode_lock", "write"),
        ("rwsem_down_read_slowpath down_read lock_mm_and_find_vma exc_page_fault", "mmap_lock", "read"),
        ("__vma_start_write vms_gather_munmap_vmas do_vmi_munmap", "vma_lock", "write"),
        ("percpu_rwsem_wait __percpu_down_read mnt_want_write path_openat", "sb_freeze", ""),
        ("schedule_preempt_disabled __mutex_lock rtnl_lock addrconf_dad_work", "rtnl_mutex", ""),
        ("io_schedule folio_wait_bit_common folio_wait_writeback", "folio_writeback", ""),
        ("jbd2_log_wait_commit jbd2_complete_transaction ext4_sync_file", "jbd2_commit", ""),
        ("request_wait_answer __fuse_simple_request fuse_lookup_name", "fuse_request", ""),
        ("schedule_timeout wait_for_completion __flush_work cancel_work_sync", "workqueue", ""),
        ("io_schedule blk_mq_get_tag __blk_mq_alloc_requests", "block_tag", ""),
        ("rpc_wait_bit_killable __wait_on_bit out_of_line_wait_on_bit", "nfs_rpc", ""),
    ],
)
def test_the_function_behind_scheduler_and_lock_names_the_resource(stack, kind, mode):
    point = wait_point((*SCHEDULER, *stack.split()))
    assert (point.kind, point.mode) == (kind, mode)


@pytest.mark.parametrize("leaf", ["filename_create", "__access_remote_vm", "mnt_want_write"])
def test_a_stack_of_proc_begins_at_the_site(leaf):
    assert wait_point((leaf, "do_syscall_64")).site == leaf
    assert wait_point((leaf, "do_syscall_64")).kind in kinds()


def test_one_function_takes_two_locks_and_the_primitive_decides():
    by_mutex = wait_point((*SCHEDULER, "__mutex_lock", "lock_rename"))
    by_percpu = wait_point((*SCHEDULER, "percpu_rwsem_wait", "ext4_page_mkwrite"))
    by_rwsem = wait_point((*SCHEDULER, "down_read", "ext4_page_mkwrite"))
    assert (by_percpu.kind, by_rwsem.kind) == ("sb_freeze", "ext4_lock")
    by_inode = wait_point((*SCHEDULER, "rwsem_down_write_slowpath", "lock_rename"))
    assert (by_mutex.kind, by_inode.kind) == ("rename_mutex", "inode_lock")


def test_a_lock_taken_in_an_unknown_function_keeps_its_generic_kind():
    point = wait_point((*SCHEDULER, "__mutex_lock", "page_flusher"))
    assert (point.kind, point.site, title_of(point.kind)) == ("mutex", "page_flusher", "mutex")
    assert wait_point((*SCHEDULER, "some_driver_wait")).kind == "wait_queue"


def test_a_stack_that_ends_in_the_scheduler_states_nothing():
    assert wait_point(SCHEDULER) is None
    assert wait_point(()) is None


def test_functions_that_run_under_a_lock_show_the_holder():
    held = holdings(("request_wait_answer", "fuse_lookup_name", "lookup_one_qstr_excl", "filename_create"))
    assert [(one.kind, one.function) for one in held] == [("inode_lock", "lookup_one_qstr_excl")]
    assert holdings(("schedule", "do_nanosleep")) == ()


FAULT = (
    "reclaim_throttle",
    "do_anonymous_page",
    "__handle_mm_fault",
    "handle_mm_fault",
    "do_user_addr_fault",
)


@pytest.mark.parametrize(
    ("release", "kinds_held"),
    [
        ("6.1.0-50-amd64", {"mmap_lock", "vma_lock"}),
        ("6.4.0", {"vma_lock"}),
        ("7.2.13", {"vma_lock"}),
        ("5.14.0-427.el9.x86_64", {"vma_lock"}),
        ("", {"vma_lock"}),
    ],
)
def test_a_page_fault_holds_mmap_lock_only_before_locks_of_single_mappings(release, kinds_held):
    assert {held.kind for held in holdings(FAULT, series_of(release))} == kinds_held


def test_pinning_pages_holds_mmap_lock_in_every_kernel():
    pinned = ("reclaim_throttle", "handle_mm_fault", "faultin_page", "__get_user_pages")
    assert ("mmap_lock", "faultin_page") in {(one.kind, one.function) for one in holdings(pinned)}


def test_a_fault_that_waits_for_a_page_has_released_mmap_lock():
    reading = ("folio_wait_bit_common", "filemap_fault", "__do_fault", *FAULT[2:])
    assert "mmap_lock" not in {held.kind for held in holdings(reading, (6, 1))}


def test_a_loop_worker_serves_storage():
    assert served(("request_wait_answer", "lo_rw_aio", "loop_process_work"))[0] == "storage"
    assert served(("schedule", "worker_thread")) == ("", "")


def test_every_kind_names_sites_and_a_source():
    assert [name for name, kind in kinds().items() if not kind.source or not kind.title] == []
    assert set(GENERIC).isdisjoint(kinds())


@pytest.mark.parametrize("part", [part.name for part in PARTS])
def test_public_stacks_of_blocked_tasks_get_the_kind_that_an_expert_names(part):
    stacks = stacks_of(part)
    assert right(stacks) >= 0.95 * len(stacks)


def test_a_wait_below_inlined_wrappers_is_seen_through():
    loop = ("__schedule", "__schedule_loop", "schedule", "io_schedule", "bit_wait_io", "__wait_on_bit_lock")
    assert wait_point(
        (*loop, "out_of_line_wait_on_bit_lock", "wait_on_bit_lock_io", "__lock_buffer")
    ).kind == ("buffer_io")
    flush = (*SCHEDULER, "schedule_timeout", "wait_for_completion", "__flush_work")
    assert wait_point((*flush, "xfs_inodegc_flush")).kind == "xfs_inodegc"
    assert wait_point(flush).kind == "workqueue"


def test_a_function_of_a_subsystem_waits_by_its_primitive():
    assert wait_point((*SCHEDULER, "__mutex_lock", "nfs_new_function")).kind == "nfs_lock"
    assert wait_point((*SCHEDULER, "nfs_new_function")).kind == "nfs_rpc"
    assert wait_point((*SCHEDULER, "folio_wait_bit_common", "nfs_new_function")).kind == "folio_lock"


def test_a_task_that_sleeps_in_the_function_itself_waits_for_no_lock_of_it():
    direct = (*SCHEDULER, "exit_mm", "do_exit")
    locked = (*SCHEDULER, "rwsem_down_read_slowpath", "down_read", "exit_mm", "do_exit")
    assert (wait_point(direct).kind, wait_point(locked).kind) == ("exit_wait", "mmap_lock")


def test_a_wait_channel_that_ps_cut_is_unknown_where_several_kinds_begin_so():
    """`ps -l` cuts to 6 characters: `fuse_d` is a server that waits for work, on every host with snaps."""
    assert [named_by_ps(name) for name in ("fuse_d", "taskq_")] == ["", ""]
    server = named_by_ps("fuse_dev_do_read.isr")
    assert server == "fuse_dev_do_read"
    assert kinds()[wait_point((server,)).kind].is_idle
    assert wait_point((named_by_ps("request_wait_ans"),)).kind == "fuse_request"
    assert named_by_ps("do_poll") == "do_poll"
