"use strict";
// Written answers, question by question. All state that counts is in the gradebook; here is only
// what the TA sees at the moment, and a list of what can be undone.
const token = new URLSearchParams(location.search).get("token");
const $ = (id) => document.getElementById(id);
const state = {questions: [], number: 0, question: null, groups: [], at: 0, shares: null, done: []};

window.MathJax = {
  tex2jax: {inlineMath: [["$", "$"], ["\\(", "\\)"]], processEscapes: true},
  Safe: {allow: {URLs: "none", classes: "none", cssIDs: "none", styles: "none", require: "none"}},
  "HTML-CSS": {availableFonts: [], imageFont: null, preferredFont: null, webFont: "STIX-Web"},
  messageStyle: "none", showMathMenu: false, skipStartupTypeset: true,
};
const script = document.createElement("script");
script.src = "mathjax/MathJax.js?config=TeX-AMS-MML_HTMLorMML-full,Safe";
document.head.append(script);
const typeset = () => window.MathJax.Hub && window.MathJax.Hub.Queue(["Typeset", window.MathJax.Hub]);
script.addEventListener("load", typeset);

async function call(path, body) {
  const reply = await fetch(path, {
    method: body ? "POST" : "GET",
    headers: {"X-Token": token, "Content-Type": "application/json"},
    body: body && JSON.stringify(body),
  });
  const told = await reply.json().catch(() => ({}));
  return {ok: reply.ok, status: reply.status, told};
}

const seen = (row) => ({student: row.student, grade: row.grade, remark: row.remark,
                        seen: {score: row.score, comment: row.comment}});

async function overview() {
  const {told} = await call("api/questions");
  state.questions = told.questions;
  $("homework").textContent = told.homework;
  $("questions").replaceChildren(...told.questions.map((each, number) => {
    const button = document.createElement("button");
    button.textContent = `${each.name.replace("written_", "")} (${each.waiting} of ${each.all} wait)`;
    button.setAttribute("aria-current", number === state.number);
    button.onclick = () => open(number);
    return button;
  }));
}

async function open(number, keep) {
  state.number = Math.max(0, Math.min(number, state.questions.length - 1));
  const {told} = await call(`api/questions/${state.number}`);
  state.question = told;
  $("asks").innerHTML = told.asks;      // staff's words, cleaned by the server
  $("answer").innerHTML = told.answer;
  const first = document.createElement("option");
  first.textContent = "use a comment again …";
  first.value = "";
  $("again").replaceChildren(first, ...told.comments.map((words) => new Option(words, words)));
  state.groups = told.groups.filter((group) => $("all").checked ||
    group.rows.some((row) => row.pending));
  state.at = keep ? Math.min(state.at, Math.max(0, state.groups.length - 1)) : 0;
  await overview();
  show();
}

function show() {
  const group = state.groups[state.at];
  $("said").textContent = "";
  $("right").hidden = !group;
  if (!group) {
    $("where").textContent = "";
    $("right").hidden = false;
    $("text").textContent = "Every answer to this question is graded.";
    $("items").replaceChildren();
    return typeset();
  }
  const row = group.rows[0];
  const others = group.rows.length > 1 ? `, ${group.rows.length} equal answers` : "";
  const names = $("names").checked ? `: ${group.rows.map((each) => each.student).join(", ")}` : "";
  $("where").textContent = `${state.at + 1} of ${state.groups.length}${others}${names}`;
  if (group.empty) $("text").textContent = "(empty)";
  else $("text").innerHTML = group.page; // the student's words, cleaned by the server
  state.shares = row.shares ? [...row.shares] : state.question.items.map(() => 0);
  $("words").value = row.words;
  $("points").value = row.score ?? "";
  $("points-row").hidden = state.question.items.length > 0;
  $("items").replaceChildren(...state.question.items.map((item, number) => {
    const line = document.createElement("li");
    line.innerHTML = item.says;          // staff's words, cleaned by the server
    line.prepend(`${item.points} point${item.points === 1 ? "" : "s"}: `);
    line.onclick = (event) => tick(number, event.shiftKey ? 0.5 : 1);
    return line;
  }));
  paint();
  typeset();
}

function paint() {
  const items = state.question.items;
  [...$("items").children].forEach((line, number) => {
    line.dataset.share = state.shares[number];
    line.setAttribute("aria-checked", state.shares[number] > 0);
  });
  const earned = items.reduce((sum, item, number) => sum + item.points * state.shares[number], 0);
  $("score").textContent = items.length ? `${earned} of ${state.question.points}` : "";
}

function tick(number, share) {
  if (number >= state.question.items.length) return;
  state.shares[number] = state.shares[number] === share ? 0 : share;
  paint();
}

async function save() {
  const group = state.groups[state.at];
  if (!group) return;
  const items = state.question.items.length > 0;
  const points = $("points").value;
  if (!items && points === "") {
    $("said").textContent = "How many points?";
    return;
  }
  const {ok, status, told} = await call(`api/questions/${state.number}`, {
    rows: group.rows.map(seen), shares: items ? state.shares : null,
    words: $("words").value, score: items ? null : Number(points)});
  if (status === 409) {
    await open(state.number, true);
    $("said").textContent = "Somebody else graded this answer meanwhile. Here is what stands now.";
  } else if (!ok) {
    $("said").textContent = `Not saved (${status}). Is viva written still running?`;
  } else {
    state.done.push({number: state.number, rows: group.rows});
    if ($("all").checked) state.at += 1;
    await open(state.number, true);
  }
}

async function undo() {
  const last = state.done.pop();
  if (!last) return;
  const {told} = await call(`api/questions/${last.number}`);
  const now = Object.fromEntries(told.groups.flatMap((g) => g.rows).map((r) => [r.student, r]));
  const rows = last.rows.map((row) => ({...seen(now[row.student]),
                                        score: row.score, comment: row.comment}));
  const {ok} = await call(`api/questions/${last.number}`, {restore: rows});
  await open(last.number, true);
  const back = state.groups.findIndex((g) => g.rows[0].student === last.rows[0].student);
  if (back >= 0) { state.at = back; show(); }
  if (!ok) $("said").textContent = "Not undone: somebody else graded this answer meanwhile.";
}

document.addEventListener("keydown", (event) => {
  const writing = ["TEXTAREA", "INPUT", "SELECT"].includes(document.activeElement.tagName);
  if (event.key === "Escape") document.activeElement.blur();
  if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); save(); }
  if (writing || event.ctrlKey || event.metaKey || event.altKey) return;
  const digit = /^Digit([0-9])$/.exec(event.code);
  if (digit && digit[1] !== "0") tick(Number(digit[1]) - 1, event.shiftKey ? 0.5 : 1);
  else if (digit) { state.shares.fill(0); paint(); }
  else if (event.key === "a") { state.shares.fill(1); paint(); }
  else if (event.key === "n") { state.at = Math.min(state.at + 1, state.groups.length - 1); show(); }
  else if (event.key === "p") { state.at = Math.max(state.at - 1, 0); show(); }
  else if (event.key === "u") undo();
  else if (event.key === "c") { event.preventDefault(); $("words").focus(); }
  else if (event.key === "]") open(state.number + 1);
  else if (event.key === "[") open(state.number - 1);
});
$("save").onclick = save;
$("undo").onclick = undo;
$("all").onchange = () => open(state.number);
$("names").onchange = show;
$("again").onchange = () => { if ($("again").value) $("words").value = $("again").value; };

overview().then(() => open(0));
