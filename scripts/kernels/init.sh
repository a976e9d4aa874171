#!/bin/sh
# Process 1 of the virtual machine of scripts/kernels/run.sh: runs what its command line names, writes the result to
# the console between two marks, and powers off.
export PATH=/opt/node/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root CI=1
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t cgroup2 cgroup2 /sys/fs/cgroup
mount -t devtmpfs devtmpfs /dev 2>/dev/null
mkdir -p /dev/pts /dev/shm
mount -t devpts devpts /dev/pts
mount -t tmpfs tmpfs /dev/shm
mount -t tmpfs -o mode=1777 tmpfs /tmp
mount -t tmpfs tmpfs /run
busybox ip link set lo up
hostname machine
cd /paldron || exit 1
tests=$(sed -n 's/.*paldron\.tests=\([^ ]*\).*/\1/p' /proc/cmdline | tr , ' ')
echo "=== $(uname -srm)"
doctor() {
  echo "--- doctor, $1"
  shift
  mkdir -p /tmp/home /tmp/ws && chown 65534:65534 /tmp/home /tmp/ws
  (cd /tmp/ws && HOME=/tmp/home "$@" /paldron/bin/paldron doctor 2>&1)
}
user="setpriv --reuid=65534 --regid=65534 --clear-groups"
# shellcheck disable=SC2086 # lists of words
if [ "$tests" = doctor ]; then
  doctor "as root"
  doctor "as an ordinary user" $user
  doctor "as root, namespaces refused" /paldron/build/no-namespaces
  doctor "as an ordinary user, namespaces refused" /paldron/build/no-namespaces $user
else node node_modules/vitest/vitest.mjs run --reporter=verbose --no-color --no-file-parallelism --testTimeout=900000 --hookTimeout=900000 $tests; fi
echo "=== status $?"
sync
busybox poweroff -f
