# Title: Writers of an ext4 whose device stops completing I/O
# Modules: brd:rd_nr=1,rd_size=409600 dm_mod crc32c_generic ext4
# Programs: mke2fs dmsetup
# Machine: memory=768 cpus=2 seconds=600
suspend_under_writers ext4 /sbin/mke2fs -q -t ext4
