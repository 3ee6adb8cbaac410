"use strict";
// One question at a time: a clock that runs while it is shown, a tick that is kept at once.
const place = document.getElementById("voce");
const asked = [...place.querySelectorAll(".asked")];
const RESULTS = ["right", "partly", "wrong", "not asked"];
let at = 0;
let since = Date.now();

const spent = (section) => Number(section.dataset.seconds)
  + (section === asked[at] ? Math.floor((Date.now() - since) / 1000) : 0);

function show(number) {
  if (!asked.length) return;
  asked[at].dataset.seconds = spent(asked[at]);
  at = Math.max(0, Math.min(number, asked.length - 1));
  since = Date.now();
  asked.forEach((section, index) => { section.hidden = index !== at; });
}

async function keep(section) {
  const chosen = section.querySelector("input[type=radio]:checked");
  if (!chosen) return;
  const said = section.querySelector(".said");
  said.textContent = "…";
  const reply = await fetch(place.dataset.calls, {
    method: "POST",
    headers: {"X-XSRFToken": place.dataset.xsrf, "Content-Type": "application/json",
              "Accept": "application/json"},
    body: JSON.stringify({question: section.dataset.question, result: chosen.value,
                          note: section.querySelector(".noted").value, seconds: spent(section),
                          seen: section.dataset.seen}),
  }).catch(() => null);
  const told = await reply?.json().catch(() => null) ?? {};
  if ("seen" in told) section.dataset.seen = told.seen;
  said.textContent = reply?.ok ? "kept" : `not kept: ${told.why || "try again"}`;
}

asked.forEach((section) => section.addEventListener("change", () => keep(section)));
document.addEventListener("keydown", (event) => {
  if (event.target.classList.contains("noted") || event.ctrlKey || event.metaKey || event.altKey) {
    return;
  }
  const result = RESULTS[Number(event.key) - 1];
  if (result) {
    const radio = asked[at].querySelector(`input[value="${result}"]`);
    radio.checked = true;
    keep(asked[at]);
  } else if (event.key === "n") show(at + 1);
  else if (event.key === "p") show(at - 1);
  else if (event.key === "a") {
    const answer = asked[at].querySelector("details");
    answer.open = !answer.open;
  } else return;
  event.preventDefault();
});
setInterval(() => {
  if (!asked.length) return;
  const seconds = spent(asked[at]);
  document.getElementById("clock").textContent =
    `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}, 500);
show(0);
