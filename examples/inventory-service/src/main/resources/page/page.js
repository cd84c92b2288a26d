'use strict';

/* The page around the timeline: events in, buttons out. All numbers come from the server, which has them from the database. */
const $ = (selector) => document.querySelector(selector);
const timeline = new Timeline($('#lanes'), $('#axis-note'));
const view = {story: '', guarded: true, clocks: true, workers: new Map(), nodes: new Map()};
const NODES = 5;
const MOST_LOG_LINES = 120;
const STORY_NAMES = {'paused-holder': 'paused holder', 'clock-jump': 'clock jump', 'node-restart': 'restart without data',
  'read-modify-write': 'read, modify, write', 'by-hand': 'by hand'};
const GUARD_NAMES = {NONE: 'off', STATEMENT: 'write only', CLAIM: 'on, with claim'};
const GUARD_TEXT = {
  true: 'The row is claimed before it is read, and each write carries the token of its lease. PostgreSQL refuses what is older.',
  false: 'The same lock around the same work, and nothing that tells the database who the holder is. Sales can be lost.',
};

async function press(path, body = {}) {
  try {
    const answer = await fetch(path, {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body)});
    if (!answer.ok) {
      const problem = await answer.json().catch(() => ({detail: `The service answered ${answer.status}.`}));
      complain(problem.detail);
    }
  } catch (e) {
    complain('The service does not answer. Is it still running?');
  }
}

let complaining = 0;
function complain(text) {
  const problem = $('#problem');
  problem.textContent = text;
  problem.hidden = false;
  clearTimeout(complaining);
  complaining = setTimeout(() => { problem.hidden = true; }, 6000);
}

function button(words, label, action, className = '') {
  const made = document.createElement('button');
  made.textContent = words;
  made.setAttribute('aria-label', label);
  made.className = className;
  made.addEventListener('click', action);
  return made;
}

function makeLanes(state) {
  timeline.clear();
  view.workers.clear();
  view.nodes.clear();
  for (let i = 1; i <= NODES; i++) makeNode(`redis-${i}`);
  state.workers.forEach(makeWorker);
  timeline.addLane('database', 'PostgreSQL', 'compares tokens', null);
}

function makeNode(name) {
  const act = (action) => press(`/page/nodes/${name}/${action}`);
  const stop = button('Stop', `Stop ${name}`, () => act(view.nodes.get(name).state === 'RUNNING' ? 'stop' : 'start'));
  const freeze = button('Freeze', `Freeze ${name}`, () => act('freeze'));
  const wipe = button('Wipe', `Restart ${name} without its data`, () => act('wipe'));
  const jump = button('+60 s', `Set the clock of ${name} ahead by 60 seconds`, () => act('jump'));
  const tools = document.createElement('div');
  tools.append(stop, freeze, wipe, jump);
  view.nodes.set(name, {state: 'RUNNING', stop, freeze, wipe, jump, lane: timeline.addLane('node', name, 'votes', tools)});
}

function makeWorker(worker) {
  const act = (action, body) => press(`/page/workers/${worker.name}/${action}`, body);
  const reserve = button('Reserve', `Worker ${worker.name}: start a reservation`, () => act('reserve', {guarded: view.guarded}), 'main');
  const pause = button('Pause', `Pause worker ${worker.name}`, () => act(view.workers.get(worker.name).paused ? 'resume' : 'pause'));
  const tools = document.createElement('div');
  tools.append(reserve, pause);
  timeline.addLane('worker', worker.name, `process ${worker.pid}`, tools);
  view.workers.set(worker.name, {paused: worker.paused, busy: false, reserve, pause});
}

function refresh() {
  const playing = view.story !== '';
  timeline.busy = playing;
  document.querySelectorAll('.story').forEach((story) => {
    const missing = story.dataset.story === 'clock-jump' && !view.clocks;
    story.disabled = playing || missing;
    story.classList.toggle('missing', missing);
    story.classList.toggle('running', view.story === story.dataset.story);
  });
  view.workers.forEach((worker, name) => {
    timeline.busy ||= worker.busy;
    worker.reserve.disabled = playing || worker.busy || worker.paused;
    worker.pause.disabled = playing;
    worker.pause.textContent = worker.paused ? 'Resume' : 'Pause';
    worker.pause.setAttribute('aria-label', `${worker.paused ? 'Resume' : 'Pause'} worker ${name}`);
  });
  view.nodes.forEach((node, name) => {
    const runs = node.state === 'RUNNING';
    node.stop.textContent = runs ? 'Stop' : node.state === 'FROZEN' ? 'Thaw' : 'Start';
    node.stop.setAttribute('aria-label', `${node.stop.textContent} ${name}`);
    node.stop.disabled = node.wipe.disabled = playing;
    node.freeze.disabled = playing || !runs;
    node.jump.disabled = playing || !runs || !view.clocks;
    node.lane.small.textContent = runs ? (node.quarantined ? 'in quarantine' : node.ahead ? `votes, +${node.ahead} s` : 'votes')
      : node.state.toLowerCase();
  });
}

function showGuard() {
  const guard = $('#guard');
  guard.setAttribute('aria-checked', String(view.guarded));
  guard.querySelector('b').textContent = view.guarded ? 'on' : 'off';
  $('#guard-text').textContent = GUARD_TEXT[view.guarded];
}

function showResults(results) {
  const rows = results.slice().reverse().map((result, i) => {
    const row = document.createElement('tr');
    row.dataset.sku = result.sku;
    if (i === 0) row.className = 'latest';
    const cells = {sku: result.sku, story: STORY_NAMES[result.story], guard: GUARD_NAMES[result.guard], sold: result.sold,
      shouldBe: result.shouldBe, inStock: result.inStock, lost: result.lostUpdates, refused: result.staleWritesRejected};
    Object.entries(cells).forEach(([name, value]) => {
      const cell = document.createElement('td');
      cell.dataset.column = name;
      cell.textContent = value;
      if (name === 'lost' && value > 0 || name === 'inStock' && value !== result.shouldBe) cell.className = 'bad';
      if (name === 'refused' && value > 0) cell.className = 'good';
      row.append(cell);
    });
    return row;
  });
  if (rows.length > 0) $('#results tbody').replaceChildren(...rows);
}

function write(at, who, text, className = '') {
  const log = $('#log');
  log.querySelector('.none')?.remove();
  const line = document.createElement('li');
  line.className = `w-${who} ${className}`;
  const time = document.createElement('time');
  time.textContent = new Date(at).toLocaleTimeString([], {hour12: false});
  const name = document.createElement('b');
  name.textContent = who;
  const words = document.createElement('span');
  words.textContent = text;
  line.append(time, name, words);
  log.prepend(line);
  while (log.children.length > MOST_LOG_LINES) log.lastElementChild.remove();
}

function say(who, text) {
  $('#now').textContent = who ? `${/^[A-Z]$/.test(who) ? 'Worker ' : ''}${who} ${text}` : text;
}

const handlers = {
  'worker': (e) => {
    timeline.onWorker(e);
    const worker = view.workers.get(e.worker);
    if (e.kind === 'PAUSED' || e.kind === 'RESUMED') worker.paused = e.kind === 'PAUSED';
    else worker.busy = e.kind !== 'IDLE' && e.kind !== 'READY';
    if (e.kind !== 'IDLE') {
      write(e.at, e.worker, e.text, e.kind.toLowerCase());
      if (e.kind === 'REFUSED') say(e.worker, `is refused: its token ${timeline.short(e.token)} is older than ${timeline.short(e.storedToken)}, which the row carries.`);
      else if (e.kind !== 'READY' && e.kind !== 'RELEASED') say(e.worker, `${e.text}.`);
    }
  },
  'node': (e) => {
    timeline.onNode(e);
    Object.assign(view.nodes.get(e.name), {state: e.state, quarantined: e.quarantined, ahead: e.aheadSeconds});
  },
  'lock': (e) => timeline.onLock(e),
  'note': (e) => {
    timeline.touch(e.at);
    if (e.what.includes('without its data')) timeline.onWipe(e.at, e.who);
    write(e.at, e.who, e.what); say(e.who, `${e.what}.`);
  },
  'story': (e) => {
    timeline.touch(e.at);
    view.story = e.id;
    if (e.id) say('', `Playing: ${STORY_NAMES[e.id]}.`);
  },
  'results': (e) => showResults(e),
};

function happen(type, data) {
  handlers[type](data);
}

function connect() {
  const source = new EventSource('/page/events');
  source.addEventListener('snapshot', (message) => {
    const state = JSON.parse(message.data);
    timeline.offset = state.now - Date.now();
    view.clocks = state.clocks;
    $('#log').replaceChildren();
    makeLanes(state);
    state.history.forEach((event) => happen(event.type, event.data));
    state.workers.forEach((worker) => { view.workers.get(worker.name).paused = worker.paused; });
    view.story = state.story;
    showResults(state.results);
    $('#connection').textContent = 'Live';
    $('#connection').className = 'connection live';
    document.body.dataset.ready = 'true';
    refresh();
  });
  Object.keys(handlers).forEach((type) => source.addEventListener(type, (message) => {
    happen(type, JSON.parse(message.data));
    refresh();
  }));
  source.addEventListener('error', () => {
    $('#connection').textContent = 'Waiting for the service';
    $('#connection').className = 'connection';
    if (source.readyState === EventSource.CLOSED) setTimeout(connect, 1000); // the workers are still being started
  });
}

$('#guard').addEventListener('click', () => { view.guarded = !view.guarded; showGuard(); });
document.querySelectorAll('.story').forEach((story) => story.addEventListener('click', () => {
  press(`/page/stories/${story.dataset.story}`, {guarded: view.guarded});
  if (innerWidth < 760) $('.chart').scrollIntoView({behavior: 'smooth'});
}));
showGuard();
connect();
