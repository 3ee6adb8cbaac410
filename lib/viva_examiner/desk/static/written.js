"use strict";
// Written answers, question by question. All state that counts is in the gradebook; here is only
// what the TA sees at the moment, and a list of what can be undone.
const $ = (id) => document.getElementById(id);
const place = $("written").dataset;
const everything = place.everything ? "everything=yes" : "";
const state = {questions: [], number: 0, question: null, units: [], at: 0, shares: [], done: []};

async function call(path, body) {
  const query = [path.split("?")[1], everything].filter(Boolean).join("&");
  const reply = await fetch(`${place.calls}${path.split("?")[0]}${query ? `?${query}` : ""}`, {
    method: body ? "POST" : "GET",
    headers: {"X-XSRFToken": place.xsrf, "Content-Type": "application/json",
              "Accept": "application/json"},
    body: body && JSON.stringify(body),
  });
  const told = await reply.json().catch(() => ({}));
  return {ok: reply.ok, status: reply.status, told};
}

const unit = () => state.units[state.at];
const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
const told = (row) => ({student: row.student, seen: row.seen});

async function overview() {
  const {told} = await call("");
  state.questions = told.questions;
  $("questions").replaceChildren(...told.questions.map((each, number) => {
    const button = document.createElement("button");
    button.textContent = `${each.name.replace("written_", "")} (${each.waiting} of ${each.all} wait)`;
    button.setAttribute("aria-current", number === state.number);
    button.onclick = () => open(number);
    return button;
  }));
  const by = Object.entries(told.questions[state.number]?.by ?? {});
  $("progress").textContent = by.length
    ? `graded by ${by.map(([who, marks]) => `${who}: ${marks}`).join(", ")}` : "";
}

async function open(number, keep) {
  state.number = Math.max(0, Math.min(number, state.questions.length - 1));
  const [{told}] = await Promise.all([call(`/${state.number}`), overview()]);
  state.question = told;
  $("asks").innerHTML = told.asks;      // staff's words, cleaned by the server
  $("answer").innerHTML = told.answer;
  const first = document.createElement("option");
  first.textContent = "use a comment again …";
  first.value = "";
  $("again").replaceChildren(first, ...told.comments.map((words) => new Option(words, words)));
  state.units = told.units.filter((each) => $("all").checked || each.waits);
  state.at = keep ? Math.min(state.at, Math.max(0, state.units.length - 1)) : 0;
  show();
  fillRubric();
  lookAtRubric();
}

function show() {
  const now = unit();
  $("said").textContent = "";
  $("grading").hidden = !now;
  $("history").open = false;
  if (!now) {
    $("where").textContent = "";
    $("text").textContent = "Every answer to this question is graded.";
    return;
  }
  const rows = now.rows;
  const equal = rows.length > 1 ? `, ${rows.length} equal answers` : "";
  const names = $("names").checked ? `: ${rows.map((each) => each.student).join(", ")}` : "";
  $("where").textContent = `${state.at + 1} of ${state.units.length}${equal}${names}`;
  $("stands").textContent = standing(now);
  if (now.empty) $("text").textContent = "(empty)";
  else $("text").innerHTML = now.page; // the student's words, cleaned by the server
  $("earlier").hidden = !now.earlier;
  $("difference").innerHTML = now.earlier; // escaped by the server
  $("near").hidden = !now.near;
  $("near-difference").innerHTML = now.near; // escaped by the server
  fill(now.shares ?? state.question.items.map(() => 0), now.words, now.score ?? "");
  $("save").textContent = now.waits ? `Save and go on (Enter)`
    : rows.length > 1 ? `Change these ${rows.length} marks` : "Change this mark";
}

// What stands: of this unit, of an earlier text, and of equal answers that are not in this unit.
function standing(now) {
  const by = [...new Set(now.rows.map((row) => row.graded_by).filter(Boolean))].join("; ");
  const lines = [];
  if (!now.waits) lines.push(`${now.score ?? now.automatic} points stand${by ? `, by ${by}` : ""}.`);
  else if (now.score !== null) {
    lines.push(`${now.score} points were given for an earlier text, by ${by}.`);
  }
  for (const other of now.others) {
    const who = other.by.length ? `, by ${other.by.join(" and ")}` : "";
    const words = other.words ? ` (“${other.words}”)` : "";
    lines.push(other.wait ? `${count(other.count, "equal answer")} with another earlier mark wait.`
      : `Not in this group: ${count(other.count, "equal answer")} with ${other.score} points`
        + `${who}${words}.`);
  }
  if (now.elsewhere) lines.push(`${count(now.elsewhere, "equal answer")} for another grader.`);
  return lines.join(" ");
}

function fill(shares, words, points) {
  state.shares = [...shares];
  $("words").value = words;
  $("points").value = points;
  $("points-row").hidden = state.question.items.length > 0;
  $("items").replaceChildren(...state.question.items.map((item, number) => {
    const line = document.createElement("li");
    const label = document.createElement("label");
    const says = document.createElement("span");
    says.innerHTML = item.says;          // staff's words, cleaned by the server
    const box = document.createElement("input");
    box.type = "checkbox";
    box.onclick = (event) => tick(number, event.shiftKey ? 0.5 : 1, event);
    label.append(box, ` ${count(item.points, "point")}: `, says);
    const half = document.createElement("button");
    half.textContent = "half";
    half.onclick = (event) => tick(number, 0.5, event);
    line.append(label, " ", half);
    return line;
  }));
  paint();
}

function paint() {
  const items = state.question.items;
  [...$("items").children].forEach((line, number) => {
    const share = state.shares[number], box = line.querySelector("input");
    line.dataset.share = share;
    box.checked = share === 1;
    box.indeterminate = share === 0.5;
    line.querySelector("button").setAttribute("aria-pressed", share === 0.5);
  });
  const earned = items.reduce((sum, item, number) => sum + item.points * state.shares[number], 0);
  $("score").textContent = items.length ? `${earned} of ${state.question.points}` : "";
}

function tick(number, share, event) {
  if (number >= state.question.items.length) return;
  state.shares[number] = state.shares[number] === share ? 0 : share;
  if (event?.detail) event.target.blur(); // by mouse: the keys belong to the page again
  paint();
}

async function save() {
  const now = unit();
  if (!now) return;
  const items = state.question.items.length > 0, points = $("points").value;
  if (!items && points === "") {
    $("said").textContent = "How many points?";
    return;
  }
  const draft = {shares: state.shares, words: $("words").value, points};
  const {ok, status, told: answer} = await call(`/${state.number}`, {
    rows: now.rows.map(told), shares: items ? state.shares : null, words: draft.words,
    score: items ? null : Number(points), standing: !now.waits, rubric: state.question.rubric});
  if (status === 409) {
    await conflict(now, draft, answer.stands);
  } else if (!ok) {
    $("said").textContent = answer.why ?? `Not saved (${status}). Is the desk still running?`;
  } else {
    state.done.push({number: state.number, students: now.rows.map((row) => row.student)});
    if (!now.waits || $("all").checked) state.at += 1;
    document.activeElement.blur();
    await open(state.number, true);
  }
}

// Somebody was faster. What stands is shown, what was about to be saved stays in the form.
async function conflict(now, draft, stands) {
  await open(state.number, true);
  const students = now.rows.map((row) => row.student);
  const again = state.units.findIndex((each) => each.waits === now.waits
    && each.rows.some((row) => students.includes(row.student)));
  if (again >= 0) {
    state.at = again;
    show();
    fill(draft.shares, draft.words, draft.points);
  }
  const lines = stands.map((row) => `${row.seen.score === null ? "no mark"
    : `${row.seen.score} points`}${row.graded_by ? ` by ${row.graded_by}` : ""}`
    + (row.words ? ` (“${row.words}”)` : ""));
  $("said").textContent = `Nothing was saved: somebody else graded this answer meanwhile, or its `
    + `text has changed. Now it has ${[...new Set(lines)].join("; ")}. `
    + (again >= 0 ? "Yours is still in the form, for those that are left." : "");
}

async function undo() {
  const last = state.done.pop();
  if (!last) return;
  const {told: then} = await call(`/${last.number}`);
  const rows = then.units.flatMap((each) => each.rows)
    .filter((row) => last.students.includes(row.student));
  const {ok} = await call(`/${last.number}`, {undo: rows.map(told)});
  await open(last.number, true);
  const back = state.units.findIndex((each) => each.rows.some(
    (row) => last.students.includes(row.student)));
  if (back >= 0) { state.at = back; show(); }
  if (!ok) $("said").textContent = "Not undone: somebody else graded this answer meanwhile.";
}

async function history() {
  if (!$("history").open || !unit()) return;
  const lines = [];
  for (const [number, row] of unit().rows.slice(0, 20).entries()) {
    const who = encodeURIComponent(row.student);
    const {told} = await call(`/${state.number}/history?student=${who}`);
    lines.push($("names").checked ? `${row.student}:` : `answer ${number + 1}:`,
               ...told.lines.map((line) => `  ${line}`));
  }
  $("history-lines").textContent = lines.join("\n");
}

async function lookAtRubric() {
  const {told} = await call(`/${state.number}/rescore`);
  $("rescore").hidden = !told.lines.length;
  $("rescore-lines").hidden = $("rescore-do").hidden = true;
  $("rescore-says").textContent = "The rubric has changed since some answers were ticked.";
  $("rescore-lines").textContent = told.lines.join("\n");
}

// The rubric as fields. `was` remembers which of today's items a line was.
function fillRubric() {
  $("rubric-items").replaceChildren(...state.question.items.map(
    (item, number) => rubricLine(number, item.points, item.source)));
}

function rubricLine(was, points, says) {
  const line = document.createElement("li");
  line.dataset.was = was ?? "";
  const worth = document.createElement("input");
  Object.assign(worth, {type: "number", min: 0, step: 0.5, value: points});
  const text = document.createElement("textarea");
  Object.assign(text, {rows: 2, value: says});
  const gone = document.createElement("button");
  gone.textContent = "Remove";
  gone.onclick = () => { line.remove(); $("rubric-add").focus(); };
  line.append(labelled("points", worth), labelled("what earns them", text), gone);
  return line;
}

function labelled(words, field) {
  const label = document.createElement("label");
  label.append(`${words} `, field);
  return label;
}

async function saveRubric() {
  const items = [...$("rubric-items").children].map((line) => ({
    was: line.dataset.was === "" ? null : Number(line.dataset.was),
    points: Number(line.querySelector("input").value), says: line.querySelector("textarea").value}));
  const {ok, told} = await call(`/${state.number}/rubric`, {rubric: state.question.rubric, items});
  if (ok) await open(state.number, true);
  $("rubric-said").textContent = told.why ?? (ok ? ["Saved.", ...told.lines].join(" ") : "Not saved.");
}

const fields = ["TEXTAREA", "SELECT", "BUTTON", "SUMMARY", "A"];
document.addEventListener("keydown", (event) => {
  const now = document.activeElement;
  const writes = ["TEXTAREA", "SELECT"].includes(now.tagName) || now.type === "number";
  if (event.key === "Escape") now.blur();
  if (event.key === "Enter") {
    const taken = fields.includes(now.tagName) || now.type === "checkbox";
    if (event.ctrlKey || event.metaKey || (!taken && !event.shiftKey)) {
      event.preventDefault();
      if (unit() && !unit().waits) $("said").textContent = "A mark stands: the button changes it.";
      else save();
    }
    return;                              // a focused control does what that control does
  }
  if (writes || event.ctrlKey || event.metaKey || event.altKey) return;
  const digit = /^Digit([0-9])$/.exec(event.code);
  if (digit && digit[1] !== "0") tick(Number(digit[1]) - 1, event.shiftKey ? 0.5 : 1);
  else if (digit) { state.shares.fill(0); paint(); }
  else if (event.key === "a") { state.shares.fill(1); paint(); }
  else if (event.key === "n") { state.at = Math.min(state.at + 1, state.units.length - 1); show(); }
  else if (event.key === "p") { state.at = Math.max(state.at - 1, 0); show(); }
  else if (event.key === "u") undo();
  else if (event.key === "c") { event.preventDefault(); $("words").focus(); }
  else if (event.key === "]") open(state.number + 1);
  else if (event.key === "[") open(state.number - 1);
});
$("rubric-add").onclick = () => {
  $("rubric-items").append(rubricLine(null, 1, ""));
  $("rubric-items").lastElementChild.querySelector("textarea").focus();
};
$("rubric-save").onclick = saveRubric;
$("save").onclick = save;
$("undo").onclick = undo;
$("history").ontoggle = history;
$("all").onchange = () => open(state.number);
$("names").onchange = show;
$("again").onchange = () => { if ($("again").value) $("words").value = $("again").value; };
$("rescore-look").onclick = () => { $("rescore-lines").hidden = $("rescore-do").hidden = false; };
$("rescore-do").onclick = async () => {
  await call(`/${state.number}/rescore`, {});
  await open(state.number, true);
};

overview().then(() => open(state.questions.findIndex((each) => each.waiting)));
