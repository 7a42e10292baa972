#!/bin/busybox sh
# First process of the guest: mounts, loads modules, runs the scenario, hands /evidence out on the last disk, stops.
/bin/busybox --install -s /bin
export PATH=/bin:/sbin:/usr/sbin
mount -t proc none /proc
mount -t sysfs none /sys
mount -t devtmpfs none /dev
mount -t tmpfs none /run
mount -t tmpfs none /tmp
mkdir -p /sys/fs/cgroup /dev/shm
mount -t cgroup2 none /sys/fs/cgroup
ip link set lo up 2>/dev/null
while read -r module; do modprobe $module || echo "init: $module was not loaded"; done < /modules

# Hand over what the scenario leaves in /evidence; a scenario whose storage hangs calls it itself.
hand_over() {
    [ -e /evidence/dmesg.txt ] || dmesg > /evidence/dmesg.txt
    tar -c -f - -C /evidence . | dd of=/dev/disk/evidence conv=fsync bs=1M 2>/dev/null
    echo "init: evidence is handed over"
    echo b > /proc/sysrq-trigger
}

# Print a file of the kernel under the path that it was read from.
show() {
    for file in "$@"; do echo "==> $file <=="; cat "$file"; echo; done
}

# Print state and stack of all threads in uninterruptible sleep, as the capture blocked_tasks does.
blocked() {
    for task in /proc/[0-9]*/task/[0-9]*; do
        grep -q '^State:.D' "$task/status" 2>/dev/null || continue
        show "$task/comm" "$task/stat" "$task/wchan" "$task/stack"
    done 2>/dev/null
}

mkdir -p /dev/disk
ln -s /dev/vda /dev/disk/evidence
. /scenario
hand_over
