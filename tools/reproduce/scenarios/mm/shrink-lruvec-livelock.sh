# Title: Page cache at the limit of a cgroup that is touched again before the classic LRU has scanned it twice
# Kernel: ubuntu-5.15
# Programs: perf mke2fs
# Load: working_set
# Machine: memory=2304 cpus=4 seconds=1200
dd if=/dev/zero of=/tmp/disk bs=1M count=32 2>/dev/null
mknod /dev/loop0 b 7 0 2>/dev/null
losetup /dev/loop0 /tmp/disk
/sbin/mke2fs -q -t ext4 -O ^has_journal /dev/loop0
mount -t ext4 /dev/loop0 /mnt
# Files of holes: a page of them is as good as another, and no device is read.
truncate -s 640M /mnt/hot
truncate -s 64M /mnt/cold
echo "+memory" > /sys/fs/cgroup/cgroup.subtree_control
group=/sys/fs/cgroup/job
mkdir $group
echo 800M > $group/memory.max
sh -c "echo \$\$ > $group/cgroup.procs; exec load /mnt/hot /mnt/cold 8 3 /run/ready" &
pid=$!
while [ ! -e /run/ready ]; do sleep 1; done
sleep 3
# Room for 16 pages of the cold file.
echo $(($(cat $group/memory.current) + 65536)) > $group/memory.max
rm /run/ready
echo "scenario: at the limit"
files="$group/memory.current $group/memory.max $group/memory.events $group/memory.stat $group/memory.pressure"
sleep 5
{ date +%s; show $files; } > /evidence/cgroup.txt
perf record -N -e cpu-clock -a -g -F 49 -o /run/samples -- sleep 15
{ date +%s; show $files; } >> /evidence/cgroup.txt
for task in /proc/$pid/task/*; do show $task/comm $task/stat $task/wchan $task/stack; done > /evidence/stacks.txt
show /proc/$pid/cgroup /proc/$pid/status /proc/$pid/stat > /evidence/process.txt
echo 1 > $group/cgroup.kill
perf script --no-inline -i /run/samples > /evidence/perf.script
uname -a > /evidence/uname.txt
show /proc/meminfo /proc/vmstat > /evidence/tables.txt
