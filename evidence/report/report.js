"use strict";
(() => {
  const all = (selector) => document.querySelectorAll(selector);
  const copied = (text) => {
    const area = document.createElement("textarea");
    area.value = text;
    area.setAttribute("readonly", "");
    area.className = "skip";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  };
  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return copied(text);
    }
  };
  const status = document.createElement("p");
  status.className = "skip";
  status.setAttribute("role", "status");
  document.querySelector("main").append(status);
  for (const part of all("[data-copy]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.setAttribute("aria-label", `Copy ${part.dataset.copy}`);
    button.addEventListener("click", async () => {
      const lines = part.querySelectorAll(".command");
      const text = lines.length ? [...lines].map((line) => line.textContent).join("\n") : part.textContent;
      const done = await copy(text);
      button.textContent = status.textContent = done ? "Copied" : "Not copied: select it and copy by hand";
    });
    part.after(button);
  }
  for (const field of all("[data-search]")) {
    const box = field.closest(".search");
    const told = box.querySelector("[role=status]");
    const turns = [...box.parentElement.querySelectorAll(".turn")];
    const folds = [...box.parentElement.querySelectorAll(".transcript > details")];
    const open = folds.map((fold) => fold.open);
    box.hidden = false;
    field.addEventListener("input", () => {
      const wanted = field.value.trim().toLowerCase();
      let found = 0;
      for (const turn of turns) {
        const hit = !wanted || turn.textContent.toLowerCase().includes(wanted);
        turn.hidden = !hit;
        found += hit;
      }
      folds.forEach((fold, at) => {
        fold.open = wanted ? Boolean(fold.querySelector(".turn:not([hidden])")) : open[at];
        fold.hidden = Boolean(wanted) && !fold.open;
      });
      told.textContent = wanted ? `${found} of ${turns.length} blocks` : "";
    });
  }
  const unfold = () => {
    const target = document.getElementById(location.hash.slice(1));
    for (let part = target; part; part = part.parentElement) if (part.localName === "details") part.open = true;
    if (target) target.scrollIntoView();
  };
  addEventListener("hashchange", unfold);
  if (location.hash) unfold();
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...all("details:not([open])")];
    for (const part of folded) part.open = true;
  });
  addEventListener("afterprint", () => {
    for (const part of folded) part.open = false;
  });
})();
