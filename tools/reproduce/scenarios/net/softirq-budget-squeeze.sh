# Title: Datagrams over a loopback whose receive path may take one packet a round
# Programs: perl
# Verdict: suspect
# Machine: memory=256 cpus=2 seconds=400
echo 1 > /proc/sys/net/core/netdev_budget
for n in 1 2; do
    taskset $n perl -e '
        my $port = 9000 + $ARGV[0];
        socket(my $r, 2, 2, 17); bind($r, pack("Snx12", 2, $port)) or die $!;
        socket(my $s, 2, 2, 17);
        my $to = pack("SnC4x8", 2, $port, 127, 0, 0, 1);
        while (1) { send($s, "x" x 64, 0, $to) for 1 .. 100; }' $n &
done
sleep 5
{
    for n in 1 2; do
        date +%s.000000000
        show /proc/net/softnet_stat /proc/stat
        sleep 30
    done
    show /proc/sys/net/core/netdev_budget /proc/sys/net/core/netdev_max_backlog
} > /evidence/tables.txt
