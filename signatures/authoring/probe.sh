#!/bin/sh
# @id@ version @version@, @status@: @title@
#
# Checks every $EVERY seconds. After $HOLD positive checks in a row, it captures evidence and then runs
# $ACTION, if set. It fires again only after $HOLD negative checks in a row.
#   CG=/sys/fs/cgroup/my.slice PID=1234 ACTION='systemctl restart my.service' sh probe.sh
# cgroup v1: CG is the directory of the memory controller, /sys/fs/cgroup/memory/my.slice.
# DISK=nvme0n1 is the block device that a condition about a disk reads; without it, the one busiest since boot.
# `sh probe.sh check` checks once: exit status 0 not shown, 1 shown, 2 not known.
@unexported@set -u
: "${CG:=/sys/fs/cgroup}" "${PID:=}" "${CPU:=0}" "${EVERY:=@every@}" "${HOLD:=3}" "${LOOKS:=0}"
: "${ACTION:=}" "${OUT:=/run/casebook-probe}" "${SAMPLE:=10}"
CPUCG=$CG PIDSCG=$CG
case $CG in
    /sys/fs/cgroup/memory/*)
        CPUCG=/sys/fs/cgroup/cpu/${CG#/sys/fs/cgroup/memory/}
        PIDSCG=/sys/fs/cgroup/pids/${CG#/sys/fs/cgroup/memory/}
        ;;
esac
[ -n "${DISK:=}" ] || DISK=$(timeout -s KILL 20 awk '
    $10 > most { most = $10; split(FILENAME, path, "/"); name = path[4] }
    END { print name }' /sys/block/*/stat 2> /dev/null)
export CG CPUCG PIDSCG PID CPU DISK

look() {
    read -r uptime _ < /proc/uptime && printf 'time %s ' "$uptime"
@reads@
}

stacks() {
    mkdir -p "$OUT"
@stacks@
}

shows() {
    printf '%s\n%s\n' "$1" "$2" | awk -v every="$EVERY" '
        function any(x, y) { return x == 1 || y == 1 ? 1 : x == 0 || y == 0 ? 0 : -1 }
        function both(x, y) { return x == 0 || y == 0 ? 0 : x == 1 && y == 1 ? 1 : -1 }
        function needed(x, y) { return x == 0 || y == 0 ? 0 : x == 1 || y == 1 ? 1 : -1 }
        { for (i = 1; i < NF; i += 2) v[NR, $i] = $(i + 1) }
        END {
            for (k in v) {
                split(k, p, SUBSEP)
                if (p[1] == 1) a[p[2]] = v[k]
                else b[p[2]] = v[k]
            }
            if (("time" in a) && ("time" in b) && b["time"] > a["time"]) every = b["time"] - a["time"]
@tests@
            exit state == 1 ? 0 : state == 0 ? 1 : 2
        }'
}

capture() {
    mkdir -p "$OUT"
    file="$OUT/$(timeout -s KILL 2 date +%s).txt"
    {
        :
@captures@
    } > "$file" 2>&1
    printf '%s\n' "$file"
}

if [ "${1:-}" = check ]; then
    before=$(look)
    sleep 5
    now="$(look) $(stacks)"
    shows "$before" "$now"
    case $? in
        0) echo '@id@ shown'; exit 1 ;;
        1) echo '@id@ not shown'; exit 0 ;;
        *) echo '@id@ not known: see the comments of the probe'; exit 2 ;;
    esac
fi

positive=0 negative=0 fired=0 checks=0
before=$(look)
while [ "$LOOKS" -eq 0 ] || [ "$checks" -lt "$LOOKS" ]; do
    sleep "$EVERY"
    seen=$(look)
    now="$seen $(stacks)"
    if shows "$before" "$now"; then
        positive=$((positive + 1)) negative=0
    else
        negative=$((negative + 1)) positive=0
    fi
    before=$seen
    checks=$((checks + 1))
    if [ "$fired" -eq 0 ] && [ "$positive" -ge "$HOLD" ]; then
        fired=1
        printf 'casebook: @id@: %s positive checks in a row, evidence in ' "$positive"
        capture
        if [ -n "$ACTION" ]; then printf 'casebook: running %s\n' "$ACTION"; sh -c "$ACTION"; fi
    elif [ "$fired" -eq 1 ] && [ "$negative" -ge "$HOLD" ]; then
        fired=0
        printf 'casebook: @id@: no longer detected\n'
    fi
done
