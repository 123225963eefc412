// SPDX-License-Identifier: BSD-2-Clause
// Sorting, filtering and the readout of times of a page.  Without it all rows are shown as they are.
(function () {
	"use strict";
	var FIRST = 100; // rows of a table before all are asked for
	var filter = document.getElementById("filter");
	var tables = Array.prototype.map.call(
		document.querySelectorAll("#functions table"), function (table) {
			return { body: table.tBodies[0], heads: table.tHead.rows[0].cells,
				more: table.nextElementSibling, limit: FIRST,
				rows: Array.prototype.map.call(table.tBodies[0].rows, row) };
		});

	function row(tr) {
		var cells = Array.prototype.map.call(tr.cells, function (td) {
			return td.textContent.trim();
		});

		return { tr: tr, cells: cells, text: Array.prototype.map.call(tr.cells, function (td) {
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
			var match = word.test(r.text);

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
		var number = column < 4;
		var sign = (head.hasAttribute("aria-sort") ? !down : number) ? -1 : 1;

		Array.prototype.forEach.call(table.heads, function (h) {
			h.removeAttribute("aria-sort");
		});
		head.setAttribute("aria-sort", sign < 0 ? "descending" : "ascending");
		table.rows.sort(function (a, b) {
			var x = a.cells[column], y = b.cells[column];

			return sign * (number ? x - y : x < y ? -1 : x > y ? 1 : 0);
		});
		table.rows.forEach(function (r) { table.body.append(r.tr); });
		show(table);
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

	// What a strip says of one of its slots.
	Array.prototype.forEach.call(document.querySelectorAll(".cpu svg"), function (svg) {
		var width = Number(document.getElementById("time").dataset.slot);
		var counts = svg.dataset.v.split(" "), at = -1;
		var cpu = svg.previousElementSibling.textContent;

		function tell(slot) {
			at = Math.max(0, Math.min(counts.length - 1, slot));
			document.getElementById("when").textContent = cpu + ", " +
				(at * width).toPrecision(4) + " to " + ((at + 1) * width).toPrecision(4) +
				" s: " + counts[at] + " samples";
		}

		svg.addEventListener("pointermove", function (e) {
			var box = svg.getBoundingClientRect();

			tell(Math.floor(((e.clientX - box.left) / box.width) * counts.length));
		});
		svg.addEventListener("keydown", function (e) {
			if (e.key !== "ArrowLeft" && e.key !== "ArrowRight")
				return;
			tell(at + (e.key === "ArrowRight" ? 1 : -1));
			e.preventDefault();
		});
	});
})();
