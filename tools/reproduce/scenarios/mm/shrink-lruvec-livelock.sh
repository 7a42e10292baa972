# Title: Page cache at the limit of a cgroup that is touched again before the classic LRU has scanned it twice
# Kernel: ubuntu-5.15
# Programs: perf mke2fs
# Load: working_set
# Machine: memory=2304 cpus=4 seconds=1200
touch_at_the_limit
files="$group/memory.current $group/memory.max $group/memory.events $group/memory.stat $group/memory.pressure"
sleep 5
{ date +%s; show $files; } > /evidence/cgroup.txt
perf record -N -e cpu-clock -a -g -F 49 -o /run/samples -- sleep 15
{ date +%s; show $files; } >> /evidence/cgroup.txt
for task in /proc/$pid/task/*; do show $task/comm $task/stat $task/wchan $task/stack; done > /evidence/stacks.txt
show /proc/$pid/cgroup /proc/$pid/status /proc/$pid/stat > /evidence/process.txt
echo 1 > $group/cgroup.kill
perf script --no-inline -i /run/samples > /evidence/perf.script
uname -a > /evidence/uname.txt
show /proc/meminfo /proc/vmstat > /evidence/tables.txt
