# Title: A SCSI disk whose transport aborts every command
# Modules: crc32c_generic ext4 sd_mod scsi_debug:dev_size_mb=64
# Programs: mke2fs
# Machine: memory=320 cpus=1 seconds=500
sleep 2
/sbin/mke2fs -q -t ext4 /dev/sda
mount -t ext4 /dev/sda /mnt
cp /bin/busybox /mnt/before
sync
# 16: commands end with the sense key Aborted Command.
echo 16 > /sys/bus/pseudo/drivers/scsi_debug/opts
echo 1 > /sys/bus/pseudo/drivers/scsi_debug/every_nth
echo 3 > /proc/sys/vm/drop_caches
cat /mnt/before > /dev/null
dd if=/dev/zero of=/mnt/after bs=64k count=8 conv=fsync
sleep 8
