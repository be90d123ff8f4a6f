import { explorerUrl } from "../networks/explorer_url.ts";
import type { NetworkName } from "../networks/network.ts";
import type { TokenAmounts } from "../tables/columns/lookups.ts";
import { MAX_DECIMALS } from "../units/arithmetic.ts";
import { formatReadable } from "../units/format.ts";
import { atomsToNumber } from "../units/mod.ts";
import { NATIVE_DECIMALS } from "../units/parse_atoms.ts";
import {
  hexKind,
  type Leaf,
  type Outline,
  type RecordOutline,
  snakeCase,
  type TableOutline,
} from "./outline_html.ts";

/** What values are read with. */
export interface ReadingFacts {
  /** The public network of the values, for links to its explorers; `undefined` where not known. */
  readonly network: NetworkName | undefined;
  /** Decimals and symbols of tokens. */
  readonly amounts: TokenAmounts;
  /** Symbol of the native token; `native tokens` where the network is not known. */
  readonly nativeSymbol: string;
}

/** A value's place: the name of its field in snake_case, and those around it, the nearest first. */
interface Place {
  readonly name: string;
  readonly around: readonly Fields[];
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
): Fields {
  const fields = new Map<string, Leaf>();
  for (const [name, value] of entries) {
    if (value?.kind === "leaf" && value.faint !== true) fields.set(snakeCase(name), value);
  }
  return fields;
}

/** Leaves of a record by the name of their field, in snake_case. */
type Fields = ReadonlyMap<string, Leaf>;

/** What is in native atoms wherever it stands. */
const NATIVE = /(?:^|_)scores?(?:_|$)|^(?:gas_cost|volume_won|win_margin_sum)$/;

/** What is in atoms of COW, the protocol's token, which has 18 decimals too. */
const COW = "quote_reward_cow";

/** What names the token of an amount, by the amount without `_atoms`: the first that fits. */
const TOKENS: readonly (readonly [amount: RegExp, ...fields: string[]])[] = [
  [
    /(?:^|_)sell_amount(?:_|$)|^(?:signed|quote|quote_network)_fee$|^executed_fee_amount$/,
    "sell_token",
  ],
  [/(?:^|_)buy_amount$/, "buy_token"],
  [/^executed_fee$/, "executed_fee_token", "fee_token"],
  [/^fee(?:_amount)?$/, "fee_token", "sell_token"],
  [/^(?:difference|recomputed|uncapped)$/, "fee_token"],
  [/^(?:atoms|(?:in|out|net)(?:_amount)?)$/, "token"],
  [/^(?:surplus|left|slippage_\w+|\w+_part(?:_low|_high)?)$/, "surplus_token"],
];

/**
 * An amount of atoms in whole tokens with its unit, if its field and those around it tell which
 * token it is of and what its decimals are; never a guess.
 *
 * @param name Name of its field in snake_case.
 */
function amountOf(
  name: string,
  { text, isExact }: Leaf,
  { around, facts }: Omit<Place, "name">,
): string | undefined {
  if (isExact !== true || !/^-?[0-9]+$/.test(text)) return undefined;
  const atoms = BigInt(text);
  const [row] = around;
  const stem = name.replace(/_atoms$/, "");
  const native = () => formatReadable(atoms, NATIVE_DECIMALS, facts.nativeSymbol);
  if (NATIVE.test(stem) || isOfNative(name, row)) return native();
  if (stem === COW) return formatReadable(atoms, NATIVE_DECIMALS, "COW");
  const fields = tokenFieldsOf(name, stem);
  const token = stem === "amount" && row?.get("token")?.text || near(fields, around);
  const sibling = decimalsIn(atoms, row?.get(`${stem}_tokens`)?.text);
  if (token !== undefined && /^0x[0-9a-f]{40}$/i.test(token)) {
    const decimals = facts.amounts.decimals(token) ?? sibling;
    if (decimals === undefined) return undefined;
    return formatReadable(atoms, decimals, facts.amounts.label(token));
  }
  if (isNative(atoms, row?.get(`${name}_native`)?.text)) return native();
  const [sell, buy] = row?.get("pair")?.text.split(" → ") ?? [];
  const symbol = { sell_token: sell, buy_token: buy }[fields[0] ?? ""] ?? "tokens";
  return sibling === undefined ? undefined : formatReadable(atoms, sibling, symbol);
}

/** The fields that name the token of an amount; that of an answer is of the surplus token. */
function tokenFieldsOf(name: string, stem: string): readonly string[] {
  const [, ...fields] = TOKENS.find(([amount]) => amount.test(stem)) ?? [];
  return fields.length > 0 || stem === name ? fields : ["surplus_token"];
}

/** Whether the columns beside an amount of an answer say that it is of the native token. */
function isOfNative(name: string, row: Fields | undefined): boolean {
  if (!name.endsWith("_atoms")) return false;
  const stem = name.slice(0, -"_atoms".length);
  return row?.has(`${stem}_tokens`) !== true &&
    (stem.endsWith("_native") ? row?.has(stem) : row?.has(`${stem}_native`)) === true;
}

/** The nearest value of the first field that there is. */
function near(names: readonly string[], around: readonly Fields[]): string | undefined {
  for (const name of names) {
    const fields = around.find((one) => one.has(name));
    if (fields !== undefined) return fields.get(name)?.text;
  }
  return undefined;
}

/** Whether a column of native tokens beside an amount is the amount itself, and not its worth. */
function isNative(atoms: bigint, native: string | undefined): boolean {
  return atoms !== 0n && native !== undefined &&
    Number(native) === atomsToNumber(atoms, NATIVE_DECIMALS);
}

/** The decimals by which an amount was divided for the column of whole tokens beside it. */
function decimalsIn(atoms: bigint, tokens: string | undefined): number | undefined {
  const value = Number(tokens);
  if (tokens === undefined || atoms === 0n || !Number.isFinite(value)) return undefined;
  for (let decimals = 0; decimals <= MAX_DECIMALS; decimals++) {
    if (atomsToNumber(atoms, decimals) === value) return decimals;
  }
  return undefined;
}
