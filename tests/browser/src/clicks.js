// Compares what is drawn with what a click would hit. Everything is measured from the drawing: the squares are the parts of
// the boards' paths, the pieces are elements, and what is visible at a point is what the browser finds there.
((drawing) => {
  const round = (value) => Math.round(value * 10) / 10;
  const svg = document.querySelector(drawing.svg);
  // All points are counted from the corner of the drawing, since the page is scrolled on the way.
  const onDrawing = (element, x, y) => {
    const { x: left, y: top } = new DOMPoint(x, y).matrixTransform(element.getScreenCTM());
    const box = svg.getBoundingClientRect();
    return [left - box.x, top - box.y];
  };
  const inWindow = ([x, y]) => {
    const box = svg.getBoundingClientRect();
    return [x + box.x, y + box.y];
  };
  // Scrolls a point into sight, unless it is there.
  const bring = (point) => {
    const [, y] = inWindow(point);
    if (y < 0.1 * innerHeight || y > 0.7 * innerHeight) scrollBy({ top: y - innerHeight / 3, behavior: "instant" });
  };
  svg.scrollIntoView({ block: "start", behavior: "instant" });

  // The squares: parts with four corners and the size that most of them have.
  const squares = [];
  for (const path of svg.querySelectorAll(`${drawing.boards} path`)) {
    for (const part of path.getAttribute("d").split("Z")) {
      const corners = part.split(/[ML]/).filter(Boolean).map((pair) => pair.trim().split(/[ ,]+/).map(Number));
      if (corners.length !== 4 || path.getAttribute("fill") === "none") continue;
      const [a, b, c] = corners.map(([x, y]) => onDrawing(path, x, y));
      const area = (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]);
      squares.push({ path, corners: corners.map(([x, y]) => onDrawing(path, x, y)), area: round(Math.abs(area)) });
    }
  }
  const counts = new Map();
  for (const { area } of squares) counts.set(area, (counts.get(area) ?? 0) + 1);
  const [usual] = [...counts].sort((a, b) => b[1] - a[1])[0];
  const cells = squares.filter(({ area }) => Math.abs(area - usual) < 0.5);
  const keyOf = ([x, y]) => `${round(x)} ${round(y)}`;
  const same = (a, b) => a && b && Math.hypot(a[0] - b[0], a[1] - b[1]) < 0.6;

  // The pieces, each with the point on which it stands.
  const men = [...svg.querySelectorAll(`${drawing.men} use`)].map((element) => {
    const [, x, y] = /translate\(([-\d.]+) ([-\d.]+)\)/.exec(element.getAttribute("transform"));
    return { element, foot: onDrawing(element.parentNode, Number(x), Number(y)) };
  });
  // A piece stands at one place of its square, the same on all squares: the step that most feet have to a corner.
  const steps = new Map();
  for (const { foot } of men) {
    for (const { corners } of cells) {
      const key = keyOf([foot[0] - corners[0][0], foot[1] - corners[0][1]]);
      steps.set(key, (steps.get(key) ?? 0) + 1);
    }
  }
  const [step] = [...steps].sort((a, b) => b[1] - a[1])[0] ?? ["0 0"];
  const [dx, dy] = step.split(" ").map(Number);
  for (const man of men) man.corner = [man.foot[0] - dx, man.foot[1] - dy];
  const cellOf = (corner) => cells.find(({ corners }) => same(corners[0], corner));
  const lost = men.filter(({ corner }) => !cellOf(corner)).length;

  // The middle of something; if it is not in front there, the middle of what is visible of it.
  const overlay = drawing.overlay && svg.querySelector(drawing.overlay);
  const middle = (points, isFront) => {
    const center = points[(points.length - 1) / 2];
    bring(center);
    const isSeen = (point) => isFront(document.elementFromPoint(...inWindow(point)));
    if (isSeen(center)) return center;
    const seen = points.filter(isSeen);
    if (seen.length < 3) return null;
    const [x, y] = [0, 1].map((axis) => seen.reduce((sum, point) => sum + point[axis], 0) / seen.length);
    return seen.sort((a, b) => Math.hypot(a[0] - x, a[1] - y) - Math.hypot(b[0] - x, b[1] - y))[0];
  };
  const GRID = [...Array(11).keys()].map((i) => (i + 0.5) / 11);
  if (overlay) overlay.style.pointerEvents = "none";
  const wanted = [];
  for (const { element, corner } of men) {
    const [box, origin] = [element.getBoundingClientRect(), svg.getBoundingClientRect()];
    const points = GRID.flatMap((x) => GRID.map((y) => [box.x - origin.x + x * box.width, box.y - origin.y + y * box.height]));
    const at = middle(points, (front) => front === element);
    wanted.push({ what: element.getAttribute("href"), corner, at });
  }
  const empty = cells.filter(({ corners }) => !men.some(({ corner }) => same(corner, corners[0])));
  for (const { path, corners: [a, b, , d] } of empty) {
    const points = GRID.flatMap((f) => GRID.map((r) => [a[0] + f * (b[0] - a[0]) + r * (d[0] - a[0]), a[1] + f * (b[1] - a[1]) + r * (d[1] - a[1])]));
    const at = middle(points, (front) => front === path);
    wanted.push({ what: "empty", corner: a, at });
  }
  if (overlay) overlay.style.pointerEvents = "";

  // What is hit: the near left corner of a square.
  const hits = {
    // A link on the picture: its area is the square.
    link: ([x, y]) => {
      const area = document.elementFromPoint(x, y)?.closest("a")?.querySelector("polygon");
      if (!area) return null;
      const { x: left, y: top } = area.points[0];
      return onDrawing(area, left, top);
    },
    // The viewer marks the square that the right button presses, and removes the mark at the next press.
    viewer: ([x, y]) => {
      const press = () => ["pointerdown", "pointerup"].forEach((type) => svg.dispatchEvent(new PointerEvent(type, { button: 2, clientX: x, clientY: y, pointerType: "mouse" })));
      const before = svg.querySelectorAll(".tx-under use").length;
      press();
      const marks = svg.querySelectorAll(".tx-under use");
      const mark = marks.length > before ? marks[marks.length - 1] : null;
      const [, left, top] = /translate\(([-\d.]+) ([-\d.]+)\)/.exec(mark?.getAttribute("transform")) ?? [];
      const corner = mark && onDrawing(mark.parentNode, Number(left), Number(top));
      if (mark) press();
      return corner;
    },
  };
  const linked = drawing.hit === "link" ? [...svg.querySelectorAll(".spots a polygon")].map((area) => onDrawing(area, area.points[0].x, area.points[0].y)) : null;
  const seen = wanted.filter(({ at }) => at);
  const wrong = seen.flatMap(({ what, corner, at }) => {
    bring(at);
    const hit = hits[drawing.hit](inWindow(at));
    // What has no link must not hit the link of something else.
    const right = linked && !linked.some((one) => same(one, corner)) ? hit === null : same(hit, corner);
    return right ? [] : [`${what} at ${at.map(round)} hits ${hit ? hit.map(round) : "nothing"} for ${corner.map(round)}`];
  });
  return {
    cells: cells.length,
    pieces: men.length,
    lost,
    hidden: wanted.length - seen.length,
    wrong,
    points: seen.map(({ what, corner, at }) => ({ what, corner, at, linked: !linked || linked.some((one) => same(one, corner)) })),
  };
})
