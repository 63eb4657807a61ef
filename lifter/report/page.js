// Filters, sorts and keys. The page is whole without it: this only hides, orders and opens.
"use strict";
(() => {
  const find = (selector) => document.querySelector(selector);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const list = find("#list");
  const children = [...list.children];
  const rows = children.filter((node) => node.matches("details"));
  const search = find("#search"), file = find("#file"), code = find("#code"), sort = find("#sort");
  const statuses = all("input[name=status]");
  const texts = new Map();
  const rank = { failed: 0, unproved: 1, proved: 2, skipped: 3 };
  const orders = {
    name: (a, b) => nameOf(a).localeCompare(nameOf(b)),
    status: (a, b) => rank[a.dataset.s] - rank[b.dataset.s],
    seconds: (a, b) => b.dataset.t - a.dataset.t,
    obligations: (a, b) => b.dataset.o - a.dataset.o,
    speed: (a, b) => (b.dataset.x || 0) - (a.dataset.x || 0),
  };

  const nameOf = (row) => row.querySelector(".name").textContent;
  const holderOf = (row) => row.querySelector(".body > noscript");
  const plain = (html) => html.replace(/<[^>]*>/g, "")
    .replace(/&(lt|gt|amp|#34|#39);/g, (entity) => entities[entity]);
  const entities = { "&lt;": "<", "&gt;": ">", "&amp;": "&", "&#34;": '"', "&#39;": "'" };
  const textOf = (row) => {
    if (!texts.has(row)) {
      const holder = holderOf(row);
      const body = holder ? row.firstElementChild.textContent + plain(holder.textContent) : row.textContent;
      texts.set(row, `${body} ${file.options[row.dataset.f].textContent}`.toLowerCase());
    }
    return texts.get(row);
  };

  // In a large page a function's part is text until somebody wants to see it.
  function fill(row) {
    const holder = holderOf(row);
    if (!holder) return;
    const made = document.createElement("template");
    made.innerHTML = holder.textContent;
    holder.replaceWith(made.content);
  }
  const shown = () => rows.filter((row) => !row.hidden);

  function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = new Set(statuses.filter((box) => box.checked).map((box) => box.value));
    const files = new Set();
    let count = 0;
    for (const row of rows) {
      const { s, f, c } = row.dataset;
      const fits = wanted.has(s) && (!file.value || f === file.value)
        && (!code || !code.value || c === code.value)
        && words.every((word) => textOf(row).includes(word));
      row.hidden = !fits;
      if (fits) {
        count += 1;
        files.add(f);
      }
    }
    let number = 0;
    for (const node of children) {
      if (node.matches("h3")) node.hidden = !files.has(String(++number));
    }
    find("#shown").textContent = count === rows.length ? `${count}` : `${count} of ${rows.length}`;
    find("#none").hidden = count > 0;
    nameTheButton();
  }

  function order() {
    const by = orders[sort.value];
    const sorted = by ? [...rows].sort(by) : children;
    list.classList.toggle("flat", Boolean(by));
    list.append(...sorted);
  }

  function reset() {
    search.value = "";
    file.value = "";
    if (code) code.value = "";
    for (const box of statuses) box.checked = true;
    filter();
  }

  function nameTheButton() {
    find("#all").textContent = shown().every((row) => row.open) ? "Close all" : "Open all";
  }

  function openAll() {
    const here = shown();
    const open = !here.every((row) => row.open);
    for (const row of here) {
      if (open) fill(row);
      row.open = open;
    }
    nameTheButton();
  }

  function reveal() {
    let id = location.hash.slice(1);
    let target = document.getElementById(id);
    if (!target) {
      try { target = document.getElementById(decodeURIComponent(id)); } catch { return; }
    }
    if (!target && id) {
      const ends = [`id=${id}>`, `id="${id}"`];
      const owner = rows.find((row) => ends.some((end) => holderOf(row)?.textContent.includes(end)));
      if (owner) fill(owner);
      target = document.getElementById(id);
    }
    const row = target && target.closest(".fn");
    if (target && target.closest("#list")) {
      if (row ? row.hidden : target.hidden || sort.value) {
        sort.value = row ? sort.value : "";
        order();
        reset();
      }
      if (row) {
        fill(row);
        row.open = true;
      }
      target.scrollIntoView();
    }
  }

  function step(by) {
    const here = list.classList.contains("flat") ? [...list.querySelectorAll(".fn")] : rows;
    const open = here.filter((row) => !row.hidden);
    const now = open.indexOf(document.activeElement.closest(".fn"));
    const next = now < 0
      ? open.find((row) => row.getBoundingClientRect().bottom > 120) || open[0]
      : open[Math.min(open.length - 1, Math.max(0, now + by))];
    if (!next) return;
    const head = next.querySelector("summary");
    head.focus({ preventScroll: true });
    head.scrollIntoView({ block: "nearest" });
  }

  const themes = ["auto", "light", "dark"];
  function paint(theme) {
    document.documentElement.dataset.theme = theme;
    find("#theme span").textContent = theme;
  }
  function nextTheme() {
    const theme = themes[(themes.indexOf(document.documentElement.dataset.theme) + 1) % 3];
    paint(theme);
    try { localStorage.setItem("lift-report-theme", theme); } catch { /* a page without a store */ }
  }
  function keptTheme() {
    try {
      const kept = localStorage.getItem("lift-report-theme");
      return themes.includes(kept) ? kept : "auto";
    } catch { return "auto"; }
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || find("#keys").open) return;
    const typing = event.target.matches("input[type=search], select, textarea");
    if (event.key === "Escape" && event.target === search) {
      search.value = "";
      filter();
      search.blur();
    }
    if (typing) return;
    const act = {
      "/": () => search.focus(),
      j: () => step(1),
      k: () => step(-1),
      x: openAll,
      t: nextTheme,
      "?": () => find("#keys").showModal(),
    }[event.key];
    if (act) {
      event.preventDefault();
      act();
    }
  });

  let waiting = 0;
  search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(filter, 80);
  });
  for (const control of [file, code, ...statuses]) {
    if (control) control.addEventListener("change", filter);
  }
  sort.addEventListener("change", order);
  find("form.filters").addEventListener("submit", (event) => event.preventDefault());
  find("#all").addEventListener("click", openAll);
  find("#reset").addEventListener("click", reset);
  find("#theme").addEventListener("click", nextTheme);
  find("#keys-button").addEventListener("click", () => find("#keys").showModal());
  document.addEventListener("click", (event) => {
    const head = event.target.closest(".fn > summary");
    if (head) fill(head.parentElement);
    const link = event.target.closest("a[data-status], a[data-code]");
    if (!link) return;
    reset();
    if (link.dataset.code) code.value = link.dataset.code;
    else if (link.dataset.status) for (const box of statuses) box.checked = box.value === link.dataset.status;
    filter();
  });
  window.addEventListener("hashchange", reveal);
  window.addEventListener("beforeprint", () => shown().forEach(fill));

  for (const node of all("[data-script]")) node.hidden = false;
  for (const node of all(".blocked")) node.remove();
  paint(keptTheme());
  filter();
  if (sort.value) order();
  if (location.hash) reveal();
})();
