# Title: A process that needs more than memory.max of its cgroup
# Machine: memory=512 cpus=1 seconds=300
group=/sys/fs/cgroup/worker.slice/import.service
mkdir -p $group
echo +memory > /sys/fs/cgroup/cgroup.subtree_control
echo +memory > /sys/fs/cgroup/worker.slice/cgroup.subtree_control
echo 40M > $group/memory.max
for n in 1 2; do
    sh -c "echo \$\$ > $group/cgroup.procs; exec dd if=/dev/zero of=/dev/null bs=100M count=1" 2>/dev/null
    sleep 2
done
show $group/memory.max $group/memory.events > /evidence/cgroup.txt
