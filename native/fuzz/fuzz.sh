#!/bin/sh
# Fuzzes the decoder of plans, walks and clearings with libFuzzer (clang). usage: native/fuzz/fuzz.sh [seconds]
set -eu
cd "$(dirname "$0")/../.."
out=build/fuzz
mkdir -p "$out/corpus"
node native/fuzz/seeds.mjs "$out/corpus"
"${CLANG:-clang}" -std=c11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror \
  -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -o "$out/plan_fuzz" \
  native/fuzz/plan_fuzz.c native/plan.c native/plan_fields.c native/plan_steps.c native/plan_watch.c native/records.c native/failure.c native/walk_request.c \
  native/match.c native/wire.c native/clear.c native/paths.c native/scratch_remove.c native/fds.c
exec "$out/plan_fuzz" -max_len=16384 -rss_limit_mb=1024 -max_total_time="${1:-600}" \
  -artifact_prefix="$out/" "$out/corpus"
