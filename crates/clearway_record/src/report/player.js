"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const EXIT_COLOURS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#8c6bb1", "#a6761d"];
const SPEED_STOPS = [[215, 48, 39], [252, 141, 89], [254, 200, 90], [145, 207, 130], [49, 160, 150], [40, 110, 190]];
const DENSITY_STOPS = [[68, 120, 190], [60, 170, 170], [130, 195, 95], [245, 200, 60], [235, 120, 50], [190, 30, 60]];

/* ---- the track: frames of differences, as formats/coder.rs writes them ---- */

function decodeTrack() {
  const text = atob($("track").textContent.trim());
  const bytes = Uint8Array.from(text, (c) => c.charCodeAt(0));
  let at = 0;
  const number = () => {
    let value = 0, unit = 1, byte;
    do { byte = bytes[at++]; value += (byte & 127) * unit; unit *= 128; } while (byte > 127);
    return value;
  };
  const signed = () => { const v = number(); return v % 2 ? -(v + 1) / 2 : v / 2; };
  const count = data.track.agents, frames = data.track.frames, total = data.track.samples;
  const known = { last: new Int32Array(count * 3), before: new Int32Array(count * 3), word: new Int32Array(count),
    seen: new Int32Array(count), here: new Uint8Array(count) };
  const track = { start: new Uint32Array(frames + 1), agent: new Uint32Array(total), x: new Float32Array(total),
    y: new Float32Array(total), storey: new Uint8Array(total), speed: new Float32Array(total) };
  let n = 0;
  for (let frame = 1; frame <= frames; frame++) {
    const first = n;
    let next = 0;
    for (let runs = number(); runs > 0; runs--) {
      next += number();
      for (let length = number() + 1; length > 0; length--) track.agent[n++] = next++;
    }
    for (let i = first; i < n; i++) {
      const a = track.agent[i];
      const guess = known.here[a] && known.seen[a] + 1 === frame;
      for (let k = 0; k < 3; k++) {
        const old = known.last[3 * a + k];
        const value = signed() + (guess ? 2 * old - known.before[3 * a + k] : old);
        known.before[3 * a + k] = old;
        known.last[3 * a + k] = value;
      }
      known.word[a] += signed();
      known.here[a] = known.seen[a] > 0 && known.seen[a] + 1 === frame ? 1 : 0;
      known.seen[a] = frame;
      track.x[i] = known.last[3 * a] * data.track.unit + data.track.low[0];
      track.y[i] = known.last[3 * a + 1] * data.track.unit + data.track.low[1];
      track.storey[i] = known.last[3 * a + 2];
      track.speed[i] = (known.word[a] >> 1) / 100;
    }
    track.start[frame] = n;
  }
  return track;
}

const track = decodeTrack();

/* ---- colours ---- */

function ramp(stops, share) {
  const at = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const i = Math.min(Math.floor(at), stops.length - 2), f = at - i;
  return stops[i].map((c, k) => Math.round(c + (stops[i + 1][k] - c) * f));
}
const rgb = (c) => `rgb(${c[0]},${c[1]},${c[2]})`;
const gradient = (stops) => `linear-gradient(90deg, ${stops.map((s) => rgb(s)).join(",")})`;
const BINS = 24;
const binColours = (stops) => Array.from({ length: BINS }, (_, i) => rgb(ramp(stops, i / (BINS - 1))));
const speedColours = binColours(SPEED_STOPS), densityColours = binColours(DENSITY_STOPS);
const exitColour = (exit) => (exit < 0 ? "#8895a5" : EXIT_COLOURS[exit % EXIT_COLOURS.length]);

/* ---- the plan ---- */

/** Fits the plan into a canvas of a width and at most a height, above a foot. Returns the projection. */
function fit(canvas, width, most, foot = 0) {
  const [low, high] = data.bounds;
  const w = Math.max(high[0] - low[0], 0.1), h = Math.max(high[1] - low[1], 0.1), pad = 14;
  const scale = Math.min((width - 2 * pad) / w, (most - 2 * pad - foot) / h);
  const height = Math.max(h * scale + 2 * pad + foot, 60);
  const dpr = Math.min(window.devicePixelRatio || 1, 2);
  canvas.width = Math.round(width * dpr);
  canvas.height = Math.round(height * dpr);
  canvas.style.height = `${height}px`;
  const context = canvas.getContext("2d");
  context.setTransform(dpr, 0, 0, dpr, 0, 0);
  const dx = (width - w * scale) / 2 - low[0] * scale, dy = height - pad - foot + low[1] * scale;
  return { context, width, height, scale, dpr, x: (x) => x * scale + dx, y: (y) => dy - y * scale };
}

function linePath(view, line, close) {
  const path = new Path2D();
  for (let i = 0; i < line.length; i += 2) {
    path[i ? "lineTo" : "moveTo"](view.x(line[i]), view.y(line[i + 1]));
  }
  if (close) path.closePath();
  return path;
}

/** Draws floor, exits and walls of a storey. `over` draws between the floor and the walls. */
function drawPlan(view, number, over) {
  const { context } = view, storey = data.storeys[number] || { rings: [], walls: [], floor: [] };
  context.clearRect(0, 0, view.width, view.height);
  const outline = new Path2D(), floor = new Path2D(), cells = storey.floor || [];
  storey.rings.forEach((ring) => outline.addPath(linePath(view, ring, true)));
  (cells.length ? cells : storey.rings).forEach((ring) => floor.addPath(linePath(view, ring, true)));
  // Stairs are drawn on both of their storeys.
  data.stairs.filter((flight) => flight.storeys.includes(number))
    .forEach((flight) => flight.cells.forEach((cell) => floor.addPath(linePath(view, cell, true))));
  const rule = cells.length ? "nonzero" : "evenodd";
  context.fillStyle = css("--floor");
  context.fill(floor, rule);
  if (over) {
    context.save();
    if (cells.length || storey.rings.length) context.clip(floor, rule);
    over(context);
    context.restore();
  }
  drawStairs(view, number);
  data.exits.forEach((exit, i) => {
    if (exit.storey !== number) return;
    const path = linePath(view, exit.outline, true);
    context.globalAlpha = 0.22;
    context.fillStyle = exitColour(i);
    context.fill(path);
    context.globalAlpha = 1;
    context.lineWidth = 1.5;
    context.strokeStyle = exitColour(i);
    context.stroke(path);
  });
  context.strokeStyle = css("--wall");
  context.lineJoin = "round";
  context.lineWidth = view.scale > 4 ? 1.6 : 1;
  context.stroke(outline);
  storey.walls.forEach((wall) => context.stroke(linePath(view, wall, false)));
}

/** Draws the stairs of a storey: those that begin or end on it, with an arrow up or down. */
function drawStairs(view, number) {
  const { context } = view;
  for (const flight of data.stairs) {
    const [low, high] = flight.storeys;
    if (low !== number && high !== number) continue;
    const cells = new Path2D();
    flight.cells.forEach((cell) => cells.addPath(linePath(view, cell, true)));
    context.globalAlpha = 0.14;
    context.fillStyle = context.strokeStyle = css("--wall");
    context.fill(cells);
    context.globalAlpha = 0.7;
    const goes_up = low === number, sign = goes_up ? 1 : -1, half = 0.5 * view.scale;
    const [dx, dy] = [flight.up[0] * sign, -flight.up[1] * sign];
    // Flights lie over each other: arrows keep to their right, so that those up and down stand side by side.
    const [x, y] = [view.x(flight.at[0]) - dy * half * 0.6, view.y(flight.at[1]) + dx * half * 0.6];
    const tip = [x + dx * half, y + dy * half], h = Math.min(half * 0.6, 8);
    context.lineWidth = 1.6;
    context.beginPath();
    context.moveTo(x - dx * half, y - dy * half);
    context.lineTo(...tip);
    context.moveTo(tip[0] - h * (dx + dy * 0.7), tip[1] - h * (dy - dx * 0.7));
    context.lineTo(...tip);
    context.lineTo(tip[0] - h * (dx - dy * 0.7), tip[1] - h * (dy + dx * 0.7));
    context.stroke();
    context.font = "10px system-ui, sans-serif";
    context.fillStyle = css("--soft");
    if (view.scale > 14) context.fillText(goes_up ? "up" : "down", tip[0] + dx * 12 - 6, tip[1] + dy * 12 + 4);
    context.globalAlpha = 1;
  }
}

/** Boxes of the names of exits, measures and doors that are drawn. */
let placed = [];

/**
 * Writes a name near a point, at least some pixels away from it: where it lies over no other name, over as few bodies as
 * can be, and inside the picture.
 */
function writeName(context, text, [x, y], bodies = [], least = 0) {
  const w = context.measureText(text).width + 6, h = 15;
  const box = (cx, cy) => ({ x: Math.min(Math.max(cx, w / 2), view.width - w / 2), y: Math.min(Math.max(cy, h / 2), view.height - h / 2) });
  const meets = (a, b) => Math.abs(a.x - b.x) < (w + b.w) / 2 && Math.abs(a.y - b.y) < h;
  const covers = (a) => bodies.filter((b) => Math.abs(view.x(b.x) - a.x) < w / 2 && Math.abs(view.y(b.y) - a.y) < h / 2 + 3).length;
  let best = null;
  for (const away of [0, 14, 28, 44].filter((v) => v >= least)) for (const [dx, dy] of away ? [[0, -1], [0, 1], [1, 0], [-1, 0]] : [[0, 0]]) {
    const at = box(x + dx * (away + w / 2 * Math.abs(dx)), y + dy * away);
    if (placed.some((b) => meets(at, b))) continue;
    const cost = covers(at) * 3 + away / 14;
    if (!best || cost < best.cost) best = { ...at, cost };
  }
  if (!best) return;
  placed.push({ x: best.x, y: best.y, w });
  context.strokeText(text, best.x, best.y + 4);
  context.fillText(text, best.x, best.y + 4);
}

/** The mean of the points of a line. */
function middleOf(line) {
  const mean = (k) => line.reduce((s, v, j) => (j % 2 === k ? s + v : s), 0) / (line.length / 2);
  return [view.x(mean(0)), view.y(mean(1))];
}

function styleNames(context) {
  Object.assign(context, { font: "600 12px system-ui, sans-serif", textAlign: "center", lineWidth: 3, strokeStyle: css("--floor") });
}

function drawExitNames(view, number) {
  const { context } = view;
  styleNames(context);
  data.exits.forEach((exit, i) => {
    if (exit.storey !== number || exit.outline.length < 2) return;
    context.fillStyle = exitColour(i);
    writeName(context, exit.name, middleOf(exit.outline));
  });
  context.textAlign = "start";
}

const isArea = (probe) => probe.points.length > 4;

/** Draws the lines and areas at which the run is measured. */
function drawProbesOn(view, number) {
  const { context } = view;
  context.save();
  styleNames(context);
  for (const probe of data.probes) {
    if (probe.height !== null && probe.storey !== number) continue;
    context.setLineDash([5, 4]);
    Object.assign(context, { strokeStyle: css("--accent"), lineWidth: 1.5 });
    context.stroke(linePath(view, probe.points, isArea(probe)));
    context.setLineDash([]);
    Object.assign(context, { strokeStyle: css("--floor"), lineWidth: 3, fillStyle: css("--accent") });
    // Above its highest point: most people walk below.
    const top = probe.points.reduce((best, v, j) => (j % 2 && v > best ? v : best), -Infinity);
    writeName(context, probe.name, [middleOf(probe.points)[0], view.y(top) - 10]);
  }
  context.restore();
}

function drawScaleBar(view) {
  const target = 110 / view.scale, power = 10 ** Math.floor(Math.log10(target));
  const metres = [5, 2, 1].map((k) => k * power).find((k) => k <= target) || power;
  const { context } = view, y = view.height - 8, x = 12, w = metres * view.scale;
  context.strokeStyle = context.fillStyle = css("--soft");
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(x, y - 4); context.lineTo(x, y); context.lineTo(x + w, y); context.lineTo(x + w, y - 4);
  context.stroke();
  context.font = "12px system-ui, sans-serif";
  context.fillText(`${metres} m`, x + w + 6, y + 1);
}

/* ---- playback ---- */

const state = { time: data.track.start, playing: false, storey: data.usedStoreys[0] || 0, colour: "speed", trails: false, rate: 1 };
const endTime = data.track.start + Math.max(data.track.frames - 1, 0) / data.track.fps;
// The run may end a little after its last frame.
const runEnd = Math.max(endTime, data.track.start + data.summary.duration);
const stage = $("stage");
let view, plan;

/** Bodies at a time: places between two frames. */
function bodiesAt(time) {
  const at = Math.min(Math.max((time - data.track.start) * data.track.fps, 0), Math.max(data.track.frames - 1, 0));
  const frame = Math.floor(at), share = at - frame, bodies = [];
  let j = track.start[frame + 1] || 0;
  const end = track.start[Math.min(frame + 2, data.track.frames)] || 0;
  for (let i = track.start[frame]; i < track.start[frame + 1]; i++) {
    const a = track.agent[i];
    let x = track.x[i], y = track.y[i];
    while (j < end && track.agent[j] < a) j++;
    if (share > 0 && j < end && track.agent[j] === a) {
      const dx = track.x[j] - x, dy = track.y[j] - y;
      if (dx * dx + dy * dy < data.track.jump ** 2) { x += dx * share; y += dy * share; }
    }
    bodies.push({ a, x, y, storey: track.storey[i], speed: track.speed[i] });
  }
  return bodies;
}

/** The number of bodies within 1 m of each, over the area of that disc. */
function localDensities(bodies) {
  const cells = new Map(), key = (x, y) => x * 1e6 + y;
  bodies.forEach((b, i) => {
    const k = key(Math.floor(b.x), Math.floor(b.y));
    if (cells.has(k)) cells.get(k).push(i); else cells.set(k, [i]);
  });
  return bodies.map((b) => {
    let n = 0;
    for (let dx = -1; dx <= 1; dx++) for (let dy = -1; dy <= 1; dy++) {
      for (const j of cells.get(key(Math.floor(b.x) + dx, Math.floor(b.y) + dy)) || []) {
        const o = bodies[j];
        if ((o.x - b.x) ** 2 + (o.y - b.y) ** 2 <= 1) n++;
      }
    }
    return n / Math.PI;
  });
}

function groupByColour(bodies) {
  const groups = new Map();
  const add = (colour, body) => { if (groups.has(colour)) groups.get(colour).push(body); else groups.set(colour, [body]); };
  const bin = (share) => Math.round(Math.min(Math.max(share, 0), 1) * (BINS - 1));
  const densities = state.colour === "density" ? localDensities(bodies) : null;
  bodies.forEach((b, i) => {
    if (state.colour === "exit") add(exitColour(data.track.exit[b.a]), b);
    else if (densities) add(densityColours[bin(densities[i] / 6)], b);
    else add(speedColours[bin(b.speed / data.topSpeed)], b);
  });
  return groups;
}

function drawTrails(context) {
  const span = 4, from = Math.max(state.time - span, data.track.start), steps = 14;
  const lines = new Map();
  for (let k = 0; k <= steps; k++) {
    for (const b of bodiesAt(from + (state.time - from) * k / steps)) {
      if (b.storey !== state.storey) continue;
      if (!lines.has(b.a)) lines.set(b.a, []);
      lines.get(b.a).push(b);
    }
  }
  context.strokeStyle = css("--accent");
  context.globalAlpha = 0.35;
  context.lineWidth = 1.2;
  context.beginPath();
  for (const line of lines.values()) {
    line.forEach((b, i) => {
      const jumps = i && Math.hypot(b.x - line[i - 1].x, b.y - line[i - 1].y) > data.track.jump;
      context[i && !jumps ? "lineTo" : "moveTo"](view.x(b.x), view.y(b.y));
    });
  }
  context.stroke();
  context.globalAlpha = 1;
}

/** True for a gate with area that is no exit: an obstacle that an event put there. */
function isObstacle(gate) {
  const { line } = gate, last = line.length - 2;
  return line.length >= 8 && line[0] === line[last] && line[1] === line[last + 1] && !data.exits.some((exit) => exit.name === gate.name);
}

/** Draws the doors, links and exits that are closed at the time of the playback, and the obstacles that stand. */
function drawGates(context, bodies) {
  const before = placed.length;
  context.save();
  context.strokeStyle = context.fillStyle = css("--closed");
  context.lineWidth = 4;
  context.font = "600 12px system-ui, sans-serif";
  context.textAlign = "center";
  for (const gate of data.gates) {
    if (gate.storey !== state.storey || !gate.closed.some(([from, to]) => from <= state.time && state.time < to)) continue;
    const path = linePath(view, gate.line, false), solid = isObstacle(gate);
    if (solid) {
      context.globalAlpha = 0.35;
      context.fill(path);
      context.globalAlpha = 1;
    }
    context.lineWidth = solid ? 2 : 4;
    context.stroke(path);
    const ends = !solid && gate.line.length > 4 ? gate.line.slice(0, 4) : solid ? gate.line.slice(0, -2) : gate.line;
    const is_exit = data.exits.some((exit) => exit.name === gate.name), says = /closed$/.test(gate.name);
    const text = solid || says ? gate.name : is_exit ? "closed" : `${gate.name} closed`;
    context.save();
    Object.assign(context, { strokeStyle: css("--floor"), lineWidth: 3 });
    writeName(context, text, middleOf(ends), bodies, solid ? 0 : 14);
    context.restore();
  }
  placed.length = before;
  context.restore();
}

function drawStage() {
  const { context } = view;
  context.save();
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, stage.width, stage.height);
  context.drawImage(plan, 0, 0);
  context.restore();
  if (state.trails) drawTrails(context);
  const all = bodiesAt(state.time), shown = all.filter((b) => b.storey === state.storey);
  context.strokeStyle = css("--floor");
  context.lineWidth = 0.8;
  for (const [colour, bodies] of groupByColour(shown)) {
    context.fillStyle = colour;
    context.beginPath();
    for (const b of bodies) {
      const x = view.x(b.x), y = view.y(b.y), r = Math.max(data.track.radius[b.a] * view.scale, 1.6);
      context.moveTo(x + r, y);
      context.arc(x, y, r, 0, 2 * Math.PI);
    }
    context.fill();
    if (view.scale > 12) context.stroke();
  }
  drawGates(context, shown);
  const more = data.storeys.length > 1 ? `${shown.length} on this storey, ` : "";
  $("inside").textContent = `${more}${all.length} inside`;
  $("clock").textContent = `${clock(state.time)} / ${clock(runEnd)}`;
  $("time").value = state.time;
  moveCursors(state.time);
}

const clock = (t) => `${Math.floor(t / 60)}:${(t % 60).toFixed(1).padStart(4, "0")}`;

function layoutStage() {
  const width = Math.max(stage.parentElement.clientWidth, 200);
  const most = Math.max(Math.min(window.innerHeight * 0.68, 720), 320);
  view = fit(stage, width, most, 16);
  plan = document.createElement("canvas");
  const planView = fit(plan, width, most, 16);
  drawPlan(planView, state.storey);
  placed = [];
  drawExitNames(planView, state.storey);
  drawProbesOn(planView, state.storey);
  drawScaleBar(planView);
  drawStage();
}

let lastTick = 0;
function tick(now) {
  if (!state.playing) return;
  state.time += Math.min((now - lastTick) / 1000, 0.25) * state.rate;
  lastTick = now;
  if (state.time >= runEnd) { state.time = runEnd; setPlaying(false); }
  drawStage();
  if (state.playing) requestAnimationFrame(tick);
}

function setPlaying(playing) {
  if (playing && state.time >= runEnd) state.time = data.track.start;
  state.playing = playing;
  $("play").textContent = playing ? "❚❚ Pause" : "▶ Play";
  if (playing) { lastTick = performance.now(); requestAnimationFrame(tick); }
}

function seek(time) {
  state.time = Math.min(Math.max(time, data.track.start), runEnd);
  drawStage();
}

function setStorey(storey) {
  state.storey = storey;
  $("storey").value = storey;
  layoutStage();
  drawMaps();
}

function drawLegend() {
  const legend = $("legend");
  legend.replaceChildren();
  const scale = (stops, low, high) => {
    const bar = element("span", "ramp");
    bar.style.background = gradient(stops);
    legend.append(low, bar, high);
  };
  if (state.colour === "speed") scale(SPEED_STOPS, "0", `${data.topSpeed} m/s`);
  else if (state.colour === "density") scale(DENSITY_STOPS, "0", "6 /m²");
  else {
    const entries = data.exits.map((exit, i) => [exit.name, exitColour(i)]);
    if (data.track.exit.some((e) => e < 0)) entries.push(["none", exitColour(-1)]);
    for (const [name, colour] of entries) {
      const key = element("span"), dot = element("i");
      dot.style.background = colour;
      key.append(dot, name);
      legend.append(key);
    }
  }
}

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}
