/// The script of a report, which sorts and searches tables, and zooms and navigates the map.
///
/// The page has the same content without the script. The script never inserts text as markup.
enum ReportScript {
  /// The text of the page's one script.
  static let text: StaticString = #"""

    "use strict";
    (() => {
      const all = (query, root = document) => [...root.querySelectorAll(query)];
      const byId = (id) => document.getElementById(id);
      for (const tools of all(".tools")) tools.hidden = false;

      for (const table of all("table.sortable")) {
        const heads = all("thead th", table);
        heads.forEach((head, column) => {
          const order = head.dataset.order;
          if (order === "none") { head.removeAttribute("aria-sort"); return; }
          const button = document.createElement("button");
          button.type = "button";
          button.textContent = head.textContent;
          head.replaceChildren(button);
          const key = (row) => {
            const cell = row.cells[column];
            return order === "number" ? Number(cell.dataset.number ?? NaN) : cell.textContent;
          };
          button.addEventListener("click", () => {
            const now = head.getAttribute("aria-sort");
            const first = order === "number" ? "descending" : "ascending";
            const next = now === "none" ? first : now === "ascending" ? "descending" : "ascending";
            for (const other of heads) if (other.dataset.order !== "none") other.setAttribute("aria-sort", "none");
            head.setAttribute("aria-sort", next);
            const sign = next === "ascending" ? 1 : -1;
            const rows = [...table.tBodies[0].rows].map((row) => [key(row), row]);
            rows.sort(([a], [b]) => {
              if (order === "text") return sign * a.localeCompare(b, "en");
              // What is not known comes last in either order.
              if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b);
              return sign * (a - b);
            });
            table.tBodies[0].append(...rows.map(([, row]) => row));
          });
        });
      }

      const filter = byId("filter");
      if (filter) filter.addEventListener("input", () => {
        const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
        const rows = [...byId(filter.dataset.table).tBodies[0].rows];
        let count = 0;
        for (const row of rows) {
          const text = row.textContent.toLowerCase();
          row.hidden = !words.every((word) => text.includes(word));
          if (!row.hidden) count += 1;
        }
        byId("filter-count").textContent = words.length ? `${count} of ${rows.length} lines` : "";
      });
      // A link to a line that the filter has hidden shows it.
      addEventListener("hashchange", () => {
        const row = byId(decodeURIComponent(location.hash.slice(1)));
        if (row && row.hidden) row.hidden = false;
      });

      let closed = [];
      addEventListener("beforeprint", () => {
        closed = all("details:not([open])");
        for (const details of closed) details.open = true;
      });
      addEventListener("afterprint", () => { for (const details of closed) details.open = false; });

      const map = byId("map-drawing");
      if (!map) return;
      const frame = byId("map-frame");
      const size = [Number(map.getAttribute("width")), Number(map.getAttribute("height"))];
      const nodes = new Map(all(".node", map).map((node) => [node.dataset.node, node]));
      const edges = all(".edge", map);
      let scale = 1, selected = null, isApart = false;
      const zoom = (next) => {
        const middle = (frame.scrollLeft + frame.clientWidth / 2) / scale;
        scale = Math.min(4, Math.max(0.2, next));
        map.setAttribute("width", size[0] * scale);
        map.setAttribute("height", size[1] * scale);
        frame.scrollLeft = middle * scale - frame.clientWidth / 2;
      };
      const fit = () => zoom(Math.min(1, (frame.clientWidth - 2) / size[0]));
      const reached = (start) => {
        const found = new Set([start]);
        for (const [from, to] of [["from", "to"], ["to", "from"]]) {
          const waiting = [start], seen = new Set();
          while (waiting.length) {
            const here = waiting.pop();
            if (seen.has(here)) continue;
            seen.add(here);
            found.add(here);
            for (const edge of edges) if (edge.dataset[from] === here) waiting.push(edge.dataset[to]);
          }
        }
        return found;
      };
      const show = (apart) => {
        isApart = apart && selected !== null;
        const kept = isApart ? reached(selected) : null;
        for (const [name, node] of nodes) node.classList.toggle("apart", isApart && !kept.has(name));
        for (const edge of edges) {
          const isKept = !isApart || (kept.has(edge.dataset.from) && kept.has(edge.dataset.to));
          edge.classList.toggle("apart", !isKept);
        }
        byId("map-status").textContent = isApart
          ? `${kept.size} of ${nodes.size} boxes are shown: what is connected with ${nodes.get(selected).getAttribute("aria-label")}.`
          : apart ? "Select a box first, with Tab or a pointer." : "";
      };
      for (const [name, node] of nodes) node.addEventListener("focus", () => { selected = name; });
      const follow = (from, to) => {
        const next = edges.find((edge) => edge.dataset[from] === selected && edge.dataset[to] !== selected);
        if (next) nodes.get(next.dataset[to]).focus();
      };
      const besides = (down) => {
        const here = nodes.get(selected).getBoundingClientRect();
        const distance = (node) => {
          const there = node.getBoundingClientRect();
          return (there.top - here.top) * down + Math.abs(there.left - here.left) * 4;
        };
        const others = [...nodes.values()].filter((node) =>
          !node.classList.contains("apart") && (node.getBoundingClientRect().top - here.top) * down > 1);
        others.sort((a, b) => distance(a) - distance(b));
        if (others.length) others[0].focus();
      };
      const actions = {
        in: () => zoom(scale * 1.25), out: () => zoom(scale / 1.25), fit, focus: () => show(!isApart),
      };
      for (const button of all("[data-map]")) button.addEventListener("click", actions[button.dataset.map]);
      frame.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const isOnNode = event.target.closest(".node") !== null;
        const keys = {
          "+": actions.in, "=": actions.in, "-": actions.out, "0": fit, f: actions.focus,
          Escape: () => show(false),
          ...(isOnNode ? {
            ArrowRight: () => follow("from", "to"), ArrowLeft: () => follow("to", "from"),
            ArrowDown: () => besides(1), ArrowUp: () => besides(-1),
          } : {}),
        };
        if (!Object.hasOwn(keys, event.key)) return;
        event.preventDefault();
        keys[event.key]();
      });
      if (size[0] > frame.clientWidth && frame.clientWidth / size[0] > 0.55) fit();
    })();

    """#
}
