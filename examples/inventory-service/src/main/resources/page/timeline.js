'use strict';

/* The lanes: what is known of nodes, workers and writes, and how it is drawn on one axis of time. Times are those of the server. */
class Timeline {
  static AHEAD = 0.2; // part of the axis that shows the time to come: how long leases can still be relied on
  static IDLE_MILLIS = 5000; // when nothing happens for this long, the axis stops, so that it can be read

  constructor(lanes, note) {
    this.lanes = lanes;
    this.note = note;
    this.offset = 0;
    this.lastActivity = 0;
    this.busy = false;
    this.nodes = new Map();
    this.workers = new Map();
    this.writes = [];
    this.owners = new Map();
    this.overlay = this.svg('overlay');
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    setInterval(() => this.frame(), calm ? 500 : 66);
    addEventListener('resize', () => this.draw());
  }

  svg(className) {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    svg.setAttribute('class', className);
    svg.setAttribute('aria-hidden', 'true');
    return svg;
  }

  /** Makes a lane; `tools` is an element with its buttons, or null. */
  addLane(kind, name, detail, tools) {
    const lane = document.createElement('div');
    lane.className = `lane ${kind}`;
    lane.dataset[kind] = name;
    const label = document.createElement('div');
    label.className = 'label';
    label.append(kind === 'worker' ? `Worker ${name}` : name);
    const small = document.createElement('small');
    small.textContent = detail;
    label.append(small);
    const track = document.createElement('div');
    track.className = 'track';
    const svg = this.svg('drawing');
    track.append(svg);
    lane.append(label, track);
    if (tools) {
      tools.className = 'tools';
      lane.append(tools);
    }
    this.lanes.append(lane);
    const made = {name, svg, track, small, lane};
    if (kind === 'node') {
      this.nodes.set(name, {...made, states: [], locks: [], wipes: []});
    } else if (kind === 'worker') {
      this.workers.set(name, {...made, leases: [], asks: [], reads: [], pauses: []});
    } else {
      this.database = made;
    }
    return made;
  }

  clear() {
    this.lanes.replaceChildren(this.overlay);
    this.nodes.clear();
    this.workers.clear();
    this.writes = [];
    this.owners.clear();
  }

  now() {
    return Date.now() + this.offset;
  }

  touch(at) {
    this.lastActivity = Math.max(this.lastActivity, at);
  }

  onNode(e) {
    const node = this.nodes.get(e.name);
    const last = node.states.at(-1);
    node.states.push({at: e.at, state: e.state, quarantined: e.quarantined, ahead: e.aheadSeconds});
    if (last) this.touch(e.at);
  }

  onLock(e) {
    const node = this.nodes.get(e.node);
    const last = node.locks.at(-1);
    if (last && !last.to) last.to = e.at;
    if (e.token) node.locks.push({token: e.token, from: e.at, to: 0});
  }

  onWipe(at, name) {
    this.nodes.get(name)?.wipes.push(at);
  }

  onWorker(e) {
    const worker = this.workers.get(e.worker);
    const lease = worker.leases.at(-1);
    const ask = worker.asks.at(-1);
    const pause = worker.pauses.at(-1);
    switch (e.kind) {
      case 'ASKING': worker.asks.push({from: e.at, to: 0}); break;
      case 'NOT_ACQUIRED': case 'FAILED': case 'IDLE': if (ask && !ask.to) ask.to = e.at; break;
      case 'ACQUIRED':
        if (ask && !ask.to) ask.to = e.at;
        worker.leases.push({token: e.token, from: e.at, valid: e.at + e.validMillis, to: 0});
        this.owners.set(e.token, e.worker);
        break;
      case 'READ': worker.reads.push({at: e.at, stock: e.stock}); break;
      case 'PAUSED': worker.pauses.push({from: e.at, to: 0}); break;
      case 'RESUMED': if (pause && !pause.to) pause.to = e.at; break;
      case 'RELEASED': if (lease && !lease.to) lease.to = e.at; break;
      case 'ACCEPTED': case 'REFUSED':
        this.writes.push({at: e.at, worker: e.worker, ok: e.kind === 'ACCEPTED', token: e.token, stored: e.storedToken,
          guard: e.guard, stock: e.stock});
        break;
      default: break;
    }
    this.touch(e.at);
  }

  frame() {
    const held = !this.busy && this.now() > this.lastActivity + Timeline.IDLE_MILLIS;
    if (!held || !this.wasHeld) this.draw(held);
    this.wasHeld = held;
  }

  draw(held = this.wasHeld) {
    if (!this.database) return;
    const width = this.database.track.clientWidth;
    if (!width) return;
    const seconds = width < 520 ? 12 : 20;
    const view = held ? this.lastActivity + Timeline.IDLE_MILLIS : this.now();
    const perMilli = width / (seconds * 1000);
    const scale = {
      width, view, seconds,
      x: (at) => width * (1 - Timeline.AHEAD) + (at - view) * perMilli,
      wide: (millis) => millis * perMilli,
    };
    this.nodes.forEach((node) => { node.svg.innerHTML = this.drawNode(node, scale); });
    this.workers.forEach((worker) => { worker.svg.innerHTML = this.drawWorker(worker, scale); });
    this.database.svg.innerHTML = this.drawWrites(scale);
    this.drawOverlay(scale);
    this.note.textContent = this.lastActivity === 0 ? ''
      : held ? 'Nothing moves, so the axis has stopped. It goes on with the next event.'
        : `${seconds} seconds; to the right of the line is what leases still have.`;
  }

  rect(scale, from, to, y, height, className, radius = 3) {
    const x = Math.max(-20, scale.x(from));
    const end = Math.min(scale.width + 20, scale.x(to));
    return end <= -20 || end <= x ? ''
      : `<rect class="${className}" x="${x.toFixed(1)}" y="${y}" width="${(end - x).toFixed(1)}" height="${height}" rx="${radius}"/>`;
  }

  line(scale, from, to, y, className) {
    return `<line class="${className}" x1="${Math.max(-20, scale.x(from)).toFixed(1)}" x2="${scale.x(to).toFixed(1)}" y1="${y}" y2="${y}"/>`;
  }

  text(x, y, words, className = '', anchor = 'start') {
    return `<text x="${x.toFixed(1)}" y="${y}" class="${className}" text-anchor="${anchor}">${words}</text>`;
  }

  short(token) {
    return '…' + String(token).slice(-6);
  }

  /* By the token, or, of a node whose counter is behind, by the worker that had a lease when the lock came. */
  ownerOf(lock) {
    const known = this.owners.get(lock.token);
    if (known) return known;
    for (const [name, worker] of this.workers) {
      if (worker.leases.some((lease) => lease.from <= lock.from + 300 && (!lease.to || lease.to >= lock.from - 50)
        && lease.valid >= lock.from)) return name;
    }
    return '';
  }

  drawNode(node, scale) {
    const height = node.track.clientHeight;
    const middle = height / 2;
    let out = '';
    node.states.forEach((s, i) => {
      const to = i + 1 < node.states.length ? node.states[i + 1].at : scale.view;
      const from = i === 0 ? Math.min(s.at, scale.view - scale.seconds * 1000) : s.at;
      if (scale.x(to) < -20) return;
      out += this.line(scale, from, to, middle, s.state === 'STOPPED' ? 'stopped' : 'nodeline');
      if (s.state === 'FROZEN') out += this.rect(scale, from, to, 4, height - 8, 'frozen', 0);
      if (s.quarantined) {
        out += this.rect(scale, from, to, middle - 10, 20, 'quarantine');
        if (scale.x(to) - scale.x(from) > 84) out += this.text(Math.max(6, scale.x(from) + 6), middle + 4, 'quarantine', 't-warn');
      }
    });
    node.locks.forEach((lock) => {
      const owner = this.ownerOf(lock).toLowerCase();
      out += this.rect(scale, lock.from, lock.to || scale.view, middle - 7, 14, owner ? `rest-${owner}` : 'held');
    });
    node.states.forEach((s, i) => {
      const before = i === 0 ? s : node.states[i - 1];
      const x = scale.x(s.at);
      if (x < -80) return;
      if (s.ahead > before.ahead) out += this.text(x + 4, middle - 9, `◷ +${s.ahead - before.ahead} s`, 't-warn');
      if (s.state !== before.state) {
        const word = {STOPPED: 'killed', FROZEN: 'frozen', RUNNING: 'runs'}[s.state];
        out += this.text(x + 4, middle - 9, word, s.state === 'RUNNING' ? 't-soft' : 't-no');
      }
    });
    node.wipes.forEach((at) => {
      if (scale.x(at) > -80) out += this.text(scale.x(at) - 4, middle - 9, 'data lost', 't-no', 'end');
    });
    return out;
  }

  drawWorker(worker, scale) {
    const who = worker.name.toLowerCase();
    const height = worker.track.clientHeight;
    const top = height / 2 - 9;
    let out = '';
    worker.pauses.forEach((pause) => {
      const to = pause.to || scale.view;
      if (scale.x(to) < -20) return;
      out += this.rect(scale, pause.from, to, 3, height - 6, 'paused', 0);
      out += this.text(Math.max(4, scale.x(pause.from) + 4), height - 5, 'stopped', 't-soft');
    });
    worker.asks.forEach((ask) => {
      const to = ask.to || scale.view;
      if (scale.x(to) < 0) return;
      out += this.line(scale, ask.from, to, top + 12, `asking-${who}`);
      if (scale.x(to) - scale.x(ask.from) > 96) out += this.text(Math.max(4, scale.x(ask.from)), top + 3, 'asks, waits', 't-soft');
    });
    worker.leases.forEach((lease, i) => {
      const end = lease.to || scale.view;
      const next = worker.leases[i + 1];
      if (scale.x(Math.max(end, lease.valid)) < -20) return;
      if (!lease.to) out += this.rect(scale, lease.from, lease.valid, top, 24, `rest-${who}`);
      out += this.rect(scale, lease.from, Math.min(end, lease.valid), top, 24, `lease-${who}`);
      if (end > lease.valid) out += this.rect(scale, lease.valid, end, top, 24, 'over');
      const x = Math.max(4, scale.x(lease.from) + 7);
      const filled = scale.x(Math.min(end, lease.valid)) - scale.x(lease.from);
      const label = filled > 122 ? `token ${this.short(lease.token)}` : this.short(lease.token);
      if (filled > 66) out += this.text(x, top + 16, label, 'on-lease');
      else if (!next || scale.x(next.from) - scale.x(lease.from) > 70) out += this.text(scale.x(lease.from), top + 37, label, `t-${who}`);
    });
    worker.reads.forEach((read) => {
      const x = scale.x(read.at);
      if (x > -60) out += this.text(x, top - 5, `reads ${read.stock}`, 't-soft');
    });
    return out;
  }

  drawWrites(scale) {
    if (this.writes.length === 0) {
      return this.text(scale.width / 2, this.database.track.clientHeight / 2 + 4, 'no write yet', 't-soft', 'middle');
    }
    let out = '';
    let lastX = -1000;
    let low = false;
    for (const write of this.writes) {
      const x = scale.x(write.at);
      if (x < -120) continue;
      const label = write.ok ? (write.guard === 'NONE' ? `${write.stock} left, no token` : `${write.stock} left ${this.short(write.token)}`)
        : `${this.short(write.token)} &lt; ${this.short(write.stored)}`;
      low = x - lastX < label.length * 7 + 12 ? !low : false;
      lastX = x;
      out += write.ok
        ? `<circle class="write-ok" cx="${x.toFixed(1)}" cy="17" r="9"/><path class="sign" d="M${x - 4} 17l3 3.4 5-6.4"/>`
        : `<circle class="write-no" cx="${x.toFixed(1)}" cy="17" r="9"/><path class="sign-no" d="M${x - 3.4} 13.6l6.8 6.8m0-6.8l-6.8 6.8"/>`;
      out += this.text(Math.min(x, scale.width - label.length * 3.6), low ? 57 : 41, label, write.ok ? 't-ok' : 't-no', 'middle');
    }
    return out;
  }

  drawOverlay(scale) {
    const box = this.lanes.getBoundingClientRect();
    const track = this.database.track.getBoundingClientRect();
    const left = track.left - box.left;
    const bottom = box.height;
    let out = `<defs>
      <pattern id="hatch-no" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="6" height="6" fill="var(--no-soft)"/><rect width="2" height="6" fill="var(--no)"/></pattern>
      <pattern id="hatch-pause" width="4" height="4" patternUnits="userSpaceOnUse"><rect width="1.4" height="4" fill="var(--soft)" opacity=".5"/></pattern></defs>`;
    const step = scale.seconds > 15 ? 5000 : 2000;
    for (let at = Math.ceil((scale.view - scale.seconds * 1000) / step) * step; at <= scale.view + 8000; at += step) {
      const x = scale.x(at);
      if (x > 0 && x < scale.width) out += `<line class="tick" x1="${left + x}" x2="${left + x}" y1="0" y2="${bottom}"/>`;
    }
    for (const write of this.writes) {
      const x = scale.x(write.at);
      if (x < 0 || x > scale.width) continue;
      const from = this.workers.get(write.worker).track.getBoundingClientRect();
      out += `<line class="link-${write.ok ? 'ok' : 'no'}" x1="${left + x}" x2="${left + x}" y1="${from.top - box.top + from.height / 2 + 15}" y2="${track.top - box.top + 7}"/>`;
    }
    const nowX = left + scale.x(scale.view);
    out += `<line class="nowline" x1="${nowX}" x2="${nowX}" y1="0" y2="${bottom}"/>`;
    this.overlay.innerHTML = out;
  }
}
