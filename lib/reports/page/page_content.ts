/** What a cell names, so that a page can link it and copy it whole. */
export type CellSubject =
  | { readonly uid: string }
  | { readonly transaction: string }
  | { readonly account: string }
  | { readonly token: string }
  | { readonly auction: number }
  | { readonly solver: string };

/** A piece of text on a page, never markup. */
export interface Cell {
  /** What is shown. */
  readonly text: string;
  /** What it stands for. */
  readonly subject?: CellSubject | undefined;
  /** What follows the text and is not part of its link. @default {nothing} */
  readonly after?: string;
  /** All digits, or the whole text, where `text` is shortened. */
  readonly exact?: string | undefined;
  /** How it is meant. */
  readonly tone?: Tone | undefined;
}

/** How something is meant: as it should be, as a warning, as a fault, or neither. */
export type Tone = "good" | "warning" | "bad" | "neutral";

/** A fact with its name. */
export interface Fact {
  /** Its name. */
  readonly name: string;
  /** Its value. */
  readonly value: Cell;
}

/** A column of a table. */
export interface ReportColumn {
  /** Its name, with its unit where it has one. */
  readonly name: string;
  /** Whether its values are numbers, which stand at the right. */
  readonly isNumber?: boolean | undefined;
  /** Whether narrow pages leave it out. */
  readonly isMinor?: boolean | undefined;
  /** Whether its texts, such as times, are never shortened. */
  readonly isWhole?: boolean | undefined;
  /** Whether it has sentences, which a terminal shows whole in several lines. @default {false} */
  readonly isSentence?: boolean;
}

/** A table on a page. */
export interface ReportTable {
  /** Its columns. */
  readonly columns: readonly ReportColumn[];
  /** Its rows. */
  readonly rows: readonly (readonly Cell[])[];
  /** Rows of which a page folds all but the first where several follow each other. */
  readonly minor?: {
    /** Their indices. */
    readonly rows: ReadonlySet<number>;
    /** What they are, such as `bids that lost`. */
    readonly name: string;
  } | undefined;
}

/** A picture on a page. */
export interface PagePicture {
  /** The drawing for pages from 640 pixels on, a standalone `<svg>` document with its name. */
  readonly svg: string;
  /** The same for narrower pages. */
  readonly narrow: string;
}

/** A part of a page. */
export interface Section {
  /** Its name in links, in kebab-case. */
  readonly id: string;
  /** Its heading. */
  readonly title: string;
  /** A sentence below it. */
  readonly note?: string | undefined;
  /** Facts. */
  readonly facts?: readonly Fact[] | undefined;
  /** A table. */
  readonly table?: ReportTable | undefined;
  /** A picture. */
  readonly chart?: PagePicture | undefined;
  /** Text as it is, such as an app data document. */
  readonly raw?: string | undefined;
}

/** A report as text and as a page show it: words and cells, without any markup. */
export interface PageContent {
  /** What it is about. */
  readonly title: string;
  /** What it is about, to link and to copy. */
  readonly subject: CellSubject;
  /** The answer, as one sentence. */
  readonly sentence: string;
  /** How the answer is meant. */
  readonly tone: Tone;
  /** What stands beside the answer. */
  readonly facts: readonly Fact[];
  /** The parts, most important first. */
  readonly sections: readonly Section[];
  /** Name of the network for links; `null` without one. */
  readonly network: string | null;
  /** The command that makes the page again. */
  readonly command: string;
  /** The report as data, which the page embeds as JSON. */
  readonly data: unknown;
}

/** Plain text as a cell. */
export function cell(text: string | number | null | undefined): Cell {
  return { text: text === null || text === undefined ? "–" : String(text) };
}
