#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Stripped Go programs, however they are linked: each function has the name that go tool nm has of
# the program before.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
for tool in go strip; do
	command -v "$tool" >/dev/null || skip_all "no $tool"
done
cat >go.mod <<'END'
module example

go 1.18
END
cat >main.go <<'END'
package main

import (
	"fmt"
	"strings"
)

type T struct{ n int }

//go:noinline
func (t *T) Method(v int) int { t.n += v; return t.n }

//go:noinline
func Map[A any](v []A, f func(A) A) []A {
	out := make([]A, 0, len(v))
	for _, x := range v {
		out = append(out, f(x))
	}
	return out
}

func main() {
	t := &T{}
	fmt.Println(Map([]string{"a"}, strings.ToUpper), t.Method(len(Map([]int{1}, t.Method))))
}
END
cat >c.go <<'END'
//go:build cgo

package main

// static int square(int v) { return v * v; }
import "C"

var nine = C.square(3)
END
export GOTOOLCHAIN=local GOFLAGS=-mod=mod

# by_nm FILE: the functions of Go that FILE, stripped, does not name as FILE.full does.
by_nm() {
	go tool nm -size "$1.full" | awk '$3 ~ /^[tT]$/ && $2 > 0 { print }' >functions
	awk '{ print $1 }' functions | xargs symq -d /none "$PWD/$1" | sed 1d >found
	awk 'NR == FNR { sub(/ 0x[0-9a-f]+ 0x[0-9a-f]+$/, ""); at = $1; sub(/^[^ ]* /, ""); name[at] = $0; next }
		{ at = $1; sub(/^ *[^ ]* +[^ ]* +[^ ]* /, ""); want = $0; sub(/\.abi0$/, "", want); gsub(/·/, ".", name[at])
		  if (want !~ /^[^.]*$|^_cgo|^x_cgo|\.cold$/ && name[at] != want) print at, name[at], "not", want }' found functions
	[ "$(wc -l <functions)" -gt 1000 ] || echo "no functions"
}

while read -r file cgo status mode flags; do
	if ! CGO_ENABLED=$cgo go build -o "$file.full" "-buildmode=$mode" "-ldflags=$flags" . 2>err || ! cp "$file.full" "$file" || ! strip "$file"; then
		skip "$file: every function" "$(tail -n 1 err)"
		continue
	fi
	is "$file: every function" "$(by_nm "$file")" ""
	is "$file: what is said of it" "$(symq -d /none "$PWD/$file")" "$status"
	is "$file: methods and generic functions" "$(grep -o ' main\.[(M][^ ]*' found | sort -u)" " main.(*T).Method
 main.(*T).Method-fm
 main.Map[go.shape.int]
 main.Map[go.shape.string]"
done <<'END'
fixed 0 ok exe
pie 0 ok pie
cgo 1 dynamic-only exe -linkmode=external
cgo-pie 1 dynamic-only pie -linkmode=external
cgo-lld 1 dynamic-only pie -linkmode=external -extldflags=-fuse-ld=lld
END
finish
