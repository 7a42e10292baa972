# Title: Writers of an XFS whose device stops completing I/O
# Modules: brd:rd_nr=1,rd_size=409600 dm_mod crc32c_generic xfs
# Programs: mkfs.xfs dmsetup
# Machine: memory=768 cpus=2 seconds=600
suspend_under_writers xfs mkfs.xfs -q
