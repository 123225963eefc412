# SPDX-License-Identifier: BSD-2-Clause
# mutants.awk FILE...			lists what can be changed in C files: "FILE LINE RULE", a line for each mutant
# mutants.awk -v line=N -v rule=RULE FILE	the file with this change
#
# One line of a function's body is changed at a time.  Lines with strings or comments stay as they are.

function swap(rule, from, to) {
	rules[++count] = rule
	before[rule] = from
	after[rule] = to
}

# changed(text, rule): the line as the rule makes it; "" where it has nothing to change
function changed(text, rule,    at) {
	if (rule == "call")
		return text ~ /^\t+[a-z_0-9]+\(.*\);$/ && text !~ /^\t+(free|va_end)\(/ ? ";" : ""
	if (rule == "store")
		return text ~ /^\t+[a-z_0-9]+(->|\.|\[).* [-+|&]?= .*;$/ ? ";" : ""
	at = index(text, before[rule])
	return at ? substr(text, 1, at - 1) after[rule] substr(text, at + length(before[rule])) : ""
}

BEGIN {
	swap("equal", " == ", " != ")
	swap("unequal", " != ", " == ")
	swap("less", " < ", " <= ")
	swap("at-most", " <= ", " < ")
	swap("greater", " > ", " >= ")
	swap("at-least", " >= ", " > ")
	swap("and", " && ", " || ")
	swap("or", " || ", " && ")
	swap("plus", " + ", " - ")
	swap("minus", " - ", " + ")
	swap("add", " += ", " -= ")
	swap("increment", "++", "--")
	swap("not", "(!", "(")
	swap("true", "return true;", "return false;")
	swap("false", "return false;", "return true;")
	swap("continue", "continue;", "break;")
	swap("call")
	swap("store")
}

line {
	print FNR == line ? changed($0, rule) : $0
	next
}

FNR == 1 { body = comment = 0 }
/^{/ { body = 1 }
/^}/ { body = 0 }
body && !comment && !/["#]|\/\*|\/\// {
	for (i = 1; i <= count; i++)
		if (changed($0, rules[i]) != "")
			print FILENAME, FNR, rules[i]
}
/\/\*/ { comment = 1 }
/\*\// { comment = 0 }
