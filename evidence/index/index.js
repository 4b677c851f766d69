"use strict";
(() => {
  const selects = [...document.querySelectorAll("[data-by]")];
  const rows = [...document.querySelectorAll("tbody tr")];
  const wanted = () => new URLSearchParams(location.hash.slice(1));
  const apply = () => {
    const filters = wanted();
    for (const select of selects) {
      const value = filters.get(select.dataset.by) ?? "";
      select.value = value;
      if (select.value !== value) select.value = "";
    }
    const chosen = selects.filter((select) => select.value);
    for (const row of rows) row.hidden = chosen.some((select) => row.dataset[select.dataset.by] !== select.value);
    const shown = rows.filter((row) => !row.hidden).length;
    document.getElementById("showing").textContent = `${shown} of ${rows.length} shown`;
  };
  for (const select of selects) {
    select.addEventListener("change", () => {
      const filters = new URLSearchParams(selects.filter((one) => one.value).map((one) => [one.dataset.by, one.value]));
      history.replaceState(null, "", `#${filters}`);
      apply();
    });
  }
  addEventListener("hashchange", apply);
  document.querySelector(".filters").hidden = false;
  apply();
})();
