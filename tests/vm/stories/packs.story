Packed logs of another architecture, as a user who has none of the files: x86-64's on arm64, and arm64's on x86-64.
== machine exact
== file reports
# reports LOG OUTPUT...: what is in each report and said beside it.  Not of --pprof, which the machine's pmcstat lacks.
export LC_ALL=C TZ=UTC0
log=$1
shift
for output in "$@" --overview --flat --tree --folded --flamegraph --icicle --json '--flat --inlines' '--flat -I' \
	'--folded --no-demangle' '--tree --full-names' '--html -' '-F -' '-G -' '-m -' '--speedscope -' '--firefox -' --perf-script; do
	echo "== $output"
	pmcstat -R "$log" $output 2>&1
done
== file code
# code LOG FUNCTION: its instructions, which the machine's pmcstat shows as bytes, and lines of its source.
pmcstat -q -R "$1" --annotate "$2" --asm | sed '1,/ADDRESS/d'
== before
room=$PWD
. "$srcdir/tests/system/lib.sh"
. "$srcdir/tests/system/programs.sh"
{ log plain && echo close; } | mklog x86.log &&
	sh "$room/reports" x86.log '--callers inner' '--annotate main' '--annotate hot.h' '--html - --html-sources' >"$room/x86.there" &&
	pmcstat -q -R x86.log --pack "$room/x86.log" || exit
objdump -d --disassemble=inner here/bin/plain | awk -F'\t' 'NF > 1 { printf "%s", $2 }' | tr -d ' ' >"$room/x86.bytes"
== run every report of a log of x86-64 is that of the machine which has the program
su stranger -c "sh reports x86.log '--callers inner' '--annotate main' '--annotate hot.h' '--html - --html-sources'" >x86.here
diff x86.here x86.there && wc -l <x86.here | awk '{ print ($1 > 500 ? "all" : $1) }'
== out
all
== run and the bytes of its code are there
su stranger -c 'sh code x86.log inner' >code.here
sed -n '/^[ 0-9]/s/^.\{48\}//p' code.here | tr -d ' \n' | diff - x86.bytes
sed -n 's/^[^ ]*hot\.[ch]:[0-9]* *//p' code.here | grep '[+]' | sort -u
== out
result += step(v);
return v * 3 + 1;
== run a log of this machine
pmcstat -q --collector=perf -P cpu-clock:u -n 1000000 --pack arm.log split time 100 && sh reports arm.log '--callers sixty' >arm.there
== host is reported by the other as by it
as='setpriv --reuid 65534 --regid 65534 --clear-groups'
chmod a+r arm.log && $as sh -c 'cat arm.log' >was.log 2>err || as=
$as sh reports arm.log '--callers sixty' >arm.here
diff arm.here arm.there && grep -c 'sixty' arm.here | awk '{ print ($1 > 10 ? "all" : $1) }'
== out
all
