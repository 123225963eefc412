// SPDX-License-Identifier: BSD-2-Clause
// The numbers beside lines of source, or instructions, for a part of the time.
(function () {
	"use strict";
	var COLUMNS = 33; // of numbers before a line
	var sources = Array.prototype.map.call(document.querySelectorAll("details.source"),
		function (details) {
			var summary = details.querySelector("summary");

			return { all: details, ns: Number(details.dataset.nanoseconds || 0),
				summary: summary, of: summary.textContent,
				lines: Array.prototype.map.call(details.querySelectorAll("b"), line) };
		});

	// Its numbers are in the first of its texts, which may have the line itself, too.
	function line(b) {
		return { b: b, text: b.firstChild, whole: b.firstChild.data,
			width: b.style.getPropertyValue("--w") };
	}

	// The samples that an element has in the part of the time: its own, and all.
	function count(element, detail) {
		var from = detail.reader(element.dataset.t), n = { own: 0, all: 0 };

		function within(step, count) {
			return step >= detail.from && step < detail.to ? count : 0;
		}
		from.steps(from.number(), function (step, count) { n.own += within(step, count); });
		from.steps(Infinity, function (step, count) { n.all += within(step, count); });
		n.all += n.own;
		return n;
	}

	function columns(source, n, of, fixed) {
		var amount = source.ns ? fixed(n * (source.ns / 1e9), 3) : String(n);

		return n ? fixed(100 * n / of, 2).padStart(6) + " " + amount.padStart(9) : " ".repeat(16);
	}

	function show(source, detail) {
		var of = count(source.all, detail).all;

		source.lines.forEach(function (l) {
			var n = count(l.b, detail);

			l.text.data = columns(source, n.own, of, detail.fixed) + " " +
				columns(source, n.all, of, detail.fixed) + l.whole.slice(COLUMNS);
			l.b.style.setProperty("--w", of ? detail.fixed(100 * n.own / of, 1) : "0");
		});
		source.summary.textContent = source.of + "; from " + detail.text + " " + of + " samples";
	}

	function restore(source) {
		source.lines.forEach(function (l) {
			l.text.data = l.whole;
			l.b.style.setProperty("--w", l.width);
		});
		source.summary.textContent = source.of;
	}

	document.addEventListener("range", function (e) {
		sources.forEach(function (source) {
			if (!e.detail)
				restore(source);
			else if (source.all.dataset.t)
				show(source, e.detail);
			else
				source.summary.textContent = source.of + "; of all of the time";
		});
	});
})();
