import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { COLORS } from "../../../lib/charts/looks.ts";
import {
  DARK_PAPER,
  HUES,
  LIGHT_PAPER,
  NEUTRALS,
  type Paint,
} from "../../../lib/charts/page/svg_tree.ts";

/** Kinds of colour vision, as matrices on linear RGB: Machado, Oliveira and Fernandes 2009, severity 1. */
const VISIONS: Readonly<Record<string, readonly (readonly number[])[]>> = {
  "full colour vision": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  "protanopia": [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  "deuteranopia": [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.011820, 0.042940, 0.968881],
  ],
  "tritanopia": [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.303900],
  ],
};

function linear(color: string): number[] {
  if (!/^#[0-9a-f]{6}$/.test(color)) throw new TypeError(`${color} is no colour #rrggbb`);
  return [1, 3, 5].map((at) => {
    const share = parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
}

/** WCAG 2's contrast of two colours `#rrggbb`, from 1 to 21. */
function contrastOf(one: string, other: string): number {
  const [a, b] = [one, other].map((color) => {
    const [red = 0, green = 0, blue = 0] = linear(color);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  });
  return Math.max(a! / b!, b! / a!);
}

/** CIE 1976 difference of two colours `#rrggbb` as seen with a kind of vision; about 2.3 is just seen. */
function difference(one: string, other: string, vision: string): number {
  const [a, b] = [one, other].map((color) => lab(seen(linear(color), vision)));
  return Math.hypot(...a!.map((value, place) => value - b![place]!));
}

function seen(rgb: readonly number[], vision: string): number[] {
  return VISIONS[vision]!.map((row) => {
    const value = row.reduce((sum, share, place) => sum + share * rgb[place]!, 0);
    return Math.min(1, Math.max(0, value));
  });
}

function lab([red = 0, green = 0, blue = 0]: readonly number[]): number[] {
  const [x, y, z] = [
    (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047,
    0.2126 * red + 0.7152 * green + 0.0722 * blue,
    (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883,
  ].map((value) => value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116);
  return [116 * y! - 16, 500 * (x! - y!), 200 * (y! - z!)];
}

const GREY = NEUTRALS.find(({ name }) => name === "grey")!;
const MARKS = [...HUES, GREY];
assert(HUES.length > 1);
const LEAST_OF_MARKS = 3;
const LEAST_OF_TEXT = 4.5;
/** Five times what is just seen. */
const APART = 12;

const SCHEMES: Readonly<Record<string, { paper: string; of: (paint: Paint) => string }>> = {
  "fills, light": { paper: LIGHT_PAPER, of: ({ color }) => color },
  "outlines and lines, light": { paper: LIGHT_PAPER, of: ({ color, edge }) => edge ?? color },
  "dark": { paper: DARK_PAPER, of: ({ color, dark }) => dark ?? color },
  "outlines and lines, dark": {
    paper: DARK_PAPER,
    of: ({ color, dark, darkEdge }) => darkEdge ?? dark ?? color,
  },
};

Deno.test("contrastOf() is what WCAG says: black on white 21, #767676 on white 4.54", () => {
  assertAlmostEquals(contrastOf("#000000", "#ffffff"), 21, 1e-9);
  assertAlmostEquals(contrastOf("#767676", "#ffffff"), 4.54, 0.005);
});

Deno.test("difference() tells red from green with full colour vision, hardly with deuteranopia", () => {
  const [red, green] = ["#c53030", "#6b7a1e"];
  assert(difference(red, green, "full colour vision") > 60);
  assert(difference(red, green, "deuteranopia") < 20);
});

Deno.test("a page knows every colour of the charts, and none by another value", () => {
  const known = [...HUES, ...NEUTRALS].map(({ name, color }) => [name, color] as const);
  assert(Object.keys(COLORS).length > 0);
  for (const [name, color] of Object.entries(COLORS)) {
    assertEquals(known.find(([one]) => one === name)?.[1], color, name);
  }
});

Deno.test("the palette's own fills are the same on a dark page", () => {
  assertEquals(HUES.filter(({ dark }) => dark !== undefined), []);
});

for (const scheme of ["outlines and lines, light", "dark", "outlines and lines, dark"]) {
  const { paper, of } = SCHEMES[scheme]!;
  Deno.test(`every mark stands out from the page by 3:1: ${scheme}`, () => {
    for (const paint of MARKS) {
      const ratio = contrastOf(of(paint), paper);
      assert(
        ratio >= LEAST_OF_MARKS,
        `${paint.name} ${of(paint)} on ${paper}: ${ratio.toFixed(2)}`,
      );
    }
  });
}

Deno.test("text stands out from the page by 4.5:1, light and dark, and from bands behind it", () => {
  const band = NEUTRALS.find(({ name }) => name === "band")!;
  const texts = NEUTRALS.filter(({ name }) => /ink|muted/.test(name));
  assert(texts.length > 1);
  for (const { name, color, dark = "" } of texts) {
    const ratios = [
      contrastOf(color, LIGHT_PAPER),
      contrastOf(color, band.color),
      contrastOf(dark, DARK_PAPER),
      contrastOf(dark, band.dark!),
    ];
    assert(ratios.every((ratio) => ratio >= LEAST_OF_TEXT), `${name}: ${ratios}`);
  }
});

for (const [scheme, { of }] of Object.entries(SCHEMES)) {
  for (const vision of Object.keys(VISIONS)) {
    Deno.test(`any two colours of marks differ for readers with ${vision}: ${scheme}`, () => {
      for (const [place, one] of MARKS.entries()) {
        for (const other of MARKS.slice(place + 1)) {
          const apart = difference(of(one), of(other), vision);
          assert(apart >= APART, `${one.name} and ${other.name}: ${apart.toFixed(1)}`);
        }
      }
    });
  }
}
