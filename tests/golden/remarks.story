What a recording says, at its end, of the command that it ran.
== file script
pmc 1 cycles
sample 10 0x401010 x5
== run nothing of a short one, whatever is sampled at a frequency
for event in cycles page-faults cpu-clock instructions; do
	sed "s/cycles/$event/" script >$event
	pmcstat -q --collector=fake:$event --freq 100 -P $event -O $event.log -- true && pmcstat -q -R $event.log --folded
done
== out
pid-10;[unknown] 5
pid-10;[unknown] 5
pid-10;[unknown] 5
pid-10;[unknown] 5
