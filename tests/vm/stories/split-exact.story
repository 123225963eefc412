Instructions, sampled: 60 % in one function, 40 % in the other.
== machine exact
== run of the machine, where the kernel is seen first: QEMU sees an overflow when that is entered
pmcstat -q --collector=hwpmc -n 50000 -U -S instructions -O S.log split 30000000 5000
== run of the program, in user mode
pmcstat -q --collector=hwpmc -n 50000 -P instructions:u -O P.log split 30000000 5000
== host of 1200 samples that 60,000,000 instructions make, and those of its system calls
for log in S P; do
	pmclog check $log.log >said || cat said
	pmcstat -q -R $log.log -r "$root" --flat | awk -v name=$log '
		$5 == "sixty" { sixty = $4 }
		$5 == "forty" { forty = $4 }
		END { n = sixty + forty; share = n ? 100 * sixty / n : 0
		      print name, (n >= 1180 && n <= 1320 && share > 59 && share < 61 ? "60/40" : sixty "/" forty) }'
done
== out
S 60/40
P 60/40
== host called by work()
pmcstat -q -R P.log -r "$root" --folded |
	awk '/main;work;sixty/ { n += $NF } /sixty/ { all += $NF } END { print (n > 0.9 * all && n ? "called" : n " of " all) }'
== out
called
