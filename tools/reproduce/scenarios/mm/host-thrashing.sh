# Title: Two programs that read mapped memory of a disk, larger together than the memory of the machine
# Modules: null_blk:nr_devices=1,gb=2,irqmode=2,completion_nsec=2000000
# Programs: perl
# Machine: memory=320 cpus=2 seconds=600
ln -s /dev/nullb0 /dev/data
for n in 1 2; do
    perl -e '
        open(my $disk, "<", "/dev/data") or die "$!";
        my $bytes = 280 << 20;
        my $start = syscall(9, 0, $bytes, 1, 1, fileno($disk), 300 * ($ARGV[0] - 1) << 20);
        die "mmap: $!" if $start == -1;
        for (my $at = 0; ; $at = ($at + 4096 * 7919) % $bytes) {
            my $byte = unpack("P1", pack("J", $start + $at));
        }' $n &
done
sleep 60
{
    for n in 1 2; do
        date +%s.000000000
        show /proc/vmstat /proc/meminfo /proc/pressure/memory
        sleep 10
    done
} > /evidence/counters.txt
