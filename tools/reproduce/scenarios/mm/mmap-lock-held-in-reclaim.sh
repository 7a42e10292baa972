# Title: Readers of a command line behind page faults that reclaim and free next to nothing
# Kernel: ubuntu-5.15
# Programs: perf mke2fs
# Load: working_set
# Verdict: suspect
# Machine: memory=2304 cpus=4 seconds=1200
touch_at_the_limit map
sleep 5
perf record -N -e cpu-clock -a -g -F 49 -o /run/samples -- sleep 8
# Behind the thread that wants to map, which waits for the faults.
for n in 1 2 3 4 5 6 7 8; do cat /proc/$pid/cmdline > /dev/null & done
sleep 10
blocked > /evidence/stacks.txt
echo "scenario: $(grep -c /comm /evidence/stacks.txt) tasks are blocked"
{ date +%s; show $group/memory.current $group/memory.max $group/memory.events $group/memory.stat; } > /evidence/cgroup.txt
echo 1 > $group/cgroup.kill
perf script --no-inline -i /run/samples > /evidence/perf.script
uname -a > /evidence/uname.txt
