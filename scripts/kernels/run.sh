#!/bin/sh
# Boots Debian's kernel of an architecture in qemu and runs tests of test/kernel/ there, as root.
#   sh scripts/kernels/run.sh x86_64|aarch64 [TEST-FILE…]      default: all of test/kernel
#   sh scripts/kernels/run.sh x86_64|aarch64 doctor            instead: `paldron doctor`, as root and as an ordinary user
# Emulated instruction by instruction, so it takes long: a start of Node some seconds, everything the better part of an
# hour. Needs what image.sh needs, and Debian's qemu-system-x86 or qemu-system-arm.
set -eu

arch=$1
shift
work=${PALDRON_KERNELS:-/var/tmp/paldron-kernels}/$arch
sh "$(dirname "$0")/image.sh" "$arch"
tests=$(printf '%s,' "${@:-test/kernel}")

case $arch in
x86_64) machine="-M q35 -cpu max" console=ttyS0 ;;
aarch64) machine="-M virt -cpu cortex-a72" console=ttyAMA0 ;;
esac

# shellcheck disable=SC2086 # options, one word each
exec qemu-system-"$arch" $machine -accel tcg,thread=multi -smp 2 -m 4G -nographic -no-reboot -nic none \
  -kernel "$work/vmlinuz" -initrd "$work/initrd.gz" \
  -append "console=$console quiet panic=-1 paldron.tests=${tests%,}" \
  -drive "file=$work/disk.img,format=raw,if=virtio,snapshot=on" -device virtio-rng-pci
