"use strict";
// Follows a run while it lasts; the page itself says everything without this.
const $ = (id) => document.getElementById(id);
const place = $("run").dataset;

async function follow() {
  const reply = await fetch(place.state, {  // a hub asks even who only reads for the page's token
    headers: {"Accept": "application/json", "X-XSRFToken": place.xsrf}}).catch(() => null);
  if (!reply?.ok) return setTimeout(follow, 3000);
  const told = await reply.json();
  const log = $("log"), atEnd = log.scrollTop + log.clientHeight >= log.scrollHeight - 40;
  if (!told.running) return location.reload(); // buttons, files and log as they are now
  if ($("outcome").textContent !== told.outcome) $("outcome").textContent = told.outcome;
  log.textContent = told.lines.join("\n");
  if (atEnd) log.scrollTop = log.scrollHeight;
  $("progress-bar").hidden = !told.total;
  $("progress-bar").max = told.total || 1;
  $("progress-bar").value = told.done;
  return setTimeout(follow, 700);
}

if (place.running) follow();
else $("log")?.scrollTo(0, $("log").scrollHeight);
