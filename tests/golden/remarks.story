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
== file cpus
pmc 1 cpu-clock rate=1000000
sample 10 0x401010 x600
sample 0 0xffffffff81000010 k x900
shared 2000000000 2000000000
== run that CPUs which were sampled all the time have too few samples of it, as those that sleep may
pmcstat --collector=fake:cpus -S cpu-clock -O cpus.log
sed 's/x900/x1350/' cpus >all
pmcstat --collector=fake:all -S cpu-clock -O all.log
pmcstat -q --collector=fake:cpus -S cpu-clock -O quiet.log
pmcstat --collector=fake:cpus -S cpu-clock:u -O modes.log
pmcstat --collector=fake:cpus -P cpu-clock -t $$ -O process.log
== err
pmcstat: 1500 samples stand for 1.50 s of the 2.00 s that the CPUs were sampled: what comes late, as of a CPU that sleeps, counts once
