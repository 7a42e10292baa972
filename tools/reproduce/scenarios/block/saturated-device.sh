# Title: Eight readers of an NVMe volume that is limited to 60 requests a second
# Modules: nvme
# Programs: dd
# Machine: memory=256 cpus=1 seconds=500
# Arguments: -blockdev null-co,node-name=n0,size=67108864,read-zeroes=on -object throttle-group,id=limit,x-iops-total=60 -blockdev throttle,node-name=t0,file=n0,throttle-group=limit -device nvme,drive=t0,serial=volume
sleep 2
for n in 1 2 3 4 5 6 7 8; do (while :; do /sbin/dd if=/dev/nvme0n1 of=/dev/null bs=4k count=200 skip=$((n * 1000)) iflag=direct; done) 2> /dev/null & done
sleep 10
look() {
    date +%s.000000000
    show /proc/diskstats /proc/stat /proc/pressure/io
}
look > /evidence/tables.txt
sleep 20
look >> /evidence/tables.txt
