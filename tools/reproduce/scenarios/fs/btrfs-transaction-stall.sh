# Title: A btrfs whose device stops completing I/O while a transaction is committed
# Modules: brd:rd_nr=1,rd_size=409600 dm_mod crc32c_generic xxhash_generic btrfs
# Programs: mkfs.btrfs dmsetup
# Machine: memory=768 cpus=2 seconds=900
report_hung_tasks
dmsetup create --noudevsync disk --table "0 819200 linear /dev/ram0 0"
dmsetup mknodes
mkfs.btrfs -q -m single /dev/mapper/disk
mount -t btrfs -o commit=3 /dev/mapper/disk /mnt
# Names alone: whoever writes data waits for its own pages before it asks for a commit.
for n in 1 2 3; do (while :; do mkdir /mnt/d$n; rmdir /mnt/d$n; done) 2>/dev/null & done
sleep 8
dmsetup suspend --noudevsync --nolockfs --noflush disk
for n in 1 2 3; do (sleep $n; mkdir /mnt/s$n; sync -f /mnt/s$n) & done
sleep 40
blocked > /evidence/stacks.txt
sleep 15
dmesg > /evidence/dmesg.txt
hand_over
