// SPDX-License-Identifier: BSD-2-Clause
// Zoom, search and labels of a flame graph.  Each frame is a <g class="f"> with its first sample,
// samples and depth in data-s, data-n and data-d.
"use strict";
var svg = document.documentElement;
var frames = Array.prototype.slice.call(document.querySelectorAll("g.f"));
var total = Number(svg.dataset.total);
var view = { s: 0, n: total, d: 0 };
var pattern = null;

function num(g, key) {
	return Number(g.dataset[key]);
}

function name(g) {
	return g.dataset.name;
}

// Places a frame by what is in view: the zoomed frame and what it called fill the width, what led
// to it lies below (or above) at full width and pale, the rest is hidden.
function place(g, width) {
	var s = num(g, "s"), n = num(g, "n"), d = num(g, "d");
	var rect = g.querySelector("rect"), text = g.querySelector("text");
	var leads = d < view.d && s <= view.s && s + n >= view.s + view.n;
	var inside = d >= view.d && s >= view.s && s + n <= view.s + view.n;
	var x = leads ? 0 : ((s - view.s) / view.n) * width;
	var w = leads ? width : (n / view.n) * width;

	g.style.display = (leads || inside) && w >= 0.1 ? "" : "none";
	g.style.opacity = leads ? 0.5 : 1;
	rect.setAttribute("x", x);
	rect.setAttribute("width", Math.max(w - 0.5, 0.1));
	text.setAttribute("x", x + 3);
	label(text, name(g), w);
}

function label(text, full, w) {
	var chars = Math.floor((w - 6) / 7.25);

	text.textContent = chars < 3 ? "" : full.length <= chars ? full : full.slice(0, chars - 2) + "..";
}

function percent(n) {
	return ((100 * n) / total).toFixed(2) + "%";
}

// Samples of the frames that match, those below a matching frame not counted again.
function matched() {
	var spans = [], sum = 0, end = 0;

	frames.forEach(function (g) {
		var hit = pattern && pattern.test(name(g));

		g.classList.toggle("hit", Boolean(hit));
		if (hit)
			spans.push([num(g, "s"), num(g, "s") + num(g, "n")]);
	});
	spans.sort(function (a, b) { return a[0] - b[0] || b[1] - a[1]; });
	spans.forEach(function (span) {
		if (span[1] > end) {
			sum += span[1] - Math.max(span[0], end);
			end = span[1];
		}
	});
	return sum;
}

function draw() {
	var width = svg.getBoundingClientRect().width;

	frames.forEach(function (g) { place(g, width); });
	document.getElementById("reset").style.display = view.n < total ? "" : "none";
	document.getElementById("found").textContent =
		pattern ? "matched: " + percent(matched()) : (matched(), "");
}

function zoom(g) {
	view = g ? { s: num(g, "s"), n: num(g, "n"), d: num(g, "d") } : { s: 0, n: total, d: 0 };
	draw();
}

function search() {
	var word = window.prompt("Regular expression for function names (empty: none)", "");

	if (word === null)
		return;
	try {
		pattern = word ? new RegExp(word) : null;
	} catch (e) {
		window.alert(e.message);
	}
	draw();
}

frames.forEach(function (g) {
	g.addEventListener("click", function () { zoom(g); });
	g.addEventListener("mouseover", function () {
		document.getElementById("about").textContent = g.querySelector("title").textContent;
	});
});
document.getElementById("reset").addEventListener("click", function () { zoom(null); });
document.getElementById("search").addEventListener("click", search);
window.addEventListener("keydown", function (e) {
	if ((e.ctrlKey || e.metaKey) && e.key === "f") {
		e.preventDefault();
		search();
	} else if (e.key === "Escape") {
		zoom(null);
	}
});
window.addEventListener("resize", draw);
draw();
