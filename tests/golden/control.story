pmccontrol over a machine with few counters, which nobody uses.
== file script
== run classes, then the rows of each CPU; equal ones that are free are one line
pmccontrol --collector=fake:script -l | sed '/^CPU 1:/,$d'
== out
SOFT: 16 PMCs of 64 bits: INTERRUPT USER SYSTEM READ WRITE
TSC: 1 PMC of 64 bits: READ
CPU: 4 PMCs of 48 bits: INTERRUPT USER SYSTEM EDGE THRESHOLD READ WRITE INVERT QUALIFIER
CPU 0:
      N NAME             CLASS  STATE    ROW-DISP
   0-15 SOFT-0 ...       SOFT   ENABLED  FREE
     16 TSC-0            TSC    ENABLED  FREE
  17-20 CPU-0 ...        CPU    ENABLED  FREE
== run what the driver has counted; the rest is the kernel's
pmccontrol --collector=fake:script -s | sed 12q
== out
interrupts processed                               0
interrupts ignored                                 0
samples without room                               0
times that a PMC was paused                        0
system calls                                       1
system calls with errors                           0
buffer requests                                    0
buffer requests failed                             0
sampling log sweeps                                0
log records without room                           0
counters taken by others                           0
threads without a counter                          0
== run rows are enabled, of one CPU or of all
pmccontrol --collector=fake:script -c 0 -e 3 -e '*' -c '*' -e 20 -e '*'
== run 69 there is no switch
pmccontrol --collector=fake:script -c 0 -d 3
== err
pmccontrol: row 3 of CPU 0: the collector fake has no switch for single counters
== run 69 without -c all CPUs are meant
pmccontrol --collector=fake:script -d '*'
== err
pmccontrol: row 0 of CPU 0: the collector fake has no switch for single counters
== run 64 rows have an end
pmccontrol --collector=fake:script -c 0 -e 21
== err
pmccontrol: CPU 0 has 21 rows, numbered from 0, and no row 21
== run 64 so have CPUs
pmccontrol --collector=fake:script -c 4095 -e 0
== err
pmccontrol: -c "4095" is not a number from 0 to 4094, nor *
== run 69 one that is not there
pmccontrol --collector=fake:script -c 4094 -e 0
== err
pmccontrol: CPU 4094 is not online
== run 64 the collector comes first
pmccontrol --collector=oprofile -l
== err
pmccontrol: unknown collector "oprofile"
pmccontrol: hint: collectors: auto, hwpmc, perf, fake:FILE
== run an event is described
pmccontrol -u 'Page_Faults:u'
== out
page-faults:u
	page faults
	class SOFT, number 0x20002; perf: type 1, config 0x2; user mode alone
	a sample each 100 events, unless -n says otherwise
== run by its other names too
pmcstat -u faults
== out
page-faults
	page faults
	class SOFT, number 0x20002; perf: type 1, config 0x2
	a sample each 100 events, unless -n says otherwise
== run or found by a part of its name
pmcstat -u cpu-migr; pmccontrol --describe=U-MIGRAT
== out
cpu-migrations               moves of a thread to another CPU
migrations                   the same as cpu-migrations
cpu-migrations               moves of a thread to another CPU
migrations                   the same as cpu-migrations
== run 64 there is no such event
pmccontrol -u 'no such event'
== err
pmccontrol: unknown event "no such event"
pmccontrol: hint: pmcstat -L lists the events
== run 64 a word that is none of its own
pmccontrol foo
== err
pmccontrol: "foo" is not an option
pmccontrol: hint: pmccontrol --help lists what it can do
== run 64 a word behind the doctor
pmccontrol doctor extra
== err
pmccontrol: doctor stands alone, without "extra"
pmccontrol: hint: pmccontrol --help lists what it can do
