import { explorerUrl } from "../networks/explorer_url.ts";
import type { NetworkName } from "../networks/network.ts";
import { type AmountFacts, amountOf, type Surroundings } from "./amount_of.ts";
import { hexKind, snakeCase } from "./hex_kind.ts";
import type { Leaf, Outline, RecordOutline, TableOutline } from "./outline.ts";

/** What values are read with. */
export interface ReadingFacts extends AmountFacts {
  /** The public network of the values, for links to its explorers; `undefined` where not known. */
  readonly network: NetworkName | undefined;
}

/** A value's place: the name of its field in snake_case, and the fields around it. */
interface Place {
  readonly name: string;
  readonly around: Surroundings;
  readonly facts: ReadingFacts;
}

/**
 * Adds to an outline what its HTML shows besides the plain text: amounts in whole tokens, and which
 * texts are UIDs, hashes and addresses, with their pages. No text is changed.
 */
export function annotate(outline: Outline, facts: ReadingFacts): Outline {
  return annotated(outline, { name: "", around: [], facts });
}

function annotated(outline: Outline, place: Place): Outline {
  switch (outline.kind) {
    case "leaf":
      return annotatedLeaf(outline, place);
    case "record":
      return annotatedRecord(outline, place);
    case "list":
      return { ...outline, items: outline.items.map((item) => annotated(item, place)) };
    case "table":
      return annotatedTable(outline, place);
    case "error":
      return outline;
  }
}

function annotatedLeaf(leaf: Leaf, { name, around, facts }: Place): Leaf {
  const hex = hexKind(name, leaf.text);
  if (hex !== undefined) {
    const href = hrefOf(hex, leaf.text, facts);
    return { ...leaf, hex, ...(href === undefined ? {} : { href }) };
  }
  const readable = amountOf(name, leaf, { around, facts });
  return readable === undefined ? leaf : { ...leaf, readable };
}

function hrefOf(
  kind: NonNullable<Leaf["hex"]>,
  text: string,
  { network }: ReadingFacts,
): string | undefined {
  if (network === undefined || kind === "hash") return undefined;
  // The native token has no page, and neither has an absent account.
  if (/^0x(?:0+|e+)$/i.test(text)) return undefined;
  return explorerUrl(network, { [kind]: text } as { account: string });
}

function annotatedRecord(record: RecordOutline, { name, around, facts }: Place): RecordOutline {
  const inside = [fieldsOf(record.entries), ...around];
  return {
    ...record,
    entries: record.entries.map(([key, value]) => {
      // What stands under an address is named by the field that holds it: scores, prices.
      const own = hexKind("", key) === undefined ? snakeCase(key) : name;
      return [key, annotated(value, { name: own, around: inside, facts })];
    }),
  };
}

function annotatedTable(table: TableOutline, { around, facts }: Place): TableOutline {
  const names = table.columns.map((column) => snakeCase(column.name));
  return {
    ...table,
    rows: table.rows.map((row) => {
      const fields = fieldsOf(names.map((name, column) => [name, row[column]]));
      const place = { around: [fields, ...around], facts };
      return row.map((cell, column) =>
        cell === undefined ? undefined : annotatedLeaf(cell, { ...place, name: names[column]! })
      );
    }),
  };
}

function fieldsOf(
  entries: Iterable<readonly [name: string, value: Outline | undefined]>,
): Map<string, Leaf> {
  const fields = new Map<string, Leaf>();
  for (const [name, value] of entries) {
    if (value?.kind === "leaf" && value.faint !== true) fields.set(snakeCase(name), value);
  }
  return fields;
}
