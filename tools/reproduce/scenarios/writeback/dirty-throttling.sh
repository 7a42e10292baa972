# Title: Writers faster than their disk, held back in balance_dirty_pages
# Modules: brd:rd_nr=1,rd_size=204800 dm_mod dm_delay crc32c_generic ext4
# Programs: mke2fs dmsetup
# Machine: memory=768 cpus=2 seconds=900
/sbin/mke2fs -q -t ext4 -O ^has_journal /dev/ram0
dmsetup create --noudevsync disk --table "0 409600 delay /dev/ram0 0 0 /dev/ram0 0 700"
dmsetup mknodes
mount -t ext4 /dev/mapper/disk /mnt
echo 8388608 > /proc/sys/vm/dirty_bytes
echo 4194304 > /proc/sys/vm/dirty_background_bytes
for n in 1 2 3 4 5 6; do (while :; do dd if=/dev/zero of=/mnt/f$n bs=64k count=400 conv=notrunc; done) 2>/dev/null & done
sleep 20
for n in 1 2 3 4; do blocked; sleep 1; done > /evidence/stacks.txt
for n in 1 2 3; do
    date +%s
    show /proc/meminfo /proc/vmstat /proc/pressure/io /proc/sys/vm/dirty_bytes
    sleep 5
done > /evidence/counters.txt
hand_over
