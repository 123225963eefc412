#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Real programs in every way that compilers link them: each function has its name, at the addresses
# of the file and at those of a running process.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
CC=${CC:-cc}

for tool in "${CC%% *}" nm objcopy objdump strip; do
	command -v "$tool" >/dev/null || skip_all "no $tool"
done

# Tells how its code is mapped and where some of it is: START LENGTH OFFSET ADDRESS NAME.
cat >self.c <<'END'
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int middle(int v);
static __attribute__((noinline)) int inner(int v) { return v * 3 + getpid(); }
int middle(int v) { return inner(v) + inner(v + 1); }

static void tell(const char *name, unsigned long at)
{
	unsigned long start, end, offset;
	char line[4096], mode[5];
	FILE *f = fopen("/proc/self/maps", "r");

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%lx-%lx %4s %lx", &start, &end, mode, &offset) == 4 &&
		    start <= at && at < end)
			printf("%lx %lx %lx %lx %s\n", start, end - start, offset, at, name);
	if (f)
		fclose(f);
}

int main(int argc, char *argv[])
{
	tell("main", (unsigned long)main + 1);
	tell("middle", (unsigned long)middle);
	tell("inner", (unsigned long)inner);
	return middle(argc) == (int)strlen(argv[0]);
}
END

# by_nm FILE [DEBUGDIR]: what is wrong with the functions that nm shows of FILE.full or FILE.
by_nm() {
	full=$1
	[ ! -e "$1.full" ] || full=$1.full
	nm -S "$full" 2>/dev/null | symq -n -d "${2:-/none}" "$PWD/$1" | sed 's/^\([0-9]*\) of \1 .* right$/all right/'
}

# running FILE: what is wrong with the addresses that a process of FILE tells.
running() {
	"./$1" >told || echo "$1 does not run"
	while read -r start length offset at name; do
		# With all that is known, without the offset, and as FreeBSD's logs have it.
		for m in "$start,$length,$offset" "$start,$length,-" "$start,0,-"; do
			got=$(symq -d "${2:-/none}" -m "$m" "$PWD/$1" "$at" | sed -n '2s/^[^ ]* \([^ ]*\).*/\1/p')
			[ "$got" = "$name" ] || echo "$at in $m is $got, not $name"
		done
	done <told
	[ -s told ] || echo "$1 tells nothing"
}

while read -r file flags; do
	# shellcheck disable=SC2086
	if ! $CC -O1 -g $flags -o "$file" self.c 2>cc.err; then
		skip "linked with $flags" "$(head -n 1 cc.err)"
		continue
	fi
	is "linked with $flags: every function" "$(by_nm "$file")" "all right"
	is "linked with $flags: a running process" "$(running "$file")" ""
done <<'END'
pie -fPIE -pie
exec -fno-pie -no-pie
static -static
static-pie -static-pie
separate -pie -fPIE -Wl,-z,separate-code
together -pie -fPIE -Wl,-z,noseparate-code
large-pages -pie -fPIE -Wl,-z,max-page-size=0x200000
lld -pie -fPIE -fuse-ld=lld
rosegment -pie -fPIE -fuse-ld=lld -Wl,--rosegment,-z,separate-code
one-segment -pie -fPIE -fuse-ld=lld -Wl,--no-rosegment
gold -pie -fPIE -fuse-ld=gold
bits32 -m32 -fPIE -pie
bits32-exec -m32 -fno-pie -no-pie
END

$CC -O1 -g -fPIE -pie -Wl,--build-id -o whole self.c 2>cc.err || skip "stripped" "$(cat cc.err)"
cp whole stripped.full
cp whole stripped
strip stripped
is "stripped: only what it exports" "$(symq -d /none "$PWD/stripped")" dynamic-only

objcopy --only-keep-debug stripped.full stripped.debug
objcopy --add-gnu-debuglink=stripped.debug stripped
is "its debug file beside it: every function" "$(by_nm stripped)" "all right"
is "its debug file beside it: a running process" "$(running stripped)" ""
mkdir .debug
mv stripped.debug .debug
is "its debug file in .debug" "$(by_nm stripped)" "all right"
printf x >>.debug/stripped.debug
objcopy --remove-section=.note.gnu.build-id stripped bare
is "a debug file that is another one" "$(symq -d /none "$PWD/bare")" dynamic-only

id=$(readelf -n whole 2>/dev/null | sed -n 's/.*Build ID: *//p')
if [ -n "$id" ]; then
	rest=${id#??}
	mkdir -p "lib/.build-id/${id%"$rest"}"
	mv .debug/stripped.debug "lib/.build-id/${id%"$rest"}/$rest.debug"
	is "its debug file by build-id" "$(by_nm stripped lib)" "all right"
else
	skip "its debug file by build-id" "the linker makes none"
fi

# As Fedora does: the functions that are not exported, in a compressed file within the file.
if ! command -v xz >/dev/null; then
	skip "symbols compressed with xz" "no xz"
elif ! grep -q 'define HAVE_LIBLZMA' "$builddir/config.h"; then
	skip "symbols compressed with xz" "built without liblzma"
else
	objcopy --only-keep-debug stripped.full mini
	strip -g mini
	xz -k mini
	cp stripped.full packed.full
	cp stripped packed
	objcopy --remove-section=.gnu_debuglink --add-section .gnu_debugdata=mini.xz packed
	is "symbols compressed with xz: every function" "$(by_nm packed)" "all right"
	is "symbols compressed with xz: no others are missed" "$(symq -d /none "$PWD/packed")" ok
	head -c 200 mini.xz >cut.xz
	objcopy --update-section .gnu_debugdata=cut.xz packed
	is "symbols compressed with xz, cut short" \
		"$(symq -d /none "$PWD/packed" 0 2>&1 | sed -n 2p; by_nm packed | tail -n 1 | grep -c 'all right')" "0 -
0"
fi

# plt FILE: the linkage table entries that objdump names and symq does not name so.
plt() {
	objdump -d "$1" 2>/dev/null | sed -n 's/^0*\([0-9a-f]*\) <\([^*>]*@plt\)>:$/\1 \2/p' >entries
	while read -r at name; do
		got=$(symq "$PWD/$1" "$at" | sed -n '2s/^[^ ]* \([^ ]*\).*/\1/p')
		[ "$got" = "$name" ] || echo "$at is $got, not $name"
	done <entries
	[ -s entries ] || echo "no entries"
}

case $(uname -m) in
x86_64)
	while read -r file flags; do
		# shellcheck disable=SC2086
		if $CC -O1 $flags -o "$file" self.c 2>cc.err; then
			is "linkage table with $flags" "$(plt "$file")" ""
		else
			skip "linkage table with $flags" "$(head -n 1 cc.err)"
		fi
	done <<'END'
plt-lazy -fPIE -pie -Wl,-z,lazy -fcf-protection=none
plt-ibt -fPIE -pie -Wl,-z,lazy -fcf-protection=full -Wl,-z,ibtplt
plt-now -fPIE -pie -Wl,-z,now
plt-exec -no-pie -fno-pie
plt-lld -fPIE -pie -fuse-ld=lld
plt-32 -m32 -fPIE -pie
END
	if [ -e static ] && at=$(objdump -d -j .plt static | sed -n 's/^ *\([0-9a-f]*\):.*jmp.*/\1/p') &&
		[ -n "$at" ]; then
		# shellcheck disable=SC2086
		is "functions chosen at start have names" \
			"$(symq "$PWD/static" $at | sed '1d; s/^[0-9a-f]* [^ ]*@plt .*/@plt/' | sort -u)" @plt
	fi
	;;
esac

# The C library: thousands of exported functions.
lib=$(ldd whole 2>/dev/null | sed -n 's/.*libc\.so\.[0-9]* => \([^ ]*\).*/\1/p')
if [ -n "$lib" ]; then
	is "$lib: every function" \
		"$(nm -D -S "$lib" | symq -n "$lib" | sed 's/^\([0-9]*\) of \1 .* right$/all right/')" \
		"all right"
else
	skip "the C library" "ldd does not say which it is"
fi
finish
