import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Chart } from "orderlens/charts";
import { locateAtCaller } from "../../tools/testing/test_example.ts";

/** One drawn mark: its attributes and its tooltip. */
export interface Mark {
  /** Name of the element. */
  readonly name: string;
  /** Its attributes; those of its group where it has none. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Its tooltip. */
  readonly title: string | null;
}

function attributesOf(tag: string): Record<string, string> {
  return Object.fromEntries(
    [...tag.matchAll(/ ([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name!, value!]),
  );
}

/** The marks of one class, in drawing order. */
export function marksOf(svg: string, className: string): Mark[] {
  const groups = svg.match(new RegExp(`<g [^>]*class="${className}"[^>]*>[^]*?</g>`, "g")) ?? [];
  return groups.flatMap((group) => {
    const [, groupTag = "", body = ""] = group.match(/^(<g [^>]*>)([^]*)<\/g>$/) ?? [];
    const elements = body.matchAll(
      /<(rect|circle|path|line|text) ([^>]*?)\/?>(?:([^<]*)<title>([^<]*)<\/title>|<title>([^<]*)<\/title>)?/g,
    );
    return [...elements].map(([, name, attributes, , before, inside]) => ({
      name: name!,
      attributes: { ...attributesOf(groupTag), ...attributesOf(` ${attributes}`) },
      title: inside ?? before ?? null,
    }));
  });
}

/** How the marks of one class are filled, in drawing order. */
export function fillsOf(svg: string, className: string): (string | undefined)[] {
  return marksOf(svg, className).map(({ attributes }) => attributes["fill"]);
}

/** A number among the attributes of a mark. */
export function numberOf(mark: Mark | undefined, attribute: string): number {
  return Number(mark?.attributes[attribute] ?? NaN);
}

/** Fails if the drawing has a warning of Plot, or coordinates that are none. */
export function assertDrawn(svg: string): void {
  for (const sign of ["⚠", "NaN", "Infinity", "undefined", ">null<", "[object"]) {
    assert(!svg.includes(sign), `the drawing has ${sign} in it`);
  }
}

/**
 * Tests what every chart does: it says why nothing is drawn of some rows, and draws the same figure
 * for the same rows, whose finding is worked out by hand.
 */
export function testPicture<Row extends object>(
  name: string,
  draw: (rows: readonly Row[], options: { readonly source: string }) => Chart,
  rows: readonly Row[],
  finding: string,
  ...nothing: readonly (readonly [text: string, rows: readonly Row[]])[]
): void {
  const sayWhy = locateAtCaller(() => {
    for (const [text, none] of nothing) {
      const { svg, rows } = draw(none, { source: "a test" });
      assertStringIncludes(svg, text);
      assertEquals(rows, []);
    }
  });
  const drawTheSame = locateAtCaller(async (t: Deno.TestContext) => {
    const chart = draw(rows, { source: "a test" });
    assertEquals(chart.finding, finding);
    await t.assertSnapshot(chart.svg.split("><"));
  });
  Deno.test(`${name}() says honestly that there is nothing to draw`, sayWhy);
  Deno.test(`${name}() draws the same figure for the same rows`, drawTheSame);
}

/** A text that a chart has, one that it lacks, or the number of rows that it draws. */
type Said = string | number | { readonly lacks: string };

/** Tests what a chart says in its title, its finding and its drawing, each by what it is about. */
export function testSays(
  name: string,
  cases: Readonly<Record<string, readonly [draw: () => Chart, ...said: Said[]]>>,
): void {
  for (const [what, [draw, ...said]] of Object.entries(cases)) {
    const says = locateAtCaller(() => {
      const { title, finding, svg, rows } = draw();
      assertDrawn(svg);
      const all = `${title}\n${finding}\n${svg}`;
      for (const one of said) {
        if (typeof one === "string") assertStringIncludes(all, one);
        else if (typeof one === "number") assertEquals(rows.length, one);
        else assert(!all.includes(one.lacks), `${one.lacks} in ${all}`);
      }
    });
    Deno.test(`${name}() ${what}`, says);
  }
}
