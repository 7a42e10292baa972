#!/bin/bash
# Install the command from its wheel on a clean Debian 12 as an ordinary user, with uv and with pipx, and analyse
# evidence with it. The machine inside sees no network but a package index on loopback, which holds the wheel,
# its dependencies, and what pipx installs for itself.
#
# Needs root and: apt-get install debootstrap. CASEBOOK_PROVE_INSTALL_DIR, when given, keeps Debian there for the
# next time.
set -euo pipefail
cd "$(dirname "$0")/.."

wheel=$(echo var/wheel/*.whl)
evidence=tests/data/kernel-log/dmesg-oom.txt
finding=mm/memcg-oom
port=8087
python=.venv/bin/python

if [ "${1:-}" = inside ]; then
    # In a network namespace of its own: loopback is all there is.
    root=$2
    ip link set lo up
    "$python" -m http.server --bind 127.0.0.1 --directory "$root/../index" "$port" >/dev/null 2>&1 &
    server=$!
    trap 'kill $server' EXIT
    until "$python" -c "import socket; socket.create_connection(('127.0.0.1', $port))" 2>/dev/null; do
        sleep 0.1
    done
    index=http://127.0.0.1:$port
    file=/srv/$(basename "$wheel")
    prove() {
        # prove USER COMMAND…: install as a new user, run what is installed
        local user=$1
        shift
        printf '\n$ %s\n' "$*"
        chroot "$root" useradd --create-home "$user"
        chroot "$root" su - "$user" -c "export PATH=\$HOME/.local/bin:\$PATH PIP_INDEX_URL=$index UV_DEFAULT_INDEX=$index
            $* && casebook -V && casebook formats >formats.txt && casebook signature list >signatures.txt &&
            casebook analyze /srv/evidence.txt >report.txt && grep --max-count 1 '$finding' report.txt"
    }
    prove uv-file "uv tool install $file"
    prove uv-name "uv tool install kernel-casebook"
    prove pipx-file "pipx install $file"
    prove pipx-name "pipx install kernel-casebook"
    exit
fi

[ "$(id -u)" = 0 ] || { echo "prove-install needs root: debootstrap and chroot do" >&2; exit 1; }
command -v debootstrap >/dev/null || { echo "debootstrap is not installed: apt-get install debootstrap" >&2; exit 1; }
work=$(mktemp --directory --tmpdir=/var/tmp casebook-install.XXXXXX)
trap 'rm -rf "$work"' EXIT
debian=${CASEBOOK_PROVE_INSTALL_DIR:-$work/debian}
if [ ! -e "$debian/usr/bin/pipx" ]; then
    debootstrap --variant=minbase --include=ca-certificates,python3-venv,pipx bookworm "$debian" >"$work/log" \
        || { tail -n 20 "$work/log" >&2; exit 1; }
fi
cp -a --reflink=auto "$debian" "$work/machine"
cp -L .venv/bin/uv "$work/machine/usr/local/bin/uv"
cp "$wheel" "$work/machine/srv/"
cp "$evidence" "$work/machine/srv/evidence.txt"

# Wheels for the Python of Debian 12 from the registry, as an installer would choose them.
"$python" -m pip download --quiet --only-binary :all: --python-version 3.11 --dest "$work/wheels" \
    "$wheel" pip setuptools wheel
for one in "$work"/wheels/*; do
    name=$(basename "$one" | cut -d- -f1 | tr '[:upper:]_.' '[:lower:]--')
    mkdir -p "$work/index/$name"
    mv "$one" "$work/index/$name/"
done
unshare --net "$0" inside "$work/machine"
