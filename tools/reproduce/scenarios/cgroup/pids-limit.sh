# Title: A fork loop in a cgroup with pids.max
# Machine: memory=256 cpus=1 seconds=300
group=/sys/fs/cgroup/worker.slice/crawler.service
mkdir -p $group
echo +pids > /sys/fs/cgroup/cgroup.subtree_control
echo +pids > /sys/fs/cgroup/worker.slice/cgroup.subtree_control
echo 20 > $group/pids.max
sh -c "echo \$\$ > $group/cgroup.procs; for n in \$(seq 40); do sleep 60 & done; sleep 30" 2> /evidence/service.log &
sleep 5
{
    for n in 1 2; do show $group/pids.current $group/pids.max $group/pids.events; sleep 2; done
} > /evidence/pids.txt
