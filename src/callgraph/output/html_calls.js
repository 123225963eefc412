// SPDX-License-Identifier: BSD-2-Clause
// The callers and callees of a function, in the part of the time that is selected.  A row of a
// table, the line below the picture or another function of these lists asks for one ("calls");
// html_time.js has what is known ("tree").
(function () {
	"use strict";
	var FIRST = 50; // of each list
	var section = document.getElementById("calls");
	var tree = null, asked = null;

	function element(name, text) {
		var e = document.createElement(name);

		e.textContent = text;
		return e;
	}

	function button(text, call) {
		var b = element("button", text);

		b.type = "button";
		b.addEventListener("click", call);
		return b;
	}

	function line(r, of) {
		var tr = document.createElement("tr"), share = element("td", (100 * r.n / of).toFixed(2));
		var name = document.createElement("td"), d = tree.named(r.f);

		share.className = "b";
		share.style.setProperty("--w", (100 * r.n / of).toFixed(1));
		name.title = r.words || d.name;
		if (r.f > 0)
			name.append(button(d.shown, function () { ask(asked.event, r.f); }));
		else
			name.textContent = r.words || d.shown;
		tr.append(share, element("td", r.n), name);
		return tr;
	}

	function list(title, rows, of) {
		var div = document.createElement("div"), table = document.createElement("table");
		var body = document.createElement("tbody");

		rows = rows.filter(function (r) { return r.n; })
			.sort(function (a, b) { return b.n - a.n || a.f - b.f; });
		rows.slice(0, FIRST).forEach(function (r) { body.append(line(r, of)); });
		table.append(element("caption", rows.length ? title : title + " nothing"), body);
		div.append(table);
		if (rows.length > FIRST)
			div.append(element("p", rows.length - FIRST + " more"));
		return div;
	}

	function show() {
		var found, d;

		section.hidden = !tree || !asked;
		if (section.hidden)
			return;
		found = tree.relatives(asked.event, asked.f);
		d = tree.named(asked.f);
		document.getElementById("called").textContent = d.name + (d.object ? " (" + d.object + ")" : "") +
			": " + found.total + " samples, " + found.self + " of its own" +
			(tree.text ? ", from " + tree.text : "");
		document.getElementById("relatives").replaceChildren(
			list("called by", found.callers, found.total),
			list("calls", found.callees, found.total));
	}

	function ask(event, f) {
		asked = { event: event, f: f };
		show();
		section.scrollIntoView({ block: "nearest" });
	}

	document.addEventListener("tree", function (e) {
		tree = e.detail;
		show();
	});
	document.addEventListener("calls", function (e) { ask(e.detail.event, e.detail.f); });
	document.getElementById("nocalls").addEventListener("click", function () {
		asked = null;
		show();
	});
	document.querySelectorAll("#functions table").forEach(function (table, event) {
		table.tBodies[0].addEventListener("click", function (e) {
			var tr = e.target.closest("tr");

			if (tr && tree && !e.target.closest("a") && getSelection().isCollapsed)
				ask(event, Number(tr.dataset.f));
		});
	});
})();
