// A list whose entries have parts: a field for each part in the place of lines with bars, which no phone types well.
import { all, say } from "./page.js";

const BAR = " | ";

/** Show the entries of such a text as rows of fields; the text itself stays what is kept and sent. */
export function entryRows(within) {
  for (const text of all("textarea[data-entries]", within)) {
    const { columns, topics } = JSON.parse(text.dataset.entries);
    const numbers = columns.some((column) => column.name === "number") ? Object.keys(topics) : [];
    const list = { text, columns, topics, numbers, rows: document.createElement("div") };
    const add = Object.assign(document.createElement("button"), { type: "button", className: "small", textContent: say("add-entry") });
    const show = () => {
      const lines = text.value.split("\n").filter((line) => line.trim()).map((line) => line.split("|").map((part) => part.trim()));
      list.rows.replaceChildren(...starts(list, lines, Number(text.dataset.least) || 1).map((parts, n) => row(list, parts, n)));
    };
    add.addEventListener("click", () => {
      list.rows.append(row(list, [], list.rows.children.length));
      list.rows.lastElementChild.querySelector("input, select").focus();
    });
    add.hidden = numbers.length > 0;
    text.hidden = true;
    text.required = false;
    text.parentElement.querySelector(".bars").hidden = true;
    text.after(list.rows, add);
    text.addEventListener("filled", show);
    show();
  }
}

/** The parts of the rows to begin with: of each topic that is asked for one, in their order. */
function starts({ columns, numbers }, lines, least) {
  const at = columns.findIndex((column) => column.name === "number");
  if (numbers.length) return numbers.map((number) => lines.find((parts) => parts[at] === number) || columns.map((_, n) => (n === at ? number : "")));
  return Array.from({ length: Math.max(1, least, lines.length) }, (_, n) => lines[n] || []);
}

function row(list, parts, n) {
  const shown = document.createElement("fieldset");
  shown.className = "entry";
  const topic = list.numbers.length ? `${list.numbers[n]}. ${list.topics[list.numbers[n]]}` : "";
  const legend = Object.assign(document.createElement("legend"), { textContent: topic || say("entry", { n: n + 1 }) });
  if (!topic) legend.className = "hidden";
  shown.append(legend);
  for (const [at, column] of list.columns.entries()) shown.append(part(list, column, parts[at] || "", Boolean(topic)));
  if (topic) return shown;
  const remove = Object.assign(document.createElement("button"), { type: "button", className: "small remove", textContent: "×" });
  remove.setAttribute("aria-label", say("remove-entry", { n: n + 1 }));
  remove.addEventListener("click", () => (shown.remove(), compose(list)));
  shown.append(remove);
  return shown;
}

function part(list, column, value, hasTopic) {
  const label = document.createElement("label");
  const field = document.createElement(column.choices.length ? "select" : "input");
  for (const [choice, told] of column.choices.length ? [["", ""], ...column.choices] : []) field.append(new Option(told, choice));
  field.value = value;
  field.autocomplete = "off";
  field.addEventListener("input", () => compose(list));
  label.append(`${column.label} `, field);
  label.hidden = hasTopic && column.name === "number";
  return label;
}

function compose({ text, rows, columns, numbers }) {
  const at = numbers.length ? columns.findIndex((column) => column.name === "number") : -1;
  const lines = [...rows.children].map((shown) => all("input, select", shown).map((field) => field.value.replaceAll("|", "/").trim()));
  const said = lines.filter((parts) => parts.some((one, n) => one && n !== at));
  text.value = said.map((parts) => parts.join(BAR).replace(/[ |]+$/, "")).join("\n");
  text.dispatchEvent(new Event("input", { bubbles: true }));
}
