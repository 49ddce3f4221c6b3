"use strict";
// Draws the board that /events tells. Every word becomes a text node: nothing from outside is ever read as HTML.

const SILENT_MS = 12000; // two beats of the server, and a bit
const RETRY_MS = [1000, 2000, 5000];
const SHAPES = {
  needs_approval: '<path d="M16 1 31 30H1z"/>',
  working: '<circle cx="16" cy="16" r="15"/>',
  waiting: '<circle cx="16" cy="16" r="12.5" fill="none" stroke="COLOUR" stroke-width="5"/>',
  unknown: '<path d="M6 1 16 11 26 1 31 6 21 16 31 26 26 31 16 21 6 31 1 26 11 16 1 6z"/>',
  calm: '<circle cx="16" cy="16" r="7"/>',
};
const HEADED = { needs_approval: "needs approval", working: "working", waiting: "waiting" }; // said by the heading
const SIGNS = 8; // of agents beside a session

const at = (id) => document.getElementById(id);
const rows = new Map(); // what is drawn, by the id of a session or of an agent
const groups = new Map();
let clock = { server: 0, here: 0 };
let heard = Date.now();
let source = null;
let failures = 0;
let lastBoard = null;
let lostAt = null;

// --- drawing

function make(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function sign(shape) {
  const made = make("span", "sign");
  made.setAttribute("aria-hidden", "true");
  made.dataset.shape = shape;
  return made;
}

/** These children, in this order. What is there already stays as it is. */
function place(parent, children) {
  children.forEach((child, k) => {
    if (parent.children[k] !== child) parent.insertBefore(child, parent.children[k] || null);
  });
  while (parent.children.length > children.length) parent.lastElementChild.remove();
}

function lines(parent, texts) {
  while (parent.children.length > texts.length) parent.lastElementChild.remove();
  texts.forEach((text, k) => write(parent.children[k] || parent.appendChild(make("li")), text));
  parent.hidden = !texts.length;
}

/** One line: sign, who, what, age. `summary` for a session that opens. */
function line(tag) {
  const element = make(tag, "line");
  const parts = {
    sign: sign(""),
    who: make("span", "who"),
    project: make("span", "project"),
    name: make("span", "name"),
    tags: make("span", "tags"),
    what: make("span", "what"),
    word: make("span", "word"),
    detail: make("span", "detail"),
    said: make("span", "said"),
    age: make("time", "age"),
  };
  // With blanks between them, for whoever hears or copies them.
  parts.who.append(parts.project, " ", parts.name, " ", parts.tags);
  parts.what.append(parts.word, " ", parts.detail, " ", parts.said);
  element.append(parts.sign, parts.who, " ", parts.what, " ", parts.age);
  return { element, parts };
}

function fill(parts, told) {
  parts.sign.dataset.shape = told.state;
  write(parts.project, told.project || "");
  parts.project.hidden = !told.project;
  write(parts.name, told.name);
  parts.tags.replaceChildren(...(told.tags || []).flatMap((tag) => [make("span", "tag", tag), " "]));
  write(parts.word, told.says);
  parts.word.hidden = !told.says;
  write(parts.detail, told.detail);
  parts.detail.hidden = !told.detail;
  write(parts.said, told.said);
  parts.said.hidden = !told.said;
  if (parts.since === told.since) return;
  parts.since = told.since;
  const began = told.since === null ? null : new Date(told.since * 1000);
  parts.age.dateTime = began ? began.toISOString() : "";
  parts.age.title = began ? `since ${began.toLocaleString()}` : "";
}

function known(id, create) {
  if (!rows.has(id)) rows.set(id, create());
  return rows.get(id);
}

function agentRow(told) {
  const made = known(told.id, () => {
    const item = make("li");
    const drawn = line("div");
    item.append(drawn.element);
    return { item, ...drawn };
  });
  made.item.dataset.state = made.element.dataset.state = told.state;
  made.element.dataset.depth = Math.min(told.depth, 6);
  made.item.classList.toggle("is-old", told.is_old);
  fill(made.parts, { ...told, says: told.word });
  return made;
}

function sessionRow(told) {
  const opens = told.agents.length > 0;
  let made = known(told.id, () => ({ item: make("li"), opens: null }));
  if (made.opens !== opens) {
    const drawn = line(opens ? "summary" : "div");
    Object.assign(made, drawn, { opens, agents: make("ul", "agents"), many: make("span", "many") });
    if (opens) {
      const details = make("details");
      drawn.element.append(" ", made.many);
      details.append(drawn.element, made.agents);
      place(made.item, [details]);
    } else {
      place(made.item, [drawn.element]);
    }
  }
  made.item.dataset.state = made.element.dataset.state = told.state;
  made.item.classList.toggle("is-old", told.is_old);
  // A question is not an approval, and what is out of date is said in another word.
  const says = told.is_old || told.word !== HEADED[told.state] ? told.word : "";
  fill(made.parts, { ...told, says });
  if (opens) drawAgents(made, told);
  return made;
}

function drawAgents(made, told) {
  const drawn = told.agents.map(agentRow).map((row) => row.item);
  if (told.more) drawn.push((made.rest ||= make("li", "more")));
  if (made.rest) write(made.rest, `… ${told.more} more`);
  place(made.agents, drawn);
  const shapes = told.agents.slice(0, SIGNS).map((agent) => agent.state);
  if (made.shapes !== shapes.join() || made.below !== told.below) {
    made.many.replaceChildren(...shapes.map((shape) => {
      const holder = make("span");
      holder.dataset.state = shape;
      holder.append(sign(shape));
      return holder;
    }), make("span", "number", String(told.agents.length + told.more)), make("span", "unseen", told.below));
    Object.assign(made, { shapes: shapes.join(), below: told.below });
  }
}

function group(told) {
  if (!groups.has(told.state)) {
    const section = make("section");
    const heading = make("h2");
    const parts = { section, list: make("ul", "rows"), name: make("span"), number: make("span", "number") };
    heading.id = `group-${told.state}`;
    heading.append(parts.name, " ", parts.number);
    section.dataset.state = told.state;
    section.setAttribute("aria-labelledby", heading.id);
    section.append(heading, parts.list);
    groups.set(told.state, parts);
  }
  const made = groups.get(told.state);
  write(made.name, told.name);
  write(made.number, String(told.number));
  place(made.list, told.rows.map(sessionRow).map((row) => row.item));
  return made.section;
}

function draw(board) {
  const focused = document.activeElement;
  const before = lastBoard;
  lastBoard = board;
  write(at("headline"), board.headline);
  at("sign").dataset.shape = board.sign.shape;
  document.documentElement.dataset.shape = board.sign.shape;
  at("counts").replaceChildren(...board.counts.map((count) => {
    const item = make("li");
    item.dataset.state = count.state;
    item.append(sign(count.state), make("span", "", count.words));
    return item;
  }));
  at("counts").classList.toggle("is-old", !board.is_well);
  lines(at("notices"), [...board.notices, ...(board.exposed ? [board.exposed] : [])]);
  lines(at("below"), board.below);
  place(at("board"), board.groups.map(group));
  // A row that has moved has lost the focus.
  if (focused !== document.activeElement && focused.isConnected) focused.focus({ preventScroll: true });
  forget(board);
  announce(before, board);
  tell(board.title, board.sign);
  tick();
}

function everyone(board) {
  return board.groups.flatMap((group) => group.rows.flatMap((row) => [row, ...row.agents]));
}

function forget(board) {
  const there = new Set(everyone(board).map((row) => row.id));
  for (const id of [...rows.keys()]) if (!there.has(id)) rows.delete(id);
}

/** New requests are read out, and lit for a moment; nothing else is. */
function announce(before, board) {
  if (!before) return;
  const asked = (one) => (one.groups.find((group) => group.state === "needs_approval") || { rows: [] }).rows;
  const known = new Set(asked(before).map((row) => row.id + row.since));
  const news = asked(board).filter((row) => !row.is_old && !known.has(row.id + row.since));
  for (const row of news) {
    const item = rows.get(row.id).item;
    item.classList.remove("is-new");
    void item.offsetWidth; // the animation begins anew
    item.classList.add("is-new");
  }
  if (news.length) write(at("news"), news.map((row) => `${row.project || row.name} ${row.word}: ${row.detail}`).join(". "));
}

// --- the tab

function tell(title, { shape, colour, number }) {
  document.title = `${title} · yourturn`;
  const dark = shape === "waiting" || shape === "calm";
  const size = number > 9 ? 15 : 19;
  const y = shape === "needs_approval" ? 26.5 : 22.5;
  const text = !number || shape === "unknown" ? "" :
    `<text x="16" y="${y}" font-family="sans-serif" font-weight="bold" font-size="${size}" text-anchor="middle" ` +
    `fill="${dark ? colour : "#fff"}">${Math.min(number, 99)}</text>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="${colour}">` +
    `${SHAPES[shape].replace("COLOUR", colour)}${text}</svg>`;
  const href = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  if (at("icon").getAttribute("href") !== href) at("icon").href = href;
}

// --- time

function age(seconds) {
  if (seconds < 60) return `${Math.max(Math.floor(seconds), 0)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86400)} d`;
}

/** By the clock of the server: this one may be another. */
function tick() {
  if (document.hidden) return;
  const now = clock.server + (Date.now() - clock.here) / 1000;
  for (const { parts } of rows.values()) write(parts.age, parts.since === null ? "" : age(now - parts.since));
}

// --- the line to the server

function listen() {
  if (source) source.close();
  source = new EventSource("/events");
  source.addEventListener("board", (event) => {
    const told = JSON.parse(event.data);
    hear(told.now);
    draw(told.board);
  });
  source.addEventListener("beat", (event) => hear(Number(event.data)));
  source.addEventListener("error", () => {
    lose("The connection to yourturn is lost");
    if (source.readyState === EventSource.CLOSED) setTimeout(ask, RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)]);
  });
}

function hear(now) {
  clock = { server: now, here: Date.now() };
  heard = Date.now();
  failures = 0;
  const wasLost = lostAt !== null;
  lostAt = null;
  at("lost").hidden = true;
  document.documentElement.dataset.live = "yes";
  write(at("live"), "live");
  if (wasLost && lastBoard) draw(lastBoard);
}

/** What was known last stays to be read, but nobody can take it for the present. */
function lose(why) {
  lostAt ||= new Date();
  const since = lostAt.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  const words = `${why}: nothing is known since ${since}.`;
  at("lost").hidden = false;
  write(at("lost"), words);
  write(at("headline"), "State unknown");
  write(at("live"), "not connected");
  at("sign").dataset.shape = "unknown";
  document.documentElement.dataset.live = "lost";
  document.documentElement.dataset.shape = "unknown";
  tell("✕", { shape: "unknown", colour: "#b37a00", number: 0 });
}

/** Why there is no line: an event source does not say. */
async function ask() {
  try {
    const answer = await fetch("/", { method: "HEAD", cache: "no-store" });
    if (answer.ok) return listen();
    lose(answer.status === 401 ? "This link is not valid any more; open the one that was printed last" : "The server refuses");
  } catch {
    lose("The connection to yourturn is lost");
  }
  setTimeout(ask, RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)]);
}

setInterval(() => {
  if (Date.now() - heard > SILENT_MS && source.readyState !== EventSource.CLOSED) {
    heard = Date.now();
    lose("The server is silent");
    listen();
  }
  tick();
}, 1000);
document.addEventListener("visibilitychange", tick);
listen();
