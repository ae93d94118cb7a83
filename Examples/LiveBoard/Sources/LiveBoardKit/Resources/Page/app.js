// The page of LiveBoard. It shows a snapshot with the events after it applied. Text from people is only ever assigned to
// textContent, never parsed as HTML.
"use strict";

const $ = (id) => document.getElementById(id);

const pageSize = 200;       // how many cards the list shows at first, and how many "Show more" adds

const state = {
  sequence: null,           // number of the last event applied; null before the first snapshot
  incidents: new Map(),     // by id
  counts: { open: 0, acknowledged: 0, resolved: 0 },
  history: [],              // { at, unresolved }, ordered by time
  show: "unresolved",
  room: pageSize,           // maximum number of cards in the list
  fresh: new Set(),         // ids of incidents that have just been posted
  busy: new Set(),          // ids of incidents with a request in flight
};

const statusOf = (incident) => incident.resolved ? "resolved" : incident.acknowledged ? "acknowledged" : "open";
const unresolved = () => state.counts.open + state.counts.acknowledged;

// --- Events from the server

function takeSnapshot(snapshot) {
  state.sequence = snapshot.sequence;
  madeCards.clear();  // the server may have started with another database
  state.incidents = new Map(snapshot.incidents.map((incident) => [incident.id, incident]));
  state.counts = snapshot.counts;
  state.history = snapshot.history;
  render();
}

function takeChange(event) {
  if (state.sequence === null || event.sequence <= state.sequence) return;
  state.sequence = event.sequence;
  if (event.from) state.counts[event.from] -= 1; else state.fresh.add(event.incident.id);
  state.counts[statusOf(event.incident)] += 1;
  state.incidents.set(event.incident.id, event.incident);
  if (state.history.length === 0 || state.history[state.history.length - 1].unresolved !== unresolved()) {
    state.history.push({ at: event.at, unresolved: unresolved() });
    if (state.history.length > 500) state.history.shift();
  }
  forgetOldest();
  scheduleRender();
}

// Keeps as many resolved incidents as a snapshot has.
function forgetOldest() {
  const resolved = [...state.incidents.values()].filter((incident) => incident.resolved);
  if (resolved.length <= 100) return;
  resolved.sort((a, b) => a.resolved.at - b.resolved.at || a.id - b.id);
  for (const incident of resolved.slice(0, resolved.length - 100)) state.incidents.delete(incident.id);
}

// --- The connection

const connection = { source: null, attempts: 0, timer: null, at: 0 };

function connect() {
  clearInterval(connection.timer);
  if (connection.source) connection.source.close();
  showConnection("connecting", "Connecting…");
  // Asks only for the events it has missed.
  const source = new EventSource(state.sequence === null ? "/events" : `/events?after=${state.sequence}`);
  connection.source = source;
  source.onopen = () => {
    connection.attempts = 0;
    showConnection("live", "Live");
  };
  source.addEventListener("snapshot", (event) => takeSnapshot(JSON.parse(event.data)));
  source.addEventListener("change", (event) => takeChange(JSON.parse(event.data)));
  source.addEventListener("watchers", (event) => { $("count-watching").textContent = event.data; });
  // The server dropped events because this page was too slow. A new connection gets them.
  source.addEventListener("resync", connect);
  source.onerror = () => {
    if (source === connection.source) reconnectLater();
  };
}

function reconnectLater() {
  connection.source.close();
  connection.attempts += 1;
  // Doubles each time, and is random so that not all browsers reconnect at once.
  const wait = Math.min(30, 2 ** connection.attempts) * (0.75 + Math.random() / 2);
  connection.at = Date.now() + wait * 1000;
  const tick = () => {
    const left = Math.ceil((connection.at - Date.now()) / 1000);
    if (left <= 0) connect(); else showConnection("reconnecting", `Reconnecting in ${left} s`);
  };
  clearInterval(connection.timer);
  connection.timer = setInterval(tick, 250);
  tick();
}

function showConnection(name, text) {
  $("connection").dataset.state = name;
  // For screen readers: changes with the state, not with each second of the countdown.
  const spoken = { connecting: "Connecting", live: "Live", reconnecting: "Connection lost" }[name];
  if ($("connection-state").textContent !== spoken) $("connection-state").textContent = spoken;
  if ($("connection-text").textContent !== text) $("connection-text").textContent = text;
  $("retry").hidden = name !== "reconnecting";
}

// --- Changes that people make

async function send(path, body) {
  let response;
  try {
    response = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  } catch {
    return { error: { code: "network", message: "Cannot reach the server. Check the connection and try again." } };
  }
  try {
    return await response.json();
  } catch {
    return { error: { code: "unknown", message: `The server failed with status ${response.status}.` } };
  }
}

function person() {
  const name = $("reporter").value.trim();
  if (name) return name;
  showProblem("reporter", "Enter your name first.");
  $("reporter").focus();
  return null;
}

async function change(incident, verb) {
  const by = person();
  if (!by) return;
  state.busy.add(incident.id);
  render();
  const answer = await send(`/api/incidents/${incident.id}/${verb}`, { by, version: incident.version });
  state.busy.delete(incident.id);
  if (answer.error) toast(answer.error.fields?.by ?? answer.error.message); else takeChangeEarly(answer);
  render();
}

// The response to a change can arrive before its event. It is applied early if no other event is missing before it.
function takeChangeEarly(event) {
  if (state.sequence !== null && event.sequence === state.sequence + 1) takeChange(event);
}

async function post(submission) {
  submission.preventDefault();
  const form = $("post");
  const button = form.querySelector("button[type=submit]");
  const data = Object.fromEntries(new FormData(form));
  for (const name of ["reporter", "title", "severity", "description"]) showProblem(name, "");
  button.disabled = true;
  const answer = await send("/api/incidents", data);
  button.disabled = false;
  if (answer.error) {
    const fields = Object.entries(answer.error.fields ?? {});
    for (const [name, problem] of fields) showProblem(name, problem);
    if (fields.length === 0) toast(answer.error.message);
    form.querySelector("[aria-invalid=true]")?.focus();
    return;
  }
  takeChangeEarly(answer);
  $("title").value = "";
  $("description").value = "";
  $("title").focus();
}

function showProblem(name, problem) {
  const note = $(`${name}-problem`);
  if (note) note.textContent = problem;
  const field = $(name);
  if (field) field.setAttribute("aria-invalid", problem ? "true" : "false");
}

function toast(message) {
  const note = element("div", "toast", message);
  $("toasts").append(note);
  setTimeout(() => note.remove(), 6000);
}

// --- Rendering

let renderIsScheduled = false;

function scheduleRender() {
  if (renderIsScheduled) return;
  renderIsScheduled = true;
  // Not requestAnimationFrame, which pauses in a background tab.
  setTimeout(() => { renderIsScheduled = false; render(); }, 50);
}

function render() {
  // Before the first snapshot the numbers are unknown, which is not zero.
  const isLoaded = state.sequence !== null;
  for (const name of ["open", "acknowledged", "resolved"]) $(`count-${name}`).textContent = isLoaded ? state.counts[name] : "–";
  document.title = unresolved() > 0 ? `(${unresolved()}) Live board` : "Live board";
  renderList();
  renderChart();
}

const weight = { critical: 0, high: 1, medium: 2, low: 3 };

function renderList() {
  const wanted = state.show === "resolved";
  const shown = [...state.incidents.values()].filter((incident) => Boolean(incident.resolved) === wanted);
  if (wanted) shown.sort((a, b) => b.resolved.at - a.resolved.at || b.id - a.id);
  else shown.sort((a, b) => weight[a.severity] - weight[b.severity] || b.id - a.id);
  const focused = document.activeElement?.dataset?.key;
  // Thousands of cards would be slow, so only some are shown until someone asks for more.
  const cards = shown.slice(0, state.room).map(cardFor);
  // Unchanged cards keep their elements, so that a button does not disappear while it is being clicked.
  const list = $("list");
  if (cards.length !== list.children.length || cards.some((card, index) => card !== list.children[index])) {
    list.replaceChildren(...cards);
    for (const id of madeCards.keys()) if (!state.incidents.has(id)) madeCards.delete(id);
  }
  for (const time of list.querySelectorAll("time")) {
    const text = ago(Date.parse(time.dateTime));
    if (time.textContent !== text) time.textContent = text;
  }
  state.fresh.clear();
  if (focused) document.querySelector(`[data-key="${focused}"]`)?.focus();
  renderRest(shown.length, wanted ? state.counts.resolved : unresolved());
  $("empty").hidden = shown.length > 0;
  $("empty").textContent = state.sequence === null ? "Loading…"
    : wanted ? "Nothing has been resolved yet." : "All is well: there are no unresolved incidents.";
}

// How many incidents have no card: some are in the page, and old resolved ones are only in the database.
function renderRest(loaded, total) {
  const cards = Math.min(loaded, state.room);
  $("rest").hidden = cards === 0 || cards >= total;
  $("rest-text").textContent = loaded < total ? `Showing ${cards} of ${total}. Only the last ${loaded} resolved are available here.`
    : `Showing ${cards} of ${total}.`;
  const more = Math.min(pageSize, loaded - cards);
  $("more").hidden = more <= 0;
  $("more").textContent = `Show ${more} more`;
}

function showMore() {
  const next = state.room;
  state.room += pageSize;
  renderList();
  // The button moves or disappears, so keyboard users continue at the first new card.
  const card = $("list").children[next];
  if (card) { card.tabIndex = -1; card.focus({ preventScroll: true }); }
}

const madeCards = new Map();  // by id: the card, and a key of what it shows

function cardFor(incident) {
  const key = `${incident.version} ${state.busy.has(incident.id)}`;
  const made = madeCards.get(incident.id);
  if (made?.key === key) return made.card;
  const fresh = card(incident);
  madeCards.set(incident.id, { key, card: fresh });
  return fresh;
}

function card(incident) {
  const status = statusOf(incident);
  const item = element("li", `incident ${incident.severity}`);
  item.dataset.id = incident.id;
  if (state.fresh.has(incident.id)) {
    item.classList.add("fresh");
    // Otherwise the animation would restart whenever the list is reordered.
    setTimeout(() => item.classList.remove("fresh"), 1600);
  }

  const head = element("div", "incident-head");
  const title = element("h3", "");
  title.append(element("span", "number", `#${incident.id} `), document.createTextNode(incident.title));
  const chip = element("span", `chip ${status}`, capitalized(status));
  head.append(title, element("span", "chip", capitalized(incident.severity)), chip);
  item.append(head);
  if (incident.description) item.append(element("p", "description", incident.description));

  const trail = element("span", "trail");
  trail.append(...mark("Posted", incident.posted));
  if (incident.acknowledged) trail.append(" · ", ...mark("acknowledged", incident.acknowledged));
  if (incident.resolved) trail.append(" · ", ...mark("resolved", incident.resolved));
  const foot = element("div", "foot");
  foot.append(trail);
  if (status !== "resolved") {
    const actions = element("div", "actions");
    if (status === "open") actions.append(action(incident, "acknowledge", "Acknowledge"));
    actions.append(action(incident, "resolve", "Resolve"));
    foot.append(actions);
  }
  item.append(foot);
  return item;
}

function action(incident, verb, text) {
  const button = element("button", verb, text);
  button.type = "button";
  button.dataset.key = `${verb}-${incident.id}`;
  button.setAttribute("aria-label", `${text} #${incident.id}: ${incident.title}`);
  button.disabled = state.busy.has(incident.id);
  button.addEventListener("click", () => change(incident, verb));
  return button;
}

function mark(what, { by, at }) {
  const time = element("time", "", ago(at));
  time.dateTime = new Date(at).toISOString();
  time.title = new Date(at).toLocaleString();
  return [`${what} by ${by} `, time];
}

function element(name, classes, text) {
  const made = document.createElement(name);
  if (classes) made.className = classes;
  if (text !== undefined) made.textContent = text;
  return made;
}

const capitalized = (word) => word[0].toUpperCase() + word.slice(1);

function ago(at) {
  const seconds = Math.max(0, Math.round((Date.now() - at) / 1000));
  if (seconds < 10) return "just now";
  return `${span(seconds)} ago`;
}

function span(seconds) {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172800) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86400)} days`;
}

// --- The chart: a step line from the first change to now

function drawn(name, attributes, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

function renderChart() {
  const chart = $("chart");
  const width = chart.clientWidth || 600;
  const height = chart.clientHeight || 190;
  const box = { left: 26, right: width - 8, top: 10, bottom: height - 22 };
  const now = Date.now();
  const points = state.history;
  const first = points.length ? points[0].at : now - 60000;
  const end = Math.max(now, points.length ? points[points.length - 1].at : now);
  const start = Math.min(first, end - 10000);
  const top = points.reduce((most, point) => Math.max(most, point.unresolved), 1);
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000].find((size) => top / size <= 4) ?? 10000;
  const ceiling = Math.ceil(top / step) * step;
  const x = (at) => box.left + (at - start) / (end - start) * (box.right - box.left);
  const y = (count) => box.bottom - count / ceiling * (box.bottom - box.top);

  chart.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const parts = [];
  for (let count = 0; count <= ceiling; count += step) {
    parts.push(drawn("line", { class: "grid", x1: box.left, x2: box.right, y1: y(count), y2: y(count) }));
    parts.push(drawn("text", { class: "axis", x: box.left - 7, y: y(count) + 4, "text-anchor": "end" }, count));
  }
  if (points.length) {
    let path = "";
    let level = y(0);
    for (const point of points) {
      path += path ? ` L${x(point.at)} ${level}` : `M${x(point.at)} ${level}`;
      level = y(point.unresolved);
      path += ` L${x(point.at)} ${level}`;
    }
    path += ` L${x(end)} ${level}`;
    parts.push(drawn("path", { class: "area", d: `${path} L${x(end)} ${y(0)} L${x(first)} ${y(0)} Z` }));
    parts.push(drawn("path", { class: "line", d: path }));
    parts.push(drawn("circle", { class: "now", cx: x(end), cy: level, r: 4.5 }));
  }
  const label = (at) => at > now - 86400000
    ? new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })
    : new Date(at).toLocaleDateString([], { month: "short", day: "numeric" });
  parts.push(drawn("text", { class: "axis", x: box.left, y: height - 5 }, label(start)));
  parts.push(drawn("text", { class: "axis", x: box.right, y: height - 5, "text-anchor": "end" }, "now"));
  chart.replaceChildren(...parts);
  chart.setAttribute("aria-label", points.length
    ? `${unresolved()} unresolved incidents now, ${top} at most, over the last ${span(Math.round((end - first) / 1000))}`
    : state.sequence === null ? "Loading…" : "No incidents yet");
  $("chart-range").textContent = points.length ? `last ${span(Math.round((end - first) / 1000))}` : "";
}

// --- Start

$("post").addEventListener("submit", post);
$("retry").addEventListener("click", connect);
$("more").addEventListener("click", showMore);
addEventListener("online", connect);
addEventListener("resize", renderChart);
for (const button of document.querySelectorAll("[data-show]")) {
  button.addEventListener("click", () => {
    state.show = button.dataset.show;
    state.room = pageSize;
    for (const other of document.querySelectorAll("[data-show]")) other.setAttribute("aria-pressed", String(other === button));
    renderList();
  });
}
for (const name of ["reporter", "title", "description"]) $(name).addEventListener("input", () => showProblem(name, ""));
try {
  $("reporter").value = localStorage.getItem("name") ?? "";
  $("reporter").addEventListener("change", () => localStorage.setItem("name", $("reporter").value));
} catch { /* Storage is turned off, so the name is not remembered. */ }
// Updates the relative times.
setInterval(render, 15000);
render();
connect();
