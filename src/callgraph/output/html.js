// SPDX-License-Identifier: BSD-2-Clause
// Sorting and filtering of a page's tables, and their numbers for a part of the time.  Without it
// all rows are shown as they are.
(function () {
	"use strict";
	var FIRST = 100; // rows of a table before all are asked for
	var filter = document.getElementById("filter");
	var tables = Array.prototype.map.call(
		document.querySelectorAll("#functions table"), function (table) {
			var summary = table.parentNode.querySelector("summary");

			return { body: table.tBodies[0], heads: table.tHead.rows[0].cells,
				nanoseconds: Number(table.dataset.nanoseconds),
				summary: summary, of: summary.textContent,
				more: table.nextElementSibling, limit: FIRST,
				rows: Array.prototype.map.call(table.tBodies[0].rows, row) };
		});

	// Of a column that may show seconds.
	function samplesOf(td) {
		return parseInt(td.title || td.textContent, 10);
	}

	function row(tr) {
		var cells = Array.prototype.map.call(tr.cells, function (td) {
			return td.textContent.trim();
		});

		return { tr: tr, f: Number(tr.dataset.f), self: samplesOf(tr.cells[1]),
			total: samplesOf(tr.cells[3]), cells: cells,
			text: Array.prototype.map.call(tr.cells, function (td) {
				var full = td.querySelector("span");

				return td.cellIndex < 4 ? "" : full ? full.title : td.textContent.trim();
			}).join("\n") };
	}

	// A regular expression; what is none is meant as it stands.
	function compile(word) {
		try {
			return new RegExp(word, "im");
		} catch (e) {
			return new RegExp(word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "im");
		}
	}

	// Shows the first rows that match, and offers the rest.
	function show(table) {
		var word = compile(filter.value), n = 0;

		table.rows.forEach(function (r) {
			var match = !r.absent && word.test(r.text);

			n += match;
			r.tr.hidden = !match || n > table.limit;
		});
		table.more.textContent = "";
		if (n > table.limit) {
			var button = document.createElement("button");

			button.type = "button";
			button.textContent = "show all " + n + " functions";
			button.addEventListener("click", function () {
				table.limit = Infinity;
				show(table);
			});
			table.more.append("The first " + table.limit + " are shown. ", button);
		}
		return n;
	}

	function showAll() {
		var n = 0, of = 0;

		tables.forEach(function (t) {
			n += show(t);
			of += t.rows.length;
		});
		document.getElementById("count").textContent = filter.value ? n + " of " + of : "";
		document.getElementById("flame").dispatchEvent(
			new CustomEvent("find", { detail: filter.value }));
	}

	// Sorts by a column: numbers greatest first, names from A on; again turns it round.
	function sort(table, column) {
		var head = table.heads[column], down = head.getAttribute("aria-sort") === "descending";
		var sign = (head.hasAttribute("aria-sort") ? !down : column < 4) ? -1 : 1;

		Array.prototype.forEach.call(table.heads, function (h) {
			h.removeAttribute("aria-sort");
		});
		head.setAttribute("aria-sort", sign < 0 ? "descending" : "ascending");
		order(table);
		show(table);
	}

	function alphabetically(x, y) {
		return x < y ? -1 : x > y ? 1 : 0;
	}

	// Puts the rows in the order that the heads show.
	function order(table) {
		var column = Array.prototype.findIndex.call(table.heads, function (h) {
			return h.hasAttribute("aria-sort");
		});
		var sign = table.heads[column].getAttribute("aria-sort") === "descending" ? -1 : 1;

		table.rows.sort(function (a, b) {
			return sign * (column < 2 ? a.self - b.self : column < 4 ? a.total - b.total
				: column < 5 ? 0 : alphabetically(a.cells[column], b.cells[column])) ||
				(column < 4 ? b.self - a.self || b.total - a.total : 0) ||
				(column < 4 ? 1 : sign) * alphabetically(a.text, b.text);
		});
		table.rows.forEach(function (r) { table.body.append(r.tr); });
	}

	tables.forEach(function (table) {
		Array.prototype.forEach.call(table.heads, function (head, column) {
			head.querySelector("button").addEventListener("click", function () {
				sort(table, column);
			});
		});
	});
	filter.addEventListener("input", showAll);
	filter.addEventListener("keydown", function (e) {
		if (e.key !== "Escape")
			return;
		filter.value = "";
		showAll();
		filter.blur();
	});

	function search() {
		filter.focus();
		filter.select();
	}

	document.addEventListener("asksearch", search);
	document.addEventListener("keydown", function (e) {
		if (e.key !== "/" || e.ctrlKey || e.metaKey || e.altKey || e.target === filter)
			return;
		search();
		e.preventDefault();
	});
	showAll();

	// What an address leads to may have to be opened.
	function open() {
		var target = document.getElementById(location.hash.slice(1).split("&")[0]);

		if (!target || target.tagName !== "DETAILS")
			return;
		target.open = true;
		target.scrollIntoView();
	}

	window.addEventListener("hashchange", open);
	open();

	// Tables of a part of the time, and as they were.

	function keepCell(td) {
		return { text: td.textContent, title: td.title, width: td.style.getPropertyValue("--w") };
	}

	function setCell(r, column, cell) {
		var td = r.tr.cells[column];

		td.textContent = cell.text;
		r.cells[column] = cell.text.trim();
		if (cell.title)
			td.title = cell.title;
		if (cell.width)
			td.style.setProperty("--w", cell.width);
	}

	function setShare(table, fixed, r, column, n, of, full) {
		var ns = table.nanoseconds;

		setCell(r, column, { text: fixed(of ? 100 * n / of : 0, 2),
			width: fixed(full ? 100 * n / full : 0, 1) });
		setCell(r, column + 1, ns ? { text: fixed(n * (ns / 1e9), 3), title: n + " samples" }
			: { text: String(n) });
	}

	function count(table, event, detail) {
		var of = detail.count(event), most = 0, n = 0;

		table.rows.forEach(function (r) { most = Math.max(most, of.self[r.f]); });
		table.rows.forEach(function (r) {
			r.whole = r.whole || Array.prototype.slice.call(r.tr.cells, 0, 4).map(keepCell);
			r.self = of.self[r.f];
			r.total = of.total[r.f];
			r.absent = !r.total;
			n += !r.absent;
			setShare(table, detail.fixed, r, 0, r.self, of.samples, most);
			setShare(table, detail.fixed, r, 2, r.total, of.samples, of.samples);
		});
		table.summary.textContent = table.of + "; from " + detail.text + " " + of.samples +
			" samples, " + n + " functions";
	}

	function countAll(table) {
		table.rows.forEach(function (r) {
			if (r.whole)
				r.whole.forEach(function (cell, column) { setCell(r, column, cell); });
			r.self = samplesOf(r.tr.cells[1]);
			r.total = samplesOf(r.tr.cells[3]);
			r.absent = false;
		});
		table.summary.textContent = table.of;
	}

	document.addEventListener("range", function (e) {
		tables.forEach(function (table, event) {
			if (e.detail)
				count(table, event, e.detail);
			else
				countAll(table);
			order(table);
		});
		showAll();
	});
})();
