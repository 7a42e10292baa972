# Title: A process above memory.high that has nothing to reclaim
# Machine: memory=512 cpus=1 seconds=900
group=/sys/fs/cgroup/worker.slice/batch.service
mkdir -p $group
echo +memory > /sys/fs/cgroup/cgroup.subtree_control
echo +memory > /sys/fs/cgroup/worker.slice/cgroup.subtree_control
echo 32M > $group/memory.high
sh -c "echo \$\$ > $group/cgroup.procs; exec dd if=/dev/zero of=/dev/null bs=200M count=100" 2>/dev/null &
pid=$!
sleep 15
{
    for n in 1 2; do
        date +%s
        show $group/memory.current $group/memory.max $group/memory.high $group/memory.events $group/memory.pressure $group/memory.stat
        show /proc/$pid/comm /proc/$pid/stat /proc/$pid/wchan /proc/$pid/stack
        sleep 5
    done
} > /evidence/cgroup.txt
for n in 1 2 3 4 5 6 7 8; do cat /proc/$pid/stack; echo; sleep 1; done > /evidence/stack.txt
show /proc/$pid/cgroup > /evidence/process.txt
