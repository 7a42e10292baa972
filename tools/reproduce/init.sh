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

# Report tasks that wait for 15 seconds.
report_hung_tasks() {
    echo 15 > /proc/sys/kernel/hung_task_timeout_secs
    echo 5 > /proc/sys/kernel/hung_task_check_interval_secs
}

# Suspend a device under six tasks that write, and keep the stacks of those that wait; hands the evidence over.
#   suspend_under_writers TYPE COMMAND…    TYPE of the file system that COMMAND makes on the device behind it
suspend_under_writers() {
    report_hung_tasks
    dmsetup create --noudevsync disk --table "0 819200 linear /dev/ram0 0"
    dmsetup mknodes
    type=$1
    shift
    "$@" /dev/mapper/disk
    mount -t "$type" /dev/mapper/disk /mnt
    for n in 1 2 3 4 5 6; do (while :; do dd if=/dev/zero of=/mnt/f$n bs=64k count=4 conv=fsync; done) 2>/dev/null & done
    sleep 3
    dmsetup suspend --noudevsync --nolockfs --noflush disk
    for n in 1 2 3; do (mkdir /mnt/d$n; touch /mnt/d$n/x; sync -f /mnt/d$n 2>/dev/null || sync) & done
    sleep 25
    blocked > /evidence/stacks.txt
    sleep 15
    dmesg > /evidence/dmesg.txt
    hand_over
}

# Start the load working_set in a cgroup that is at its limit, with room for 16 pages of the file that it reads beside those that
# it touches again and again. The files are holes: a page of them is as good as another, and no device is read.
#   touch_at_the_limit [map]    further argument of the load; sets $group and $pid
touch_at_the_limit() {
    dd if=/dev/zero of=/tmp/disk bs=1M count=32 2>/dev/null
    mknod /dev/loop0 b 7 0 2>/dev/null
    losetup /dev/loop0 /tmp/disk
    /sbin/mke2fs -q -t ext4 -O ^has_journal /dev/loop0
    mount -t ext4 /dev/loop0 /mnt
    truncate -s 640M /mnt/hot
    truncate -s 64M /mnt/cold
    echo "+memory" > /sys/fs/cgroup/cgroup.subtree_control
    group=/sys/fs/cgroup/job
    mkdir $group
    echo 800M > $group/memory.max
    sh -c "echo \$\$ > $group/cgroup.procs; exec load /mnt/hot /mnt/cold 8 3 /run/ready $*" &
    pid=$!
    while [ ! -e /run/ready ]; do sleep 1; done
    sleep 3
    echo $(($(cat $group/memory.current) + 65536)) > $group/memory.max
    rm /run/ready
    echo "scenario: at the limit"
}

mkdir -p /dev/disk
ln -s /dev/vda /dev/disk/evidence
. /scenario
hand_over
