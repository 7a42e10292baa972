# Title: Reading memory.stat over thousands of memory cgroups that were removed, kernel 4.15
# Kernel: ubuntu-4.15
# Programs: perl perf bash
# Machine: memory=1536 cpus=2 seconds=900
# Append: cgroup.memory=nokmem possible_cpus=32
umount /sys/fs/cgroup
mount -t tmpfs none /sys/fs/cgroup
mkdir /sys/fs/cgroup/memory /tmp/pages
mount -t cgroup -o memory none /sys/fs/cgroup/memory
perl -e '
    sub put { open(my $f, ">", $_[0]) or die "$_[0]: $!"; print $f $_[1]; close($f) or die "$_[0]: $!" }
    for (1 .. 3000) {
        my $group = "/sys/fs/cgroup/memory/pod$_";
        mkdir $group or die "$group: $!";
        put("$group/cgroup.procs", "$$\n");
        put("/tmp/pages/$_", "x");
        put("/sys/fs/cgroup/memory/cgroup.procs", "$$\n");
        rmdir $group or die "$group: $!";
    }'
show /proc/cgroups > /evidence/cgroups.txt
find /sys/fs/cgroup/memory -type d | wc -l > /evidence/live_cgroups_count.txt
{
    echo '$ time cat /sys/fs/cgroup/memory/memory.stat'
    bash -c 'time cat /sys/fs/cgroup/memory/memory.stat > /dev/null'
} > /evidence/time.txt 2>&1
# The agent that reads it, all the time, on one CPU.
taskset 2 perl -e 'while (1) { open(my $f, "<", "/sys/fs/cgroup/memory/memory.stat"); 1 while <$f> }' &
perf record -N -e cpu-clock -a -g -F 99 -o /run/samples -- sleep 10
perf script --no-inline -i /run/samples > /evidence/perf.script
uname -a > /evidence/uname.txt
