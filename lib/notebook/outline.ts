import type { HexKind } from "./hex_kind.ts";

/** A value as a reader sees it, before it is written as text or as HTML. */
export type Outline = Leaf | RecordOutline | ListOutline | TableOutline | ErrorOutline;

/** A value on one line. */
export interface Leaf {
  readonly kind: "leaf";
  /** The whole text. */
  readonly text: string;
  /** A number of any kind, including decimal text: right-aligned in a column. */
  readonly numeric?: true;
  /** An absent value (`null`, `undefined`, an empty list). */
  readonly faint?: true;
  /** An integer of which no digit can be missing: a `bigint`, or text. */
  readonly isExact?: true;
  /** What it is the UID, hash or address of. */
  readonly hex?: HexKind;
  /** The page of that in an explorer. */
  readonly href?: string;
  /** The same amount in whole tokens, rounded for reading, with its unit. */
  readonly readable?: string;
}

/** Named values. */
export interface RecordOutline {
  readonly kind: "record";
  /** Class of the object; absent for plain objects. */
  readonly name?: string;
  readonly entries: readonly (readonly [key: string, value: Outline])[];
  /** Number of omitted entries. */
  readonly hidden: number;
}

/** Values by position. */
export interface ListOutline {
  readonly kind: "list";
  readonly items: readonly Outline[];
  /** Number of omitted elements. */
  readonly hidden: number;
}

/** Flat records under common columns. */
export interface TableOutline {
  readonly kind: "table";
  readonly columns: readonly TableColumn[];
  /** One cell per column; `undefined` where the record has no such key. */
  readonly rows: readonly (readonly (Leaf | undefined)[])[];
  /** Number of omitted rows. */
  readonly hidden: number;
  /** What is surely wrong with a column, as sentences. */
  readonly warnings?: readonly string[];
}

/** A column of a {@linkcode TableOutline}. */
export interface TableColumn {
  readonly name: string;
  /** Whether all its cells are numbers. */
  readonly numeric: boolean;
}

/** A failure: message, facts and remedy; never a stack. */
export interface ErrorOutline {
  readonly kind: "error";
  readonly name: string;
  /** What programs branch on, for the library's own errors. */
  readonly code?: string;
  /** What failed, one line per fact. */
  readonly lines: readonly string[];
  /** What to do, for the library's own errors. */
  readonly remedy?: string;
  /** The failures behind it, the nearest first. */
  readonly causes: readonly string[];
}
