import { explorerUrl } from "../networks/explorer_url.ts";
import type { NetworkName } from "../networks/network.ts";
import type { TokenAmounts } from "../tables/columns/lookups.ts";
import { MAX_DECIMALS } from "../units/arithmetic.ts";
import { formatReadable } from "../units/format.ts";
import { atomsToNumber } from "../units/mod.ts";
import { NATIVE_DECIMALS } from "../units/parse_atoms.ts";
import {
  classifyHex,
  type Leaf,
  type Outline,
  type RecordOutline,
  type TableOutline,
  toSnakeCase,
} from "./outline_html.ts";

/** Network and tokens of the values. */
export interface ReadingFacts {
  /** The public network of the values, for links to its explorers; `undefined` where not known. */
  readonly network: NetworkName | undefined;
  /** Decimals and symbols of tokens. */
  readonly amounts: TokenAmounts;
  /** Symbol of the native token; `native tokens` where the network is not known. */
  readonly nativeSymbol: string;
}

/** Context of a value: the name of its field in snake_case, and the fields around it, the nearest first. */
interface FieldContext {
  readonly name: string;
  readonly around: readonly Fields[];
  readonly facts: ReadingFacts;
}

/**
 * Annotates an outline for HTML: amounts in whole tokens, and the kinds of UIDs, hashes and addresses,
 * with their pages. No text is changed.
 */
export function annotate(outline: Outline, facts: ReadingFacts): Outline {
  return annotateOutline(outline, { name: "", around: [], facts });
}

function annotateOutline(outline: Outline, context: FieldContext): Outline {
  switch (outline.kind) {
    case "leaf":
      return annotateLeaf(outline, context);
    case "record":
      return annotateRecord(outline, context);
    case "list":
      return { ...outline, items: outline.items.map((item) => annotateOutline(item, context)) };
    case "table":
      return annotateTable(outline, context);
    case "error":
      return outline;
  }
}

function annotateLeaf(leaf: Leaf, { name, around, facts }: FieldContext): Leaf {
  const hex = classifyHex(name, leaf.text);
  if (hex !== undefined) {
    const href = findHref(hex, leaf.text, facts);
    return { ...leaf, hex, ...(href === undefined ? {} : { href }) };
  }
  const readable = formatAmount(name, leaf, { around, facts });
  return readable === undefined ? leaf : { ...leaf, readable };
}

function findHref(
  kind: NonNullable<Leaf["hex"]>,
  text: string,
  { network }: ReadingFacts,
): string | undefined {
  if (network === undefined || kind === "hash") return undefined;
  // The native token has no page, and neither has an absent account.
  if (/^0x(?:0+|e+)$/i.test(text)) return undefined;
  return explorerUrl(network, { [kind]: text } as { account: string });
}

function annotateRecord(record: RecordOutline, context: FieldContext): RecordOutline {
  const { name, around, facts } = context;
  const inside = [collectFields(record.entries), ...around];
  return {
    ...record,
    entries: record.entries.map(([key, value]) => {
      // A value under an address is named by the field around it: scores, prices.
      const fieldName = classifyHex("", key) === undefined ? toSnakeCase(key) : name;
      return [key, annotateOutline(value, { name: fieldName, around: inside, facts })];
    }),
  };
}

function annotateTable(table: TableOutline, { around, facts }: FieldContext): TableOutline {
  const names = table.columns.map((column) => toSnakeCase(column.name));
  return {
    ...table,
    rows: table.rows.map((row) => {
      const fields = collectFields(names.map((name, column) => [name, row[column]]));
      const context = { around: [fields, ...around], facts };
      return row.map((cell, column) =>
        cell === undefined ? undefined : annotateLeaf(cell, { ...context, name: names[column]! })
      );
    }),
  };
}

function collectFields(
  entries: Iterable<readonly [name: string, value: Outline | undefined]>,
): Fields {
  const fields = new Map<string, Leaf>();
  for (const [name, value] of entries) {
    if (value?.kind === "leaf" && value.faint !== true) fields.set(toSnakeCase(name), value);
  }
  return fields;
}

/** Leaves of a record by the name of their field, in snake_case. */
type Fields = ReadonlyMap<string, Leaf>;

/** Fields that are always in native atoms. */
const NATIVE_FIELDS = /(?:^|_)scores?(?:_|$)|^(?:gas_cost|volume_won|win_margin_sum)$/;

/** Field in atoms of COW, the protocol's token, which has 18 decimals too. */
const COW_FIELD = "quote_reward_cow";

/** Fields that name the token of an amount, by the amount without `_atoms`: the first match counts. */
const TOKEN_FIELDS: readonly (readonly [amount: RegExp, ...fields: string[]])[] = [
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
 * Formats an amount of atoms in whole tokens with its unit, if its field and those around it identify its
 * token and decimals; never a guess.
 *
 * @param name Name of its field in snake_case.
 */
function formatAmount(
  name: string,
  { text, isExact }: Leaf,
  { around, facts }: Omit<FieldContext, "name">,
): string | undefined {
  if (isExact !== true || !/^-?[0-9]+$/.test(text)) return undefined;
  const atoms = BigInt(text);
  const [row] = around;
  const stem = name.replace(/_atoms$/, "");
  const formatNative = () => formatReadable(atoms, NATIVE_DECIMALS, facts.nativeSymbol);
  if (NATIVE_FIELDS.test(stem) || isNativeColumn(name, row)) return formatNative();
  if (stem === COW_FIELD) return formatReadable(atoms, NATIVE_DECIMALS, "COW");
  const fields = listTokenFields(name, stem);
  const token = stem === "amount" && row?.get("token")?.text || findNearest(fields, around);
  const sibling = inferDecimals(atoms, row?.get(`${stem}_tokens`)?.text);
  if (token !== undefined && /^0x[0-9a-f]{40}$/i.test(token)) {
    const decimals = facts.amounts.decimals(token) ?? sibling;
    if (decimals === undefined) return undefined;
    return formatReadable(atoms, decimals, facts.amounts.label(token));
  }
  if (isNativeAmount(atoms, row?.get(`${name}_native`)?.text)) return formatNative();
  const [sell, buy] = row?.get("pair")?.text.split(" → ") ?? [];
  const symbol = { sell_token: sell, buy_token: buy }[fields[0] ?? ""] ?? "tokens";
  return sibling === undefined ? undefined : formatReadable(atoms, sibling, symbol);
}

/** Lists the fields that name the token of an amount; in a derived table, the surplus token. */
function listTokenFields(name: string, stem: string): readonly string[] {
  const [, ...fields] = TOKEN_FIELDS.find(([amount]) => amount.test(stem)) ?? [];
  return fields.length > 0 || stem === name ? fields : ["surplus_token"];
}

/** Whether the columns beside an amount of a derived table show that it is of the native token. */
function isNativeColumn(name: string, row: Fields | undefined): boolean {
  if (!name.endsWith("_atoms")) return false;
  const stem = name.slice(0, -"_atoms".length);
  return row?.has(`${stem}_tokens`) !== true &&
    (stem.endsWith("_native") ? row?.has(stem) : row?.has(`${stem}_native`)) === true;
}

/** Finds the nearest value of the first field that is present. */
function findNearest(names: readonly string[], around: readonly Fields[]): string | undefined {
  for (const name of names) {
    const fields = around.find((candidate) => candidate.has(name));
    if (fields !== undefined) return fields.get(name)?.text;
  }
  return undefined;
}

/** Whether a column of native tokens beside an amount is the amount itself, and not its value. */
function isNativeAmount(atoms: bigint, native: string | undefined): boolean {
  return atoms !== 0n && native !== undefined &&
    Number(native) === atomsToNumber(atoms, NATIVE_DECIMALS);
}

/** Infers the decimals by which an amount was divided for the column of whole tokens beside it. */
function inferDecimals(atoms: bigint, tokens: string | undefined): number | undefined {
  const value = Number(tokens);
  if (tokens === undefined || atoms === 0n || !Number.isFinite(value)) return undefined;
  for (let decimals = 0; decimals <= MAX_DECIMALS; decimals++) {
    if (atomsToNumber(atoms, decimals) === value) return decimals;
  }
  return undefined;
}
