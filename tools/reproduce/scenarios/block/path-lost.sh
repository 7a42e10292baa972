# Title: Two paths to one SCSI disk, which go offline one after the other
# Modules: crc32c_generic ext4 sd_mod scsi_debug:dev_size_mb=64,max_luns=2 dm_mod dm_multipath dm_round_robin
# Programs: mke2fs dmsetup
# Machine: memory=320 cpus=1 seconds=500
sleep 2
dmsetup create --noudevsync disk --table "0 131072 multipath 0 0 1 1 round-robin 0 2 1 8:0 100 8:16 100"
dmsetup mknodes
/sbin/mke2fs -q -t ext4 /dev/mapper/disk
mount -t ext4 /dev/mapper/disk /mnt
dd if=/dev/zero of=/mnt/before bs=64k count=8 conv=fsync
echo offline > /sys/block/sda/device/state
for n in 1 2 3; do dd if=/dev/zero of=/mnt/one$n bs=64k count=8 conv=fsync; done
dmesg > /evidence/one-path.txt
echo offline > /sys/block/sdb/device/state
for n in 1 2; do dd if=/dev/zero of=/mnt/none$n bs=64k count=8 conv=fsync; done
sleep 5
dmesg > /evidence/dmesg.txt
