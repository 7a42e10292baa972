"""Fork server of the sandbox: a small process with the engine imported forks a child for every computation.

It imports nothing but the engine. `backend.sandbox.fork_server` starts it once per process (a fork of a
worker itself would cost more and show the child its memory), sends a request with four descriptors (input,
progress, errors, answers) over a socket pair, and receives pid and exit status of the fork as answers:

    {"computation": "read", "name": "perf.script", "output": "/…/output", "cpu_seconds": 60, …}
    {"pid": 4711}
    {"status": 0}

The fork confines itself, computes, reports progress (`{"share": 0.25}`), and leaves its result in `output`.
"""

from __future__ import annotations

import errno
import gc
import json
import os
import select
import selectors
import socket
import sys
import traceback
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from backend.sandbox import confinement, warm_up
from backend.sandbox.code_paths import code_paths
from backend.sandbox.computations import (
    case_analysis,
    firing,
    handoff,
    library_reading,
    line_explanation,
    profile_index,
    questions,
    reading,
    recognition,
    signature_check,
    signature_draft,
)
from backend.sandbox.fork_server import ARGUMENTS, LAYERS, NOT_CONFINED, OUT_OF_MEMORY, OUT_OF_SPACE
from backend.sandbox.layers import NotConfinedError, refusal
from ingest.garbage import collect_rarely

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ingest.model.reading import Reading

COMPUTATIONS: dict[str, Callable[[Any, Path, int], None]] = {
    "read": reading.read,
    "read several": reading.read_several,
    "analyse": case_analysis.analyse,
    "hunt": firing.hunt,
    "draw wait graph": case_analysis.draw_wait_graph,
    "prepare handoff": handoff.prepare_handoff,
    "draft signature": signature_draft.draft_signature,
    "judge draft": signature_draft.judge_draft,
    "check signature": signature_check.check_signature,
    "read library": library_reading.read_library,
    "recognise": recognition.recognise,
    "explain lines": line_explanation.explain_lines,
    "answer questions": questions.answer_questions,
    "weigh functions": profile_index.weigh_functions,
}
"""Functions of arguments, output directory and the descriptor of the input."""

DESCRIPTORS = ("input", "progress", "errors")
OPEN_FILES = 64
MAX_REQUEST_BYTES = 1 << 16
INPUT_FD = 3
IDLE_SECONDS = 0.05
"""A pause after which the next known text is read; it takes less than a person notices."""

_warm: list[Reading] = []
"""The readings of the warm-up that forks made ahead ask about."""


def serve(control: socket.socket, *, is_for_cases: bool = False) -> None:
    """Fork for every request until the worker disconnects or ends; forks run side by side.

    With `is_for_cases` it reads known texts while nobody asks.
    """
    # A signal at the death of the parent would come when the thread ends that started this process.
    parent = os.pidfd_open(os.getppid())
    _warm_up()
    more = warm_up.rest()
    is_warm = not is_for_cases
    running: dict[int, tuple[int, socket.socket]] = {}
    with selectors.DefaultSelector() as selector:
        selector.register(control, selectors.EVENT_READ)
        selector.register(parent, selectors.EVENT_READ)
        while True:
            ready = selector.select(None if is_warm else IDLE_SECONDS)
            if not ready:
                is_warm = not _warms_further(more)
            for key, _ in ready:
                if key.fd == parent:
                    return
                if key.fileobj is not control:
                    selector.unregister(key.fd)
                    _report_end(key.fd, *running.pop(key.fd))
                elif (started := _start(control)) is None:
                    return
                else:
                    handle, pid, answers = started
                    running[handle] = (pid, answers)
                    selector.register(handle, selectors.EVENT_READ)


def _start(control: socket.socket) -> tuple[int, int, socket.socket] | None:
    """Fork for the next request; return descriptor and pid of the fork and the socket of its answers."""
    message, descriptors, _, _ = socket.recv_fds(control, MAX_REQUEST_BYTES, len(DESCRIPTORS) + 1)
    if not message:
        return None
    *passed, last = descriptors
    answers = socket.socket(fileno=last)
    pid = os.fork()
    if pid == 0:
        control.close()
        _run(json.loads(message), *passed)
    for descriptor in passed:
        os.close(descriptor)
    handle = os.pidfd_open(pid)
    with suppress(OSError):  # Whoever asked is gone; the fork ends with its output.
        socket.send_fds(answers, [json.dumps({"pid": pid}).encode()], [handle])
    return handle, pid, answers


def _report_end(handle: int, pid: int, answers: socket.socket) -> None:
    os.close(handle)
    _, status = os.waitpid(pid, 0)
    with answers, suppress(OSError):
        answers.send(json.dumps({"status": os.waitstatus_to_exitcode(status)}).encode())


def _warm_up() -> None:
    """Do what every fork would do first."""
    _warm.append(warm_up.begin())
    _keep_shared()


def _warms_further(more: Iterator[None]) -> bool:
    """Take the next step of a warm-up; return whether there may be another.

    A step that fails ends it: forks do for themselves what they lack.
    """
    try:
        next(more)
    except StopIteration:
        return False
    except Exception:  # noqa: BLE001 - no fault of a known text may end what reads the others
        traceback.print_exc()
        return False
    _keep_shared()
    return True


def _keep_shared() -> None:
    # A garbage collection in a fork would write to, and so copy, every shared page.
    gc.collect()
    gc.freeze()
    collect_rarely()


def _run(request: dict[str, Any], evidence: int, progress: int, errors: int) -> NoReturn:
    """Run as the fork and exit with a status for the outcome."""
    try:
        confinement.die_with_parent()
        _arrange(evidence, progress, errors)
        if request.get("is_ahead"):
            questions.warm_up(_warm[-1], Path(request["output"]))
        if request.get("waits"):
            # Until somebody asks, nothing of a case is here; then the arguments say what may be read.
            select.select([INPUT_FD], [], [])
        _compute_confined(request)
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    except NotConfinedError as refused:
        sys.stderr.write(f"{refused}\n")
        os._exit(NOT_CONFINED)
    except OSError as error:
        if error.errno == errno.EFBIG:
            os._exit(OUT_OF_SPACE)
        traceback.print_exc()
        os._exit(1)
    except BaseException:  # noqa: BLE001 - a panic of the native core is one, and the status must say so
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def _arrange(evidence: int, progress: int, errors: int) -> None:
    """Set up descriptors: evidence as 3, progress and errors as 1 and 2, all others closed."""
    moved = [
        os.dup2(descriptor, 100 + place) for place, descriptor in enumerate((evidence, progress, errors))
    ]
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for descriptor, place in zip(moved, (INPUT_FD, 1, 2), strict=True):
        os.dup2(descriptor, place)
    os.closerange(INPUT_FD + 1, 4096)


def _compute_confined(request: dict[str, Any]) -> None:
    output = Path(request["output"])
    os.chdir(output)
    os.environ["TMPDIR"] = str(output / "tmp")
    confinement.limit(
        cpu_seconds=request["cpu_seconds"], file_bytes=request["output_bytes"], open_files=OPEN_FILES
    )
    arguments = _arguments(output)
    readable = [*code_paths(), *map(Path, arguments.get("readable", ()))]
    layers = confinement.confine(readable=readable, writable=[output])
    (output / LAYERS).write_text(json.dumps(asdict(layers)), encoding="ascii")
    if not layers.is_accepted(request["sandbox"]):
        raise NotConfinedError(refusal(layers, request["sandbox"]))
    confinement.limit_memory(request["memory_bytes"])
    COMPUTATIONS[request["computation"]](request | arguments, output, INPUT_FD)


def _arguments(output: Path) -> dict[str, Any]:
    """Return the arguments that are too long for a request."""
    path = output / ARGUMENTS
    return json.loads(path.read_bytes()) if path.exists() else {}
