# Title: A listening socket with a backlog of two that nobody accepts from
# Programs: perl
# Machine: memory=256 cpus=1 seconds=300
perl -e '
    socket(my $l, 2, 1, 6); bind($l, pack("Snx12", 2, 9001)) && listen($l, 2) or die $!;
    sleep 3600' &
sleep 2
perl -e '
    my @open;
    while (1) {
        socket(my $s, 2, 2049, 6);
        connect($s, pack("SnC4x8", 2, 9001, 127, 0, 0, 1));
        push @open, $s;
        shift @open if @open > 60;
        select(undef, undef, undef, 0.05);
    }' &
sleep 5
{
    for n in 1 2; do
        date +%s.000000000
        show /proc/net/snmp /proc/net/netstat
        sleep 10
    done
} > /evidence/tables.txt
