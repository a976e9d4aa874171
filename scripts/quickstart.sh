#!/bin/sh
# Runs the quickstart of the README in a copy of examples/paldron-exec and says whether it went as described.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
copy=$(mktemp -d "${TMPDIR:-/tmp}/paldron-quickstart.XXXXXX")
trap 'rm -rf "$copy"' EXIT
cp -R "$here/examples/paldron-exec/." "$copy"
cd "$copy"
paldron() { "$here/bin/paldron" "$@"; }

echo '$ paldron exec --policy policy.toml -- python3 src/tool.py etc/note.txt'
paldron exec --policy policy.toml -- python3 src/tool.py etc/note.txt

rm -f .env
printf 'open(".env", "w").write("x=1\\n")\n' > src/leak.py
echo '$ paldron exec --policy policy.toml -- python3 src/leak.py'
status=0
paldron exec --policy policy.toml -- python3 src/leak.py || status=$?
echo "exit $status"
if [ "$status" -ne 2 ]; then
  echo "quickstart: expected exit 2, a deny" >&2
  exit 1
fi
echo "quickstart: the tool ran, the leak was denied"
