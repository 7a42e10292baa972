# Title: A NUMA node full of memory that cannot be reclaimed, with vm.zone_reclaim_mode on
# Machine: memory=768 cpus=2 seconds=900
# Arguments: -object memory-backend-ram,id=m0,size=384M -numa node,nodeid=0,memdev=m0,cpus=0 -object memory-backend-ram,id=m1,size=384M -numa node,nodeid=1,memdev=m1,cpus=1
echo 1 > /proc/sys/vm/zone_reclaim_mode
echo 1 > /proc/sys/vm/min_slab_ratio
taskset -p 1 $$
# Slab that counts as reclaimable and is not: the names of files in memory.
mkdir /tmp/names
n=0
while [ $n -lt 40000 ]; do : > /tmp/names/$n; n=$((n + 1)); done
# Pages of files in memory fill the node of this CPU, then go to the other one.
dd if=/dev/zero of=/tmp/fill bs=1M count=300
(while :; do dd if=/dev/zero of=/tmp/more bs=1M count=60; done) 2>/dev/null &
sleep 3
{
    for n in 1 2; do
        date +%s.000000000
        show /proc/sys/vm/zone_reclaim_mode /proc/vmstat
        sleep 10
    done
    show /sys/devices/system/node/online /sys/devices/system/node/node0/meminfo /sys/devices/system/node/node1/meminfo
} > /evidence/counters.txt
