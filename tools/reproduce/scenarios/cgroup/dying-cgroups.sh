# Title: Memory cgroups that are removed while a page of a tmpfs is still charged to them
# Programs: perl
# Machine: memory=512 cpus=1 seconds=700
echo +memory > /sys/fs/cgroup/cgroup.subtree_control
mkdir /tmp/pages
remove() {
    perl -e '
        sub put { open(my $f, ">", $_[0]) or die "$_[0]: $!"; print $f $_[1]; close($f) or die "$_[0]: $!" }
        for ($ARGV[0] .. $ARGV[1]) {
            my $group = "/sys/fs/cgroup/pod$_";
            mkdir $group or die "$group: $!";
            put("$group/cgroup.procs", "$$\n");
            put("/tmp/pages/$_", "x");
            put("/sys/fs/cgroup/cgroup.procs", "$$\n");
            rmdir $group or die "$group: $!";
        }' "$1" "$2"
}
look() {
    date +%s.000000000
    show /sys/fs/cgroup/cgroup.stat /proc/cgroups /proc/meminfo
}
remove 1 1300
look > /evidence/tables.txt
remove 1301 1500
look >> /evidence/tables.txt
