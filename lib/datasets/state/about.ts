import { type OptionRules, rule } from "../../errors/option_rules.ts";

/** What a publisher says of a dataset: it stands in card, data package, citation and manifest. */
export interface DatasetAbout {
  /** Its title. @default {what it has, from where} */
  title?: string | undefined;
  /** Name of its license, such as an SPDX identifier: `CC-BY-4.0`. @default {unknown} */
  license?: string | undefined;
  /** Who publishes this edition: a person or an organization. @default {nobody is named} */
  creator?: string | undefined;
}

const MOST_CHARACTERS = 200;

/** Rules of these options. */
export const ABOUT_OPTIONS: OptionRules<DatasetAbout> = {
  title: rule("one line of text", isLine),
  license: rule(
    "the name of a license, such as CC-BY-4.0",
    (value) => typeof value === "string" && /^[\w.+-]{1,64}$/.test(value),
  ),
  creator: rule("one line of text", isLine),
};

function isLine(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "" && value.length <= MOST_CHARACTERS &&
    // What controls a terminal, and what ends a fence, a field of BibTeX or a code span.
    !/[\p{Cc}\p{Cf}{}`]/u.test(value);
}

/** What is said with some options, over what was said before; as a field of a manifest. */
export function saidAbout(
  before: DatasetAbout | undefined,
  { title, license, creator }: DatasetAbout,
): { about?: DatasetAbout } {
  const about = {
    ...before,
    ...title === undefined ? {} : { title: title.trim() },
    ...license === undefined ? {} : { license },
    ...creator === undefined ? {} : { creator: creator.trim() },
  };
  return Object.keys(about).length === 0 ? {} : { about };
}
