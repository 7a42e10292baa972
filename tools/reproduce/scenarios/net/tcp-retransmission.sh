# Title: A TCP connection of which three of a hundred packets are lost
# Modules: sch_netem
# Programs: tc perl
# Machine: memory=256 cpus=2 seconds=600
ip link set lo mtu 1500
perl -e '
    socket(my $l, 2, 1, 6); bind($l, pack("Snx12", 2, 9001)) && listen($l, 4) or die $!;
    while (accept(my $c, $l)) { 1 while sysread($c, my $b, 65536) }' &
sleep 2
tc qdisc add dev lo root netem limit 100000 delay 2ms loss 3%
perl -e '
    socket(my $s, 2, 1, 6); connect($s, pack("SnC4x8", 2, 9001, 127, 0, 0, 1)) or die $!;
    my $b = "x" x 65536; syswrite($s, $b) for 1 .. 100000' &
look() {
    date +%s.000000000
    show /proc/net/snmp /proc/net/netstat
}
sent() { awk '/^Tcp: [0-9]/ { print $12 }' /proc/net/snmp; }
look > /evidence/tables.txt
first=$(sent)
for n in $(seq 1 40); do [ $(($(sent) - first)) -gt 25000 ] && break; sleep 10; done
look >> /evidence/tables.txt
