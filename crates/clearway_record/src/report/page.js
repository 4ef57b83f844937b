/* ---- maps ---- */

function unpack(text) { return Uint8Array.from(atob(text), (c) => c.charCodeAt(0)); }

/** Paints the squares of a map; a byte of 0 means that nobody was there. */
function drawMap(id, layer, stops, unit) {
  const canvas = $(id), map = data.maps[state.storey];
  const view = fit(canvas, Math.max(canvas.parentElement.clientWidth - 32, 160), 420);
  const values = unpack(map[layer].data);
  drawPlan(view, state.storey, (context) => {
    for (let row = 0; row < map.rows; row++) for (let column = 0; column < map.columns; column++) {
      const value = values[row * map.columns + column];
      if (!value) continue;
      const x = view.x(map.low[0] + column * map.side), y = view.y(map.low[1] + (row + 1) * map.side);
      context.fillStyle = rgb(ramp(stops, (value - 1) / 254));
      context.fillRect(x, y, map.side * view.scale + 0.6, map.side * view.scale + 0.6);
    }
  });
  const scale = canvas.nextElementSibling, bar = element("span", "ramp");
  bar.style.background = gradient(stops);
  const { top, max } = map[layer], more = max > top ? ` and more, at most ${format(max, 2)}` : "";
  scale.replaceChildren("0", bar, `${format(top, 2)} ${unit}${more}`);
}

function drawTracks() {
  const canvas = $("map-tracks"), frames = data.track.frames;
  const view = fit(canvas, Math.max(canvas.parentElement.clientWidth - 32, 160), 420);
  drawPlan(view, state.storey);
  const { context } = view, last = new Map(), lines = new Map();
  for (let frame = 0; frame < frames; frame++) {
    for (let i = track.start[frame]; i < track.start[frame + 1]; i++) {
      const a = track.agent[i], before = last.get(a);
      last.set(a, i);
      if (track.storey[i] !== state.storey || before === undefined) continue;
      if (Math.hypot(track.x[i] - track.x[before], track.y[i] - track.y[before]) > data.track.jump) continue;
      const colour = exitColour(data.track.exit[a]);
      if (!lines.has(colour)) lines.set(colour, new Path2D());
      const path = lines.get(colour);
      path.moveTo(view.x(track.x[before]), view.y(track.y[before]));
      path.lineTo(view.x(track.x[i]), view.y(track.y[i]));
    }
  }
  context.lineWidth = 0.8;
  context.globalAlpha = Math.max(0.12, Math.min(0.6, 40 / Math.sqrt(data.track.agents * 20)));
  for (const [colour, path] of lines) { context.strokeStyle = colour; context.stroke(path); }
  context.globalAlpha = 1;
  canvas.nextElementSibling.replaceChildren("coloured by exit");
}

function drawMaps() {
  drawMap("map-density", "density", DENSITY_STOPS, "/m²");
  drawMap("map-peak", "peak", DENSITY_STOPS, "/m²");
  $("congested-card").hidden = !data.maps.some((map) => map.congested.max > 0);
  if (!$("congested-card").hidden) drawMap("map-congested", "congested", DENSITY_STOPS, "of the time");
  drawMap("map-speed", "speed", SPEED_STOPS, "m/s");
  drawTracks();
  [...$("map-storeys").children].forEach((tab, i) => tab.setAttribute("aria-pressed", data.usedStoreys[i] === state.storey));
}

/* ---- numbers ---- */

function format(value, digits = 3) {
  if (value === null || value === undefined) return "–";
  if (typeof value !== "number") return String(value);
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return value.toLocaleString("en-GB").replace(/,/g, "\u202f");
  if (value !== 0 && Math.abs(value) < 10 ** -digits) return value.toExponential(1);
  return value.toFixed(digits);
}

function table(host, title, heads, rows) {
  const made = element("table"), head = element("tr"), scroll = element("div", "scroll");
  heads.forEach((text, i) => head.append(element("th", i ? "n" : "", text)));
  made.append(head);
  for (const row of rows) {
    const line = element("tr", row.total ? "total" : "");
    row.forEach((cell, i) => line.append(element("td", i ? "n" : "", typeof cell === "number" ? format(cell) : cell ?? "–")));
    made.append(line);
  }
  scroll.append(made);
  host.replaceChildren(element("h2", "", title), scroll);
}

function fillTexts() {
  const s = data.summary;
  $("title").textContent = s.scenario || "Crowd";
  $("subtitle").textContent = [s.model && `model ${s.model}`, `seed ${s.seed}`, `${format(s.agents)} ${s.agents === 1 ? "person" : "people"}`,
    `${format(s.duration, 1)} s simulated`].filter(Boolean).join(" · ");
  $("thinned").textContent = data.track.note;
  const overlap = s.measures.largest_overlap * 1000;
  const tiles = [
    [format(s.agents), "people"], [format(s.arrived), "arrived"],
    [s.last_arrival === null ? "–" : `${format(s.last_arrival, 1)} s`, "last arrival"],
    [s.mean_arrival === null ? "–" : `${format(s.mean_arrival, 1)} s`, "mean arrival"],
    // Where all enter at the start, both means are one.
    ...(s.mean_travel === null || Math.abs(s.mean_travel - s.mean_arrival) < 0.05 ? [] : [[`${format(s.mean_travel, 1)} s`, "mean time from entry"]]),
    [`${format(s.measures.mean_speed, 2)} m/s`, "mean speed"],
    [`${format(largest(data.curves.peak_density, 0), 1)} /m²`, "highest density around a body"],
    [overlap > 0 && overlap < 0.1 ? "< 0.1 mm" : `${format(overlap, 1)} mm`, "largest overlap"],
  ];
  for (const [value, name] of tiles) {
    const tile = element("div", "tile");
    tile.append(element("b", "", value), element("span", "", name));
    $("tiles").append(tile);
  }
  for (const [id, title, texts] of [["warnings", "Remarks", s.warnings], ["remarks", "Planned events", s.remarks]]) {
    if (!texts.length) continue;
    const list = element("ul");
    texts.forEach((text) => list.append(element("li", "", text)));
    $(id).append(element("b", "", title), list);
    $(id).hidden = false;
  }
  for (const [time, words] of changes()) $("changes").querySelector("ol").append(element("li", "", `${words} at ${format(time, 1)} s`));
  $("changes").hidden = !changes().length;
  if (data.scenarioText) {
    $("scenario").querySelector("pre").textContent = data.scenarioText;
    $("scenario").hidden = false;
  }
}

function fillTables() {
  const s = data.summary, m = s.measures;
  const seconds = (v) => (v === null ? "–" : `${format(v, 1)} s`);
  table($("numbers-run"), "Run", ["", "value"], [
    ["people", s.agents], ["arrived", s.arrived], ["goal out of reach at the end", s.lost], ["goal out of reach at some time", s.ever_lost],
    ["inside at the end", s.inside_at_end], ["first arrival", seconds(s.first_arrival)],
    ["mean arrival", seconds(s.mean_arrival)], ["95 % arrived after", seconds(s.arrival_95)],
    ["last arrival", seconds(s.last_arrival)], ["mean time from entry to arrival", seconds(s.mean_travel)],
    ["time in congestion (above 4 /m²), all bodies", seconds(s.congestion.time)],
    ["longest time in congestion of one body", seconds(s.congestion.longest)],
    ["floor congested for more than a tenth of the run", `${format(s.congestion.area, 1)} m²`],
    ["simulated time", seconds(s.duration)],
    ["frames", s.frames], ["frames for each second", `${format(s.fps, 2)} /s`], ["seed", String(s.seed)], ["model", s.model || "–"]]);
  table($("numbers-measures"), "Measured in every frame", ["", "value"], [
    ["largest overlap of two bodies", `${format(m.largest_overlap, 4)} m`],
    ["overlapping pairs, over all frames", m.overlapping_pairs],
    ["largest depth in a wall", `${format(m.largest_wall_overlap, 4)} m`],
    ["bodies in walls, over all frames", m.bodies_in_walls],
    ["least distance from a wall (up to 1 m)", `${format(m.least_wall_distance, 4)} m`],
    ["jitter: mean change of velocity", `${format(m.jitter)} m/s²`],
    ["walked / shortest way, both in the plan, mean", m.path_ratio ? format(m.path_ratio) : "–"],
    ["walked / straight line, both in space, mean", m.detour ? format(m.detour) : "–"],
    ["longest walk", `${format(m.longest_walk, 1)} m`],
    ["longest stand of a body on its way", `${format(m.longest_stand, 1)} s`],
    ["standing with room around, all bodies", `${format(m.standing_free, 1)} s`],
    ["changes between left and right turns", `${format(m.turn_changes)} /s`],
    ["mean speed on the way", `${format(m.mean_speed)} m/s`],
    ["time on the way, all bodies", `${format(m.walking_time, 1)} s`],
    ["frames measured", m.frames]]);
  table($("numbers-exits"), "Exits", ["exit", "people", "first in s", "last in s", "flow from first to last in 1/s", "flow of the middle 80 % in 1/s"],
    s.exits.map((e) => [e.name, e.people, format(e.first, 1), format(e.last, 1), format(e.flow), format(e.middle_flow)]));
  const direction = (name, way, d) => [name, way, d.people, format(d.first, 1), format(d.last, 1), format(d.flow), format(d.middle_flow)];
  if (s.lines.length) {
    table($("numbers-lines"), "Measuring lines", ["line", "direction", "people", "first in s", "last in s", "flow from first to last in 1/s", "flow of the middle 80 % in 1/s"],
      s.lines.flatMap((l) => [direction(l.name, "to the right", l.to_right), direction(l.name, "to the left", l.to_left)]));
    $("numbers-lines").hidden = false;
  }
  if (s.areas.length) {
    table($("numbers-areas"), "Measuring areas", ["area", "size in m²", "mean density in 1/m²", "highest density in 1/m²", "mean speed in m/s"],
      s.areas.map((a) => [a.name, format(a.area, 2), format(a.mean_density, 2), format(a.highest_density, 2), format(a.mean_speed, 2)]));
    $("numbers-areas").hidden = false;
  }
  if (s.profiles.length > 1) {
    table($("numbers-profiles"), "Profiles", ["profile", "people", "arrived", "mean arrival in s", "95 % arrived after, in s", "last arrival in s", "mean free speed in m/s"],
      s.profiles.map((p) => [p.name, p.people, p.arrived, format(p.mean_arrival, 1), format(p.arrival_95, 1), format(p.last_arrival, 1), format(p.free_speed, 2)]));
    $("numbers-profiles").hidden = false;
  }
  if (data.gates.length) {
    const periods = (gate) => gate.closed.map(([from, to]) => `${format(from, 1)} to ${format(to, 1)}`).join(", ") || "never";
    table($("numbers-gates"), "Closed doors and exits, obstacles", ["name", "closed, or there, from, to in s"], data.gates.map((gate) => [gate.name, periods(gate)]));
    $("numbers-gates").hidden = false;
  }
  table($("numbers-diagram"), "Fundamental diagram, means", ["density in 1/m²", "speed in m/s", "deviation in m/s", "Weidmann in m/s", "points"],
    s.fundamental_diagram.map((b) => [format(b.density, 2), format(b.speed), format(b.spread),
      format(b.density > 0 ? Math.max(0, 1.34 * (1 - Math.exp(-1.913 * (1 / b.density - 1 / 5.4)))) : 1.34), b.points]));
  if (data.ensemble) {
    const e = data.ensemble, heads = ["", "mean", "deviation", "95th percentile", ...e.seeds.map((seed) => `seed ${seed}`)];
    const rows = e.numbers.map((n) => [n.name.replace(/_/g, " ") + (n.unit ? ` in ${n.unit}` : ""),
      format(n.mean), format(n.deviation), format(n.percentile_95), ...n.values.map((v) => format(v))]);
    table($("numbers-ensemble"), `${e.seeds.length} runs`, heads, rows);
    $("numbers-ensemble").hidden = false;
  }
  if (data.settings.length) {
    table($("settings"), "Settings", ["name", "value"], data.settings);
    $("settings").hidden = false;
  }
}

/* ---- start ---- */

function wire() {
  for (const rate of [0.25, 0.5, 1, 2, 5, 10, 20, 50]) $("rate").append(new Option(`${rate}×`, rate, rate === 1, rate === 1));
  const shown = data.usedStoreys.filter((i) => data.storeys[i]);
  shown.forEach((i) => {
    const storey = data.storeys[i];
    $("storey").append(new Option(storey.name, i));
    if (shown.length < 2) return;
    const tab = element("button", "", storey.name);
    tab.addEventListener("click", () => setStorey(i));
    $("map-storeys").append(tab);
  });
  $("storey-label").hidden = shown.length < 2;
  Object.assign($("time"), { min: data.track.start, max: runEnd, step: 0.05 });
  $("play").addEventListener("click", () => setPlaying(!state.playing));
  $("time").addEventListener("input", (event) => seek(Number(event.target.value)));
  $("rate").addEventListener("change", (event) => { state.rate = Number(event.target.value); });
  $("storey").addEventListener("change", (event) => setStorey(Number(event.target.value)));
  $("colour").addEventListener("change", (event) => { state.colour = event.target.value; drawLegend(); drawStage(); });
  $("trails").addEventListener("change", (event) => { state.trails = event.target.checked; drawStage(); });
  document.addEventListener("keydown", (event) => {
    if (["INPUT", "SELECT", "BUTTON", "SUMMARY"].includes(event.target.tagName)) return;
    if (event.key === " ") { event.preventDefault(); setPlaying(!state.playing); }
    if (event.key === "ArrowRight") seek(state.time + 1);
    if (event.key === "ArrowLeft") seek(state.time - 1);
  });
}

/** Reads `?t=12&storey=1&colour=exit&trails&play&rate=5`. */
function readAddress() {
  const wanted = new URLSearchParams(location.search);
  if (wanted.has("t")) state.time = Math.min(Math.max(Number(wanted.get("t")) || 0, data.track.start), runEnd);
  if (wanted.has("storey")) state.storey = Math.min(Math.max(Number(wanted.get("storey")) | 0, 0), Math.max(data.storeys.length - 1, 0));
  if (["speed", "exit", "density"].includes(wanted.get("colour"))) state.colour = wanted.get("colour");
  if (wanted.has("trails")) state.trails = true;
  if (Number(wanted.get("rate")) > 0) state.rate = Number(wanted.get("rate"));
  $("storey").value = state.storey;
  $("colour").value = state.colour;
  $("trails").checked = state.trails;
  $("rate").value = state.rate;
  return wanted.has("play");
}

function drawAll() { drawCharts(); drawLegend(); layoutStage(); drawMaps(); }

fillTexts();
wire();
fillTables();
const plays = readAddress();
setPlaying(false);
drawAll();
if (plays) setPlaying(true);
let resizing;
window.addEventListener("resize", () => { clearTimeout(resizing); resizing = setTimeout(drawAll, 120); });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
