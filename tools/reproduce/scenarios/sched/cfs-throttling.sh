# Title: Three busy processes in a cgroup with cpu.max of half a CPU
# Machine: memory=256 cpus=2 seconds=300
group=/sys/fs/cgroup/worker.slice/api.service
mkdir -p $group
echo +cpu > /sys/fs/cgroup/cgroup.subtree_control
echo +cpu > /sys/fs/cgroup/worker.slice/cgroup.subtree_control
echo "50000 100000" > $group/cpu.max
for n in 1 2 3; do sh -c "echo \$\$ > $group/cgroup.procs; while :; do :; done" & done
sleep 5
{
    for n in 1 2; do
        date +%s.000000000
        show $group/cpu.stat $group/cpu.max /proc/stat
        sleep 10
    done
} > /evidence/cgroup.txt
