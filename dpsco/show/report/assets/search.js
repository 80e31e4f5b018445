"use strict";
// The search of every page; the same as `dpsco claims --search`: each word has to be found, the beginning of a word stands for it.

const MOST = 12;

function searcher(index) {
  const numbered = new RegExp(index.numbered, "g");
  const unpack = (steps) => {
    let last = 0;
    return steps.map((step) => (last += step));
  };
  const own = new Map(Object.entries(index.own).map(([word, steps]) => [word, unpack(steps)]));
  const said = new Map(Object.entries(index.said).map(([word, steps]) => [word, unpack(steps)]));
  const kinds = new Map(Object.entries(index.kinds));

  function each(numbers) {
    const parts = numbers.split(/(, | and | to )/);
    const found = [parts[0].replace(/^[()]+|[()]+$/g, "")];
    for (let place = 1; place < parts.length; place += 2) {
      const number = parts[place + 1].replace(/^[()]+|[()]+$/g, "");
      const last = found[found.length - 1];
      const whole = /^\d+$/.test(last) && /^\d+$/.test(number);
      if (parts[place] === " to " && whole && number - last < index.range)
        for (let between = Number(last) + 1; between < Number(number); between++) found.push(String(between));
      found.push(number);
    }
    return found;
  }

  function wanted(text) {
    const lower = text.toLowerCase();
    const places = [...lower.matchAll(numbered)].flatMap(([, name, numbers, alone]) =>
      each(numbers || alone).map((number) => `${name ? kinds.get(name) : "equation"}:${number}`),
    );
    return [...new Set(places), ...(lower.replace(numbered, " ").match(new RegExp(index.word, "g")) || [])];
  }

  function having(word, among) {
    const found = new Set(among.get(word));
    const kind = kinds.get(word);
    const begins = /^[a-z]+$/.test(word) && word.length >= index.short;
    if (kind || begins)
      for (const [other, numbers] of among) {
        const label = other.includes(":");
        if ((kind && other.startsWith(`${kind}:`)) || (begins && !label && other.startsWith(word)))
          numbers.forEach((number) => found.add(number));
      }
    return found;
  }

  return (text) => {
    const words = wanted(text);
    if (!words.length) return [];
    const called = words.map((word) => having(word, own));
    const spoken = words.map((word, place) => new Set([...called[place], ...having(word, said)]));
    const numbers = index.entries.map((_, number) => number).filter((number) => spoken.every((some) => some.has(number)));
    const first = (number) => called.every((some) => some.has(number));
    return [...numbers.filter(first), ...numbers.filter((number) => !first(number))];
  };
}

function searching(form) {
  const field = form.elements.q;
  const list = form.querySelector("ul");
  const status = form.querySelector("[role=status]");
  const up = form.dataset.up || "";
  let search = null;
  let asked = false;

  function load() {
    if (asked) return;
    asked = true;
    const script = document.createElement("script");
    script.src = form.dataset.index;
    script.onload = () => {
      search = searcher(window.searchIndex);
      show();
    };
    document.head.append(script);
  }

  function show() {
    load();
    if (!search) return;
    const found = search(field.value);
    list.replaceChildren(
      ...found.slice(0, MOST).map((number) => {
        const [place, title, beside] = window.searchIndex.entries[number];
        const item = document.createElement("li");
        const link = document.createElement("a");
        const more = document.createElement("span");
        link.href = up + place;
        link.textContent = title;
        more.textContent = ` ${beside}`;
        more.className = "source";
        item.append(link, more);
        return item;
      }),
    );
    if (found.length > MOST) {
      const rest = document.createElement("li");
      rest.className = "source";
      rest.textContent = `and ${found.length - MOST} more`;
      list.append(rest);
    }
    list.hidden = !found.length;
    status.textContent = field.value ? `${found.length} found` : "";
  }

  form.hidden = false;
  field.addEventListener("focus", load);
  field.addEventListener("input", show);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const first = list.querySelector("a");
    if (first) first.click();
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      list.hidden = true;
      field.focus();
      return;
    }
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const stops = [field, ...list.querySelectorAll("a")];
    const next = stops[stops.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1)];
    if (next) {
      event.preventDefault();
      next.focus();
    }
  });
  document.addEventListener("keydown", (event) => {
    const busy = event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea");
    if (event.key !== "/" || busy) return;
    event.preventDefault();
    field.focus();
  });
  const given = new URLSearchParams(location.search).get("q");
  if (given) {
    field.value = given;
    show();
  }
}

document.querySelectorAll("form.search").forEach(searching);
