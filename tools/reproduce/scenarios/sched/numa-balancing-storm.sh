# Title: Programs that move from one NUMA node to the other, and NUMA balancing that takes their memory along
# Programs: perl perf
# Machine: memory=768 cpus=2 seconds=900
# Arguments: -object memory-backend-ram,id=m0,size=384M -numa node,nodeid=0,memdev=m0,cpus=0 -object memory-backend-ram,id=m1,size=384M -numa node,nodeid=1,memdev=m1,cpus=1
mount -t debugfs none /sys/kernel/debug
cd /sys/kernel/debug/sched/numa_balancing
echo 100 > scan_delay_ms
echo 100 > scan_period_min_ms
echo never > /sys/kernel/mm/transparent_hugepage/enabled
for cpu in 1 2; do
    taskset $cpu perl -e '
        my $memory = "x" x (64 << 20);
        while (1) { for (my $at = 0; $at < length $memory; $at += 4096) { substr($memory, $at, 1) = "y" } }' &
    programs="$programs $!"
done
(while :; do
    for cpus in "1 2" "2 1"; do
        set -- $cpus
        for program in $programs; do taskset -p "$1" "$program"; shift; done > /dev/null
        sleep 4
    done
done) &
sleep 20
{
    for n in 1 2; do
        date +%s.000000000
        show /proc/vmstat /proc/sys/kernel/numa_balancing
        sleep 10
    done
    show /sys/devices/system/node/online
} > /evidence/counters.txt
perf record -N -e cpu-clock -a -g -F 49 -o /run/samples -- sleep 10
perf script --no-inline -i /run/samples > /evidence/perf.script
