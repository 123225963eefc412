#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The real speedscope, in a browser, from files and without a network: its tables have the samples of
# the flat profile.
#
# SPEEDSCOPE is the directory with speedscope's index.html; if not given it is looked for in
# node_modules of the build directory: npm install speedscope
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
speedscope=${SPEEDSCOPE:-$builddir/node_modules/speedscope/dist/release}
[ -e "$speedscope/index.html" ] || skip_all 'no speedscope: npm install speedscope in the build directory'
needs_browser

# table FILE EVENT: speedscope's table of the file's event with that number, as lines
# "total|self|name".
table() {
	sed "1s/{/{\"activeProfileIndex\":$2,/" "$1" >"event.json"
	# The table's rows are drawn for the size that the window had when it was asked for last; a page
	# without a viewer asks at the first frame, which may come before there is a size.
	{
		printf 'speedscope.loadFileFromBase64("%s", "%s")\n' "$1" "$(base64 event.json | tr -d '\n')"
		echo 'setInterval(function () { window.dispatchEvent(new Event("resize")) }, 500)'
	} >page.js
	browse --enable-unsafe-swiftshader --window-size=1200,8000 --virtual-time-budget=20000 \
		"file://$speedscope/index.html#localProfilePath=$dir/page.js&view=sandwich" \
		>page.dom 2>page.err
	tr -d '\n' <page.dom | sed 's/<tr/\n<tr/g' | sed -n '/^<tr/{
		s,</tr>.*,,; s,</td>,|,g; s/<[^>]*>//g; s/|$//; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g; p
	}' | grep -v '^Total'
}

mkelf app <<'EOF'
type exec
text 0x401000 0x1000
symbol leaf 0x401000 0x100
symbol _ZN3vecIiEixEl 0x401100 0x100
symbol main 0x401200 0x100
EOF
mklog small.log <<'EOF'
pmc 1 cpu-clock rate=1000000
pmc 2 page-faults
exec 10 app
exec 11 app
proc 11 "a\"b</script>\xff"
map 10 0x401000 0x1000 app off=0x1000
map 11 0x401000 0x1000 app off=0x1000
sample 10 0x401010,0x401111,0x401211 x4
sample 11 0x401018,0x401211 x4
sample 10 0x401210,0x401211 x2
sample 11 0x401210 x1234 pmc=2
sample 11 0x601210 pmc=2
EOF
pmcstat -q -R small.log --speedscope small.json || exit 99
table small.json 0 >ours
grep -q speedscope page.dom || skip_all "the browser does not run: $(tail -n 1 page.err)"

cat >theirs <<'EOF'
#NameTotal Weight
1|cpu-clock|10.00ms
2|page-faults|1,235
8.00ms (80%)|8.00ms (80%)|leaf
10.00ms (100%)|2.00ms (20%)|main
4.00ms (40%)|0.00ns (<0.01%)|vec<int>::operator[](long)
6.00ms (60%)|0.00ns (<0.01%)|app
4.00ms (40%)|0.00ns (<0.01%)|a"b</script>�
EOF
equal 'a clock has time' ours theirs
table small.json 1 >ours
cat >theirs <<'EOF'
#NameTotal Weight
1|cpu-clock|10.00ms
2|page-faults|1,235
1,234 (>99%)|1,234 (>99%)|main
1 (0.08%)|1 (0.08%)|[unknown]
1,235 (100%)|0 (<0.01%)|a"b</script>�
EOF
equal 'another event has samples' ours theirs

# Commands are frames too, without samples of their own.
if pmcstat -q -d -n 1 -P page-faults -O real.log -- sh -c 'ls -lR /etc || :' >/dev/null 2>real.err; then
	pmcstat -q -R real.log --flat=flat --full-names -f threshold=0 --speedscope real.json
	table real.json 0 | sed 's/,//g; s/ ([^)]*%)//g' | awk -F '|' '$2' | sort >ours
	awk '/^ *[0-9.]+ +[0-9]+ +[0-9.]+ +[0-9]+  / && $2 { self = $2; total = $4
		sub(/^ *[0-9.]+ +[0-9]+ +[0-9.]+ +[0-9]+  /, ""); sub(/  [^ ]*$/, ""); gsub(/,/, "")
		print total "|" self "|" $0 }' flat | sort >theirs
	equal "a real recording: $(wc -l <theirs) functions have the samples of the flat profile" ours theirs
fi
finish
