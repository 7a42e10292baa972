# Title: Readers of a command line behind page faults that reclaim and free next to nothing
# Kernel: ubuntu-5.15
# Programs: perf mke2fs
# Load: working_set
# Verdict: suspect
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
sh -c "echo \$\$ > $group/cgroup.procs; exec load /mnt/hot /mnt/cold 8 3 /run/ready map" &
pid=$!
while [ ! -e /run/ready ]; do sleep 1; done
sleep 3
# Room for 16 pages of the cold file.
echo $(($(cat $group/memory.current) + 65536)) > $group/memory.max
rm /run/ready
echo "scenario: at the limit"
sleep 5
perf record -N -e cpu-clock -a -g -F 49 -o /run/samples -- sleep 8
# Behind the thread that wants to map, which waits for the faults.
for n in 1 2 3 4 5 6 7 8; do cat /proc/$pid/cmdline > /dev/null & done
sleep 5
sleep 5
blocked > /evidence/stacks.txt
echo "scenario: $(grep -c /comm /evidence/stacks.txt) tasks are blocked"
{ date +%s; show $group/memory.current $group/memory.max $group/memory.events $group/memory.stat; } > /evidence/cgroup.txt
echo 1 > $group/cgroup.kill
perf script --no-inline -i /run/samples > /evidence/perf.script
uname -a > /evidence/uname.txt
