/** Something that is hard to see. */
export interface Faint {
  /** Which figure of the page, from 0. */
  readonly figure: number;
  /** The element, as it is written. */
  readonly element: string;
  /** Its contrast with what is behind it. */
  readonly ratio: number;
}

/**
 * What is seen too little of on the page that it runs in, as the browser paints it: texts below
 * 4.5:1 against what they stand on, marks of the data below 3:1 against the page.
 */
export function faintParts(): Faint[] {
  // The body of this function runs in the browser: it must not name anything outside.
  // deno-lint-ignore no-explicit-any
  const { document, getComputedStyle } = globalThis as any;
  const rgb = (color: string): number[] =>
    (color.match(/[\d.]+/g) ?? []).map(Number).map((value, place) =>
      place < 3 ? value / 255 : value
    );
  const over = (top: number[], opacity: number, under: number[]) =>
    under.map((value, place) => value + (top[place]! - value) * opacity);
  const luminance = (color: number[]) => {
    const [red = 0, green = 0, blue = 0] = color.map((share) =>
      share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  };
  const ratio = (one: number[], other: number[]) => {
    const [a, b] = [luminance(one), luminance(other)];
    return Math.max(a / b, b / a);
  };
  const faint: { figure: number; element: string; ratio: number }[] = [];
  for (const [figure, at] of [...document.querySelectorAll("figure")].entries()) {
    const paper = rgb(getComputedStyle(at).backgroundColor).slice(0, 3);
    const note = (element: { outerHTML: string }, ratio: number) =>
      faint.push({ figure, element: element.outerHTML.slice(0, 160), ratio });
    const shapes = [...at.querySelectorAll("svg svg g[aria-label] :is(rect,circle,path,line)")]
      .filter((mark) =>
        !/axis|grid/.test(mark.closest("g[aria-label]").getAttribute("aria-label"))
      );
    const solid = shapes.filter((mark) => mark.localName === "rect").flatMap((mark) => {
      const { fill, fillOpacity } = getComputedStyle(mark);
      if (fill === "none") return [];
      return [{
        box: mark.getBoundingClientRect(),
        color: over(rgb(fill), Number(fillOpacity), paper),
      }];
    });
    for (const text of at.querySelectorAll("svg text")) {
      const box = text.getBoundingClientRect();
      if (box.width === 0) continue;
      const style = getComputedStyle(text);
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      const behind = style.paintOrder.startsWith("stroke")
        ? undefined
        : solid.findLast(({ box }) =>
          x >= box.left && x <= box.right && y >= box.top && y <= box.bottom
        );
      const seen = ratio(rgb(style.fill).slice(0, 3), behind?.color ?? paper);
      if (seen < 4.5) note(text, seen);
    }
    for (const mark of shapes) {
      const group = mark.closest("g[aria-label]");
      const own = mark.hasAttribute("fill") || mark.hasAttribute("stroke");
      // Lines and bands behind the data are scaffold: quieter than it on purpose.
      if (group.getAttribute("class") === null && !own) continue;
      const { fill, fillOpacity, stroke, strokeOpacity } = getComputedStyle(mark);
      const seen = [[fill, fillOpacity], [stroke, strokeOpacity]]
        .filter(([color]) => color !== "none")
        .map(([color, opacity]) =>
          ratio(over(rgb(color).slice(0, 3), Number(opacity), paper), paper)
        );
      if (Math.max(0, ...seen) < 3) note(mark, Math.max(0, ...seen));
    }
  }
  return faint;
}
