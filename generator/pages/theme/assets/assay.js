// Tables that sort and filter. Every page is complete without this script.

const FILTERED_FROM = 8;

function keyOf(row, column) {
  const cell = row.cells[column];
  return cell.dataset.sort ?? cell.textContent.trim();
}

// Numbers before text, and what was not measured last in either direction.
function compare(a, b, sign) {
  if (a === "" || b === "") return (a === "") - (b === "");
  const [x, y] = [Number(a), Number(b)];
  const both = !Number.isNaN(x) && !Number.isNaN(y);
  return sign * (both ? x - y : a.localeCompare(b, document.documentElement.lang));
}

function sortBy(table, column, head) {
  const ascending = head.getAttribute("aria-sort") === "descending";
  for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
  const body = table.tBodies[0];
  const sign = ascending ? 1 : -1;
  const rows = [...body.rows].map((row) => [keyOf(row, column), row]);
  rows.sort(([a], [b]) => compare(a, b, sign));
  body.append(...rows.map(([, row]) => row));
}

function makeSortable(table) {
  for (const [column, head] of [...table.tHead.rows[0].cells].entries()) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "assay-sort";
    button.setAttribute("aria-label", head.textContent.trim());
    button.addEventListener("click", () => sortBy(table, column, head));
    head.append(button);
  }
}

function makeFilter(region, label) {
  const table = region.querySelector("table");
  if (table.tBodies[0].rows.length < FILTERED_FROM) return;
  const holder = document.createElement("label");
  holder.className = "assay-filter";
  holder.textContent = label;
  const box = document.createElement("input");
  box.type = "search";
  box.addEventListener("input", () => {
    const wanted = box.value.trim().toLowerCase();
    for (const row of table.tBodies[0].rows) {
      row.hidden = !row.textContent.toLowerCase().includes(wanted);
    }
  });
  holder.append(box);
  region.before(holder);
}

for (const region of document.querySelectorAll(".assay-table")) {
  makeSortable(region.querySelector("table"));
  makeFilter(region, region.dataset.filter);
}

// A table of prose that the theme lets scroll can be reached by keyboard, while it does.
function reachTables() {
  for (const wrap of document.querySelectorAll(".md-typeset__scrollwrap")) {
    wrap.toggleAttribute("tabindex", wrap.scrollWidth > wrap.clientWidth);
    if (wrap.hasAttribute("tabindex")) wrap.tabIndex = 0;
  }
}

for (const moment of ["load", "resize"]) window.addEventListener(moment, reachTables);

// The theme's search dialog has no name of its own; its input has one.
const dialog = document.querySelector(".md-search[role=dialog]");
const query = document.querySelector(".md-search__input");
if (dialog && query) dialog.setAttribute("aria-label", query.getAttribute("aria-label"));
