#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# No file of src/ needs another that needs it in turn, over one or many arrows: by what nm says of the objects, where
# layers.sh reads includes alone.  A circle is cut by moving what both ends need into a file below them, or what needs
# both into one above.
set -u
: "${builddir:?}"
# shellcheck source=tests/tap.sh
. "${srcdir:?}/tests/tap.sh"

# list_symbols: "source FILE" for each file there is, and "OBJECT: SYMBOL KIND ..." for what objects have.
list_symbols() {
	for root in "$srcdir" "$builddir"; do
		(cd "$root" && find src -name '*.c' | sed 's/^/source /')
	done
	cd "$builddir" || exit 99
	# An object that was built for a shared library alone is in .libs.
	find src -name '*.o' ! -path 'src/kdrv/*' -exec nm -A -P -g {} + 2>/dev/null | LC_ALL=C sort
}

# of_part PART: the circles that have a file of it.
of_part() {
	printf '%s\n' "$circles" | awk -v "where= src/$1/" '/^a circle/ { on = index($0, where) } on'
}

symbols=$(list_symbols)
circles=$(printf '%s\n' "$symbols" | awk -f "$srcdir/tests/lint/circles.awk")
for part in "$srcdir"/src/*/; do
	part=$(basename "$part")
	# What is of headers alone has no objects; those of the module are made by the kernel, for tests/vm/lint.sh.
	case $part in
	sys | kdrv) continue ;;
	esac
	case $symbols in
	*"
src/$part/"*) clean "no circle in $part" "$(of_part "$part")" ;;
	*) skip "no circle in $part" 'nm reads no symbols of its objects' ;;
	esac
done
finish
