#!/bin/sh
# Makes what a virtual machine needs to run test/kernel/ on another kernel: a Debian root file system with that kernel,
# an initial file system with the modules for its disk, Node, and this checkout built for the architecture.
#   sh scripts/kernels/image.sh x86_64|aarch64
# Needs root (file owners), and Debian's debootstrap, e2fsprogs, kmod, cpio; gcc-aarch64-linux-gnu and
# libc6-dev-arm64-cross for aarch64. Everything lies in PALDRON_KERNELS (default /var/tmp/paldron-kernels).
set -eu

arch=$1
here=$(cd "$(dirname "$0")/../.." && pwd)
work=${PALDRON_KERNELS:-/var/tmp/paldron-kernels}/$arch
root=$work/root
node_version=20.20.2
suite=bookworm

case $arch in
x86_64) deb=amd64 cpu=x64 compiler=cc ;;
aarch64) deb=arm64 cpu=arm64 compiler=aarch64-linux-gnu-gcc ;;
*) echo "image.sh: x86_64 or aarch64, not $arch" >&2; exit 1 ;;
esac

# What is unpacked is never configured: nothing in the tests needs more than files in their places.
if [ ! -e "$work/unpacked" ]; then
  rm -rf "$root"
  mkdir -p "$root"
  packages=linux-image-$deb,git,python3-minimal,python3,gcc,libc6-dev,procps,util-linux,busybox-static,make,strace
  debootstrap --foreign --arch="$deb" --variant=minbase --include="$packages" "$suite" "$root"
  for package in "$root"/var/cache/apt/archives/*.deb; do dpkg-deb -x "$package" "$root"; done
  rm -rf "$root/var/cache/apt/archives" "$root/debootstrap"
  for program in "cc gcc" "awk mawk"; do ln -sf "${program#* }" "$root/usr/bin/${program% *}"; done
  cp /usr/share/base-passwd/passwd.master "$root/etc/passwd"
  cp /usr/share/base-passwd/group.master "$root/etc/group"
  echo "127.0.0.1 localhost" >"$root/etc/hosts"
  touch "$work/unpacked"
fi

if [ ! -e "$root/opt/node/bin/node" ]; then
  mkdir -p "$root/opt/node"
  (cd "$work" && npm pack --silent "node-linux-$cpu@$node_version" >/dev/null &&
    tar xzf "node-linux-$cpu-$node_version.tgz" -C "$root/opt/node" --strip-components=1)
fi

# This checkout as committed, with the dependencies and the launcher of that architecture.
project=$root/paldron
if [ ! -e "$project/node_modules" ] || ! cmp -s "$here/package-lock.json" "$project/package-lock.json"; then
  rm -rf "$project"
  mkdir -p "$project"
  git -C "$here" archive HEAD | tar x -C "$project"
  (cd "$project" && npm ci --ignore-scripts --no-audit --no-fund --os=linux --cpu="$cpu" --libc=glibc)
else
  git -C "$here" archive HEAD | tar x -C "$project"
fi
rm -rf "$project/dist" "$project/build"
cp -a "$here/dist" "$project/"
(cd "$project" && CC=$compiler node scripts/build-launcher.mjs)
install -m 755 "$here/scripts/kernels/init.sh" "$root/paldron-init"

version=$(ls "$root/lib/modules")
depmod -b "$root" "$version"
boot=$work/initrd
rm -rf "$boot"
mkdir -p "$boot/mnt"
cp "$root/bin/busybox" "$boot/busybox"
: >"$boot/modules"
for module in virtio_pci virtio_mmio virtio_blk virtio_rng ext4; do
  modprobe -d "$root" -S "$version" --show-depends "$module" | sed -n 's/^insmod //p' | while read -r file _; do
    cp "$file" "$boot/$(basename "$file")"
    grep -qxF "$(basename "$file")" "$boot/modules" || basename "$file" >>"$boot/modules"
  done
done
cat >"$boot/init" <<'INIT'
#!/busybox sh
while read -r module; do /busybox insmod "/$module"; done </modules
/busybox mkdir -p /dev
/busybox mount -t devtmpfs none /dev
/busybox mount -t ext4 /dev/vda /mnt
exec /busybox switch_root /mnt /paldron-init
INIT
chmod 755 "$boot/init"
(cd "$boot" && find . | cpio --quiet -o -H newc | gzip -1) >"$work/initrd.gz"
cp "$root/boot/vmlinuz-$version" "$work/vmlinuz"
rm -f "$work/disk.img"
mke2fs -q -t ext4 -d "$root" "$work/disk.img" 4G
