import { explorerUrl } from "../networks/explorer_url.ts";
import type { NetworkName } from "../networks/network.ts";
import type { TokenAmounts } from "../tables/columns/lookups.ts";
import { readableAmount } from "../units/format.ts";
import { atomsToNumber } from "../units/mod.ts";
import {
  hexKind,
  type Leaf,
  type Outline,
  type RecordOutline,
  snakeCase,
  type TableOutline,
} from "./outline_html.ts";

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

/** Fields by name in snake_case: those of a record, then those of the records around it. */
type Surroundings = readonly ReadonlyMap<string, Leaf>[];

/** What amounts are read with. */
interface AmountFacts {
  /** Decimals and symbols of tokens. */
  readonly amounts: TokenAmounts;
  /** Symbol of the native token; `native tokens` where the network is not known. */
  readonly nativeSymbol: string;
}

const NATIVE_DECIMALS = 18;
const MOST_DECIMALS = 77;

/** Fields that are in native atoms wherever they are. */
const NATIVE = new Set([
  "gas_cost",
  "own_score",
  "pair_score_high",
  "pair_score_low",
  "reference_score",
  "reference_score_sum",
  "reference_scores",
  "score",
  "score_won",
  "total_score",
  "volume_won",
  "win_margin_sum",
]);

/** Fields in atoms of COW, the protocol's token, which has 18 decimals too. */
const COW = new Set(["quote_reward_cow"]);

const SELL = ["sell_token"];
const BUY = ["buy_token"];
const FEE = ["fee_token"];
const SURPLUS = ["surplus_token"];
const OWN = ["token"];

/** Fields that name the token of an amount, the first one that there is. */
const TOKEN_OF: Readonly<Record<string, readonly string[]>> = {
  sell_amount: SELL,
  sell_amount_before_fees: SELL,
  executed_sell_amount: SELL,
  executed_sell_amount_before_fees: SELL,
  executed_fee_amount: SELL,
  quote_sell_amount: SELL,
  quote_fee: SELL,
  quote_network_fee: SELL,
  signed_fee: SELL,
  fee_amount: [...FEE, ...SELL],
  buy_amount: BUY,
  executed_buy_amount: BUY,
  quote_buy_amount: BUY,
  executed_fee: ["executed_fee_token", ...FEE],
  difference: FEE,
  amount_before: FEE,
  amount_after: FEE,
  amount_low: SURPLUS,
  amount_high: SURPLUS,
  surplus: SURPLUS,
  left: SURPLUS,
  fee: [...FEE, ...SELL],
  recomputed: FEE,
  uncapped: FEE,
  protocol_fee_total: SURPLUS,
  network_part_low: SURPLUS,
  network_part_high: SURPLUS,
  market_part_low: SURPLUS,
  market_part_high: SURPLUS,
  protocol_part: SURPLUS,
  partner_part: SURPLUS,
  slippage_gross: SURPLUS,
  slippage_net: SURPLUS,
  slippage_user_shown: SURPLUS,
  slippage_limit: SURPLUS,
  surplus_atoms: SURPLUS,
  price_difference_atoms: SURPLUS,
  network_fee_atoms: SURPLUS,
  all_fees_atoms: SURPLUS,
  atoms: OWN,
  in_atoms: OWN,
  out_atoms: OWN,
  net_atoms: OWN,
  in_amount: OWN,
  out_amount: OWN,
  net_amount: OWN,
};

/**
 * An amount of atoms in whole tokens with its unit, if its field and those around it tell which
 * token it is of and what its decimals are; never a guess.
 *
 * @param name Name of its field in snake_case.
 */
function amountOf(
  name: string,
  { text, isExact }: Leaf,
  { around, facts }: { readonly around: Surroundings; readonly facts: AmountFacts },
): string | undefined {
  if (isExact !== true || !/^-?[0-9]+$/.test(text)) return undefined;
  const atoms = BigInt(text);
  const stem = name.replace(/_atoms$/, "");
  const sibling = around[0]?.get(`${stem}_tokens`)?.text;
  const token = isOfNative(name, around) ? undefined : tokenOf(name, around);
  if (token !== undefined) {
    const decimals = facts.amounts.decimals(token) ?? decimalsIn(atoms, sibling);
    if (decimals === undefined) return undefined;
    return readableAmount(atoms, decimals, facts.amounts.label(token));
  }
  if (
    NATIVE.has(name) || isOfNative(name, around) ||
    isNative(atoms, around[0]?.get(`${name}_native`)?.text)
  ) {
    return readableAmount(atoms, NATIVE_DECIMALS, facts.nativeSymbol);
  }
  if (COW.has(stem)) return readableAmount(atoms, NATIVE_DECIMALS, "COW");
  const decimals = decimalsIn(atoms, sibling);
  const symbol = symbolIn(name, around[0]?.get("pair")?.text);
  return decimals === undefined ? undefined : readableAmount(atoms, decimals, symbol);
}

function tokenOf(name: string, around: Surroundings): string | undefined {
  // A fee of a fill: its token is beside it, and no one else's.
  const own = name === "amount" || name === "amount_atoms"
    ? around[0]?.get("token")?.text
    : undefined;
  const token = own ?? tokenFieldsOf(name).map((field) => near(field, around))
    .find((one) => one !== undefined);
  return token !== undefined && /^0x[0-9a-f]{40}$/i.test(token) ? token : undefined;
}

/** The fields that name the token of an amount; that of an answer is of the surplus token. */
function tokenFieldsOf(name: string): readonly string[] {
  const stem = name.replace(/_atoms$/, "");
  return TOKEN_OF[name] ?? TOKEN_OF[stem] ?? (stem === name ? [] : SURPLUS);
}

/** Whether the columns beside an amount of an answer say that it is of the native token. */
function isOfNative(name: string, [row]: Surroundings): boolean {
  if (!name.endsWith("_atoms")) return false;
  const stem = name.slice(0, -"_atoms".length);
  return row?.has(`${stem}_tokens`) !== true &&
    (stem.endsWith("_native") ? row?.has(stem) : row?.has(`${stem}_native`)) === true;
}

function near(field: string, around: Surroundings): string | undefined {
  return around.find((fields) => fields.has(field))?.get(field)?.text;
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
  for (let decimals = 0; decimals <= MOST_DECIMALS; decimals++) {
    if (atomsToNumber(atoms, decimals) === value) return decimals;
  }
  return undefined;
}

function symbolIn(name: string, pair: string | undefined): string {
  const [sell, buy] = pair?.split(" → ") ?? [];
  const fields = tokenFieldsOf(name);
  return (fields === SELL ? sell : fields === BUY ? buy : undefined) ?? "tokens";
}
