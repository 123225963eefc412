What programs are called with, which the module reads where exec(2) has just put it.
== machine smp exact
== run the process tree of a shell
pmcstat -q -d -E -p page-faults -o counts --process-tree -- sh -c 'spin 1000 "a b"; (exec spin 2000 ""); true' >tree
sed -n 's/^ *[0-9.]* *[0-9]* *[0-9]* *[0-9.]* *[0-9]*  //p' tree
== out
sh -c 'spin 1000 "a b"; (exec spin 2000 ""); true'
  spin 1000 'a b'
  spin 2000 ''
== run none is missed, however short they live
cat >many <<'END'
i=0
while [ $i -lt 30 ]; do
	spin 10 $i & spin 10 x$i
	wait
	i=$((i + 1))
done
END
pmcstat -q -d -E -p page-faults -O many.log -o counts sh many
pmcstat -q -R many.log -f threshold=0 --process-tree >tree
awk '/spin 10 x?[0-9]+$/ { if (!seen[$NF]++) n++ } /spin/ { all++ } END { print n, all }' tree
== out
60 60
== run what is long is cut
long=$(head -c 6000 /dev/zero | tr '\0' x)
pmcstat -q -d -E -p page-faults -o counts --process-tree -- sh -c 'exit 0' $long >tree
sed -n 's/^.* \(sh -c .exit 0. x*[.]*\)$/\1/p' tree | wc -c
grep -c 'xxx[.][.][.]$' tree
== out
3054
1
== run nobody is told what is not wanted
pmcstat -q -d -E --no-arguments -p page-faults -O log -o counts sh -c 'spin 1000 secret; true'
pmcstat -q -R log --process-tree | grep -c 'spin$'
pmcstat -q -d -P cpu-clock -O sampled sh -c 'spin 1000 secret; true'
for log in log sampled; do
	strings $log | grep -v '^sh -c\|pmcstat' | grep -c secret || true
done
== out
1
0
0
== run nor of processes that are no targets, though the log hears of all
for descends in '' ,descendants; do
	hwpmcctl <<END | grep -v ': ok$'
log all
allocate s ss cpu=0 config=cpu-clock count=10000000
allocate p tc flags=procexit,arguments$descends
attach p self
start s
start p
sh spin 1000 secret
closelog
END
	pmclog dump all | grep -c '^exec.*/spin"'
	strings all | grep -q secret && echo told || echo not told
done
== out
sh spin 1000 secret: status 0
1
not told
sh spin 1000 secret: status 0
1
told
