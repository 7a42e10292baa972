# Title: Four cgroups that made 15,000 files each are removed, kernel 6.8
# Kernel: ubuntu-6.8
# Programs: perl perf mke2fs
# Machine: memory=1536 cpus=4 seconds=900
dd if=/dev/zero of=/tmp/disk bs=1M count=200 2>/dev/null
mknod /dev/loop0 b 7 0 2>/dev/null
losetup /dev/loop0 /tmp/disk
/sbin/mke2fs -q -t ext4 -b 1024 -N 100000 -O ^has_journal /dev/loop0
mount -t ext4 /dev/loop0 /mnt
echo "+memory +io" > /sys/fs/cgroup/cgroup.subtree_control
for n in 1 2 3 4; do
    mkdir /sys/fs/cgroup/job$n /mnt/job$n
    perl -e '
        my ($n, $count) = @ARGV;
        open(my $procs, ">", "/sys/fs/cgroup/job$n/cgroup.procs") or die $!;
        print $procs "$$\n";
        close $procs;
        for (1 .. $count) { open(my $f, ">", "/mnt/job$n/$_") or die $!; print $f "x"; close $f }' $n 15000 &
    jobs="$jobs $!"
done
wait $jobs
sync
mount -t tracefs none /sys/kernel/tracing
echo 16384 > /sys/kernel/tracing/buffer_size_kb
echo 1 > /sys/kernel/tracing/events/writeback/inode_switch_wbs/enable
perf record -N -e cpu-clock -a -g -F 99 -o /run/samples -- sleep 60 &
sampler=$!
sleep 3
rmdir /sys/fs/cgroup/job1 /sys/fs/cgroup/job2 /sys/fs/cgroup/job3 /sys/fs/cgroup/job4
wait $sampler
echo 0 > /sys/kernel/tracing/tracing_on
cat /sys/kernel/tracing/trace > /evidence/trace.txt
perf script --no-inline -i /run/samples > /evidence/perf.script
uname -a > /evidence/uname.txt
show /proc/meminfo /sys/fs/cgroup/cgroup.stat > /evidence/tables.txt
