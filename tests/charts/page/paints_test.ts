import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { COLORS } from "../../../lib/charts/looks.ts";
import {
  DARK_PAPER,
  HUES,
  LIGHT_PAPER,
  NEUTRALS,
  type Paint,
  STEPS,
} from "../../../lib/charts/page/svg_tree.ts";
import { contrastOf, difference, VISIONS } from "./color_vision.ts";

const GREY = NEUTRALS.find(({ name }) => name === "grey")!;
const MARKS = [...HUES, GREY];
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
  for (const { name, color, dark = "" } of NEUTRALS.filter(({ name }) => /ink|muted/.test(name))) {
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

for (const vision of Object.keys(VISIONS)) {
  Deno.test(`the steps of a matrix run away from the page for readers with ${vision}`, () => {
    for (const scheme of ["fills, light", "dark"]) {
      const { paper, of } = SCHEMES[scheme]!;
      const ratios = STEPS.map((step) => contrastOf(of(step), paper));
      assertEquals(ratios, ratios.toSorted((a, b) => a - b), scheme);
      for (const [place, step] of STEPS.slice(1).entries()) {
        const apart = difference(of(step), of(STEPS[place]!), vision);
        assert(
          apart >= 7,
          `${scheme}, ${STEPS[place]!.name} and ${step.name}: ${apart.toFixed(1)}`,
        );
      }
    }
  });
}
