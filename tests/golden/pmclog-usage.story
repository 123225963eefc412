What pmclog says of a wrong command line.

== run 64 two logs at once, and what to do next
pmclog dump one.log two.log
== err
pmclog: dump takes one log and no options
pmclog: hint: usage: pmclog dump [--json] [FILE]
