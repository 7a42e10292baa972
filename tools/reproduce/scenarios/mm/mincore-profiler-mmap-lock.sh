# Title: 300 threads whose profiler asks mincore() of each frame, beside four threads that map and unmap
# Kernel: ubuntu-5.15
# Programs: perf bpftrace
# Load: stack_profiler
# Machine: memory=2048 cpus=4 seconds=900
mount -t debugfs none /sys/kernel/debug
load 300 250 4 &
pid=$!
sleep 10
echo "scenario: counting"
bpftrace -e '
    BEGIN { @mincore_calls=0; }
    tracepoint:syscalls:sys_enter_mincore /pid == $1/ { @s[tid]=nsecs; }
    tracepoint:syscalls:sys_exit_mincore /@s[tid]/ { @mincore_us=hist((nsecs-@s[tid])/1000); @mincore_calls++; delete(@s[tid]); }
    interval:s:20 { exit(); } END { clear(@s); }' $pid > /evidence/mincore.txt
echo "scenario: sampling"
perf record -N -e cpu-clock -a -g -F 99 -o /run/samples -- sleep 15
blocked > /evidence/stacks.txt
kill -9 $pid
perf script --no-inline -i /run/samples > /evidence/perf.script
uname -a > /evidence/uname.txt
