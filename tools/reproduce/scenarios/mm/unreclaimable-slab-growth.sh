# Title: Pairs of sockets whose messages nobody reads
# Programs: perl
# Machine: memory=400 cpus=1 seconds=400
look() {
    date +%s.000000000
    show /proc/meminfo /proc/slabinfo
}
look > /evidence/tables.txt
ulimit -n 8192
perl -e '
    my @pairs;
    for (1 .. 900) {
        # AF_UNIX, SOCK_STREAM with SOCK_NONBLOCK: as many messages as the send buffer takes.
        socketpair(my $in, my $out, 1, 2049, 0) or die $!;
        1 while syswrite($in, "x");
        push @pairs, $in, $out;
    }
    open(my $ready, ">", "/run/ready"); close $ready;
    sleep 3600' &
while [ ! -e /run/ready ]; do sleep 1; done
look >> /evidence/tables.txt
