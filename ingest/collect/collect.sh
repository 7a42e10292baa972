#!/bin/sh
# casebook collect: collect evidence from a host in trouble without making it worse.
#
# Writes `==> path <==` sections and `$ command` sections into one text in memory, lists them, and sends the text
# only on request. Every read has its own time limit; the script never waits for one that hangs. It opens no
# command line, environment or map of a process: those take mmap_lock, which may be stuck.
# Runs in any POSIX sh: dash, busybox ash, bash. Documentation: docs/collect.md of Casebook.

set -u
LC_ALL=C
PATH=${PATH:-/bin}:/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin
export LC_ALL PATH
umask 077

version=1
# An instance that serves this script fills in the next two lines.
server=''
token=''

max_seconds=90
max_bytes=50000000
threads=40
log_head=500
log_tail=2000
blocked_threads=2000

usage() {
    cat <<'HELP'
Usage: collect.sh [options]

Collects kernel data of this host in memory, at most 90 seconds and 50 MB; lists it, asks, sends it.

  --pid PID        affected process (default: the one that uses most CPU)
  --cgroup DIR     its cgroup, a directory below /sys/fs/cgroup (default: that of the process)
  --pod NAME       its pod on this node: UID, NAME or NAMESPACE/NAME; the process of it that used most CPU
  --grab           30 seconds before a restart: identity, kernel log, stacks, profile; prints how to restart
  --user           skip steps that need root, even as root
  --node           from a privileged container with the host's pid namespace: collect from the node around it
  --seconds N      sampling time, 1 to 10 (default: 10)
  --sysrq          also ask the kernel to log the stacks of blocked tasks (sysrq w); it writes to the kernel log
  --to URL         the instance to send to
  --token-file F   a file with the token of the case, made on the page of the case under "Collect"
  --yes            send without asking
  --no-send        do not send; leave the text in a file
  --out FILE       keep the text in FILE
  --help           show this

Without root it collects what it can and lists what it skipped. Exit status: 0 collected (and sent, unless
--no-send); 1 sending failed, the text stays in a file; 2 could not start.
HELP
}

say() { printf 'casebook: %s\n' "$*" >&2; }

give_up() {
    say "$*"
    exit 2
}

number() {
    case $2 in
        '' | *[!0-9]*) give_up "$1 needs a number, not '$2'" ;;
    esac
}

# --- time limits of commands ------------------------------------------------------------------------------------

clock() { # $now: hundredths of a second since boot; /proc/uptime takes no lock
    read -r _up _ </proc/uptime
    now=${_up%.*}${_up#*.}
}

is_running() { # an unreaped child is a zombie, and `kill -0` finds it
    { read -r _stat <"/proc/$1/stat"; } 2>/dev/null || return 1
    case ${_stat##*) } in
        [ZX]*) return 1 ;;
    esac
}

begin() { # begin OUT COMMAND…: run in the background, within the remaining bytes; sets $child to its PID
    _out=$1
    shift
    : >"$_out"
    # shellcheck disable=SC2086 # $enter is a command with arguments, or nothing
    (
        ulimit -f $(((max_bytes - size) / 1024)) 2>/dev/null
        exec $enter "$@"
    ) >"$_out" 2>"$_out.err" </dev/null &
    child=$!
    children="$children $child"
}

await() { # await PID SECONDS: 0 if it ended, with its $code; 1 if it was killed (it may survive)
    clock
    _limit=$(($2 * 100))
    [ $((now + _limit)) -le "$deadline" ] || _limit=$((deadline - now))
    _until=$((now + _limit))
    code=
    while is_running "$1"; do
        clock
        if [ "$now" -ge "$_until" ]; then
            kill -KILL "$1" 2>/dev/null
            sleep "$blink"
            sleep "$blink"
            if is_running "$1"; then
                survivors=$((survivors + 1))
                note "survivor $1"
                return 1
            fi
        else
            sleep "$blink"
        fi
    done
    wait "$1" 2>/dev/null
    code=$?
    [ "$now" -lt "$_until" ]
}

is_over() { # is_over SECONDS: whether so many seconds are not left
    clock
    [ $((now + $1 * 100)) -gt "$deadline" ]
}

have() {
    if [ -n "$enter" ]; then
        # shellcheck disable=SC2086 # as above
        $enter sh -c "command -v $1" >/dev/null 2>&1
    else
        command -v "$1" >/dev/null 2>&1
    fi
}

is_real() { # the top of busybox opens /proc/PID/cmdline, that of procps does not
    have "$1" || return 1
    # shellcheck disable=SC2016,SC2086 # for the inner shell; as above
    case $($enter sh -c 'readlink -f "$(command -v '"$1"')"' 2>/dev/null) in
        *busybox*) return 1 ;;
    esac
}

# --- the text ---------------------------------------------------------------------------------------------------

add() { # add FILE: put a file at the end of the text, and end its last line
    [ -s "$1" ] || return 0
    _bytes=$(wc -c <"$1")
    if [ $((size + _bytes + 2)) -gt $((max_bytes - 100000)) ]; then
        [ "$is_full" = 1 ] || note 'skipped the rest: the text holds as much as it may'
        is_full=1
        return 0
    fi
    { cat "$1" && echo; } >>"$text"
    size=$((size + _bytes + 1))
}

note() { # note WORDS: what the collector has to say, at once, so that a cut-off run has said it
    {
        echo '==> casebook/collector <=='
        echo "$*"
        echo
    } >>"$text"
    size=$((size + ${#1} + 40))
    case $1 in
        timeout*) hung="$hung
  ${1#timeout }" ;;
        skipped*) skipped="$skipped
  ${1#skipped }" ;;
    esac
}

why() { # the first line of what a command complained
    sed -n '1s/[^[:print:]]//g;1p' "$1.err" | cut -c 1-200
}

files() { # files SECONDS PATH…: one process prints all; when one of them hangs, each on its own
    _seconds=$1
    shift
    [ $# -gt 0 ] || return 0
    begin "$work/batch" tail -n +1 -- "$@" /dev/null
    if await "$child" "$_seconds"; then
        sed '/^==> \/dev\/null <==$/d' "$work/batch" >"$work/one"
        add "$work/one"
        sed -n 's/.*\(cannot open\|can.t open\|error reading\) .\{0,1\}\(\/[^ :'"'"']*\).\{0,1\}:.*\(denied\|permitted\|error\).*/skipped \2: \3/p' \
            "$work/batch.err" | sort | uniq >"$work/refused"
        while read -r _line; do
            note "$_line"
        done <"$work/refused"
        return 0
    fi
    _silent=0
    for _path; do
        if [ "$_silent" -ge 2 ]; then
            note "skipped ${_path%/*}: two of its files did not answer"
            return 0
        fi
        file 2 "$_path"
        [ "$_hung" = 0 ] || _silent=$((_silent + 1))
    done
}

file() { # file SECONDS PATH: one that may hang
    _hung=0
    is_over 1 && return 0
    begin "$work/batch" cat "$2"
    await "$child" "$1" || _hung=1
    if [ -s "$work/batch" ]; then
        { echo "==> $2 <==" && cat "$work/batch"; } >"$work/one"
        add "$work/one"
    fi
    [ "$_hung" = 0 ] || note "timeout $1 $2"
}

shows() { # shows SECONDS COMMAND…: its output below itself as a prompt
    _seconds=$1
    shift
    is_over 2 && {
        note "skipped $*: no time left"
        return 0
    }
    begin "$work/batch" "$@"
    printed "$work/batch" "$child" "$_seconds" "$@"
}

printed() { # printed OUT PID SECONDS COMMAND…: wait for a command that has begun, and keep what it printed
    _printed=$1
    _id=$2
    _seconds=$3
    shift 3
    if await "$_id" "$_seconds"; then
        if [ "$code" != 0 ]; then
            _part=
            [ ! -s "$_printed" ] || _part='the rest of '
            note "skipped $_part$*: status $code, $(why "$_printed")"
        elif [ ! -s "$_printed" ]; then
            note "skipped $*: it printed nothing"
        fi
    else
        note "timeout $_seconds $1"
    fi
    [ -s "$_printed" ] || return 0
    { echo "\$ $*" && cat "$_printed"; } >"$work/one"
    add "$work/one"
}

step() {
    say "$1"
    clock
    note "step $_up $1"
}

# --- the suspect process ----------------------------------------------------------------------------------------

# `stat` needs no mmap_lock. Comm may contain blanks and brackets: the fields are counted from the last bracket.
# shellcheck disable=SC2016 # for awk
busiest='
function parse(  bare) { bare = $0; id = $1; sub(/^.*\) /, "", bare); split(bare, f, " "); ticks = f[12] + f[13] }
FNR == 1 { look++ }
/^==> / { split($2, path, "/"); owner = path[3]; next }
NF < 20 { next }
{ parse() }
look == 1 { before[id] = ticks; next }
id != self && f[2] != self && (id in before) {
    print ticks - before[id], (f[1] == "D"), id, (owner == "" ? id : owner), f[2]
}'

processes() { # the ids of the busiest processes and of those in D state, and $suspect
    begin "$work/before" cat /proc/[0-9]*/stat
    await "$child" 5 || return 0
    sleep 1
    begin "$work/after" cat /proc/[0-9]*/stat
    await "$child" 5 || return 0
    awk -v self="$$" "$busiest" "$work/before" "$work/after" | sort -k1,1nr -k2,2nr >"$work/busy"
    if [ -z "$suspect" ]; then
        # Children of PID 2 are kernel threads.
        suspect=$(awk '$1 > 0 && $5 != 2 && $3 != 2 { print $3; exit }' "$work/busy")
        [ -z "$suspect" ] || note "suspect $suspect the process that used most CPU in one second"
    else
        note "suspect $suspect as requested"
    fi
    ids=$(awk -v first="$suspect" 'BEGIN { if (first != "") { print first; n = 1 } }
        $3 != first && $1 > 0 && n < 6 { print $3; n++; next }
        $3 != first && $2 == 1 && d < 6 { print $3; d++ }' "$work/busy")
}

pod_pattern() { # pod_pattern UID: matches the line of /proc/PID/cgroup of a process in the pod
    # cgroupfs writes the UID with dashes, systemd with underscores; a group or a slice ends it.
    printf 'pod(%s|%s)(/|\.slice|$)' "$1" "$(echo "$1" | tr - _)"
}

pod_uid() { # pod_uid NAME: prints the UID; the kubelet has NAMESPACE_NAME_UID below /var/log/pods
    case $1 in
        ????????-????-????-????-????????????) echo "$1" ;;
        */*) sed -n "s|^${1%%/*}_${1#*/}_||p" "$work/pods" ;;
        *) sed -n "s|^[^_]*_${1}_||p" "$work/pods" ;;
    esac
}

pod_suspect() { # $suspect: the process of $pod that used most CPU since it began, without the pause container
    case $pod in
        '' | *[!A-Za-z0-9./-]*) give_up "'$pod' is no name or UID of a pod" ;;
    esac
    begin "$work/pods" ls /var/log/pods
    await "$child" 2 || :
    _uid=$(pod_uid "$pod" | head -n 2)
    case $_uid in
        '') give_up "/var/log/pods has no pod $pod: pass its UID, and run this on its node (--node in a pod):
  kubectl get pod NAME -o jsonpath='{.metadata.uid} {.spec.nodeName}'" ;;
        *'
'*) give_up "several pods are named $pod: pass NAMESPACE/NAME or the UID" ;;
    esac
    # The loop reads one file at a time within one limit: each takes a lock of the cgroups.
    begin "$work/of-pod" grep -lsE "$(pod_pattern "$_uid")" /proc/[0-9]*/cgroup
    await "$child" 5 || :
    _most=-1
    while read -r _path; do
        _id=${_path#/proc/}
        _id=${_id%/cgroup}
        { read -r _stat <"/proc/$_id/stat"; } 2>/dev/null || continue
        case $_stat in
            *' (pause) '*) continue ;;
        esac
        _ticks=$(echo "${_stat##*) }" | awk '{ print $12 + $13 }')
        [ "$_ticks" -le "$_most" ] || { _most=$_ticks && suspect=$_id; }
    done <"$work/of-pod"
    [ -n "$suspect" ] || give_up "no process of the pod $pod ($_uid) runs here; is it on another node?"
    note "pod $_uid"
    say "the suspect is process $suspect of the pod $pod"
}

groups() { # $groups: directories of the suspect's cgroup
    groups=$cgroup
    [ -z "$groups" ] && [ -n "$suspect" ] || return 0
    begin "$work/cgroup" cat "/proc/$suspect/cgroup"
    await "$child" 2 || return 0
    { echo "==> /proc/$suspect/cgroup <==" && cat "$work/cgroup"; } >"$work/one"
    add "$work/one"
    while IFS=: read -r _ _names _inside; do
        [ "$_inside" != / ] || continue
        case ,$_names, in
            ,,) for _base in /sys/fs/cgroup /sys/fs/cgroup/unified; do
                [ ! -e "$_base$_inside/cgroup.procs" ] || groups="$groups $_base$_inside"
            done ;;
            *,memory,* | *,cpu,*)
                [ ! -d "/sys/fs/cgroup/$_names$_inside" ] || groups="$groups /sys/fs/cgroup/$_names$_inside"
                ;;
        esac
    done <"$work/cgroup"
}

group_files() {
    for _group in $groups; do
        set --
        for _name in memory.current memory.max memory.high memory.swap.current memory.events memory.pressure \
            memory.usage_in_bytes memory.limit_in_bytes memory.failcnt memory.oom_control \
            cpu.max cpu.cfs_quota_us cpu.cfs_period_us cpu.pressure io.pressure pids.current pids.max; do
            set -- "$@" "$_group/$_name"
        done
        files 3 "$@"
    done
}

group_statistics() { # one group's, never all: under thousands of dead cgroups each read is a stall of seconds
    for _group in $groups; do
        file 5 "$_group/cpu.stat"
        case $_group in
            */cpu,cpuacct/* | */cpu/*) ;;
            *) file 5 "$_group/memory.stat" ;;
        esac
    done
}

# --- the runbook: cheapest and most perishable first ------------------------------------------------------------

identity() {
    step identity
    shows 2 date -u +%Y-%m-%dT%H:%M:%SZ
    files 3 /proc/uptime /proc/sys/kernel/hostname /proc/sys/kernel/random/boot_id /proc/version /etc/os-release \
        /proc/cmdline /sys/devices/system/cpu/online /sys/devices/system/clocksource/clocksource0/current_clocksource
    shows 2 uname -a
    shows 2 nproc
    shows 2 getconf PAGE_SIZE
}

switches() {
    step 'settings and the suspect'
    files 3 /sys/kernel/mm/lru_gen/enabled /sys/kernel/mm/transparent_hugepage/enabled \
        /sys/kernel/mm/transparent_hugepage/defrag /sys/fs/cgroup/cgroup.controllers \
        /proc/sys/vm/zone_reclaim_mode /proc/sys/vm/swappiness /proc/sys/kernel/numa_balancing
    processes
    groups
    group_files
    [ -z "$suspect" ] || files 3 "/proc/$suspect/status" "/proc/$suspect/limits"
}

pressure() {
    step pressure
    files 3 /proc/pressure/cpu /proc/pressure/memory /proc/pressure/io /proc/loadavg /proc/cgroups \
        /sys/fs/cgroup/cgroup.stat
}

kernel_log() { # with levels where dmesg prints them
    step 'kernel log'
    if ! have dmesg; then
        kernel_buffer
        return 0
    fi
    _command='dmesg -r'
    begin "$work/dmesg" dmesg -r
    if await "$child" 5 && [ "$code" != 0 ] && [ ! -s "$work/dmesg" ]; then
        _command=dmesg
        begin "$work/dmesg" dmesg
        await "$child" 5 || note 'timeout 5 dmesg'
    elif [ -z "$code" ]; then
        note 'timeout 5 dmesg'
    fi
    if [ -n "$code" ] && [ "$code" != 0 ] && [ ! -s "$work/dmesg" ]; then
        note "skipped dmesg: $(why "$work/dmesg")"
    fi
    log_lines "$work/dmesg" "$_command"
}

blocked_in_log() { # the stacks of blocked tasks in the kernel log, on request: printing them to a slow console stalls
    [ "$sysrq" = 1 ] || return 0
    if [ "$is_root" = 0 ]; then
        note 'skipped sysrq w: needs root'
        return 0
    fi
    begin "$work/sysrq" sh -c 'echo w >/proc/sysrq-trigger'
    if ! await "$child" 5; then
        note 'timeout 5 sysrq w'
    elif [ "$code" != 0 ]; then
        note "skipped sysrq w: $(why "$work/sysrq")"
    else
        log_tail=20000
    fi
}

kernel_buffer() { # where dmesg is not there: its records wait for more at their end, so it is ended after a second
    begin "$work/kmsg" cat /dev/kmsg
    await "$child" 1
    if [ ! -s "$work/kmsg" ]; then
        note "skipped /dev/kmsg: $(why "$work/kmsg")"
        return 0
    fi
    log_lines "$work/kmsg" 'cat /dev/kmsg'
}

log_lines() { # log_lines FILE COMMAND: all of a log, or its beginning and its end: the boot and the trouble
    [ -s "$1" ] || return 0
    _lines=$(wc -l <"$1")
    _left=$((_lines - log_head - log_tail))
    if [ "$_left" -le 0 ]; then
        { echo "\$ $2" && cat "$1"; } >"$work/one"
        add "$work/one"
        return 0
    fi
    { echo "\$ $2 | head -n $log_head" && head -n "$log_head" "$1"; } >"$work/one"
    add "$work/one"
    note "skipped $_left of $_lines lines of $2: the first $log_head and the last $log_tail are collected"
    { echo "\$ $2 | tail -n $log_tail" && tail -n "$log_tail" "$1"; } >"$work/one"
    add "$work/one"
}

counters() {
    step "counters, $1"
    files 5 /proc/uptime /proc/vmstat /proc/meminfo /proc/stat /proc/net/softnet_stat /proc/softirqs \
        /proc/interrupts /proc/net/snmp /proc/net/netstat /proc/net/sockstat /proc/diskstats /proc/buddyinfo
}

tables() { # the four run at the same time, for the same five seconds
    step 'threads and rates'
    if is_real top; then
        begin "$work/batch" top -b -H -n 2 -d 1
        printed "$work/batch" "$child" 8 top -b -H -n 2 -d 1
    else
        note 'skipped top: not there, or of busybox, which opens command lines'
    fi
    is_real ps && shows 5 ps -e -o pid,stat,wchan:32
    _looks=5
    [ "$seconds" -ge 5 ] || _looks=$seconds
    _begun=
    for _name in pidstat mpstat vmstat iostat; do
        is_real "$_name" || {
            note "skipped $_name: not there"
            continue
        }
        case $_name in
            pidstat) set -- -u -t -w 1 "$_looks" ;;
            mpstat) set -- -P ALL 1 "$_looks" ;;
            vmstat) set -- 1 $((_looks + 1)) ;;
            iostat) set -- -x 1 $((_looks + 1)) ;;
        esac
        begin "$work/$_name" "$_name" "$@"
        _begun="$_begun $child:$_name:$(echo "$*" | tr ' ' '+')"
    done
    for _one in $_begun; do
        _words=${_one##*:}
        _name=${_one#*:}
        _name=${_name%%:*}
        # shellcheck disable=SC2046 # the arguments, apart again
        printed "$work/$_name" "${_one%%:*}" $((_looks + 4)) "$_name" $(echo "$_words" | tr '+' ' ')
    done
}

stacks() {
    step 'stacks of the busiest threads'
    set --
    for _id in $ids; do
        for _task in /proc/"$_id"/task/[0-9]*; do
            [ $# -lt 4000 ] && set -- "$@" "$_task/stat"
        done
    done
    [ $# -gt 0 ] || return 0
    begin "$work/before" tail -n +1 -- "$@" /dev/null
    await "$child" 5 || return 0
    sleep 1
    begin "$work/after" tail -n +1 -- "$@" /dev/null
    await "$child" 5 || return 0
    # Half of them belong to the suspect, which may use no CPU while it waits.
    # shellcheck disable=SC2016 # for awk
    awk -v self="$$" "$busiest" "$work/before" "$work/after" | sort -k1,1nr -k2,2nr |
        awk -v suspect="$suspect" -v most="$threads" '
            $4 == suspect && n < most / 2 { print; n++; next }
            { others[++m] = $0 }
            END { for (i = 1; i <= m && n < most; i++) { print others[i]; n++ } }' >"$work/tasks"
    set --
    while read -r _ _ _tid _pid _; do
        set -- "$@" "/proc/$_pid/task/$_tid/status" "/proc/$_pid/task/$_tid/wchan"
        [ "$is_root" = 0 ] || set -- "$@" "/proc/$_pid/task/$_tid/stack"
    done <"$work/tasks"
    [ "$is_root" = 1 ] || note 'skipped stacks of threads: needs root'
    files 5 "$@"
}

blocked() { # where every thread waits, twice, when one is blocked for a second: who holds what it waits for sleeps too
    if [ "$is_root" = 0 ]; then
        return 0
    fi
    # shellcheck disable=SC2016 # for the inner shell
    begin "$work/before" sh -c 'printf "%s\n" /proc/[0-9]*/task/[0-9]*/stat | xargs -n 1000 grep -ls ") D "'
    await "$child" 5 || return 0
    [ -s "$work/before" ] || return 0
    sleep 1
    # shellcheck disable=SC2016 # as above
    begin "$work/after" sh -c 'xargs -n 1000 grep -ls ") D " <"$0"' "$work/before"
    await "$child" 5 || return 0
    [ -s "$work/after" ] || return 0
    # shellcheck disable=SC2016 # as above
    begin "$work/all" sh -c 'cat "$0"; printf "%s\n" /proc/[0-9]*/task/[0-9]*/stat' "$work/after"
    await "$child" 5 || return 0
    sed 's:/stat$::' "$work/all" | awk -v most="$blocked_threads" '!seen[$0]++ && n++ < most' >"$work/tasks"
    for _look in first second; do
        step "stacks of all threads, $_look look"
        [ "$_look" = first ] || sleep 2
        set --
        while read -r _task; do
            set -- "$@" "$_task/comm" "$_task/stat" "$_task/wchan" "$_task/stack"
            [ $# -lt 1200 ] || {
                files 5 "$@"
                set --
            }
        done <"$work/tasks"
        files 5 "$@"
    done
}

profile() {
    step "profile of all CPUs, $seconds s"
    if [ "$is_root" = 0 ]; then
        note 'skipped perf: needs root'
        return 0
    fi
    if ! have perf; then
        note 'skipped perf: not there'
        return 0
    fi
    # About 20,000 stacks suffice on any machine: fewer per CPU on large ones.
    _cpus=$(grep -c '^cpu[0-9]' /proc/stat)
    _hertz=$((2000 / _cpus))
    [ "$_hertz" -le 49 ] || _hertz=49
    [ "$_hertz" -ge 7 ] || _hertz=7
    # --synth=task reads status, which needs no lock, for the names of threads; the default opens /proc/PID/maps.
    # -N writes nothing below ~/.debug.
    begin "$work/record" perf record -N --synth=task -e cpu-clock -a -g -F "$_hertz" -o "$there/perf.data" -- sleep "$seconds"
    if ! await "$child" $((seconds + 10)); then
        note "timeout $((seconds + 10)) perf"
        return 0
    fi
    if [ "$code" != 0 ]; then
        note "skipped perf record: $(why "$work/record")"
        return 0
    fi
    shows 20 perf script --no-inline -i "$there/perf.data"
    # shellcheck disable=SC2086 # as above
    $enter rm -f "$there/perf.data"
    if [ -n "$suspect" ]; then
        begin "$work/batch" perf stat --no-big-num -e task-clock,page-faults,context-switches -p "$suspect" -- sleep 2
        if await "$child" 6; then
            # Its table goes to standard error.
            { echo "\$ perf stat --no-big-num -e task-clock,page-faults,context-switches -p $suspect -- sleep 2" &&
                cat "$work/batch.err"; } >"$work/one"
            [ "$code" != 0 ] || add "$work/one"
        else
            note 'timeout 6 perf stat'
        fi
    fi
}

reclaim() { # how long the suspect itself looks for memory: summed in the kernel, of one process, ends by itself
    step 'reclaim of the suspect'
    if [ "$is_root" = 0 ]; then
        note 'skipped bpftrace: needs root'
    elif [ -z "$suspect" ]; then
        note 'skipped bpftrace: there is no suspect'
    elif ! have bpftrace; then
        note 'skipped bpftrace: not there'
    elif is_over $((seconds + 15)); then
        note 'skipped bpftrace: no time left'
    else
        # Attaching takes CPU, which a host in trouble may lack: then it is killed.
        _at=tracepoint:vmscan:mm_vmscan_memcg_reclaim
        shows $((seconds + 10)) bpftrace -e "${_at}_begin /pid == $suspect/ { @b[tid] = nsecs; } ${_at}_end /pid == $suspect && @b[tid]/ { @mm_vmscan_memcg_reclaim_ns = hist(nsecs - @b[tid]); @nr_reclaimed = sum(args->nr_reclaimed); delete(@b[tid]); } interval:s:$seconds { exit(); } END { clear(@b); }"
    fi
}

restart_words() { # how whatever the suspect belongs to is restarted
    for _group in $groups; do
        case $_group in
            *kubepods*)
                say 'the suspect is of a pod: delete the pod, or drain the node; its cgroup names its uid:'
                say "  ${_group#/sys/fs/cgroup/}"
                return 0
                ;;
            */docker-*.scope | */docker/*)
                _id=${_group##*docker[-/]}
                say "restart it:  docker restart $(echo "$_id" | cut -c 1-12)"
                return 0
                ;;
            *.service*)
                _unit=${_group%%.service*}
                say "restart it:  systemctl restart ${_unit##*/}.service"
                return 0
                ;;
        esac
    done
    say "process ${suspect:-unknown} is of no service, container or pod known here: restart it as it was started"
}

# --- showing and sending ----------------------------------------------------------------------------------------

show() {
    clock
    say ''
    say "$(grep -c '^==> \|^\$ ' "$text") outputs of $host in $(((now - started) / 100)) s: $((size / 1000)) kB of text"
    [ -z "$hung" ] || say "did not answer in time (seconds, what):$hung"
    [ "$survivors" = 0 ] || say "$survivors of these could not even be killed; they end when the kernel lets them"
    [ -z "$skipped" ] || say "not done:$skipped"
    [ "$is_full" = 0 ] || say "cut at $((max_bytes / 1000000)) MB"
    say "read it before it leaves:  less $text"
}

is_agreed() {
    [ "$yes" = 0 ] || return 0
    # Not `:`, a special builtin: a shell that cannot redirect it ends.
    if ! { true >/dev/tty; } 2>/dev/null; then
        say 'nobody is here to ask: not sent. Say --yes to send without asking.'
        return 1
    fi
    printf 'casebook: send it to %s? [y/N] ' "$server" >/dev/tty
    read -r _answer </dev/tty || return 1
    case $_answer in
        y | Y | yes) ;;
        *) return 1 ;;
    esac
}

send() { # 0 when the instance has it
    _body=$text
    if have gzip && begin "$text.gz" gzip -1 -c "$text" && await "$child" 30 && [ "$code" = 0 ]; then
        _body=$text.gz
    fi
    _name=${_body##*/}
    if command -v curl >/dev/null 2>&1; then
        # Keep the token out of the process list.
        printf 'header = "Authorization: Bearer %s"\n' "$token" >"$work/curl"
        _status=$(curl -sS -K "$work/curl" --connect-timeout 15 --max-time 600 --retry 3 -o "$work/answer" \
            -w '%{http_code}' -T "$_body" "$server/api/v1/drop/$_name" 2>"$work/complaint")
    elif command -v wget >/dev/null 2>&1; then
        _edge=casebook$$
        {
            printf -- '--%s\r\nContent-Disposition: form-data; name="files"; filename="%s"\r\n\r\n' "$_edge" "$_name"
            cat "$_body"
            printf '\r\n--%s--\r\n' "$_edge"
        } >"$work/form"
        _status=
        wget -q -T 60 -O "$work/answer" --header "Authorization: Bearer $token" \
            --header "Content-Type: multipart/form-data; boundary=$_edge" \
            --post-file "$work/form" "$server/api/v1/drop" 2>"$work/complaint" && _status=202
    else
        say 'neither curl nor wget is here'
        return 1
    fi
    if [ "$_status" = 202 ]; then
        say "sent to $server"
        return 0
    fi
    say "it was not taken: ${_status:-}"
    cat "$work/complaint" "$work/answer" 2>/dev/null | cut -c 1-400 >&2
    echo >&2
    return 1
}

leave_text() { # put the text where it stays, and say where
    _to=${out:-${TMPDIR:-/tmp}/${text##*/}}
    if [ "$work" != "${_to%/*}" ] && cp "$text" "$_to" 2>/dev/null; then
        say "the text is in $_to"
    else
        keep_work=1
        say "the text is in $text"
    fi
}

cut_off() {
    trap '' INT TERM HUP
    for _one in $children; do
        # The PID may be reused by now.
        is_running "$_one" || continue
        _rest=${_stat##*) ? }
        [ "${_rest%% *}" != "$$" ] || kill -KILL "$_one" 2>/dev/null
    done
    clock
    note "cut-off $_up by a signal"
    leave_text
    exit 1
}

finish() {
    [ "$there" = "$work" ] || nsenter -t 1 -m -- rm -rf "$there"
    [ -z "$work" ] || [ "$keep_work" = 1 ] || rm -rf "$work"
}

room() { # $work: a private directory in memory, else in TMPDIR
    for _base in /run "${XDG_RUNTIME_DIR:-}" /dev/shm "${TMPDIR:-/tmp}"; do
        [ -n "$_base" ] && [ -w "$_base" ] || continue
        _free=$(df -Pk "$_base" 2>/dev/null | awk 'NR == 2 { print $4 }')
        [ "${_free:-0}" -ge 120000 ] || continue
        work=$(mktemp -d "$_base/casebook.XXXXXX" 2>/dev/null) && return 0
    done
    give_up 'there is no directory with 120 MB free: /run, /dev/shm and TMPDIR were tried'
}

main() {
    suspect='' pod='' cgroup='' grab=0 user=0 node=0 seconds=10 yes=0 sending=1 out='' sysrq=0
    while [ $# -gt 0 ]; do
        case $1 in
            --pid | --pod | --cgroup | --seconds | --to | --token-file | --out)
                [ $# -ge 2 ] || give_up "$1 needs a value; see --help"
                ;;
        esac
        case $1 in
            --help | -h) usage && exit 0 ;;
            --grab) grab=1 ;;
            --user) user=1 ;;
            --node) node=1 ;;
            --yes) yes=1 ;;
            --no-send) sending=0 ;;
            --sysrq) sysrq=1 ;;
            --pid) number "$1" "$2" && suspect=$2 && shift ;;
            --pod) pod=$2 && shift ;;
            --cgroup) cgroup=${2%/} && shift ;;
            --seconds) number "$1" "$2" && seconds=$2 && shift ;;
            --to) server=${2%/} && shift ;;
            --out) out=$2 && shift ;;
            --token-file)
                token=''
                { read -r token <"$2"; } 2>/dev/null || [ -n "$token" ] || give_up "cannot read a token from $2"
                shift
                ;;
            *) give_up "there is no option $1; see --help" ;;
        esac
        shift
    done
    [ "$seconds" -ge 1 ] && [ "$seconds" -le 10 ] || give_up '--seconds is 1 to 10'
    [ -r /proc/uptime ] || give_up 'there is no /proc: this collects from Linux'
    [ -z "$suspect" ] || [ -d "/proc/$suspect" ] || give_up "there is no process $suspect"

    is_root=0
    [ "$(id -u)" != 0 ] || [ "$user" = 1 ] || is_root=1
    enter=''
    if [ "$node" = 1 ]; then
        enter='nsenter -t 1 -m -u -i -n --'
        $enter true 2>/dev/null || give_up '--node needs nsenter, root, and the namespace of the host: on Kubernetes,
  kubectl debug node/NAME -it --profile=sysadmin --image=busybox'
    fi
    blink=0.02
    sleep "$blink" 2>/dev/null || blink=1
    work='' there='' size=0 survivors=0 hung='' skipped='' children='' is_full=0 keep_work=0 ids='' groups=''
    # Bash uses other units for ulimit -f otherwise; other shells lack the option.
    # shellcheck disable=SC3040
    ! (set -o posix) 2>/dev/null || set -o posix
    clock
    started=$now
    deadline=$((now + max_seconds * 100))
    [ "$grab" = 0 ] || deadline=$((now + 3000))
    [ "$grab" = 0 ] || [ "$seconds" -le 6 ] || seconds=6
    room
    there=$work
    trap finish EXIT
    # Perf writes its file itself, where it runs.
    # shellcheck disable=SC2086 # as above
    [ "$node" = 0 ] || there=$($enter mktemp -d /run/casebook.XXXXXX) || give_up 'the node has no writable /run'
    host=$(cat /proc/sys/kernel/hostname | tr -cd 'A-Za-z0-9.-')
    text=$work/casebook-$host-$(date -u +%Y%m%dT%H%M%SZ).txt
    : >"$text"
    trap cut_off INT TERM HUP
    say "collecting for at most $(((deadline - started) / 100)) s into $text"
    note "version $version"
    note "mode $([ "$grab" = 1 ] && echo grab || echo full)"
    note "root $is_root"
    [ -z "$pod" ] || pod_suspect
    [ "$is_root" = 1 ] || say 'without root there are no stacks and no profile: run it with sudo if you may'

    identity
    switches
    pressure
    blocked_in_log
    kernel_log
    if [ "$grab" = 1 ]; then
        stacks
        blocked
        profile
    else
        counters 'first look'
        tables
        stacks
        blocked
        profile
        counters 'second look'
        group_files
        group_statistics
        reclaim
    fi
    clock
    note "ended $_up"
    trap - INT TERM HUP
    deadline=$((now + 6000))
    enter=''
    show
    [ "$grab" = 0 ] || restart_words
    if [ "$sending" = 0 ]; then
        leave_text
        exit 0
    fi
    if [ -z "$server" ] || [ -z "$token" ]; then
        leave_text
        say 'drop it on the page of the case, or send it with --to URL and --token-file FILE'
        exit 0
    fi
    if ! is_agreed; then
        leave_text
        exit 0
    fi
    send || {
        leave_text
        exit 1
    }
    [ -z "$out" ] || leave_text
}

main "$@"
