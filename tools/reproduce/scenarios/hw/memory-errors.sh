# Title: Corrected machine checks of one memory channel
# Machine: memory=256 cpus=1 seconds=400
# Append: mce=2
# Monitor: 40 mce 0 7 0x8c00004000010091 0 0x12345000 0x8c
# Monitor: 44 mce 0 7 0x8c00004000010091 0 0x12346000 0x8c
# Monitor: 48 mce 0 7 0x8c00004000010091 0 0x12345000 0x8c
# Monitor: 52 mce 0 7 0x8c00004000010091 0 0x12347000 0x8c
echo 1 > /sys/devices/system/machinecheck/machinecheck0/check_interval
sleep 50
# A page that the kernel takes out of use, as after an error that cannot be corrected.
echo 0x8000000 > /sys/devices/system/memory/hard_offline_page
sleep 1
