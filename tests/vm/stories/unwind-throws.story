Call chains on arm64 while a C++ exception goes through them.
== machine a61 a612
== needs thrower
== run while exceptions are thrown
for time in 0.6 3 12; do
	pmcstat -q -d --collector=perf -P cpu-clock:u -O log thrower $time 2>said || cat said
	pmcstat -q -R log --comm thrower --folded >folded
	[ "$(awk '/_Unwind_/ { n += $NF } END { print n + 0 }' folded)" -lt 200 ] || break
done
pmcstat -R log --flat 2>&1 | sed -n 's/.*whole chains \([0-9]*\) of \([0-9]*\).*/\1 \2/p' |
	awk '{ print ($1 * 20 >= $2 * 19 ? "whole" : $1 " of " $2 " are whole") }'
throws=';_ZL6throwsj[^;]*'
awk -v through=";main;_ZL7catchesv[^;]*($throws)($throws)($throws)($throws);__cxa_throw;_Unwind_RaiseException" \
	-v behind=";main;_ZL7catchesv[^;]*$throws;_Unwind_Resume" '
	$0 ~ through { thrown = 1 }
	$0 ~ behind { resumed = 1 }
	END { print thrown + 0, resumed + 0 }' folded
== out
whole
1 1
