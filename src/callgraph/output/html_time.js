// SPDX-License-Identifier: BSD-2-Clause
// The part of the time that is selected: by strips, keys and the address (#t=0.5,1.25), and what
// was sampled in it: for tables as an event "range" of the document, for the picture as "supply".
(function () {
	"use strict";
	var section = document.getElementById("time");
	var source = document.getElementById("times");
	var DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
	var MOST_FRAMES = 4000; // that are drawn, the widest
	var NARROWEST = 4000; // of what is in view a part; a zoom shows narrower ones
	var range = null, shift, slot, slots, strips, tree, sums;

	if (!section)
		return;
	slot = Number(section.dataset.slot);
	shift = source ? Number(source.dataset.shift) : 0;

	function each(list, call) {
		Array.prototype.forEach.call(list, call);
	}

	// A whole number of milliseconds is all that the width of a slot can be.
	function seconds(at) {
		return String(Number((at * slot).toFixed(3)));
	}

	// The strips.

	strips = Array.prototype.map.call(section.querySelectorAll(".cpu svg"), function (svg) {
		return { svg: svg, name: svg.previousElementSibling.textContent, at: -1, anchor: -1,
			counts: svg.dataset.v.split(" "), mark: rect(svg, "cursor"),
			left: rect(svg, "off"), right: rect(svg, "off") };
	});
	slots = strips.length ? strips[0].counts.length : 0;

	function rect(svg, name) {
		var r = document.createElementNS("http://www.w3.org/2000/svg", "rect");

		r.setAttribute("class", name);
		r.setAttribute("height", "100%");
		svg.append(r);
		return r;
	}

	function span(r, from, to) {
		r.setAttribute("x", from);
		r.setAttribute("width", Math.max(0, to - from));
	}

	function tell(strip, at) {
		strip.at = Math.max(0, Math.min(slots - 1, at));
		span(strip.mark, strip.at, strip.at + 1);
		document.getElementById("when").textContent = strip.name + ", " + seconds(strip.at) +
			" to " + seconds(strip.at + 1) + " s: " + strip.counts[strip.at] + " samples";
	}

	// What is not selected is dimmed.
	function dim(r) {
		strips.forEach(function (strip) {
			span(strip.left, 0, r ? r.from : 0);
			span(strip.right, r ? r.to : slots, slots);
		});
	}

	// The slots from one to the other, whichever is first, in whole steps.
	function between(a, b) {
		var from = Math.min(a, b) >> shift << shift;

		return { from: from, to: Math.min(slots, ((Math.max(a, b) >> shift) + 1) << shift) };
	}

	function slotAt(strip, e) {
		var box = strip.svg.getBoundingClientRect(), x = (e.clientX - box.left) / box.width;

		return Math.max(0, Math.min(slots - 1, Math.floor(x * slots)));
	}

	function drag(strip) {
		var from = -1, x, moved;

		strip.svg.addEventListener("pointerdown", function (e) {
			if (e.button || !tree)
				return;
			from = strip.anchor = slotAt(strip, e);
			x = e.clientX;
			moved = false;
			if (e.isTrusted)
				strip.svg.setPointerCapture(e.pointerId);
		});
		strip.svg.addEventListener("pointermove", function (e) {
			tell(strip, slotAt(strip, e));
			moved = from >= 0 && (moved || Math.abs(e.clientX - x) > 3);
			if (moved)
				dim(between(from, strip.at));
		});
		strip.svg.addEventListener("pointerup", function (e) {
			if (from >= 0 && moved)
				select(between(from, slotAt(strip, e)));
			from = -1;
		});
		strip.svg.addEventListener("pointercancel", function () {
			from = -1;
			dim(range);
		});
	}

	function keys(strip) {
		var steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10,
			Home: -Infinity, End: Infinity };

		strip.svg.addEventListener("keydown", function (e) {
			if (e.key === "Enter" && tree && strip.at >= 0)
				select(between(strip.at, strip.at));
			if (!(e.key in steps) || e.ctrlKey || e.metaKey || e.altKey)
				return;
			e.preventDefault();
			if (!e.shiftKey || strip.anchor < 0)
				strip.anchor = Math.max(0, strip.at);
			tell(strip, strip.at < 0 && e.shiftKey ? 0
				: strip.at + (steps[e.key] << (e.shiftKey ? shift : 0) || steps[e.key]));
			if (e.shiftKey && tree)
				select(between(strip.anchor, strip.at));
			else
				strip.anchor = strip.at;
		});
	}

	strips.forEach(drag);
	strips.forEach(keys);
	dim(null);

	// The tree, callers first: of each node its caller, its function (0: others), whether no
	// caller is the same function, and in its event the samples at it, in steps of time.

	function decode() {
		var t = { parent: [], fn: [], others: [], depth: [], roots: [], node: [], step: [],
			count: [], functions: 1 };

		source.textContent.trim().split("\n").forEach(function (line) { readEvent(t, line); });
		t.roots.push(t.fn.length);
		["parent", "fn", "depth", "node", "step", "count"].forEach(function (name) {
			t[name] = Int32Array.from(t[name]);
		});
		t.functions = t.fn.reduce(function (a, b) { return Math.max(a, b); }, 0) + 1;
		t.first = topmost(t);
		return t;
	}

	// Numbers of a text of digits, and steps of time with how many samples each has.
	function reader(digits) {
		var at = 0;

		function number() {
			var value = 0, unit = 1, d;

			do {
				d = DIGITS.indexOf(digits[at++]);
				value += (d & 31) * unit;
				unit *= 32;
			} while (d > 31);
			return value;
		}
		return { number: number,
			more: function () { return at < digits.length; },
			steps: function (n, take) {
				var step = 0, d;

				for (; n && at < digits.length; n--) {
					d = number();
					step += d >> 1;
					take(step, d & 1 ? number() + 2 : 1);
				}
			} };
	}

	function readEvent(t, line) {
		var from = reader(line), number = from.number, way = [], n;

		function node(fn, others) {
			var depth = way.length;

			t.parent.push(depth ? way[depth - 1] : -1);
			t.fn.push(fn);
			t.depth.push(depth);
			t.others.push(others);
			return t.fn.length - 1;
		}
		function steps(n, of) {
			from.steps(n, function (step, count) {
				t.node.push(of);
				t.step.push(step);
				t.count.push(count);
			});
		}
		function samples() {
			var d = number();

			steps(d >> 1, way[way.length - 1]);
			if (d & 1)
				steps(number(), node(0, true));
		}
		t.roots.push(t.fn.length);
		way.push(node(0, false));
		samples();
		while (from.more()) {
			way.length -= number();
			for (n = number(); n; n--)
				way.push(node(number(), false));
			samples();
		}
	}

	function topmost(t) {
		var first = new Uint8Array(t.fn.length), on = new Int32Array(t.functions).fill(-1);
		var way = [], i, d;

		for (i = 0; i < first.length; i++) {
			for (d = way.length; d > t.depth[i]; d--)
				if (way[d - 1] >= 0)
					on[way[d - 1]] = -1;
			way.length = t.depth[i];
			first[i] = on[t.fn[i]] < 0 ? 1 : 0;
			if (first[i])
				on[t.fn[i]] = i;
			way.push(first[i] ? t.fn[i] : -1);
		}
		return first;
	}

	// The samples at each node, at or below it, and of all nodes before it at its depth.
	function sum(r) {
		var n = tree.fn.length, s = { own: new Float64Array(n), n: new Float64Array(n),
			start: new Float64Array(n), total: 0 };
		var from = r.from >> shift, to = (r.to - 1) >> shift, next = [], i, d;

		for (i = 0; i < tree.node.length; i++)
			if (tree.step[i] >= from && tree.step[i] <= to)
				s.own[tree.node[i]] += tree.count[i];
		s.n.set(s.own);
		for (i = n - 1; i > 0; i--)
			if (tree.parent[i] >= 0)
				s.n[tree.parent[i]] += s.n[i];
		for (i = 0; i < n; i++) {
			d = tree.depth[i];
			s.start[i] = d ? next[d] : s.total;
			next[d] = s.start[i] + s.n[i];
			next[d + 1] = s.start[i];
			s.total += d ? 0 : s.n[i];
		}
		return s;
	}

	// What the tables want to know of an event: all of its samples, and those of functions.
	function count(event) {
		var self = new Float64Array(tree.functions), total = new Float64Array(tree.functions);
		var i, end = tree.roots[event + 1];

		for (i = tree.roots[event] + 1; i < end; i++) {
			self[tree.fn[i]] += sums.own[i];
			total[tree.fn[i]] += tree.first[i] ? sums.n[i] : 0;
		}
		return { samples: sums.n[tree.roots[event]], self: self, total: total };
	}

	// The samples of a function in an event, and those of chains in which another calls it or it
	// calls another: of each chain once, however often it does.  f is 0 for what is no function.
	function relatives(event, f) {
		var callers = new Map(), callees = new Map(), self = 0, total = 0, way = [], i, p;

		// Unless the node lies below another one of the same call.
		function add(map, key, words) {
			var r = map.get(key) || { f: key > 0 ? key : 0, words: words, n: 0, last: -1 };

			map.set(key, r);
			if (r.last >= 0 && tree.depth[r.last] < tree.depth[i] && way[tree.depth[r.last]] === r.last)
				return;
			r.n += sums.n[i];
			r.last = i;
		}
		for (i = tree.roots[event] + 1; i < tree.roots[event + 1]; i++) {
			p = tree.parent[i];
			way[tree.depth[i]] = i;
			if (tree.fn[i] === f && !tree.others[i]) {
				self += sums.own[i];
				total += tree.first[i] ? sums.n[i] : 0;
				if (tree.depth[p])
					add(callers, tree.fn[p]);
				else
					add(callers, -1, "(nothing: chains begin here)");
			}
			if (tree.depth[p] && tree.fn[p] === f)
				add(callees, tree.others[i] ? -1 : tree.fn[i], "(others)");
		}
		return { self: self, total: total, callers: Array.from(callers.values()),
			callees: Array.from(callees.values()) };
	}

	// What functions are called, by the rows that they have.

	var named = [{ name: "(functions of no table)", shown: "(functions of no table)", object: "",
		colour: "#b8b8b8" }];
	var events = Array.prototype.map.call(document.querySelectorAll("#functions table"),
		function (table) {
			var title = document.querySelector("h1").textContent, name = table.dataset.name;

			return name.startsWith(title + "/") ? name.slice(title.length + 1) : name;
		});

	function whole(cell) {
		var full = cell.querySelector("span");

		return { shown: (full || cell).textContent.trim(),
			name: full ? full.title : cell.textContent.trim() };
	}

	function learnNames() {
		each(document.querySelectorAll("#functions tr[data-f]"), function (tr) {
			var f = Number(tr.dataset.f), text;

			if (named[f])
				return;
			text = whole(tr.cells[4]);
			named[f] = { name: text.name, shown: text.shown, link: tr.querySelector("a"), object: whole(tr.cells[5]).name,
				colour: tr.cells[5].style.getPropertyValue("--c") };
		});
	}

	function describe(i) {
		var event = tree.depth[i] ? "" : events[tree.roots.indexOf(i)];

		if (event)
			return { name: event, shown: event, object: "", colour: "#d0d4dc" };
		return tree.others[i] ? { name: "(others)", shown: "(others)", object: "",
			colour: "#b8b8b8" } : named[tree.fn[i]];
	}

	// The indices of the widths from one to the other that are wide enough to be drawn, or of the
	// widest where they are too many.
	function widest(n, from, to, inView)
	{
		var part = NARROWEST, list = [], hidden = 0, least, wide, i;

		do {
			least = Math.max(1, inView / part);
			for (wide = 0, i = from; i < to; i++)
				wide += n[i] >= least;
			part /= 2;
		} while (wide > MOST_FRAMES);
		for (i = from; i < to; i++) {
			if (n[i] >= least)
				list.push(i);
			else
				hidden += n[i] > 0;
		}
		return {
			list : list,
			note : hidden ? "not drawn: " + hidden + " frames of less than " +
						(100 * least / inView).toPrecision(3) +
						"% of what is in view each"
				      : ""
		};
	}

	// What the picture draws with a node zoomed to, -1 for none: the frames that lead to it and
	// those below it.
	function frames(zoom) {
		var from = 0, to = tree.fn.length, list = [], chosen, i;

		zoom = zoom >= 0 && sums.n[zoom] ? zoom : -1;
		if (zoom >= 0) {
			from = zoom;
			for (to = zoom + 1; to < tree.fn.length && tree.depth[to] > tree.depth[zoom];)
				to++;
		}
		choose(zoom, zoom < 0 ? "" : frame(zoom).title);
		for (i = zoom < 0 ? -1 : tree.parent[zoom]; i >= 0; i = tree.parent[i])
			list.unshift(frame(i));
		chosen = widest(sums.n, from, to, zoom < 0 ? sums.total : sums.n[zoom]);
		return {list : list.concat(chosen.list.map(frame)), note : chosen.note};
	}

	function frame(i) {
		var d = describe(i);

		return { id: i, name: d.name, shownName: d.shown, colour: d.colour, s: sums.start[i],
			n: sums.n[i], d: tree.depth[i], title: d.name + (d.object ? " (" + d.object + ")" : "") +
			": " + sums.n[i] + " samples, " + (100 * sums.n[i] / sums.total).toFixed(2) + "%" };
	}

	function calls(i) {
		var button = document.createElement("button");
		var event = tree.roots.findIndex(function (root, k) { return i < tree.roots[k + 1]; });

		button.type = "button";
		button.textContent = "callers and callees";
		button.addEventListener("click", function () {
			document.dispatchEvent(new CustomEvent("calls",
				{ detail: { event: event, f: tree.fn[i] } }));
		});
		return button;
	}

	// Says below the picture what is zoomed to, and leads to its callers, callees and source.
	function choose(i, title)
	{
		var chosen = document.getElementById("chosen"), a = document.createElement("a");

		chosen.textContent = title + " ";
		if (i >= 0 && tree.fn[i])
			chosen.append(calls(i), " ");
		if (i < 0 || !describe(i).link)
			return;
		a.href = describe(i).link.getAttribute("href");
		a.textContent = "source";
		chosen.append(a);
	}

	// The samples of chains that a pattern matches.
	function matched(pattern) {
		var hit = named.map(function (f) { return pattern.test(f.name); }), below = -1, n = 0, i;

		for (i = 0; i < tree.fn.length; i++) {
			if (below >= 0 && tree.depth[i] > below)
				continue;
			below = -1;
			if (tree.depth[i] && !tree.others[i] ? !hit[tree.fn[i]] : !pattern.test(describe(i).name))
				continue;
			below = tree.depth[i];
			n += sums.n[i];
		}
		return n;
	}

	// As printf(3) rounds it: halves to even.
	function fixed(x, places) {
		var t = x.toFixed(20), cut = t.length - 20 + places;

		return /^50*$/.test(t.slice(cut)) && "02468".includes(t[cut - 1]) ? t.slice(0, cut)
			: x.toFixed(places);
	}

	// What is selected.

	function text(r) {
		return seconds(r.from) + " to " + seconds(r.to) + " s";
	}

	var shown = null, all = 0, title = document.title;
	var heading = document.getElementById("heading").dataset.full;
	var headings = ["chains", "functions"].map(function (id) {
		var small = document.createElement("small");

		document.getElementById(id).querySelector("h2").append(" ", small);
		return small;
	});

	function supply()
	{
		document.getElementById("flame").dispatchEvent(new CustomEvent("supply", {
			detail : {
				frames : frames,
				matched : matched,
				total : sums.total,
				heading : headline()
			}
		}));
	}

	function headline()
	{
		return range ? sums.total + " of " + all + " samples" : heading;
	}

	// What others make of the tree: who draws it himself prevents the default.
	function offer(r)
	{
		return document.dispatchEvent(new CustomEvent("tree", {
			cancelable : true,
			detail : {
				relatives : relatives,
				named : function(f) {
					return named[f];
				},
				text : range ? text(range) : "",
				tree : tree,
				describe : describe,
				choose : choose,
				widest : widest,
				matched : matched,
				total : sums.total,
				heading : headline(),
				address : address,
				steps : {from : r.from >> shift, to : (r.to - 1) >> shift},
				seconds : function(step) {
					return seconds(Math.min(slots, step << shift));
				},
				merged : supply
			}
		}));
	}

	function show() {
		var r = range || {from : 0, to : slots};

		sums = sum(r);
		dim(range);
		document.title = (range ? text(range) + " of " : "") + title;
		headings.forEach(function (small) {
			small.textContent = range ? text(range) : "";
		});
		document.getElementById("range").textContent = range ? text(range) + ": " + sums.total +
			" of " + all + " samples" : "";
		document.getElementById("whole").hidden = !range;
		if (range || shown)
			document.dispatchEvent(new CustomEvent("range", {
				detail: range && { text: text(range), from: range.from, to: range.to,
					count: count, reader: reader, fixed: fixed } }));
		shown = range;
		if (offer(r))
			supply();
	}

	// The address keeps its other parts, such as the section that it leads to; part may be none.
	function address(old, part) {
		var parts = location.hash.slice(1).split("&").filter(function (other) {
			return other && !old.test(other);
		});

		if (part)
			parts.push(part);
		try {
			history.replaceState(null, "", parts.length ? "#" + parts.join("&")
				: location.pathname + location.search);
		} catch (e) {
			return; // a page within another one, which keeps its address
		}
	}

	function tellRange() {
		address(/^t=/, range && "t=" + seconds(range.from) + "," + seconds(range.to));
	}

	function select(r) {
		range = r;
		show();
		tellRange();
	}

	// The range of the address; NULL: none, or none of this page.
	function addressed() {
		var t = /(?:^#|&)t=([0-9.]+),([0-9.]+)/.exec(location.hash), from, to;

		from = t ? Math.round(Number(t[1]) / slot) : 0;
		to = t ? Math.min(slots, Math.round(Number(t[2]) / slot)) : 0;
		return from < to ? between(from, to - 1) : null;
	}

	function arrive() {
		var id = location.hash.slice(1).split("&")[0], target = document.getElementById(id);
		var asked = addressed();

		if (asked || !target)
			range = asked;
		show();
		if (asked && target)
			target.scrollIntoView();
		tellRange();
	}

	if (!source || !slots)
		return;
	tree = decode();
	all = tree.count.reduce(function (a, b) { return a + b; }, 0);
	learnNames();
	document.getElementById("whole").addEventListener("click", function () { select(null); });
	document.addEventListener("keydown", function (e) {
		if (e.key === "Escape" && !e.defaultPrevented && range)
			select(null);
	});
	window.addEventListener("hashchange", arrive);
	arrive();
})();
