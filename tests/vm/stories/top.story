What runs now is shown while it runs.
== machine smp
== file watch
# watch OPTION...: top as text, of a program that runs, and ends some time after a text has shown it.
# User code alone: reading the kernel's symbols takes an emulated CPU ten seconds, and top rests 20 times
# as long.
split time 1000000 &
program=$!
until grep -q libc /proc/$program/maps; do sleep 0.1; done
: >texts
pmcstat -q -T -w 2 --collector=hwpmc -P cpu-clock:u -t $program "$@" >texts 2>said &
until grep -q ' sixty ' texts; do sleep 0.1; done
sleep 1
kill $program
wait $!
echo $?
cat said
# Texts with samples: how many of them there are in the first and the last, and who has them.
awk '/^PMC:/ { samples = $4 } / sixty / { if (!first) first = samples; sixty = $1 } / forty / { forty = $1 }
	/recording has ended/ { print }
	END { print (first && samples > first ? "more and more" : first "..." samples)
	      print (sixty > 45 && forty > 25 ? "60/40" : sixty "/" forty) }' texts
== run from the module through a pipe
sh watch
== out
0
the recording has ended
more and more
60/40
== run and from the log that it writes
sh watch -O out.log
pmclog check out.log >check || cat check
awk '/^PMC:/ { samples = $4 } END { print samples }' texts >shown
pmclog info out.log | awk '/ CALLCHAIN/ { print $2 }' | diff shown -
== out
0
the recording has ended
more and more
60/40
