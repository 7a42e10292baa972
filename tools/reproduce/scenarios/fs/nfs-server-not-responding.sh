# Title: An NFS mount whose network goes away
# Modules: crc32c_generic nfsd nfs nfsv4 ext4 brd:rd_nr=1,rd_size=65536
# Programs: exportfs rpc.mountd rpc.nfsd mke2fs
# Machine: memory=512 cpus=2 seconds=900
report_hung_tasks
mkdir -p /var/lib/nfs/v4recovery /var/run /srv /etc
ln -s /proc/self/mounts /etc/mtab
printf 'udp tpi_clts v inet udp - -\ntcp tpi_cots_ord v inet tcp - -\n' > /etc/netconfig
printf 'nfs 2049/tcp\n' > /etc/services
touch /var/lib/nfs/etab /var/lib/nfs/rmtab
/sbin/mke2fs -q -t ext4 /dev/ram0
mount -t ext4 /dev/ram0 /srv
mount -t nfsd nfsd /proc/fs/nfsd
echo 10 > /proc/fs/nfsd/nfsv4leasetime
echo 10 > /proc/fs/nfsd/nfsv4gracetime
exportfs -i -o rw,fsid=0,no_root_squash,insecure,no_subtree_check 127.0.0.1:/srv
rpc.mountd -N 3
rpc.nfsd -N 3 4
sleep 2
mount -t nfs4 -o vers=4.1,addr=127.0.0.1,clientaddr=127.0.0.1,timeo=10,retrans=1 127.0.0.1:/ /mnt
echo before > /mnt/before; ls -la /mnt
ip link set lo down
for n in 1 2 3 4; do (touch /mnt/$n; ls /mnt) & done
sleep 50
blocked > /evidence/stacks.txt
dmesg > /evidence/dmesg.txt
hand_over
