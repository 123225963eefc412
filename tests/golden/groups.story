Groups: events in braces are allocated as one, and shown as others are.
== file four
pmc 1 cycles
pmc 2 instructions
pmc 3 task-clock
absent branches
count 1000 pmc=1 enabled=100 running=50
count 2000 pmc=2 enabled=100 running=50
count 5 pmc=3
tick
== run its events are columns; what stands before it is for all of them
pmcstat --collector=fake:four -C -w 9 -o - -p '{cycles,instructions,task-clock}' -p cycles true
== out
#             p/cycles       p/instructions         p/task-clock             p/cycles
            1000@50.0%           2000@50.0%                    5           1000@50.0%
== run of every CPU
pmcstat --collector=fake:four -c 0,1 -o - -s '{cycles,instructions}' -w 9 true | sed -n '1s/  */ /gp'
== out
# s/00/cycles s/00/instructions s/01/cycles s/01/instructions
== run terms of a PMU have commas of their own
pmcstat --collector=fake:four -o - -p '{cycles,nosuch/event=1,umask=2/}' true 2>&1 | head -1
== out
pmcstat: this machine has no PMU "nosuch"
== run 69 there are no counters for five
pmcstat --collector=fake:four -o - -p '{cycles,instructions,cache-misses,cache-references,branch-misses}' true
== err
pmcstat: branch-misses: the script's machine has 4 counters, and the group of cycles needs 5
== run 69 one that is missing
pmcstat --collector=fake:four -o - -p '{cycles,branches}' true
== err
pmcstat: the script has no counter for branches
== run 64 no brace
pmcstat --collector=fake:four -p '{cycles,instructions' true
== err
pmcstat: the group "{cycles,instructions" has no closing brace
pmcstat: hint: write it '{cycles,instructions}', in quotes for the shell
== run 64 no name
pmcstat --collector=fake:four -p '{cycles,,instructions}' true
== err
pmcstat: the group "{cycles,,instructions}" has an event without a name
pmcstat: hint: write it '{cycles,instructions}', in quotes for the shell
== run 64 something behind it
pmcstat --collector=fake:four -p '{cycles,instructions}:u' true
== err
pmcstat: the group "{cycles,instructions}:u" goes on behind its brace
pmcstat: hint: modifiers stand behind each event: '{cycles:u,instructions:u}'
== run 64 counts at exits are of single PMCs
pmcstat --collector=fake:four -E -p '{cycles,instructions}' -O log true
== err
pmcstat: counts at switches and exits are logged of single PMCs, not of groups
== run 64 the first event says how a group shares
pmcstat --collector=fake:four -q -p '{cycles,instructions:D}' true
== err
pmcstat: instructions:D: whether a group is pinned or exclusive is said behind its first event
