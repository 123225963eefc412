#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Source places and inlined functions of real programs, at every byte of their functions: against
# addr2line, and however the debug information is kept, packed or split the same.
#
# Where addr2line (binutils 2.40) differs it is wrong, and what it says is not compared:
# - It names the symbol as the innermost function, where that is inlined and has no mangled name.
#   llvm-symbolizer agrees with us; so the names of inlined functions are compared from the second
#   on, and that of the outermost, for which we have the symbol, without what compilers append.
# - It joins directories of DWARF 5 twice ("stdlib/./stdlib/strtod_l.c") and takes some of them
#   from the unit instead of the table; here the last part of the path is compared, and that the
#   file exists.
# - Behind the end of a line sequence, in padding, it goes on with the last line.
# - Of functions that were inlined it leaves out those whose DWARF 5 ranges clang gives by index,
#   and of those that link-time optimisation moved between units it has other files.  There, as in
#   some C++ of DWARF 5, llvm-symbolizer is what we compare with.
# Of 100,000 random addresses each of libc, python3, a C++ program of 62 MB of debug information, a
# Rust program, Rust's clippy and Go's docker all lines and depths are those of llvm-symbolizer 14.
# It differs in the file where no line is known, which it takes from STT_FILE symbols that may be of
# another function; in which of a function's aliases it names; and in how names are demangled.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
CC=${CC:-cc}
unset DEBUGINFOD_URLS

for tool in "${CC%% *}" addr2line nm objcopy readelf strip; do
	command -v "$tool" >/dev/null || skip_all "no $tool"
done

mkdir src build
cat >src/part.h <<'END'
static inline int square(int x)
{
	return x * x;
}

static inline __attribute__((always_inline)) int both(int x, int y)
{
	int s = square(x);

	for (; y > 0; y--)
		s += square(s + y);
	return s;
}
END
cat >src/other.c <<'END'
#include <stdio.h>
#include "part.h"

int shared;

int unused(int x)
{
	printf("%d\n", both(x, 3));
	return both(x, x);
}

__attribute__((noinline)) int other(int x)
{
	if (__builtin_expect(x > 1000, 0)) {
		fprintf(stderr, "%d\n", x);
		return square(x) / 3;
	}
	shared += both(x, 2);
	return both(shared, x);
}
END
cat >src/main.c <<'END'
#include <stdlib.h>
#include "part.h"

int other(int x);

static int twice(int x)
{
	return both(x, 1) + both(x + 1, 2);
}

static __attribute__((noinline)) int work(int x)
{
#line 500 "generated.y"
	int s = twice(x);
#line 17 "../src/main.c"
	return s > 10 ? other(s) : twice(s);
}

int main(int argc, char *argv[])
{
	int i, s = 0;

	for (i = 0; i < argc; i++)
		s += work(atoi(argv[i])) + twice(i);
	return s == 12345;
}
END
cat >src/main.cc <<'END'
#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace shapes {
class shape {
public:
	explicit shape(int side) : side_(side) {}
	int area() const { return side_ * side_; }
	bool operator<(const shape &o) const { return area() < o.area(); }

private:
	int side_;
};

template <class T> inline T larger(const T &a, const T &b) { return a < b ? b : a; }

static int all(std::vector<shape> &v)
{
	std::sort(v.begin(), v.end());
	return larger(v.front(), v.back()).area();
}
} // namespace shapes

int main(int argc, char *argv[])
{
	std::map<std::string, int> names;
	std::vector<shapes::shape> v;

	for (int i = 0; i < argc; i++) {
		names[argv[i]] += i;
		v.push_back(shapes::shape(i));
	}
	auto odd = [&v](int side) { return (int)v.size() * side & 1; };
	return shapes::all(v) + odd(argc);
}
END

# addresses FILE: all those of the functions with a size, but of the start-up code.
addresses() {
	nm -S --defined-only "$1" 2>/dev/null |
		awk 'NF == 4 && $3 ~ /^[tTwW]$/ && $4 !~ /^_(start|init|fini)$/' |
		while read -r at size rest; do
			i=$((0x$at))
			end=$((i + 0x$size))
			while [ $i -lt $end ]; do
				printf '0x%x\n' $i
				i=$((i + 1))
			done
		done | sort -u
}

# frames: "ADDRESS DEPTH FILE:LINE... NAME..." for each address, with the last part of files only.
frames() {
	sed 's/ (discriminator [0-9]*)$//; s/ \[clone [^]]*]//g' | awk '
		function flush(	i, text) {
			if (!at)
				return
			sub(/\.(part|cold|constprop|isra)\..*/, "", name[k])
			sub(/\.cold$/, "", name[k])
			text = at " " k
			for (i = 1; i <= k; i++)
				text = text " " place[i]
			for (i = 2; i <= k && names == "all"; i++)
				text = text " " name[i]
			print text
		}
		!inside && /^0x[0-9a-f]*$/ { flush(); at = $0; sub(/^0x0*/, "", at); k = 0; next }
		!inside { name[++k] = $0; inside = 1; next }
		{ sub(/.*\//, ""); sub(/:\?$/, ":0"); sub(/^\?\?:0$/, "-:0"); place[k] = $0; inside = 0 }
		END { flush() }' names="${1:-}"
}

# ours FILE [DEBUGDIR] <ADDRESSES
ours() {
	symq -l -d "${2:-/none}" "$PWD/$1"
}

# theirs FILE BY: what addr2line or llvm-symbolizer says of addresses.list.
theirs() {
	case $2 in
	addr2line) addr2line -a -i -f -C -e "$1" <addresses.list ;;
	*) llvm-symbolizer --addresses --inlines --demangle --output-style=GNU -e "$1" <addresses.list ;;
	esac 2>&1
}

# differing FILE NAMES BY: what of our frames is not as they have it, but for padding.
differing() {
	addresses "$1" >addresses.list
	[ -s addresses.list ] || echo "no addresses"
	theirs "$1" "$3" | frames "$2" >wanted
	ours "$1" <addresses.list 2>&1 | frames "$2" >mine
	grep -q ' [2-9] ' mine || echo "nothing is inlined"
	# Of lines that are not known they have the file at times.
	diff wanted mine | grep '^>' | grep -v ' 1 -:0$' | head -n 5
}

# missing: absolute paths that are not there.
missing() {
	ours "$1" <addresses.list 2>/dev/null | sed -n 's/^\(\/.*\):[0-9]*$/\1/p' | sort -u | while read -r path; do
		case $path in
		*/generated.y | /build/* | */sysdeps/* | */csu/*) ;;
		*) [ -e "$path" ] || echo "$path" ;;
		esac
	done
}

# has_names FILE: which names are missing there: a static function's, a member's, a lambda's.
has_names() {
	ours "$1" <addresses.list >names.list
	for name in 'shapes::all' 'shapes::shape::area() const' 'main::.*::operator()'; do
		grep -q "^$name\((.*)\)*\( const\)*\$" names.list || echo "$name"
	done
}

compare() { # TITLE FILE NAMES BY
	is "$1: as $4 has it" "$(differing "$2" "$3" "$4")" ""
	is "$1: the files are there" "$(missing "$2")" ""
}

# make FILE LANGUAGE COMPILER FLAGS...: false with the reason in err when it cannot be made.
make_program() {
	out=$1 language=$2 compiler=$3
	shift 3
	# From a directory of its own, so that paths are relative ones with "..".
	case $language in
	c) (cd build && $compiler -O2 "$@" -o "../$out" ../src/main.c ../src/other.c) 2>err ;;
	*) (cd build && $compiler -O2 "$@" -o "../$out" ../src/main.cc) 2>err ;;
	esac
}

try() { # TITLE REFERENCE FILE LANGUAGE COMPILER FLAGS...
	title=$1
	reference=$2
	file=$3
	language=$4
	shift 2
	if ! command -v "$reference" >/dev/null; then
		skip "$title" "no $reference"
	elif make_program "$@"; then
		# Demanglers differ in their blanks, and they leave out what a function is in that has no
		# mangled name.
		[ "$language" = c ] && names=all || names=none
		compare "$title" "$file" "$names" "$reference"
		[ "$language" = c ] || is "$title: names have all that they are in" "$(has_names "$file")" ""
	else
		skip "$title" "$(head -n 1 err)"
	fi
}

# Of clang's DWARF 5 addr2line does not see all that is inlined.
by=addr2line
$CC --version | grep -q clang && by=llvm-symbolizer
for version in 2 3 4; do
	try "C, DWARF $version" addr2line "c$version" c "$CC" -g "-gdwarf-$version"
done
try "C, DWARF 5" $by c5 c "$CC" -g -gdwarf-5
try "C, one section a function" $by sections c "$CC" -g -ffunction-sections -Wl,--gc-sections
try "C, 32 bits" $by bits32 c "$CC" -g -m32
try "C, not optimised much" $by plain c "$CC" -g -O1
try "C, link-time optimisation" llvm-symbolizer lto c "$CC" -g -flto
if command -v g++ >/dev/null; then
	try "C++, DWARF 4" addr2line cc4 c++ g++ -g -gdwarf-4
	try "C++, DWARF 5" llvm-symbolizer cc5 c++ g++ -g -gdwarf-5
fi
if command -v clang++ >/dev/null; then
	try "C by clang, DWARF 2" addr2line clang2 c clang -g -gdwarf-2
	try "C by clang, DWARF 4" addr2line clang4 c clang -g -gdwarf-4
	try "C by clang, DWARF 5" llvm-symbolizer clang5 c clang -g -gdwarf-5
	try "C++ by clang" llvm-symbolizer clangcc c++ clang++ -g
fi

[ -e c5 ] || finish

# same TITLE FILE AS [DEBUGDIR]: FILE has the places of AS, which has the same code.
same() {
	addresses "$3" >addresses.list
	ours "$3" <addresses.list >want 2>&1
	# Without the note that an alias has another name where .symtab is gone.
	ours "$2" "${4:-}" <addresses.list 2>&1 | diff - want >differences
	is "$1" "$(head -n 5 differences)" ""
}

for how in zlib zlib-gnu; do
	if make_program packed c "$CC" -g -gdwarf-5 -gz=$how; then
		same "compressed by $how" packed c5
	else
		skip "compressed by $how" "$(head -n 1 err)"
	fi
done
if ! objcopy --compress-debug-sections=zstd c5 packed 2>err; then
	skip "compressed by zstd" "$(head -n 1 err)"
elif grep -q 'define HAVE_LIBZSTD' "$builddir/config.h"; then
	same "compressed by zstd" packed c5
else
	addresses c5 >addresses.list
	is "compressed by zstd: the problem is told" \
		"$(ours packed <addresses.list 2>&1 >/dev/null | grep -c 'with zstd, which')" 1
fi

# told FILE OUTPUT...: what a report of a sample in main says is not known.
told() {
	{
		echo 'pmc 1 cpu-clock rate=1000000'
		echo "exec 10 $PWD/$1"
		readelf -lW "$1" | awk -v path="$PWD/$1" '$1 == "LOAD" && / R E / { print "map 10", $3, $6, path, "off=" $2 }'
		nm "$1" | sed -n 's/^\([0-9a-f]*\) T main$/sample 10 0x\1/p'
		echo close
	} | mklog told.log
	shift
	pmcstat -R told.log "$@" 2>&1 >/dev/null | sed "s|$PWD/||; s/the file .*\.dwo,/the file X.dwo,/"
}

for version in 4 5; do
	if make_program split$version c "$CC" -g "-gdwarf-$version" -gsplit-dwarf && find . -name '*.dwo' | grep -q .; then
		same "split, DWARF $version" split$version c$version
	else
		skip "split, DWARF $version" "no .dwo files: $(head -n 1 err)"
		continue
	fi
	mkdir behind
	for dwo in ./*.dwo build/*.dwo; do
		[ ! -e "$dwo" ] || { cp "$dwo" behind && mv "$dwo" "$dwo.away"; }
	done
	mv split$version behind && ln -s behind/split$version split$version
	same "behind a symbolic link, DWARF $version" split$version c$version
	rm split$version && mv behind/split$version . && rm -r behind
	for dwo in ./*.dwo.away build/*.dwo.away; do
		[ ! -e "$dwo" ] || mv "$dwo" "${dwo%.away}"
	done
	for dwp in dwp llvm-dwp; do
		command -v $dwp >/dev/null || continue
		# Which of the packers knows which version differs.
		(cd build && exec $dwp -e ../split$version -o ../split$version.dwp) >err 2>&1 || {
			skip "in a package by $dwp, DWARF $version" "$dwp failed (status $?): $(head -n 1 err)"
			continue
		}
		mkdir away
		for dwo in ./*.dwo build/*.dwo; do
			[ ! -e "$dwo" ] || mv "$dwo" away
		done
		same "in a package by $dwp, DWARF $version" split$version c$version
		mkdir behind && mv split$version split$version.dwp behind && ln -s behind/split$version split$version
		same "with its package behind a symbolic link, DWARF $version" split$version c$version
		told split$version -q --archive both.tar
		mkdir root && tar xf both.tar -C root
		same "in an archive, DWARF $version" "root$PWD/split$version" c$version
		rm -r root split$version && mv behind/* . && rmdir behind
		rm split$version.dwp
		is "without it: the problem is told" \
			"$(ours split$version <addresses.list 2>&1 >/dev/null | grep -c 'was not found')" 1
		is "without it: reports tell it where they show places" "$(told split$version --flat --inlines)" \
			"pmcstat: 1 samples (100.00%): split$version: the file X.dwo, which has a part of the debug information, was not found"
		is "without it: a report that shows none does not" "$(told split$version --flat)" ""
		for dwo in away/*.dwo; do
			mv "$dwo" .
		done
		rmdir away
	done
	rm -f ./*.dwo build/*.dwo
done

# Each type is in a section of its own, before the one with the functions.
if make_program plain.cc cc g++ -g -gdwarf-5 -gsplit-dwarf &&
	make_program types.cc cc g++ -g -gdwarf-5 -gsplit-dwarf -fdebug-types-section &&
	[ "$(readelf -SW build/types*.dwo types*.dwo 2>/dev/null | grep -c ' \.debug_info\.dwo ')" -gt 1 ]; then
	same "split, with sections of types" types.cc plain.cc
else
	skip "split, with sections of types" "$(head -n 1 err)"
fi
rm -f ./*.dwo build/*.dwo

make_program whole c "$CC" -g -gdwarf-5 -Wl,--build-id
for how in -g -s; do
	cp whole whole.out
	objcopy --only-keep-debug whole.out kept.debug
	strip $how whole.out
	objcopy --add-gnu-debuglink=kept.debug whole.out
	same "separate debug file, strip $how" whole.out whole
	rm kept.debug
	is "without it: nothing is known" "$(ours whole.out <addresses.list | grep -c ':[1-9]')" 0
done

id=$(readelf -n whole 2>/dev/null | sed -n 's/.*Build ID: *//p')
if [ -n "$id" ]; then
	rest=${id#??}
	mkdir -p "lib/.build-id/${id%"$rest"}"
	objcopy --only-keep-debug whole "lib/.build-id/${id%"$rest"}/$rest.debug"
	cp whole whole.out
	strip -g whole.out
	same "separate debug file by build-id" whole.out whole lib
	mkdir -p "server/buildid/$id"
	mv "lib/.build-id/${id%"$rest"}/$rest.debug" "server/buildid/$id/debuginfo"
	export DEBUGINFOD_URLS="file://$PWD/server" DEBUGINFOD_CACHE_PATH="$PWD/cache"
	is "without consent no server is asked" "$(ours whole.out <addresses.list | grep -c ':[1-9]')$(ls cache 2>/dev/null)" 0
	if grep -q 'define HAVE_DEBUGINFOD' "$builddir/config.h"; then
		symq -i -l -d /none "$PWD/whole.out" <addresses.list 2>&1 | diff - want >differences
		is "separate debug file by debuginfod" "$(head -n 5 differences)" ""
		cp whole.out bare
		strip bare
		mklog bare.log <<-END
			pmc 1 cpu-clock
			proc 10 bare
			map 10 $(readelf -lW bare | awk -v path="$PWD/bare" '/LOAD .* R E / { print $3, $5, path, "off=" $2; exit }')
			sample 10 $(readelf -lW bare | awk '/LOAD .* R E / { print $3; exit }')
			close
		END
		is "a server that does not answer is told" "$(DEBUGINFOD_URLS=http://127.0.0.1:1 DEBUGINFOD_CACHE_PATH=$PWD/none \
			pmcstat -R bare.log --debuginfod --flat=/dev/null 2>&1 | grep -o 'no server of .* answered')" \
			"no server of \$DEBUGINFOD_URLS answered"
	else
		skip "separate debug file by debuginfod" "built without libdebuginfod"
		skip "a server that does not answer is told" "built without libdebuginfod"
	fi
	unset DEBUGINFOD_URLS
else
	skip "separate debug file by build-id" "the linker makes none"
fi

if command -v dwz >/dev/null; then
	for version in 4 5; do
		cp c$version one
		if dwz one 2>err; then
			same "by dwz, DWARF $version" one c$version
		else
			skip "by dwz, DWARF $version" "$(head -n 1 err)"
		fi
		cp c$version one
		cp plain two
		if dwz -m common -M common one two 2>err && [ -e common ]; then
			same "by dwz with a common file, DWARF $version" one c$version
			mv common gone
			ours one <addresses.list 2>told >/dev/null
			is "without it: the problem is told" "$(grep -c 'common.*not found' told)" 1
			rm gone
		else
			skip "by dwz with a common file, DWARF $version" "$(head -n 1 err) or nothing in common"
		fi
	done
	# As Fedora has it: the path of the common file is relative to where the debug file is, not to
	# the link by build-id that it is found by.
	cp whole one
	cp plain two
	if [ -n "$id" ] && dwz -m common -M ../../../.dwz/common one two 2>err && [ -e common ]; then
		mkdir -p fedora/.dwz fedora/usr/lib64/app "fedora/.build-id/${id%"$rest"}"
		mv common fedora/.dwz
		objcopy --only-keep-debug one fedora/usr/lib64/app/one.debug
		ln -s ../../usr/lib64/app/one.debug "fedora/.build-id/${id%"$rest"}/$rest.debug"
		strip one
		same "by dwz, found through a link" one whole fedora
		common=$(readelf -n fedora/.dwz/common 2>/dev/null | sed -n 's/.*Build ID: *//p')
		if [ -n "$common" ] && grep -q 'define HAVE_DEBUGINFOD' "$builddir/config.h"; then
			rm -rf server cache
			mkdir -p "server/buildid/$id" "server/buildid/$common"
			cp fedora/usr/lib64/app/one.debug "server/buildid/$id/debuginfo"
			cp fedora/.dwz/common "server/buildid/$common/debuginfo"
			DEBUGINFOD_URLS="file://$PWD/server" DEBUGINFOD_CACHE_PATH="$PWD/cache" \
				symq -i -l -d /none "$PWD/one" <addresses.list 2>&1 | diff - want >differences
			is "by dwz, from a server" "$(head -n 5 differences)" ""
		else
			skip "by dwz, from a server" "the common file has no build-id, or built without libdebuginfod"
		fi
	else
		skip "by dwz, found through a link" "$(head -n 1 err) or nothing in common"
	fi
else
	skip "by dwz" "no dwz"
fi

# An object file has one section of code here, at address 0 as in a module.
if (cd build && $CC -O2 -g -c -fno-toplevel-reorder -fno-reorder-functions ../src/other.c -o ../other.o) 2>err; then
	compare "an object file" other.o all addr2line
fi

# Units that do not say where their code is: their functions do, or .debug_aranges.
for where in functions aranges; do
	cat >bare.s <<END
.section .debug_line,"",%progbits
.Lline:
.text
.globl f
.type f,%function
.file 1 "bare.c"
f:
.loc 1 7
nop
nop
.loc 1 8
nop
.Lend:
.size f,.-f
.section .debug_abbrev,"",%progbits
.uleb128 1,0x11
.byte 1
.uleb128 0x10,0x17,0,0,2,0x2e
.byte 0
.uleb128 0x11,1,0x12,1,0,0
.byte 0
.section .debug_info,"",%progbits
.Linfo:
.long 2f-1f
1: .short 4
.long 0
.byte 8
.uleb128 1
.long .Lline
$([ $where = aranges ] || echo ".uleb128 2; .quad f,.Lend")
.byte 0
2:
$([ $where = functions ] || echo '.section .debug_aranges,"",%progbits
.long 4f-3f
3: .short 2
.long .Linfo
.byte 8,0
.long 0
.quad f,.Lend-f,0,0
4:')
END
	if $CC -nostdlib -shared -o bare.so bare.s 2>err; then
		nm -S bare.so | sed -n 's/ T f$//p' >where.txt
		read -r at size <where.txt
		is "code that only the $where tell" \
			"$(symq -l -d /none "$PWD/bare.so" "$(printf %x $((0x$at + 0x$size - 1)))" 2>&1 </dev/null | sed '1d; s,.*/,,')" \
			"f
bare.c:8"
	else
		skip "code that only the $where tell" "$(head -n 1 err)"
	fi
done

# A list of ranges that every entry has would be as many as entries and ranges multiplied.
awk 'BEGIN {
	print ".text\n.globl f\n.type f,%function\nf: .skip 65536\n.size f,65536"
	print ".section .debug_abbrev,\"\",%progbits\n.uleb128 1,0x11\n.byte 1"
	print ".uleb128 0x11,1,0x12,1,0,0,2,0x2e\n.byte 0\n.uleb128 0x55,0x17,0,0\n.byte 0"
	print ".section .debug_info,\"\",%progbits\n.long 2f-1f\n1: .short 4\n.long 0"
	print ".byte 8\n.uleb128 1\n.quad f,f+65536"
	for (i = 0; i < 4000; i++)
		print ".uleb128 2\n.long 0"
	print ".byte 0\n2:\n.section .debug_ranges,\"\",%progbits"
	for (i = 0; i < 4000; i++)
		print ".quad " 2 * i "," 2 * i + 1
	print ".quad 0,0"
}' >shared.s
if $CC -nostdlib -shared -o shared.so shared.s 2>err; then
	like "ranges that all entries share are given up" \
		"$(symq -l -d /none "$PWD/shared.so" "$(nm shared.so | sed -n 's/ T f$//p')" 2>&1 </dev/null)" \
		"refers to itself more often"
else
	skip "ranges that all entries share are given up" "$(head -n 1 err)"
fi

# Tables of abbreviations that overlap would be as many as units and attributes multiplied.
awk 'BEGIN {
	print ".text\n.globl f\n.type f,%function\nf: .skip 64\n.size f,64"
	print ".section .debug_abbrev,\"\",%progbits\n.fill 40001,1,1\n.byte 0,0,0"
	print ".section .debug_info,\"\",%progbits"
	for (i = 0; i < 8000; i++)
		print ".long 9\n.short 4\n.long " 2 * i "\n.byte 8\n.uleb128 1\n.byte 0"
}' >tables.s
# small COMMAND...: with an address space of 800 MB, a limit that dash, bash and busybox know.
small() (
	# shellcheck disable=SC3045
	ulimit -v 800000 && "$@"
)
title="tables of abbreviations that overlap are given up before they fill the memory"
if ! $CC -nostdlib -shared -o tables.so tables.s 2>err; then
	skip "$title" "$(head -n 1 err)"
elif ! small ours c5 </dev/null >/dev/null 2>&1; then
	skip "$title" "this build needs more address space by itself"
else
	like "$title" "$(small symq -l -d /none "$PWD/tables.so" 0 2>&1 </dev/null)" \
		"refers to itself more often"
fi

# A directory as long as a path can be, and a file in it.
long=$(printf %4094s '' | tr ' ' A)
if $CC -g -nostdlib -shared -fdebug-prefix-map="$PWD=/$long" -o long.so -x c - 2>err <<'END'; then
int g(void) { return 1; }
END
	like "a path that is too long" \
		"$(symq -l -d /none "$PWD/long.so" "$(nm long.so | sed -n 's/ T g$//p')" 2>&1 </dev/null)" \
		'^(g|[?][?]:1)$'
else
	skip "a path that is too long" "$(head -n 1 err)"
fi

objcopy -O binary -j .text c5 text.bin
text=$(readelf -SW c5 | sed -n 's/.*\] \.text  *PROGBITS  *\([0-9a-f]*\) .*/\1/p')
size=$(wc -c <text.bin)
for at in 0 7 $((size / 2)) $((size - 16)); do
	is "code at $at of .text" "$(symq -x "$PWD/c5" "$(printf %x $((0x$text + at)))")" \
		"$(od -An -v -tx1 -j $at -N 16 text.bin)"
done
is "no code where there is none" "$(symq -x "$PWD/c5" 7fffffff0000)" ""
finish
