// Compares what is drawn with what a click would hit. Everything is measured from the drawing: the squares are the parts of
// the boards' paths, the pieces are elements, and what is visible at a point is what the browser finds there.
((drawing) => {
  const round = (value) => Math.round(value * 10) / 10;
  // A page may have a second picture for windows of another shape, which is not shown.
  const svg = [...document.querySelectorAll(drawing.svg)].find((one) => one.getBoundingClientRect().width > 0);
  // Boards that are seen in perspective: a square is known by its middle, and pieces are seen through glass.
  const isGlass = document.querySelector(".tx-stage")?.dataset.shown === "Glass";
  const unit = 40;
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
  const movedTo = (element) => /translate\(([-\d.]+) ([-\d.]+)\)/.exec(element.getAttribute("transform")).slice(1).map(Number);
  // What a mark names: the corner of a square, in perspective its middle.
  const markedAt = (element) => {
    const [, matrix] = /matrix\(([^)]*)\)/.exec(element.getAttribute("transform")) ?? [];
    if (!matrix) return movedTo(element);
    const [a, b, c, d, x, y] = matrix.split(" ").map(Number);
    return [x + ((a - c) * unit) / 2, y + ((b - d) * unit) / 2];
  };
  const near = (a, b, distance) => Math.hypot(a[0] - b[0], a[1] - b[1]) < distance;
  const same = (a, b) => a && b && near(a, b, isGlass ? 0.9 : 0.6);
  svg.scrollIntoView({ block: "start", behavior: "instant" });

  // The parts of a path that have four corners.
  const partsOf = (path) => path.getAttribute("d").split("Z").flatMap((part) => {
    const corners = part.split(/[ML]/).filter(Boolean).map((pair) => pair.trim().split(/[ ,]+/).map(Number));
    return corners.length === 4 ? [corners.map(([x, y]) => onDrawing(path, x, y))] : [];
  });
  // The squares: filled parts of the size that most of them have. An attack board has two of a shade.
  const kinds = isGlass ? ["path[fill^='var(--tx-light']", "path[fill^='var(--tx-dark']"] : ["path:not([fill=none])"];
  const filled = [...svg.querySelectorAll(kinds.map((kind) => `${drawing.boards} ${kind}`).join())];
  // Where the diagonals cross is the middle in space.
  const crossing = ([a, b, c, d]) => {
    const [ux, uy, vx, vy] = [c[0] - a[0], c[1] - a[1], d[0] - b[0], d[1] - b[1]];
    const part = ((b[0] - a[0]) * vy - (b[1] - a[1]) * vx) / (ux * vy - uy * vx);
    return [a[0] + part * ux, a[1] + part * uy];
  };
  const placeOf = (corners) => (isGlass ? crossing(corners) : corners[0]);
  const squares = filled.flatMap((path) => partsOf(path).map((corners, _, { length }) => {
    const [a, b, c] = corners;
    const area = Math.abs((b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]));
    return { path, corners, place: placeOf(corners), area: Math.round(area), moves: length === 2 };
  }));
  const counts = new Map();
  for (const { area } of squares) counts.set(area, (counts.get(area) ?? 0) + 1);
  const [usual] = [...counts].sort((a, b) => b[1] - a[1])[0];
  // Marks that fill a square are drawn over it.
  const isFirst = ({ corners }, i, all) => all.findIndex((other) => same(other.corners[0], corners[0])) === i;
  const cells = isGlass ? squares : squares.filter(({ area }) => Math.abs(area - usual) < 0.03 * usual).filter(isFirst);
  const cellOf = (corner) => cells.find(({ place }) => same(place, corner));

  // The pieces, each with the point on which it stands.
  const men = [...svg.querySelectorAll(`${drawing.men} use`)].map((element) => ({ element, foot: onDrawing(element.parentNode, ...movedTo(element)) }));
  // A piece stands at one place of its square, the same on all squares: the step that most feet have to a corner.
  const steps = new Map();
  for (const { foot } of men) {
    for (const { corners } of cells) {
      const key = `${round(foot[0] - corners[0][0])} ${round(foot[1] - corners[0][1])}`;
      steps.set(key, (steps.get(key) ?? 0) + 1);
    }
  }
  const [step] = [...steps].sort((a, b) => b[1] - a[1])[0] ?? ["0 0"];
  const [dx, dy] = step.split(" ").map(Number);
  // In perspective a piece stands a little in front of the middle of its square.
  const standsOn = (foot) => cells.map(({ place, area }) => ({ place, down: foot[1] - place[1], aside: Math.abs(foot[0] - place[0]), area }))
    .filter(({ down, aside, area }) => aside < 0.4 && down > -0.5 && down < 0.4 * Math.sqrt(area)).sort((a, b) => a.down - b.down)[0]?.place ?? foot;
  for (const man of men) man.corner = isGlass ? standsOn(man.foot) : [man.foot[0] - dx, man.foot[1] - dy];
  const lost = men.filter(({ corner }) => !cellOf(corner)).length;

  // Spots on squares that can be reached are seen in front of pieces, or through them.
  const cellAt = ([x, y]) => cells.find(({ corners: [a, b, , d] }) => {
    const rank = (y - a[1]) / (d[1] - a[1]);
    const file = (x - a[0] - rank * (d[0] - a[0])) / (b[0] - a[0]);
    return rank >= 0 && rank < 1 && file >= 0 && file < 1;
  });
  const spots = [...svg.querySelectorAll(`${drawing.boards} > ellipse[fill='var(--tx-reach)']`)].map((element) => {
    const box = element.getBoundingClientRect();
    const [x, y] = inWindow([0, 0]);
    return { at: [box.x + box.width / 2 - x, box.y + box.height / 2 - y], radius: box.width / 2 + 1 };
  });
  const isOnSpot = (point) => spots.some(({ at, radius }) => near(at, point, radius));
  // Where an attack board can go.
  const pins = [...svg.querySelectorAll(`${drawing.boards} > path[stroke='var(--tx-reach)']`)].flatMap(partsOf);

  // The middle of something; if it is not in front there, the middle of what is visible of it.
  // Marks of the last move are on squares, and links are invisible.
  const overlay = svg.querySelector(drawing.overlay);
  const behind = [];
  const middle = (points, isSeen) => {
    const center = points[(points.length - 1) / 2];
    bring(center);
    if (isSeen(center)) return center;
    const seen = points.filter(isSeen);
    if (seen.length < 3) {
      behind.push(frontAt(center)?.outerHTML.slice(0, 200));
      return null;
    }
    const [x, y] = [0, 1].map((axis) => seen.reduce((sum, point) => sum + point[axis], 0) / seen.length);
    return seen.sort((a, b) => Math.hypot(a[0] - x, a[1] - y) - Math.hypot(b[0] - x, b[1] - y))[0];
  };
  const frontAt = (point) => document.elementFromPoint(...inWindow(point));
  const squarePaths = new Set(filled);
  // A piece behind glass is seen, and hit, through the glass.
  const glassAt = (x, y) => {
    const all = document.elementsFromPoint(x, y);
    return all.find((one) => one.matches(`${drawing.men} use`)) ?? all.find((one) => squarePaths.has(one));
  };
  const shows = (element) => (point) => {
    if (isOnSpot(point)) return false;
    // The mouse presses whole pixels.
    const at = inWindow(point);
    return isGlass ? [at, at.map(Math.floor)].every(([x, y]) => glassAt(x, y) === element) : frontAt(point) === element;
  };
  const GRID = [...Array(11).keys()].map((i) => (i + 0.5) / 11);
  const inside = ([a, b, , d]) => GRID.flatMap((f) => GRID.map((r) => [a[0] + f * (b[0] - a[0]) + r * (d[0] - a[0]), a[1] + f * (b[1] - a[1]) + r * (d[1] - a[1])]));
  overlay.style.pointerEvents = "none";
  const wanted = [];
  for (const { element, corner } of men) {
    const [box, origin] = [element.getBoundingClientRect(), svg.getBoundingClientRect()];
    const points = GRID.flatMap((x) => GRID.map((y) => [box.x - origin.x + x * box.width, box.y - origin.y + y * box.height]));
    wanted.push({ what: element.getAttribute("href"), corner, at: middle(points, shows(element)) });
  }
  const isIn = ([x, y], [a, b, , d]) => {
    const rank = (y - a[1]) / (d[1] - a[1]);
    const file = (x - a[0] - rank * (d[0] - a[0])) / (b[0] - a[0]);
    return rank > 0 && rank < 1 && file > 0 && file < 1;
  };
  const empty = pins.length ? [] : cells.filter(({ corners }) => !men.some(({ corner }) => same(corner, placeOf(corners))));
  for (const { path, corners, place, moves } of empty) {
    wanted.push({ what: moves ? "empty square of an attack board" : "empty square", corner: place, at: middle(inside(corners), shows(path)) });
  }
  for (const { at } of spots) wanted.push({ what: "spot", corner: cellAt(at).corners[0], at });
  pins.forEach((corners, i) => {
    const isInFront = (point) => !pins.slice(i + 1).some((other) => isIn(point, other)) && !frontAt(point)?.closest(drawing.men);
    wanted.push({ what: "pin", corner: corners[0], at: middle(inside(corners), isInFront) });
  });
  overlay.style.pointerEvents = "";

  // What is hit: the near left corner of a square, or of a board that goes to a pin.
  const areas = [...svg.querySelectorAll(".spots a polygon")];
  const cornerOf = (area) => onDrawing(area, area.points[0].x, area.points[0].y);
  const hits = {
    // A link on the picture: its area is the square.
    link: ([x, y]) => {
      const link = document.elementFromPoint(x, y)?.closest(".spots a");
      const area = link && areas.find((one) => one.closest("a").getAttribute("href") === link.getAttribute("href"));
      return area ? cornerOf(area) : null;
    },
    // The viewer marks the square that the right button presses.
    viewer: ([x, y]) => {
      const ownMarks = () => [...svg.querySelectorAll(".tx-under use[href$='-G']")];
      const before = new Set(ownMarks().map((one) => one.getAttribute("transform")));
      for (const type of ["pointerdown", "pointerup"]) svg.dispatchEvent(new PointerEvent(type, { button: 2, clientX: x, clientY: y, pointerType: "mouse" }));
      const marks = ownMarks();
      const mark = marks.find((one) => !before.has(one.getAttribute("transform")));
      const corner = mark && onDrawing(mark.parentNode, ...markedAt(mark));
      // Any other button removes the marks.
      if (marks.length > 16) svg.dispatchEvent(new PointerEvent("pointerdown", { button: 1, pointerType: "mouse" }));
      return corner;
    },
  };
  const linked = drawing.hit === "link" ? areas.map(cornerOf) : null;
  const seen = wanted.filter(({ at }) => at);
  const wrong = seen.flatMap(({ what, corner, at }) => {
    bring(at);
    const hit = hits[drawing.hit](inWindow(at));
    // What has no link must not hit the link of something else.
    const right = linked && !linked.some((one) => same(one, corner)) ? hit === null : same(hit, corner);
    return right ? [] : [`${what} at ${at.map(round)} hits ${hit ? hit.map(round) : "nothing"} for ${corner.map(round)}`];
  });
  // Where moves can be tried, the pointer shows what can be taken: the pieces of the side to move, and empty attack boards.
  if (drawing.hit === "viewer") svg.dispatchEvent(new PointerEvent("pointerdown", { button: 1, pointerType: "mouse" }));
  if (svg.closest(".tx-trial")) {
    const side = document.querySelector(".tx-now").textContent.includes("White to move") ? "#w" : "#b";
    for (const one of seen) {
      const [clientX, clientY] = inWindow(one.at);
      svg.dispatchEvent(new PointerEvent("pointermove", { clientX, clientY, pointerType: "mouse" }));
      one.taken = one.what.startsWith(side) || one.what.endsWith("attack board");
      if (svg.classList.contains("tx-grab") !== one.taken) wrong.push(`${one.what} at ${one.at.map(round)} is ${one.taken ? "not " : ""}offered`);
    }
    svg.dispatchEvent(new PointerEvent("pointerleave"));
  }
  return {
    cells: cells.length,
    pieces: men.length,
    spots: spots.length,
    pins: pins.length,
    lost,
    hidden: wanted.filter(({ at }) => !at).map(({ what, corner }, i) => `${what} of ${corner.map(round)} behind ${behind[i]}`),
    wrong,
    seen: seen.map(({ what, corner, at, taken }) => ({ what, corner, at, taken, linked: !linked || linked.some((one) => same(one, corner)) })),
  };
})
