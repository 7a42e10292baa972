# Title: UDP sockets that nobody reads, until udp_mem is used up
# Programs: perl
# Machine: memory=256 cpus=1 seconds=400
echo "32 48 64" > /proc/sys/net/ipv4/udp_mem
echo 4194304 > /proc/sys/net/core/rmem_max
echo 1048576 > /proc/sys/net/core/rmem_default
perl -e '
    my @ports = (9001 .. 9004);
    my %readers;
    for my $port (@ports) {
        socket($readers{$port}, 2, 2, 17) && bind($readers{$port}, pack("Snx12", 2, $port)) or die "port $port: $!";
    }
    socket(my $sender, 2, 2, 17);
    for (1 .. 120) {
        for my $port ((@ports) x 50) {
            send($sender, "x" x 1000, 0, pack("SnC4x8", 2, $port, 127, 0, 0, 1));
        }
        select(undef, undef, undef, 0.5);
    }' &
sleep 5
{
    for n in 1 2; do
        date +%s.000000000
        show /proc/net/sockstat /proc/net/snmp /proc/sys/net/ipv4/udp_mem
        sleep 10
    done
} > /evidence/tables.txt
