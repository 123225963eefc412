// SPDX-License-Identifier: BSD-2-Clause
// Zoom, search, keys and labels of a flame graph.  Each frame is a <g class="f"> with its first
// sample, samples and depth in data-s, data-n and data-d.
(function () {
	"use strict";
	var svg = document.getElementById("flame");
	var alone = svg === document.documentElement;
	var total = Number(svg.dataset.total);
	var up = Number(svg.dataset.up); // 1: callees lie above their callers
	var all = { s: 0, n: total, d: 0 };
	var view = all, at = null, pattern = null;
	var frames = Array.prototype.map.call(svg.querySelectorAll("g.f"), function (g) {
		return { g: g, name: g.dataset.name, shownName: g.dataset.shown || g.dataset.name,
			rect: g.querySelector("rect"), text: g.querySelector("text"),
			title: g.querySelector("title").textContent, s: Number(g.dataset.s),
			n: Number(g.dataset.n), d: Number(g.dataset.d) };
	});
	var frameOf = new Map(frames.map(function (f) { return [f.g, f]; }));
	var supply = null; // of a page that knows more chains than are drawn
	var part = {};

	["reset", "search", "about", "found", "frames", "foot", "heading", "where"].forEach(
		function(id) {
			part[id] = document.getElementById(id);
		});

	part.heading.dataset.full = part.heading.textContent;

	function holds(outer, inner) {
		return outer.s <= inner.s && outer.s + outer.n >= inner.s + inner.n;
	}

	// What fits into a width in pixels, without its middle; letters of most scripts of East Asia
	// are two wide.
	function fit(name, width) {
		var room = Math.floor((width - 6) / 7.25), last = Math.floor((room - 2) / 3);
		var letters, tail = "", front = "", used = 0;

		function wide(letter)
		{
			return letter.codePointAt(0) < 0x1100 ? 1 : 2;
		}
		if (room < 3)
			return "";
		letters = Array.from(name.length > 4 * room
					     ? name.slice(0, 2 * room) + name.slice(-2 * room)
					     : name);
		if (letters.reduce(function(sum, letter) {
			    return sum + wide(letter);
		    }, 0) <= room)
			return name;
		while (used + wide(letters[letters.length - 1]) <= last) {
			used += wide(letters[letters.length - 1]);
			tail = letters.pop() + tail;
		}
		while (used + wide(letters[0]) <= room - 2) {
			used += wide(letters[0]);
			front += letters.shift();
		}
		return front + ".." + tail;
	}

	// Places a frame by what is in view: the zoomed frame and what it called fill the width, what
	// led to it lies below (or above) at full width and pale, the rest is hidden.
	function place(f, width) {
		var leads = f.d < view.d && holds(f, view);
		var inside = f.d >= view.d && holds(view, f);
		var x = leads ? 0 : (100 * (f.s - view.s)) / view.n;
		var w = leads ? 100 : (100 * f.n) / view.n;

		f.shown = (leads || inside) && w * width >= 10;
		f.g.style.display = f.shown ? "" : "none";
		if (!f.shown)
			return;
		f.g.style.opacity = leads ? 0.5 : 1;
		// Shares and not pixels, so that paper of another width has the same picture.
		f.rect.setAttribute("x", x + "%");
		f.rect.setAttribute("width", w + "%");
		f.text.setAttribute("x", x + "%");
		f.text.textContent = fit(f.shownName, (w * width) / 100);
	}

	// Samples of the frames that match, those below a matching frame not counted again.
	function matched() {
		var spans = [], sum = 0, end = 0;

		frames.forEach(function (f) {
			var hit = Boolean(pattern && pattern.test(f.name));

			f.g.classList.toggle("hit", hit);
			if (hit)
				spans.push(f);
		});
		spans.sort(function (a, b) { return a.s - b.s || b.n - a.n; });
		spans.forEach(function (f) {
			if (f.s + f.n > end) {
				sum += f.s + f.n - Math.max(f.s, end);
				end = f.s + f.n;
			}
		});
		return sum;
	}

	var deepest = Number(svg.dataset.deepest), row = Number(svg.dataset.row);
	var height = Number(svg.getAttribute("height"));
	var foot = Number(svg.dataset.head) + (deepest + 1) * row + 16; // where its first line ends

	// How deep the picture goes: levels that hold less than one percent of what is in view, as a
	// few deep chains make them, are not drawn until one of them is zoomed to.
	function reachOf(shown) {
		var at = [], last = 0, reach = 0;

		shown.forEach(function (f) {
			at[f.d] = (at[f.d] || 0) + f.n;
			last = Math.max(last, f.d);
		});
		at.forEach(function (n, d) {
			if (100 * n >= view.n)
				reach = d;
		});
		return last - reach > 10 ? reach : last;
	}

	function element(name, attributes) {
		var e = document.createElementNS("http://www.w3.org/2000/svg", name);

		Object.keys(attributes).forEach(function (key) { e.setAttribute(key, attributes[key]); });
		return e;
	}

	// Makes the elements of a frame that a page supplies, as flame.c does.
	function make(f) {
		var title = element("title", {}), y = Number(svg.dataset.head) + f.d * row;

		f.g = element("g", { "class": "f", "data-s": f.s, "data-n": f.n, "data-d": f.d,
			"data-name": f.name });
		title.textContent = f.title;
		f.rect = element("rect", { y: y, height: row - 1, rx: 1, fill: f.colour });
		f.text = element("text", { y: y + 12, dx: 3 });
		f.g.append(title, f.rect, f.text);
		return f;
	}

	// The lines below the picture, of which a page has one at most.
	function setNote(text) {
		var line = element("text", { "class": "pale", x: 8, y: foot - 2 });

		line.textContent = text;
		part.foot.replaceChildren(line);
		height = foot + 8 + (text ? 8 : 0);
	}

	function takeFrames() {
		var given = supply.frames(view === all ? -1 : view.id);

		frames = given.list.map(make);
		frameOf = new Map(frames.map(function (f) { return [f.g, f]; }));
		part.frames.replaceChildren.apply(part.frames, frames.map(function (f) { return f.g; }));
		view = frames.find(function (f) { return view !== all && f.id === view.id; }) || all;
		at = at && frames.find(function (f) { return f.id === at.id; });
		if (at)
			at.g.classList.add("at");
		setNote(given.note);
		mark();
		draw();
	}

	function draw() {
		var width = svg.getBoundingClientRect().width, shown, reach, spare, hidden = 0;

		frames.forEach(function (f) { place(f, width); });
		shown = frames.filter(function (f) { return f.shown; });
		reach = reachOf(shown);
		shown.forEach(function (f) {
			if (f.d <= reach)
				return;
			f.shown = false;
			f.g.style.display = "none";
			hidden = Math.max(hidden, f.d - reach);
		});
		spare = (deepest - reach) * row;
		svg.setAttribute("height", height - spare);
		part.frames.setAttribute("transform", "translate(0," + (up ? -spare : 0) + ")");
		part.foot.setAttribute("transform", "translate(0," + -spare + ")");
		part.reset.style.display = part.where.style.display = view === all ? "none" : "";
		part.where.lastChild.setAttribute("x", 100 * view.s / total + "%");
		// What is too narrow to be seen is shown where it begins.
		part.where.lastChild.setAttribute("width", Math.max(2, width * view.n / total));
		// Its letters are larger, and it lies between two buttons.
		part.heading.textContent = fit(part.heading.dataset.full, (width - 150) * 0.8);
		part.about.textContent = hidden ? fit(hidden + " deeper levels have less than 1% of " +
			"the samples: zoom in to see them", width) : "";
	}

	function mark() {
		var sum = matched();

		if (supply && pattern)
			sum = supply.matched(pattern);

		part.found.textContent =
			pattern ? "matched: " + ((100 * sum) / total).toFixed(2) + "%" : "";
	}

	// A frame of all samples is zoomed to where the page has something to say of it.
	function zoom(f) {
		view = f && (f.n < total || (supply && f.d)) ? f : all;
		if (supply)
			takeFrames();
		else
			draw();
	}

	// Other samples: the zoom stays where it was as long as that has any.
	function take(e) {
		supply = e.detail;
		total = supply.total;
		all.n = total;
		part.heading.dataset.full = supply.heading;
		takeFrames();
	}

	function tell(f) {
		part.about.textContent = fit(f.title, svg.getBoundingClientRect().width);
	}

	// Marks what a word matches: a regular expression, or what is none as it stands.
	function find(word) {
		try {
			pattern = word ? new RegExp(word, "i") : null;
		} catch (e) {
			pattern = new RegExp(word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "i");
		}
		mark();
	}

	// A field over the picture's corner; a page has one of its own for all of it.
	function makeField() {
		var box = document.createElementNS("http://www.w3.org/2000/svg", "foreignObject");
		var input = document.createElementNS("http://www.w3.org/1999/xhtml", "input");

		box.setAttribute("width", "100%");
		box.setAttribute("height", "26");
		input.setAttribute("type", "search");
		input.setAttribute("id", "word");
		input.setAttribute("aria-label", "search functions");
		input.setAttribute("style", "display:block;margin:2px 8px 0 auto;width:min(22em,90%);" +
			"font:14px monospace");
		input.addEventListener("input", function () { find(input.value); });
		input.addEventListener("keydown", function (e) {
			if (e.key === "Escape") {
				input.value = "";
				find("");
			}
			if (e.key === "Escape" || e.key === "Enter") {
				box.style.display = "none";
				svg.focus();
			}
			e.stopPropagation();
		});
		box.append(input);
		svg.append(box);
		return { box: box, input: input };
	}

	var field = null;

	function search() {
		if (!alone) {
			svg.dispatchEvent(new CustomEvent("asksearch", { bubbles: true }));
			return;
		}
		field = field || makeField();
		field.box.style.display = "";
		field.input.focus();
		field.input.select();
	}

	// The frame that an arrow leads to: a callee, the caller, or the next on either side.
	function neighbour(key) {
		var deeper = key === (up ? "ArrowUp" : "ArrowDown") ? 1 : 0;
		var caller = key === (up ? "ArrowDown" : "ArrowUp") ? 1 : 0;
		var best = null;

		frames.forEach(function (f) {
			if (!f.shown || f === at || f.d !== at.d + deeper - caller)
				return;
			if (deeper ? holds(at, f) && (!best || f.n > best.n) : caller ? holds(f, at)
				: key === "ArrowRight" ? f.s > at.s && (!best || f.s < best.s)
				: f.s < at.s && (!best || f.s > best.s))
				best = f;
		});
		return best;
	}

	function step(key) {
		var next = at && at.shown ? neighbour(key) : frames.filter(function (f) {
			return f.shown;
		})[0];

		if (!next)
			return;
		if (at)
			at.g.classList.remove("at");
		at = next;
		at.g.classList.add("at");
		at.rect.scrollIntoView({ block: "nearest" });
		tell(at);
	}

	function onkey(e) {
		if (alone && (e.ctrlKey || e.metaKey) && e.key === "f")
			search();
		else if (e.ctrlKey || e.metaKey || e.altKey)
			return;
		else if (e.key === "Escape" && (alone || view !== all))
			zoom(null);
		else if (e.key === "/")
			search();
		else if (/^Arrow/.test(e.key))
			step(e.key);
		else if (e.key === "Enter" && e.target === part.search)
			search();
		else if (e.key === "Enter" && (e.target === part.reset || at))
			zoom(e.target === part.reset ? null : at);
		else
			return;
		e.preventDefault();
	}

	function onframe(call) {
		return function (e) {
			var g = e.target.closest("g.f");

			if (g)
				call(frameOf.get(g));
		};
	}

	part.frames.addEventListener("click", onframe(zoom));
	part.frames.addEventListener("mouseover", onframe(tell));
	part.reset.addEventListener("click", function () { zoom(null); });
	part.search.addEventListener("click", search);
	svg.addEventListener("find", function (e) { find(e.detail); });
	svg.addEventListener("supply", take);
	(alone ? window : svg).addEventListener("keydown", onkey);
	window.addEventListener("resize", draw);
	draw();
	// The roots are what one begins with.
	if (alone && up)
		window.scrollTo(0, svg.getBoundingClientRect().height);
})();
