"use strict";
// Everything can be read without this: it filters the front page's table, copies texts, lets keys scroll.

function filters(form) {
  const rows = Array.from(document.querySelectorAll("#table tbody tr"));
  const cells = new Map(Array.from(document.querySelectorAll(".tape [data-id]"), (cell) => [cell.dataset.id, cell]));
  const words = rows.map((row) => `${row.textContent} ${row.dataset.says}`.toLowerCase());
  const chosen = ["paper", "kind", "verdict", "severity", "proof"].map((name) => form.elements[name]);
  const text = form.elements.text;
  const shown = document.getElementById("shown");

  function apply() {
    const asked = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    rows.forEach((row, place) => {
      const kept =
        chosen.every((choice) => !choice.value || row.dataset[choice.name] === choice.value) &&
        asked.every((word) => words[place].includes(word));
      row.hidden = !kept;
      cells.get(row.dataset.id).classList.toggle("out", !kept);
      count += kept;
    });
    shown.textContent = `${count} of ${rows.length} statements`;
  }

  function fromFragment() {
    const said = new URLSearchParams(location.hash.slice(1));
    if (location.hash && !location.hash.includes("=")) return false;
    chosen.forEach((choice) => {
      const value = said.get(choice.name) || "";
      choice.value = Array.from(choice.options).some((option) => option.value === value) ? value : "";
    });
    text.value = said.get("text") || "";
    return location.hash.length > 1;
  }

  function toFragment() {
    const said = new URLSearchParams();
    [...chosen, text].forEach((field) => field.value && said.set(field.name, field.value));
    history.replaceState(null, "", said.size ? `#${said}` : location.pathname + location.search);
    apply();
  }

  function arrive() {
    const filtered = fromFragment();
    apply();
    if (filtered) document.getElementById("claims").scrollIntoView();
  }

  form.hidden = false;
  form.addEventListener("input", toFragment);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(toFragment));
  window.addEventListener("hashchange", arrive);
  arrive();
}

function copier(script) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  script.before(button);
  copies(button, () => script);
}

// What is copied is the text of an element; where the browser does not allow it, it is selected for the reader to copy.
function copies(button, found) {
  const said = button.textContent;
  button.addEventListener("click", () => {
    const source = found();
    const folded = source.closest("details");
    const done = () => (button.textContent = "Copied");
    const refused = () => {
      if (folded) folded.open = true;
      getSelection().selectAllChildren(source);
      button.textContent = "Selected: copy it";
    };
    navigator.clipboard ? navigator.clipboard.writeText(source.textContent).then(done, refused) : refused();
    setTimeout(() => (button.textContent = said), 4000);
  });
}

function held(button) {
  const text = document.createElement("pre");
  text.textContent = button.dataset.copy;
  return () => {
    if (!navigator.clipboard && !text.isConnected) button.after(text);
    return text;
  };
}

const form = document.getElementById("filters");
if (form) filters(form);
document.querySelectorAll("pre.copied").forEach(copier);
document.querySelectorAll("button[data-copy], button[data-from]").forEach((button) => {
  copies(button, button.dataset.from ? () => document.getElementById(button.dataset.from) : held(button));
  button.hidden = false;
});

// Two sliders over the points of a map; every sentence that is shown was written with the page.
function trying(form) {
  const { epsilons, deltas, cells, frames } = JSON.parse(form.querySelector("script").textContent);
  const filled = (text) => text && text.slice(1).reduce((said, value) => said.replace("#", value), frames[text[0]]);
  const [across, down] = form.querySelectorAll("input");
  const [epsilon, delta] = form.querySelectorAll("output");
  const said = form.querySelector(".tried");
  const command = form.querySelector("code");
  function show() {
    epsilon.textContent = epsilons[across.value];
    delta.textContent = deltas[down.value];
    across.setAttribute("aria-valuetext", epsilon.textContent);
    down.setAttribute("aria-valuetext", delta.textContent);
    const [state, printed, audit, repaired] = cells[down.value][across.value] ?? ["outside"];
    const lines = printed ? [printed, repaired].map(filled) : ["The claim does not speak of these values."];
    said.replaceChildren(...lines.filter(Boolean).map((line) => Object.assign(document.createElement("span"), { textContent: line })));
    said.className = `tried ${state}`;
    const at = { "@e": epsilon.textContent, "@d": delta.textContent, "@s": printed && printed[1] };
    command.textContent = audit ? filled(audit).replace(/@[eds]/g, (name) => at[name]) : "";
    command.parentElement.hidden = !audit;
  }
  form.hidden = false;
  form.addEventListener("input", show);
  form.addEventListener("submit", (event) => event.preventDefault());
  show();
}
document.querySelectorAll("form.try").forEach(trying);

// What has to be scrolled sideways can be reached with the keyboard.
const scrolled = () =>
  document.querySelectorAll(".wide, pre, li:has(> math)").forEach((box) => {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  });
scrolled();
window.addEventListener("resize", scrolled);
