#!/bin/sh
# Builds the launcher with AddressSanitizer and UndefinedBehaviorSanitizer and runs its tests with it.
# usage: test/native/sanitize.sh [vitest arguments]
set -eu
cd "$(dirname "$0")/../.."
mkdir -p build
"${CC:-cc}" -std=c11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror -fno-omit-frame-pointer \
  -fsanitize=address,undefined -fno-sanitize-recover=all \
  -o build/paldron-launcher-asan native/*.c test/native/asan_options.c
PALDRON_TEST_LAUNCHER=build/paldron-launcher-asan exec npx vitest run test/native "$@"
