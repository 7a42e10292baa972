# Title: An Intel network card whose cable is pulled and put back
# Modules: e1000e
# Machine: memory=256 cpus=1 seconds=700
# Arguments: -netdev hubport,id=n0,hubid=0 -device e1000e,netdev=n0,id=nic0
# Monitor: 60 set_link nic0 off
# Monitor: 69 set_link nic0 on
# Monitor: 80 set_link nic0 off
# Monitor: 89 set_link nic0 on
# Monitor: 100 set_link nic0 off
# Monitor: 109 set_link nic0 on
# Monitor: 120 set_link nic0 off
# Monitor: 129 set_link nic0 on
# Monitor: 140 set_link nic0 off
# Monitor: 149 set_link nic0 on
# Monitor: 160 set_link nic0 off
# Monitor: 169 set_link nic0 on
# Monitor: 180 set_link nic0 off
# Monitor: 189 set_link nic0 on
# Monitor: 200 set_link nic0 off
# Monitor: 209 set_link nic0 on
# Monitor: 220 set_link nic0 off
# Monitor: 229 set_link nic0 on
# Monitor: 240 set_link nic0 off
# Monitor: 249 set_link nic0 on
# Monitor: 260 set_link nic0 off
# Monitor: 269 set_link nic0 on
# Monitor: 280 set_link nic0 off
# Monitor: 289 set_link nic0 on
# Monitor: 300 set_link nic0 off
# Monitor: 309 set_link nic0 on
# Monitor: 320 set_link nic0 off
# Monitor: 329 set_link nic0 on
# Monitor: 340 set_link nic0 off
# Monitor: 349 set_link nic0 on
# Monitor: 360 set_link nic0 off
# Monitor: 369 set_link nic0 on
# Monitor: 380 set_link nic0 off
# Monitor: 389 set_link nic0 on
# Monitor: 400 set_link nic0 off
# Monitor: 409 set_link nic0 on
# Monitor: 420 set_link nic0 off
# Monitor: 429 set_link nic0 on
# Monitor: 440 set_link nic0 off
# Monitor: 449 set_link nic0 on
# Monitor: 460 set_link nic0 off
# Monitor: 469 set_link nic0 on
# Monitor: 480 set_link nic0 off
# Monitor: 489 set_link nic0 on
# Monitor: 500 set_link nic0 off
# Monitor: 509 set_link nic0 on
# Monitor: 520 set_link nic0 off
# Monitor: 529 set_link nic0 on
# Monitor: 540 set_link nic0 off
# Monitor: 549 set_link nic0 on
# Monitor: 560 set_link nic0 off
# Monitor: 569 set_link nic0 on
sleep 2
ip link set eth0 up
for n in $(seq 1 120); do [ $(dmesg | grep -c 'Link is Down') -ge 4 ] && break; sleep 5; done
sleep 15
