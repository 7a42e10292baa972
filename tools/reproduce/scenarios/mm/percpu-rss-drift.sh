# Title: A process that touches its memory on 64 CPUs, a few pages on each
# Kernel: ubuntu-6.8
# Programs: perl
# Verdict: suspect
# Machine: memory=2048 cpus=64 seconds=900
# Each CPU keeps up to 127 pages to itself before it adds them to the count of the process: 64 CPUs, 31 MiB.
perl -e '
    my ($pages, $cpus) = (120, 64);
    my $start = syscall(9, 0, $pages * $cpus * 4096, 3, 0x22, -1, 0);
    die "mmap: $!" if $start == -1;
    syscall(28, $start, $pages * $cpus * 4096, 15) == 0 or die "madvise: $!";
    pipe(my $out, my $in);
    for my $cpu (0 .. $cpus - 1) {
        my $mask = pack("Q", 1 << $cpu);
        syscall(203, 0, length $mask, $mask) == 0 or die "sched_setaffinity: $!";
        for my $page ($cpu * $pages .. ($cpu + 1) * $pages - 1) {
            syswrite($in, "x");
            syscall(0, fileno($out), $start + $page * 4096, 1);
        }
    }
    open(my $ready, ">", "/run/ready"); close $ready;
    sleep 3600' &
pid=$!
while [ ! -e /run/ready ]; do sleep 1; done
{
    for n in 1 2 3; do
        show /proc/$pid/status /proc/$pid/smaps_rollup
        sleep 2
    done
    echo '$ nproc'
    nproc
    echo
    echo '$ getconf PAGE_SIZE'
    echo 4096
    echo
    echo '$ uname -r'
    uname -r
} > /evidence/sizes.txt
