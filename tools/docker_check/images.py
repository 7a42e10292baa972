"""The built images as running containers, confined as docker/compose.yaml confines them.

A read-only root with a small /tmp, no capability, no new privileges, the image's own user, and those system
calls refused that Docker's default profile refuses to a container without capabilities.

Source: https://github.com/opencontainers/runtime-spec/blob/v1.0.2/config.md
    https://docs.docker.com/engine/security/seccomp/
"""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import ExitStack
    from pathlib import Path

READY_SECONDS = 90.0
STOP_SECONDS = 30.0
DATA_DIR = "/var/lib/casebook"
# crun 1.8 refuses a machine whose cgroups are half of version 2; its own mount namespace is without them.
RUNTIME = 'umount /sys/fs/cgroup/unified 2>/dev/null; exec crun --cgroup-manager=disabled "$@"'
NOT_SUPPORTED = 38
REFUSED_CALLS = [
    *("add_key", "bpf", "delete_module", "finit_module", "init_module", "kexec_load", "keyctl", "mount"),
    *("move_mount", "open_by_handle_at", "open_tree", "perf_event_open", "pivot_root", "quotactl", "reboot"),
    *("request_key", "setns", "swapon", "umount2", "unshare", "userfaultfd"),
    *("io_uring_enter", "io_uring_register", "io_uring_setup"),
]
MOUNTS = {
    "/proc": ("proc", []),
    "/dev": ("tmpfs", ["nosuid", "mode=755", "size=64k"]),
    "/dev/pts": ("devpts", ["newinstance", "ptmxmode=0666"]),
    "/dev/shm": ("tmpfs", ["nosuid", "noexec", "size=64m"]),  # noqa: S108 - inside the container
    "/tmp": ("tmpfs", ["nosuid", "mode=1777", "size=256m"]),  # noqa: S108 - inside the container
    "/sys": ("sysfs", ["nosuid", "noexec", "nodev", "ro"]),
}


class Images:
    """Containers of the built images; leaving the stack ends what runs in them."""

    def __init__(
        self, stack: ExitStack, buildah: Sequence[str], environment: Mapping[str, str], directory: Path
    ) -> None:
        """Run with `environment`; all share `directory/shared` as their data directory and log beside it."""
        self._stack = stack
        self._buildah = list(buildah)
        self._environment = dict(environment)
        self._directory = directory
        self._started = 0

    def start(self, image: str, *arguments: str) -> subprocess.Popen[bytes]:
        """Start the image's own command with `arguments` in a new container of `image`."""
        config = self._config(image)
        return self._run(image, [*config["Entrypoint"], *arguments], config, arguments[0])

    def wait(self, image: str, *arguments: str) -> None:
        """Run the image's own command to its end.

        Raises:
            SystemExit: It failed.
        """
        _expect_success(self.start(image, *arguments), " ".join(arguments))

    def check_health(self, image: str) -> None:
        """Run the image's own health check in a container beside the one that is running.

        Raises:
            SystemExit: It says that the image is not well.
        """
        config = self._config(image)
        kind, *command = config["Healthcheck"]["Test"]
        if kind != "CMD":
            raise SystemExit(f"the health check of {image} is a {kind}, not a CMD")
        _expect_success(self._run(image, command, config, "health"), f"the health check of {image}")

    @staticmethod
    def stop(process: subprocess.Popen[bytes]) -> None:
        """End a container as an engine does: SIGTERM to its first process, SIGKILL when that does not help.

        Raises:
            SystemExit: It had to be killed.
        """
        if process.poll() is not None:
            return
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise SystemExit(f"{process.args!r} did not end within {STOP_SECONDS:.0f} s of SIGTERM") from None

    def _config(self, image: str) -> dict[str, Any]:
        image_document = json.loads(self._ask("inspect", "--type", "image", f"localhost/casebook-{image}"))
        config: dict[str, Any] = image_document["Docker"]["config"]
        return config

    def _ask(self, *arguments: str) -> str:
        done = subprocess.run([*self._buildah, *arguments], capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"buildah {arguments[0]}: {done.stderr.strip()}")
        return done.stdout.strip()

    def _run(
        self, image: str, command: list[str], config: dict[str, Any], name: str
    ) -> subprocess.Popen[bytes]:
        self._started += 1
        root = self._ask("mount", self._ask("from", "--pull=never", f"localhost/casebook-{image}"))
        bundle = self._directory / f"bundle-{self._started}"
        bundle.mkdir()
        environment = dict(row.split("=", 1) for row in config["Env"]) | self._environment
        user, group = map(int, config["User"].split(":"))
        document = _bundle(root, command, environment, (user, group), self._directory / "shared")
        # As an engine does: a name of its own, for a worker is known as host:pid and every pid here is 1.
        document["hostname"] = f"{image}-{self._started}"
        (bundle / "config.json").write_text(json.dumps(document))
        log = self._stack.enter_context((self._directory / f"{image}-{name}-{self._started}.log").open("wb"))
        process = subprocess.Popen(
            [
                "unshare",
                "--mount",
                "--",
                "sh",
                "-c",
                RUNTIME,
                "sh",
                "run",
                "--bundle",
                str(bundle),
                f"casebook-check-{bundle.parent.name}-{self._started}",
            ],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        self._stack.callback(self.stop, process)
        return process


def _expect_success(process: subprocess.Popen[bytes], what: str) -> None:
    status = process.wait(READY_SECONDS)
    if status:
        raise SystemExit(f"{what} ended with {status}")


def _bundle(
    root: str, command: list[str], environment: dict[str, str], user: tuple[int, int], shared: Path
) -> dict[str, Any]:
    """Return the OCI runtime document of one container; it shares the network of this machine."""
    none: dict[str, list[str]] = {
        kind: [] for kind in ("bounding", "effective", "inheritable", "permitted", "ambient")
    }
    mounts = [
        {"destination": place, "type": kind, "source": kind, "options": options}
        for place, (kind, options) in MOUNTS.items()
    ]
    data = {"destination": DATA_DIR, "type": "bind", "source": str(shared), "options": ["rbind", "rw"]}
    return {
        "ociVersion": "1.0.2",
        "root": {"path": root, "readonly": True},
        "process": {
            "args": command,
            "cwd": DATA_DIR,
            "env": [f"{name}={value}" for name, value in environment.items()],
            "user": {"uid": user[0], "gid": user[1]},
            "capabilities": none,
            "noNewPrivileges": True,
        },
        "mounts": [*mounts, data],
        "linux": {
            "namespaces": [{"type": kind} for kind in ("pid", "ipc", "uts", "mount")],
            "maskedPaths": ["/proc/kcore", "/proc/keys", "/proc/sched_debug", "/sys/firmware"],
            "readonlyPaths": ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"],
            "seccomp": {
                "defaultAction": "SCMP_ACT_ALLOW",
                "architectures": ["SCMP_ARCH_X86_64"],
                "syscalls": [
                    {"names": REFUSED_CALLS, "action": "SCMP_ACT_ERRNO"},
                    {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": NOT_SUPPORTED},
                ],
            },
        },
    }
