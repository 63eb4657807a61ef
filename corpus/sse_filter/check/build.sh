#!/bin/sh
# Builds ./check into $OUT (default: a temporary folder) and runs it; arguments go to the compiler.
cd "$(dirname "$0")/.." || exit 1
out=${OUT:-$(mktemp -d)}
objs=
for f in *.cpp scalar/*.cpp check/check.cpp; do
    o=$out/$(echo "$f" | tr / _).o
    flags=$(sed -n '1s,^// flags: ,,p' "$f")
    g++ -c -O2 -Wall -Wextra -std=c++17 $flags "$@" "$f" -o "$o" || exit 1
    objs="$objs $o"
done
g++ "$@" $objs -o "$out/check" && "$out/check"
