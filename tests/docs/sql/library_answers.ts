import type { LibraryRows, Row } from "../../sql/library_rows.ts";

/** What a question of the page is answered from. */
export interface Facts {
  readonly library: LibraryRows;
  readonly lives: readonly Row[];
}

const WAD = 10n ** 18n;

/** Rows of groups, by the text of their columns. */
function grouped(rows: readonly Row[], names: readonly string[]): [Row, Row[]][] {
  const groups = Map.groupBy(rows, (row) => names.map((name) => String(row[name])).join("\n"));
  return [...groups].sort(([a], [b]) => a < b ? -1 : 1).map(([, own]) => [
    Object.fromEntries(names.map((name) => [name, own[0]![name]])),
    own,
  ]);
}

function sum(values: readonly (bigint | null)[]): string | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : String(known.reduce((all, one) => all + one, 0n));
}

function amounts(rows: readonly Row[], name: string): bigint[] {
  return rows.map((row) => BigInt(String(row[name])));
}

function descending(name: string) {
  return (one: Row, two: Row) => BigInt(String(one[name])) < BigInt(String(two[name])) ? 1 : -1;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
}

function rounded(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}

function numbers(rows: readonly Row[], name: string): number[] {
  return rows.flatMap((row) => typeof row[name] === "number" ? [row[name]] : []);
}

/** An amount in native atoms, at the price of its auction; rounded down, below zero too. */
function worth({ library }: Facts, { auction_id, token, atoms }: Row): bigint | null {
  const { auction } = library.competitions.find((one) => one.auctionId === auction_id)!;
  const [, price] = Object.entries(auction.prices)
    .find(([address]) => address.toLowerCase() === String(token).toLowerCase()) ?? [];
  if (price === undefined) return null;
  const product = BigInt(String(atoms)) * price;
  return (product - ((product % WAD) + WAD) % WAD) / WAD;
}

const leaders = ({ library }: Facts) =>
  library.leaderboard().toSorted(descending("score_won")).map((row) => ({
    solver: row.solver,
    auctions_bid: row.auctions_bid,
    auctions_won: row.auctions_won,
    score_won: row.score_won,
    share: rounded(Number(row.score_share), 3),
  }));

const policies = (facts: Facts) =>
  grouped(facts.library.fees, ["policy_kind", "is_partner"]).map(([group, own]) => ({
    ...group,
    fees: own.length,
    native_atoms: sum(
      own.map(({ auction_id, fee_token, fee_amount }) =>
        worth(facts, { auction_id, token: fee_token, atoms: fee_amount })
      ),
    ),
  }));

const pairs = ({ library }: Facts) =>
  library.pairs().filter(({ wins }) => Number(wins) > 0).toSorted(descending("volume")).slice(0, 5)
    .map(({ sell_token, buy_token, solver, bids, wins, volume }) => ({
      pair: `${sell_token} ${buy_token}`,
      solver,
      bids,
      wins,
      volume,
    }));

const surpluses = (facts: Facts) =>
  facts.library.fills().map((row) => ({
    block_number: row.block_number,
    log_index: row.log_index,
    kind: row.kind,
    native_atoms: worth(facts, {
      auction_id: row.auction_id,
      token: row.surplus_token,
      atoms: row.surplus,
    }),
    bps_of_limit: rounded(Number(row.surplus_bps_of_limit), 1),
  })).toSorted(descending("native_atoms")).slice(0, 3)
    .map((row) => ({ ...row, native_atoms: String(row.native_atoms) }));

const quotes = ({ library }: Facts) =>
  grouped(library.fills(), ["kind"]).map(([group, own]) => ({
    ...group,
    fills: own.length,
    as_good_as_shown: numbers(own, "slippage_user_shown_bps").filter((bps) => bps >= 0).length,
    gross: rounded(median(numbers(own, "slippage_gross_bps")), 2),
    net: rounded(median(numbers(own, "slippage_net_bps")), 2),
    shown: rounded(median(numbers(own, "slippage_user_shown_bps")), 2),
    against_limit: rounded(median(numbers(own, "slippage_limit_bps")), 2),
  }));

const parts = (facts: Facts) => {
  const fills = facts.library.fills().filter((row) => row.decomposition_reason === null);
  const native = (name: string) =>
    sum(
      fills.map((row) =>
        worth(facts, { auction_id: row.auction_id, token: row.surplus_token, atoms: row[name] })
      ),
    );
  return [{
    fills: fills.length,
    network: native("network_part_low"),
    protocol: native("protocol_part"),
    partner: native("partner_part"),
    market: native("market_part_high"),
  }];
};

const competition = ({ library }: Facts) =>
  grouped(library.auctions(), ["winner_count"]).map(([group, own]) => ({
    ...group,
    auctions: own.length,
    solutions: numbers(own, "solution_count").reduce((all, one) => all + one, 0),
    score: sum(amounts(own, "total_score")),
    margins: sum(amounts(own, "margin_sum")),
  }));

const settled = ({ library }: Facts) => {
  const solutions = new Map(
    library.competitions.flatMap(({ auctionId, solutions }) =>
      solutions.map((one): [string, typeof one] => [`${auctionId} ${one.ranking}`, one])
    ),
  );
  const outcomes = library.outcomes().map((row) => {
    const { solverAddress, score } = solutions.get(`${row.auction_id} ${row.ranking}`)!;
    return { solver: solverAddress, outcome: row.outcome, score };
  });
  return grouped(outcomes, ["solver", "outcome"]).map(([group, own]) => ({
    ...group,
    solutions: own.length,
    score: sum(amounts(own, "score")),
  }));
};

const waits = ({ lives }: Facts) =>
  grouped(lives, ["market_position", "status"]).map(([group, own]) => ({
    ...group,
    orders: own.length,
    fills: numbers(own, "fill_count").reduce((all, one) => all + one, 0),
    seconds_to_first_fill: rounded(median(numbers(own, "time_to_first_fill_seconds")), 1),
  }));

const left = (facts: Facts) =>
  grouped(facts.library.leftOnTheTable(), ["kind"]).map(([group, own]) => {
    const better = own.filter(({ left_atoms }) => left_atoms !== null && Number(left_atoms) > 0);
    return {
      ...group,
      fills: own.length,
      with_better_bid: better.length,
      native_atoms: sum(
        better.map((row) =>
          worth(facts, {
            auction_id: row.auction_id,
            token: row.surplus_token,
            atoms: row.left_atoms,
          })
        ),
      ),
    };
  });

/** What the library answers to each question, without SQL: rows with the columns that it names. */
export const ANSWERS: readonly ((facts: Facts) => readonly Row[])[] = [
  leaders,
  policies,
  pairs,
  surpluses,
  quotes,
  parts,
  competition,
  settled,
  waits,
  left,
];
