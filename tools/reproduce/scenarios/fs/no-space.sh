# Title: A full ext4, one without inodes, and a thin pool without space
# Modules: crc32c_generic ext4 brd:rd_nr=3,rd_size=32768 dm_mod dm_thin_pool
# Programs: mke2fs dmsetup
# Machine: memory=512 cpus=1 seconds=500
/sbin/mke2fs -q -t ext4 -m 0 /dev/ram0
mount -t ext4 /dev/ram0 /mnt
mkdir /run/few
dd if=/dev/zero of=/mnt/data bs=64k 2>&1
dd if=/dev/zero of=/mnt/rest bs=1k 2>&1
df -k > /evidence/df.txt
umount /mnt
/sbin/mke2fs -q -F -t ext4 -N 64 /dev/ram0
mount -t ext4 /dev/ram0 /mnt
for n in $(seq 1 80); do : > /mnt/$n; done 2> /dev/null
df -i > /evidence/df-i.txt
umount /mnt
dd if=/dev/zero of=/dev/ram1 bs=4k count=16 2> /dev/null
dmsetup create --noudevsync pool --table "0 49152 thin-pool /dev/ram1 /dev/ram2 128 64"
dmsetup message pool 0 "create_thin 0"
dmsetup mknodes
dmsetup create --noudevsync thin --table "0 262144 thin /dev/mapper/pool 0"
dmsetup mknodes
/sbin/mke2fs -q -F -t ext4 /dev/mapper/thin
mount -t ext4 /dev/mapper/thin /run/few
(dd if=/dev/zero of=/run/few/data bs=64k count=800 conv=fsync 2>&1) &
sleep 25
blocked > /evidence/stacks.txt
dmesg > /evidence/dmesg.txt
hand_over
