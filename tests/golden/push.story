What --push goes with, and what it refuses.  What a server gets is in tests/system/push.sh.

== run 64 an address that is none
pmcstat --push host:4040
== err
pmcstat: --push "host:4040" is not an address of http or https
pmcstat: hint: Pyroscope's is http://HOST:4040/ingest, Parca's http://HOST:7070/api/profiles/writeraw, OTLP's http://HOST:4318/v1development/profiles
== run 64 an interface that is not known
pmcstat --push http://host:4040/
== err
pmcstat: --push "http://host:4040/" does not end as an interface that takes profiles does
pmcstat: hint: Pyroscope's is http://HOST:4040/ingest, Parca's http://HOST:7070/api/profiles/writeraw, OTLP's http://HOST:4318/v1development/profiles
== run 64 labels without values, with names that are none, and twice
for labels in env 1env=prod env= env=a,,b=c 'env={}' 'a b=c'; do
	pmcstat --push http://host/ingest --labels "$labels"
done
pmcstat --push http://host/ingest --labels env=a,env=b
== err
pmcstat: --labels "env" is not a list like env=prod,zone=b
pmcstat: --labels "1env=prod" is not a list like env=prod,zone=b
pmcstat: --labels "env=" is not a list like env=prod,zone=b
pmcstat: --labels "env=a,,b=c" is not a list like env=prod,zone=b
pmcstat: --labels "env={}" is not a list like env=prod,zone=b
pmcstat: --labels "a b=c" is not a list like env=prod,zone=b
pmcstat: --labels "env=a,env=b" has env twice
== run 64 options that need it
pmcstat -S cpu-clock --labels a=b 2>&1 | head -n 1
pmcstat -S cpu-clock --push-headers file
== out
pmcstat: option --labels needs --push
== err
pmcstat: option --push-headers needs --push
pmcstat: hint: pmcstat --help lists the options
== run 64 options that it does not go with
push="pmcstat --push http://host/ingest"
$push -R log 2>&1 | head -n 1
$push -O log 2>&1 | head -n 1
$push -T 2>&1 | head -n 1
$push --flat 2>&1 | head -n 1
$push -s page-faults 2>&1 | head -n 1
$push -w 0.5
== out
pmcstat: options --push and -R are mutually exclusive
pmcstat: option --push goes with none of -O, -T, --kgmon, --dump and outputs
pmcstat: option --push goes with none of -O, -T, --kgmon, --dump and outputs
pmcstat: option --push goes with none of -O, -T, --kgmon, --dump and outputs
pmcstat: option --push sends samples, and goes with neither -p nor -s
== err
pmcstat: option --push sends a profile a second at most: -w is below 1
pmcstat: hint: pmcstat --help lists the options
