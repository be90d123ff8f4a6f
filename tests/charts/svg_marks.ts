import { assert } from "@std/assert";

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
