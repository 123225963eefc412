#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Call chains of a Go program: by frame pointers where its unwind data are compressed, as they mostly
# are, and by plain ones.  Its runtime works on a stack of its own; from Go 1.21 on frame pointers
# lead from there to the goroutine.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
needs_recording
command -v go >/dev/null || skip_all 'no go'
cat >go.mod <<'END'
module allocates

go 1.21
END
cat >main.go <<'END'
package main

import "time"

var kept [64][]*[100]int

func allocate(i int) {
	kept[i] = nil
	for n := 0; n < 1000; n++ {
		kept[i] = append(kept[i], new([100]int))
	}
}

func work(done chan bool, from int) {
	for end := time.Now().Add(time.Second); time.Now().Before(end); {
		for i := from; i < from+32; i++ {
			allocate(i)
		}
	}
	done <- true
}

func main() {
	done := make(chan bool)
	go work(done, 0)
	go work(done, 32)
	<-done
	<-done
}
END
export GOTOOLCHAIN=local GOFLAGS=-mod=mod
if ! go build -o compressed . 2>err || ! go build -ldflags=-compressdwarf=false -o plain . 2>err; then
	skip_all "go: $(tail -n 1 err)"
fi

for how in compressed plain; do
	pmcstat -q -P cpu-clock:u -O $how.log ./$how 2>err
	pmcstat -q -R $how.log --folded >folded 2>/dev/null
	# shellcheck disable=SC2046
	set -- $(awk '/;main\.work;/ { all += $NF }
		/;runtime\.goexit[^;]*;(main\.main[^;]*;)?main\.work;/ { right += $NF }
		END { print right + 0, all + 0 }' folded)
	verdict "$([ "$2" -ge 20 ] && [ $(($1 * 20)) -ge $(($2 * 19)) ] && echo yes || echo no)" \
		"$how: goroutines begin in goexit" "$1 of $2"
done
# The rest of them is where the two stacks lie close to each other, or the runtime was just changing between them.
case $(go env GOVERSION) in
go1.1[0-9]* | go1.20*) skip "chains lead from the stack of the runtime to the goroutine's" "$(go env GOVERSION)" ;;
*)
	pmcstat -q -R compressed.log --folded >folded 2>/dev/null
	# shellcheck disable=SC2046
	set -- $(awk '/;runtime\.systemstack/ { all += $NF }
		/;runtime\.goexit[^;]*;.*;runtime\.systemstack/ { right += $NF }
		END { print right + 0, all + 0 }' folded)
	verdict "$([ "$2" -ge 20 ] && [ $(($1 * 2)) -ge "$2" ] && echo yes || echo no)" \
		"chains lead from the stack of the runtime to the goroutine's" "$1 of $2"
	;;
esac
finish
