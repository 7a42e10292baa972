# Title: khugepaged scans without a pause, and programs have pages that it cannot make huge
# Programs: perl perf
# Machine: memory=1024 cpus=2 seconds=900
cd /sys/kernel/mm/transparent_hugepage
echo always > enabled
echo 0 > khugepaged/max_ptes_none
echo 0 > khugepaged/scan_sleep_millisecs
echo 4096 > khugepaged/alloc_sleep_millisecs
echo 65536 > khugepaged/pages_to_scan
# Every second page is given back (madvise, 4), so no range is whole.
for n in 1 2; do
    perl -e '
        my $bytes = 160 << 20;
        my $start = syscall(9, 0, $bytes, 3, 0x22, -1, 0);
        die "mmap: $!" if $start == -1;
        syscall(28, $start, $bytes, 15) == 0 or die "madvise: $!";
        pipe(my $out, my $in);
        for (my $at = 0; $at < $bytes; $at += 4096) {
            syswrite($in, "x");
            syscall(0, fileno($out), $start + $at, 1);
            $at += 4096;
        }
        syscall(28, $start, $bytes, 14) == 0 or die "madvise: $!";
        sleep 3600' &
done
sleep 40
thread=$(grep -l '^khugepaged$' /proc/[0-9]*/comm)
{
    for n in 1 2; do
        date +%s.000000000
        show /proc/vmstat "${thread%/comm}/sched" khugepaged/scan_sleep_millisecs khugepaged/pages_to_scan khugepaged/full_scans
        sleep 10
    done
} > /evidence/counters.txt
perf record -N -e cpu-clock -a -g -F 49 -o /run/samples -- sleep 10
perf script --no-inline -i /run/samples > /evidence/perf.script
