What runs now is shown while it runs.
== machine smp pmu
== file watch
# watch OPTION...: top as text, of a program that ends when two texts have shown it.  User code alone:
# reading the kernel's symbols takes an emulated CPU ten seconds, and top rests ten times as long.
pmcstat -q -T -w 0.5 --collector=hwpmc -P cpu-clock:u "$@" split time 1000000 >texts 2>said &
until [ "$(grep -c ' sixty ' texts)" -ge 2 ]; do sleep 0.1; done
kill $(pidof split)
wait $!
echo $?
cat said
# Texts with samples: how many of them there are in the first and the last, and who has them.
awk '/^PMC:/ { samples = $4 } / sixty / { if (!first) first = samples; sixty = $1 } / forty / { forty = $1 }
	/command has ended/ { print; ended = 1 }
	END { print (first && samples > first ? "more and more" : first "..." samples)
	      print (sixty > 45 && forty > 25 ? "60/40" : sixty "/" forty) }' texts
== run from the module through a pipe
sh watch
== out
143
the command has ended with status 143
more and more
60/40
== run and from the log that it writes
sh watch -O out.log
pmclog check out.log >check || cat check
awk '/^PMC:/ { samples = $4 } END { print samples }' texts >shown
pmclog info out.log | awk '/ CALLCHAIN/ { print $2 }' | diff shown -
== out
143
the command has ended with status 143
more and more
60/40
