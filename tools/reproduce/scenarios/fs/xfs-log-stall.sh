# Title: Writers of an XFS whose device stops completing I/O
# Modules: brd:rd_nr=1,rd_size=409600 dm_mod crc32c_generic xfs
# Programs: mkfs.xfs dmsetup
# Machine: memory=768 cpus=2 seconds=600
echo 15 > /proc/sys/kernel/hung_task_timeout_secs
echo 5 > /proc/sys/kernel/hung_task_check_interval_secs
dmsetup create --noudevsync disk --table "0 819200 linear /dev/ram0 0"
dmsetup mknodes
mkfs.xfs -q /dev/mapper/disk
mount -t xfs /dev/mapper/disk /mnt
for n in 1 2 3 4 5 6; do (while :; do dd if=/dev/zero of=/mnt/f$n bs=64k count=4 conv=fsync; done) 2>/dev/null & done
sleep 3
dmsetup suspend --noudevsync --nolockfs --noflush disk
for n in 1 2 3; do (mkdir /mnt/d$n; touch /mnt/d$n/x; sync -f /mnt/d$n 2>/dev/null || sync) & done
sleep 25
blocked > /evidence/stacks.txt
sleep 15
dmesg > /evidence/dmesg.txt
hand_over
