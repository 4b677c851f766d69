"use strict";
(() => {
  const selects = [...document.querySelectorAll("[data-by]")];
  const search = document.querySelector("[data-search]");
  const heads = [...document.querySelectorAll("[data-sort]")];
  const body = document.querySelector("tbody");
  const rows = body ? [...body.rows] : [];
  const texts = new Map(rows.map((row) => [row, [row.textContent, row.querySelector("[data-text]").dataset.text].join(" ").toLowerCase()]));
  const wanted = () => new URLSearchParams(location.hash.slice(1));
  const value = (row, column) => row.cells[column].dataset.order ?? row.cells[column].dataset.text ?? row.cells[column].textContent.trim();
  const inOrder = (name, down) => {
    const column = heads.findIndex((head) => head.dataset.sort === name);
    const compare = (one, other) => value(one, column).localeCompare(value(other, column), undefined, { numeric: true });
    return column < 0 ? rows : [...rows].sort((one, other) => (down ? compare(other, one) : compare(one, other)));
  };
  const apply = () => {
    const asked = wanted();
    for (const select of selects) {
      const one = asked.get(select.dataset.by) ?? "";
      select.value = one;
      if (select.value !== one) select.value = "";
    }
    if (document.activeElement !== search) search.value = asked.get("search") ?? "";
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const chosen = selects.filter((select) => select.value);
    for (const row of rows)
      row.hidden = chosen.some((select) => row.dataset[select.dataset.by] !== select.value) || words.some((word) => !texts.get(row).includes(word));
    const [name, way] = (asked.get("sort") ?? "").split(" ");
    for (const head of heads) {
      if (head.dataset.sort === name) head.setAttribute("aria-sort", way ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    }
    body?.append(...inOrder(name, way === "down"));
    const shown = rows.filter((row) => !row.hidden).length;
    document.getElementById("showing").textContent = `${shown} of ${rows.length} shown`;
  };
  const ask = (sort) => {
    const asked = selects.filter((one) => one.value).map((one) => [one.dataset.by, one.value]);
    if (search.value.trim()) asked.push(["search", search.value.trim()]);
    if (sort) asked.push(["sort", sort]);
    history.replaceState(null, "", `#${new URLSearchParams(asked)}`);
    apply();
  };
  const sorted = () => wanted().get("sort") ?? "";
  for (const select of selects) select.addEventListener("change", () => ask(sorted()));
  search.addEventListener("input", () => ask(sorted()));
  for (const head of heads) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    button.addEventListener("click", () => ask(sorted() === head.dataset.sort ? `${head.dataset.sort} down` : head.dataset.sort));
    head.replaceChildren(button);
  }
  addEventListener("hashchange", apply);
  document.querySelector(".filters").hidden = false;
  apply();
})();
