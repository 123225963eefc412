// SPDX-License-Identifier: BSD-2-Clause
// The picture in order of time: a frame is as wide as the samples that one caller has it for in a
// row.  It draws what html_time.js knows, as an answer to each event "tree".
(function () {
	"use strict";
	var button = document.getElementById("order");
	var flame = document.getElementById("flame");
	var given = null; // by the last event
	var runs = null; // of samples of one node, callers first, by where they begin
	var before = 0; // so many runs had numbers before these: no number is given twice

	if (!button)
		return;

	// The samples of an event by their steps; those of every other step that has some backwards,
	// for within a step they have no order, and so a run goes on into the next one more often.
	function ordered(t, first, end) {
		var from = given.steps.from, places = new Int32Array(given.steps.to - from + 2), list, i;
		var back = false;

		function within(i) {
			return t.step[i] >= from && t.step[i] <= given.steps.to;
		}
		for (i = first; i < end; i++)
			if (within(i))
				places[t.step[i] - from + 1]++;
		for (i = 1; i < places.length; i++)
			places[i] += places[i - 1];
		list = new Int32Array(places[places.length - 1]);
		for (i = first; i < end; i++)
			if (within(i))
				list[places[t.step[i] - from]++] = i;
		for (i = 0, first = 0; i < places.length - 1; first = places[i++]) {
			if (places[i] > first && back)
				list.subarray(first, places[i]).reverse();
			back = places[i] > first ? !back : back;
		}
		return list;
	}

	// Lays the samples of one event behind those before it.  The number of all so far.
	function lay(t, list, at) {
		var open = [], last = 0;

		function close(depth) {
			var r;

			while (open.length > depth) {
				r = runs[open.pop()];
				r.n = at - r.s;
				r.to = last;
			}
		}
		list.forEach(function (k) {
			var way = [], i, d = 0;

			for (i = t.node[k]; i >= 0; i = t.parent[i])
				way[t.depth[i]] = i;
			while (d < open.length && d < way.length && runs[open[d]].node === way[d])
				d++;
			close(d);
			for (; d < way.length; d++) {
				runs.push({ node: way[d], s: at, from: t.step[k], caller: d ? open[d - 1] : -1 });
				open.push(runs.length - 1);
			}
			at += t.count[k];
			last = t.step[k];
		});
		close(0);
		return at;
	}

	function layAll() {
		var t = given.tree, at = 0, first = 0, end, e;

		before += runs ? runs.length : t.fn.length;
		runs = [];
		for (e = 0; e + 1 < t.roots.length; e++, first = end) {
			for (end = first; end < t.node.length && t.node[end] < t.roots[e + 1];)
				end++;
			at = lay(t, ordered(t, first, end), at);
		}
	}

	function frame(i) {
		var r = runs[i], d = given.describe(r.node);

		return { id: before + i, name: d.name, shownName: d.shown, colour: d.colour, s: r.s, n: r.n,
			d: given.tree.depth[r.node], title: d.name + (d.object ? " (" + d.object + ")" : "") +
			": " + r.n + " samples, " + given.seconds(r.from) + " to " + given.seconds(r.to + 1) +
			" s" };
	}

	// As html_time.js has them for the picture that is not in order.
	function frames(zoom) {
		var widths = runs.map(function (r) { return r.n; });
		var from = zoom - before, depth, list = [], chosen, i, to;

		from = from >= 0 && from < runs.length ? from : -1;
		given.choose(from < 0 ? -1 : runs[from].node, from < 0 ? "" : frame(from).title);
		for (i = from < 0 ? -1 : runs[from].caller; i >= 0; i = runs[i].caller)
			list.unshift(frame(i));
		depth = from < 0 ? -1 : given.tree.depth[runs[from].node];
		for (to = Math.max(0, from) + 1; to < runs.length && given.tree.depth[runs[to].node] > depth;)
			to++;
		chosen = given.widest(widths, Math.max(0, from), Math.min(to, runs.length),
			from < 0 ? given.total : runs[from].n);
		return { list: list.concat(chosen.list.map(frame)), note: "samples of one step, " +
			given.seconds(1) + " s, have no order" + (chosen.note ? "; " + chosen.note : "") };
	}

	function supply() {
		layAll();
		flame.dispatchEvent(new CustomEvent("supply", { detail: { frames: frames,
			matched: given.matched, total: given.total,
			heading: given.heading + ", in order of time" } }));
	}

	function isOn() {
		return button.getAttribute("aria-pressed") === "true";
	}

	function turn(on) {
		button.setAttribute("aria-pressed", String(on));
		if (on)
			supply();
		else
			given.merged();
	}

	button.setAttribute("aria-pressed", String(/(^#|&)order(&|$)/.test(location.hash)));
	button.addEventListener("click", function () {
		turn(!isOn());
		given.address(/^order$/, isOn() && "order");
	});
	document.addEventListener("tree", function (e) {
		given = e.detail;
		button.hidden = false;
		if (isOn()) {
			e.preventDefault();
			supply();
		}
	});
})();
