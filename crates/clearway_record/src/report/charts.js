/* ---- charts: small SVG pictures with axes and units ---- */

const SVG = "http://www.w3.org/2000/svg";
const cursors = [];
function shape(tag, attributes, parent) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (parent) parent.append(made);
  return made;
}

function ticks(low, high, most) {
  const span = Math.max(high - low, 1e-9), rough = span / most, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * power).find((k) => k >= rough);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const list = [];
  for (let v = Math.ceil(low / step - 1e-9) * step; v <= high + step * 1e-6; v += step) list.push(v);
  return list.map((value) => ({ value, text: value.toFixed(digits).replace(/^-(0(\.0*)?)$/, "$1") }));
}

/**
 * Draws a chart. `options`: x and y with `label`, `low`, `high`; `series` with `kind` (line, step, points, errors),
 * `points` as [x, y, spread], `colour`, `name`; `time` if x is the time of the run; `wide` for a high picture.
 */
function chart(host, options) {
  const width = Math.max(host.clientWidth, 260), height = options.wide ? 400 : 270;
  const left = 54, right = 14, top = 16, bottom = 44;
  const { x, y } = options;
  const svg = shape("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${y.label} over ${x.label}` });
  const px = (v) => left + (v - x.low) / (x.high - x.low || 1) * (width - left - right);
  const py = (v) => height - bottom - (v - y.low) / (y.high - y.low || 1) * (height - top - bottom);
  for (const tick of ticks(y.low, y.high, 5)) {
    shape("line", { class: "tick", x1: left, x2: width - right, y1: py(tick.value), y2: py(tick.value) }, svg);
    shape("text", { x: left - 8, y: py(tick.value) + 4, "text-anchor": "end" }, svg).textContent = tick.text;
  }
  for (const tick of ticks(x.low, x.high, Math.max(3, Math.floor(width / 80)))) {
    shape("line", { class: "tick", x1: px(tick.value), x2: px(tick.value), y1: top, y2: height - bottom }, svg);
    shape("text", { x: px(tick.value), y: height - bottom + 18, "text-anchor": "middle" }, svg).textContent = tick.text;
  }
  shape("path", { class: "axis", fill: "none", d: `M${left} ${top}V${height - bottom}H${width - right}` }, svg);
  shape("text", { x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle" }, svg).textContent = x.label;
  shape("text", { x: 0, y: 0, "text-anchor": "middle", transform: `translate(13 ${(top + height - bottom) / 2}) rotate(-90)` }, svg).textContent = y.label;
  if (options.time) drawChanges(svg, px, { right: width - right, top, bottom: height - bottom });
  options.series.forEach((series) => drawSeries(svg, series, px, py));
  if (options.time) addCursor(svg, px, { left, right: width - right, top, bottom: height - bottom, x });
  host.replaceChildren(svg);
  const named = options.series.filter((series) => series.name);
  if (named.length) host.append(keys(named));
}

function drawSeries(svg, series, px, py) {
  const colour = series.colour;
  if (series.kind === "line" || series.kind === "step") {
    let d = "", pen = false;
    series.points.forEach(([a, b], i) => {
      if (b === null) { pen = false; return; }
      if (series.kind === "step" && pen) d += `H${px(a).toFixed(1)}V${py(b).toFixed(1)}`;
      else d += `${pen ? "L" : "M"}${px(a).toFixed(1)} ${py(b).toFixed(1)}`;
      pen = true;
    });
    shape("path", { d, fill: "none", stroke: colour, "stroke-width": series.thin ? 1 : 2, "stroke-linejoin": "round",
      "stroke-dasharray": series.dashed ? "6 4" : "none", opacity: series.thin ? 0.55 : 1 }, svg);
  } else if (series.kind === "points") {
    let d = "";
    series.points.forEach(([a, b]) => { d += `M${px(a).toFixed(1)} ${py(b).toFixed(1)}h0`; });
    shape("path", { d, stroke: colour, "stroke-width": 4, "stroke-linecap": "round", opacity: 0.28, fill: "none" }, svg);
  } else {
    for (const [a, b, spread] of series.points) {
      shape("path", { d: `M${px(a)} ${py(Math.max(b - spread, 0))}V${py(b + spread)}`, stroke: colour, "stroke-width": 1.5 }, svg);
      if (series.filled) shape("circle", { cx: px(a), cy: py(b), r: 5, fill: colour }, svg);
      else shape("rect", { x: px(a) - 4, y: py(b) - 4, width: 8, height: 8, fill: "var(--card)", stroke: colour, "stroke-width": 1.8 }, svg);
    }
  }
}

/** What opens, closes, comes and goes during the run, as [time, words]. */
function changes() {
  const list = [];
  for (const gate of data.gates) {
    const [close, open] = isObstacle(gate) ? ["comes", "goes"] : ["closes", "opens"];
    for (const [from, to] of gate.closed) {
      if (from > data.track.start + 1e-9) list.push([from, `${gate.name} ${close}`]);
      if (to < endTime) list.push([to, `${gate.name} ${open}`]);
    }
  }
  return list.sort((a, b) => a[0] - b[0]);
}

/** Numbers of the same place become one label; this many pixels keep labels apart. */
const LABEL_GAP = 22;

/** Draws a line at each time at which something opens, closes, comes or goes, with its number in the list of changes. */
function drawChanges(svg, px, box) {
  let first = 0, label = null, last = -Infinity;
  changes().forEach(([time, words], i) => {
    const x = px(time);
    const line = shape("line", { class: "change", x1: x, x2: x, y1: box.top, y2: box.bottom }, svg);
    shape("title", {}, line).textContent = `${words} at ${format(time, 1)} s`;
    if (x - last < LABEL_GAP) { label.textContent = `${first}–${i + 1}`; return; }
    [first, last] = [i + 1, x];
    label = shape("text", { class: "change", x, y: box.top - 3, "text-anchor": "middle" }, svg);
    label.textContent = first;
  });
}

function keys(named) {
  const host = element("div", "keys");
  for (const series of named) {
    const key = element("span"), picture = shape("svg", { viewBox: "0 0 22 12" });
    const stroke = { stroke: series.colour, "stroke-width": 2, fill: "none" };
    if (series.kind === "errors" && !series.filled) shape("rect", { ...stroke, x: 7, y: 2, width: 8, height: 8 }, picture);
    else if (series.kind === "line" || series.kind === "step") shape("path", { ...stroke, d: "M1 6h20", "stroke-dasharray": series.dashed ? "5 3" : "none" }, picture);
    else shape("circle", { cx: 11, cy: 6, r: series.kind === "points" ? 3 : 5, fill: series.colour, opacity: series.kind === "points" ? 0.5 : 1 }, picture);
    key.append(picture, series.name);
    host.append(key);
  }
  return host;
}

/** A line at the time of the playback; a click goes to that time. */
function addCursor(svg, px, box) {
  const line = shape("line", { class: "cursor", y1: box.top, y2: box.bottom }, svg);
  cursors.push((time) => { line.setAttribute("x1", px(time)); line.setAttribute("x2", px(time)); });
  const hit = shape("rect", { class: "hit", x: box.left, y: box.top, width: box.right - box.left, height: box.bottom - box.top }, svg);
  const go = (event) => {
    const area = hit.getBoundingClientRect();
    seek(box.x.low + (event.clientX - area.left) / area.width * (box.x.high - box.x.low));
  };
  hit.addEventListener("pointerdown", (event) => { hit.setPointerCapture(event.pointerId); go(event); });
  hit.addEventListener("pointermove", (event) => { if (event.buttons) go(event); });
}
const moveCursors = (time) => cursors.forEach((move) => move(time));

const zip = (a, b) => a.map((v, i) => [v, b[i]]);
const largest = (list, least) => list.reduce((m, v) => (v > m ? v : m), least);
const roundUp = (v) => { const p = 10 ** Math.floor(Math.log10(v || 1)); return [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].map((k) => k * p).find((k) => k >= v - 1e-9); };

function drawCharts() {
  cursors.length = 0;
  const accent = css("--accent"), time = { label: "time in s", low: data.track.start, high: Math.max(endTime, data.track.start + 1) };
  const c = data.curves;
  const others = data.runs.map((run) => ({ kind: "line", thin: true, colour: css("--soft"), points: zip(run.time, run.inside) }));
  if (others.length) others[0].name = "other runs";
  data.runs.forEach((run) => { time.high = Math.max(time.high, largest(run.time, 0)); });
  const most = largest(c.inside.concat(...data.runs.map((r) => r.inside)), 1);
  chart($("evacuation"), { time: true, x: time, y: { label: "people", low: 0, high: roundUp(most) },
    series: [...others, { kind: "line", colour: accent, points: zip(c.time, c.inside), name: others.length ? "this run" : "" }] });
  const flows = data.flows.map((flow, i) => ({ kind: "step", colour: exitColour(i < data.exits.length ? i : -1),
    name: `${flow.name}: ${flow.people}, ${format(flow.flow, 2)} /s`, points: flow.points }));
  chart($("flows"), { time: true, x: time, y: { label: "people through", low: 0, high: roundUp(largest(data.flows.map((f) => f.people), 5)) }, series: flows });
  chart($("speeds"), { time: true, x: time, y: { label: "mean speed in m/s", low: 0, high: roundUp(largest(c.speed, 1)) },
    series: [{ kind: "line", colour: accent, points: zip(c.time, c.speed) }] });
  chart($("densities"), { time: true, x: time, y: { label: "density in 1/m²", low: 0, high: roundUp(largest(c.peak_density, 1)) }, series: [
    { kind: "line", colour: "#d55e00", points: zip(c.density_time, c.peak_density), name: "highest around a body" },
    { kind: "line", colour: accent, points: zip(c.density_time, c.mean_density), name: "mean around the bodies" }] });
  drawProbes(time, accent);
  const points = data.diagram.points, bins = data.diagram.bins;
  chart($("diagram"), { wide: true,
    x: { label: "density in 1/m²", low: 0, high: Math.max(6, Math.ceil(largest(points.map((p) => p[0]), 0))) },
    y: { label: "speed in m/s", low: 0, high: roundUp(largest(points.map((p) => p[1]), 1.8)) },
    series: [
      { kind: "points", colour: accent, points, name: "this run" },
      { kind: "line", dashed: true, colour: css("--soft"), points: data.weidmann, name: "Weidmann 1993" },
      ...data.references.map((r, i) => ({ kind: "errors", colour: ["#009e73", "#d55e00", "#cc79a7"][i], points: r.points, name: r.name })),
      { kind: "errors", filled: true, colour: accent, points: bins.map((b) => [b.density, b.speed, b.spread]), name: "this run, mean ± deviation" }] });
  moveCursors(state.time);
}

/** The curves of each measuring line and area. */
function drawProbes(time, accent) {
  $("probes-title").hidden = !data.probes.length;
  $("probes").replaceChildren();
  // All cards come first: a grid with one card is as wide as the page.
  const cards = data.probes.map((probe) => {
    const card = element("section", "card");
    card.append(element("h2", "", `${probe.name}${isArea(probe) ? "" : ": people across"}`));
    $("probes").append(card);
    return card;
  });
  data.probes.forEach((probe, i) => {
    const add = (low, series, label) => {
      const host = element("div");
      cards[i].append(host);
      const most = largest(series.flatMap((s) => s.points.map((p) => p[1])), low);
      chart(host, { time: true, x: time, y: { label, low: 0, high: roundUp(most) }, series });
    };
    if (isArea(probe)) {
      add(1, [{ kind: "line", colour: accent, points: probe.samples.map(([t, d]) => [t, d]) }], "people on a m²");
      add(0.5, [{ kind: "line", colour: "#009e73", points: probe.samples.map(([t, , v]) => [t, v]) }], "mean speed in m/s");
    } else {
      const way = (points, name, colour) => ({ kind: "step", colour, name: `${name}: ${points.length ? points[points.length - 1][1] : 0}`, points });
      add(5, [way(probe.right, "to the right", accent), way(probe.left, "to the left", "#d55e00")], "people");
    }
  });
}
