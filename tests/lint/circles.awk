# SPDX-License-Identifier: BSD-2-Clause
# Files that need each other, over one or many arrows: of each circle its files, then the arrows between them with
# their symbols.  Reads "source FILE" for each file there is, then "OBJECT: SYMBOL KIND ..." for what objects have, as
# of nm -A -P -g.  Used by circles.sh, and by tests/vm/lint.sh for the kernel module.
function part_of(file) { split(file, at, "/"); return at[2] }
function source_of(object) {
	sub("\\.o:$", "", object)
	sub("/\\.libs/", "/", object)
	sub("/[a-z_]*-", "/", object)
	return object ".c"
}
# Programs may have functions of the same name: a part means its own.
function home_of(user, symbol) {
	return (part_of(user), symbol) in home ? home[part_of(user), symbol] : any[symbol]
}
function reach(from, at,    i) {
	for (i = 1; i <= outs[at]; i++)
		if (!((from, out[at, i]) in reaches)) {
			reaches[from, out[at, i]] = 1
			reach(from, out[at, i])
		}
}
function is_circle(a, b) { return (a, b) in reaches && (b, a) in reaches }
function tell(first,    i, j, a, b, files, arrows) {
	for (i = 1; i <= count; i++) {
		a = user[i]
		if (!is_circle(first, a))
			continue
		told[a] = 1
		files = files " " a
		for (j = 1; j <= outs[a]; j++) {
			b = out[a, j]
			if (is_circle(first, b))
				arrows = arrows "\n    " a " needs " b " for" symbols[a, b]
		}
	}
	print "a circle of" files arrows "\n    cut it where the fewest symbols go: HACKING.md, What calls what"
}
$1 == "source" { is_source[$2] = 1; next }
{ file = source_of($1) }
# What is left of a file that is no more has no say.
!(file in is_source) || (file, $2, $3) in seen { next }
{ seen[file, $2, $3] = 1 }
$3 == "U" { needs[++n] = file; needed[n] = $2; next }
$3 ~ /^[A-V]$/ { home[part_of(file), $2] = any[$2] = file }
END {
	for (i = 1; i <= n; i++) {
		a = needs[i]
		b = home_of(a, needed[i])
		if (b == "" || a == b) continue
		if (!(a in outs)) user[++count] = a
		if (!((a, b) in symbols)) out[a, ++outs[a]] = b
		symbols[a, b] = symbols[a, b] " " needed[i]
	}
	for (i = 1; i <= count; i++) reach(user[i], user[i])
	for (i = 1; i <= count; i++)
		if (is_circle(user[i], user[i]) && !(user[i] in told)) tell(user[i])
}
