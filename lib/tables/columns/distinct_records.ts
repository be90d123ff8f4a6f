import type { RecordLists } from "./records.ts";

type RecordKeys = {
  readonly [Name in keyof RecordLists]: ((record: RecordLists[Name]) => unknown) | null;
};

/** Key of a record among rows; `null` where equal records have separate rows. */
const KEYS: RecordKeys = {
  competitions: ({ auctionId }) => auctionId,
  orders: ({ uid }) => uid,
  trades: ({ orderUid, blockNumber, logIndex }) => `${blockNumber} ${logIndex} ${orderUid}`,
  debugReports: ({ orderUid }) => orderUid,
  records: ({ order }) => order.uid,
  evidence: ({ order }) => order.uid,
  audits: ({ txHash }) => txHash,
  onchainSettlements: ({ txHash }) => txHash,
  documents: ({ hash }) => hash,
  blocks: ({ number }) => number,
  listings: ({ uid, first }) => `${first} ${uid}`,
  markouts: null,
};

/**
 * The records of a list without those that repeat an earlier one, such as an order that two pages
 * have. Records of one key that differ all stay, such as an order in two states.
 */
export function distinctRecords<Name extends keyof RecordLists>(
  name: Name,
  records: readonly RecordLists[Name][],
): readonly RecordLists[Name][] {
  const keyOf: ((record: RecordLists[Name]) => unknown) | null = KEYS[name];
  if (keyOf === null || new Set(records.map(keyOf)).size === records.length) return records;
  const indexes = [...Map.groupBy(records.keys(), (index) => keyOf(records[index]!)).values()]
    .flatMap((group) => {
      if (group.length === 1) return group;
      return [
        ...new Map(group.toReversed().map((index) => [toText(records[index]), index])).values(),
      ];
    });
  return indexes.sort((a, b) => a - b).map((index) => records[index]!);
}

/** The order with each of its trades once. */
export function withDistinctTrades<Record extends Pick<RecordLists["evidence"], "trades">>(
  record: Record,
): Record {
  const { trades } = record;
  if (trades == null || Array.isArray(trades) && trades.length < 2) return record;
  const distinct = distinctRecords("trades", Array.isArray(trades) ? trades : [...trades]);
  return distinct === trades ? record : { ...record, trades: distinct };
}

/** A record as text, in which maps and sets have what they hold. */
function toText(record: unknown): string {
  return JSON.stringify(record, (_, value) => {
    if (typeof value === "bigint") return `${value}n`;
    return value instanceof Map || value instanceof Set ? [...value] : value;
  });
}
