Options as FreeBSD's users type them.
== elf app
type exec
text 0x401000 0x1000
symbol main 0x401000 0x100
== elf plain
type exec
text 0x501000 0x1000
== log out.log
pmc 1 cpu-clock
exec 10 app
map 10 0x401000 0x1000 app off=0x1000
map 10 0x501000 0x1000 plain off=0x1000
sample 10 0x401010 x199
sample 10 0x501010 x1
close
== run -v has no argument: it tells of each file without symbols
for v in '' -v -vv '-v -v' '-v 1' '-v 0' -vq --verbosity '--verbosity 1' --verbosity=0; do
	echo "with $v" >&2
	# shellcheck disable=SC2086
	pmcstat $v -R out.log --folded=/dev/null
done
== err
with 
pmcstat: quality: 200 samples of cpu-clock; lost 0 (0.00%); throttled 0; unresolved 0.50%, of them unmapped 0.00%; truncated chains 0
with -v
pmcstat: 1 samples (0.50%): plain is stripped and has no separate debug file
pmcstat: quality: 200 samples of cpu-clock; lost 0 (0.00%); throttled 0; unresolved 0.50%, of them unmapped 0.00%; truncated chains 0
with -vv
pmcstat: 1 samples (0.50%): plain is stripped and has no separate debug file
pmcstat: quality: 200 samples of cpu-clock; lost 0 (0.00%); throttled 0; unresolved 0.50%, of them unmapped 0.00%; truncated chains 0
with -v -v
pmcstat: 1 samples (0.50%): plain is stripped and has no separate debug file
pmcstat: quality: 200 samples of cpu-clock; lost 0 (0.00%); throttled 0; unresolved 0.50%, of them unmapped 0.00%; truncated chains 0
with -v 1
pmcstat: 1 samples (0.50%): plain is stripped and has no separate debug file
pmcstat: quality: 200 samples of cpu-clock; lost 0 (0.00%); throttled 0; unresolved 0.50%, of them unmapped 0.00%; truncated chains 0
with -v 0
pmcstat: quality: 200 samples of cpu-clock; lost 0 (0.00%); throttled 0; unresolved 0.50%, of them unmapped 0.00%; truncated chains 0
with -vq
with --verbosity
pmcstat: 1 samples (0.50%): plain is stripped and has no separate debug file
pmcstat: quality: 200 samples of cpu-clock; lost 0 (0.00%); throttled 0; unresolved 0.50%, of them unmapped 0.00%; truncated chains 0
with --verbosity 1
pmcstat: 1 samples (0.50%): plain is stripped and has no separate debug file
pmcstat: quality: 200 samples of cpu-clock; lost 0 (0.00%); throttled 0; unresolved 0.50%, of them unmapped 0.00%; truncated chains 0
with --verbosity=0
pmcstat: quality: 200 samples of cpu-clock; lost 0 (0.00%); throttled 0; unresolved 0.50%, of them unmapped 0.00%; truncated chains 0
== run its options may follow in one word
pmcstat -vR out.log --folded 2>&1 | head -n 1
== out
app;0x501010 1
== run 64 a number behind it is its level
pmcstat -v 10 -R out.log
== err
pmcstat: -v "10" is not a whole number from 0 to 9
== run -o names the file of what goes to standard output
pmcstat -q -R out.log -G - -o graph && cat graph
pmcstat -q -o folded -R out.log --folded && cat folded
pmcstat -q -R out.log -o overview && head -n 1 overview
pmcstat -q -R out.log --dump -o text && tail -n 1 text
pmcstat -q -R out.log -g -D . -M - -o map && cat map
pmcstat -q -R out.log -o - --folded
== out
@ cpu-clock [200 samples]

99.50%  [199]      main @ app

00.50%  [1]        0x501010 @ plain

app;0x501010 1
app;main 199
@ cpu-clock [200 samples]
closelog
 "app" => "app.gmon" cpu-clock/199
 "plain" => "plain.gmon" cpu-clock/1
app;0x501010 1
app;main 199
== run and no other
pmcstat -q -R out.log -o never -G graph 2>&1
pmcstat -q -R out.log --flat=flat --folded -o folded && head -n 1 flat folded
== out
pmcstat: option -o needs -p, -s, --summary or what goes to standard output
pmcstat: hint: pmcstat --help lists the options
==> flat <==
@ cpu-clock [200 samples]

==> folded <==
app;0x501010 1
== run 64 nor is it that of two, or of the log
pmcstat -q -R out.log --flat --folded -o both
pmcstat -q -R out.log -o out.log
pmcstat -q -R out.log --dump -o ./out.log
== err
pmcstat: --flat and --folded would both be written to both
pmcstat: --overview would overwrite the log out.log
pmcstat: --count-output would overwrite the log out.log
== run a file that cannot be written
pmcstat -R out.log --dump -o /dev/full || echo $?
pmcstat -R out.log -o /dev/full || echo $?
pmcstat -R out.log --dump -o no/file || echo $?
== out
74
74
73
== err
pmcstat: /dev/full: No space left on device
pmcstat: hint: make room for more
pmcstat: /dev/full: No space left on device
pmcstat: hint: make room for more
pmcstat: no/file: No such file or directory
== run of a recording too
cat >script <<END
proc 10 app
sample 10 0x401010 x5
END
pmcstat -q --collector=fake:script -c 0 -S cpu-clock -l 0.01 --folded -o live && cat live
pmcstat -q --collector=fake:script -c 0 -S cpu-clock -l 0.01 --dump -o live && grep -c ^callchain live
== out
app;[unknown] 5
5
== run 64 -M without -g has nothing to say
pmcstat -R out.log -M map -G -
== err
pmcstat: option -M needs -g
pmcstat: hint: pmcstat --help lists the options
== run 64 an option of one value has no second one
pmcstat -P instructions -O a.log -O b.log true; echo $?
ls a.log b.log 2>&1 | wc -l
pmcstat -R out.log -o a --count-output=b --folded; echo $?
pmcstat -R out.log --by pid --by=cpu; echo $?
pmcstat -R out.log --compress --compress=zstd
== out
64
2
64
64
== err
pmcstat: -O takes one value, but is given twice: "a.log" and "b.log"
pmcstat: hint: leave out one of them
pmcstat: -o takes one value, but is given twice: "a" and "b"
pmcstat: hint: leave out one of them
pmcstat: --by takes one value, but is given twice: "pid" and "cpu"
pmcstat: hint: leave out one of them
pmcstat: --compress takes one value, but is given twice: "" and "zstd"
pmcstat: hint: leave out one of them
== run those whose values join have
pmcstat -q -R out.log --pid 10 --pid 11 -i 10 -i 11 -f threshold=0 -f skiplink=0 --comm app --comm b --folded
== out
app;0x501010 1
app;main 199
