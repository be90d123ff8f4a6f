import type { LogQuery, ViewedLog } from "../../evm/node/chain_view.ts";
import { isWanted } from "../../evm/node/log_query.ts";
import {
  type EncodedEvent,
  encodeInteractionEvent,
  encodePreSignatureEvent,
  encodeSettlementEvent,
  encodeTradeEvent,
  encodeTransferEvent,
  encodeWithdrawalEvent,
  eventTopic,
} from "../../evm/settlement/encode_settlement_events.ts";
import { type ChainEvent, chainEvents } from "../market/settlement/chain_events.ts";
import { interactionOf } from "../market/settlement/settlement_steps.ts";
import type { ChainTransaction } from "../market/state/chain.ts";
import { SETTLEMENT_CONTRACT } from "../market/state/market.ts";

/** A filter of the logs of a transaction. */
type LogFilter = Pick<LogQuery, "addresses" | "topics">;

const ALL: LogFilter = { addresses: null, topics: [] };

/** Logs of a transaction in order, all or those that match the filter. */
export function* logsOf(
  transaction: ChainTransaction,
  wanted: LogFilter = ALL,
): Generator<ViewedLog> {
  const { hash, block, index, firstLog, call } = transaction;
  // The other topics cost more, so they are encoded only for events that match these two.
  const kind = { addresses: wanted.addresses, topics: wanted.topics.slice(0, 1) };
  for (const [at, event] of chainEvents(call).entries()) {
    const address = addressOf(event);
    if (!isWanted({ address, topics: [eventTopic(event.event)] }, kind)) continue;
    const encoded = encode(event);
    if (!isWanted({ address, ...encoded }, wanted)) continue;
    yield {
      address,
      ...encoded,
      blockNumber: block.number,
      blockHash: block.hash,
      blockTimestamp: block.timestamp,
      transactionHash: hash,
      transactionIndex: index,
      logIndex: firstLog + at,
    };
  }
}

function addressOf(event: ChainEvent): string {
  return "token" in event ? event.token : SETTLEMENT_CONTRACT;
}

function encode(event: ChainEvent): EncodedEvent {
  switch (event.event) {
    case "Trade": {
      const { order, fill } = event.execution;
      const { owner, uid, signed } = order;
      return encodeTradeEvent({ ...signed, ...fill, owner, orderUid: uid });
    }
    case "Interaction":
      return encodeInteractionEvent(interactionOf(event.step));
    case "Settlement":
      return encodeSettlementEvent(event.solver);
    case "PreSignature":
      return encodePreSignatureEvent({ owner: event.owner, orderUid: event.uid, signed: true });
    case "Transfer":
      return encodeTransferEvent(event);
    case "Withdrawal":
      return encodeWithdrawalEvent({ from: SETTLEMENT_CONTRACT, atoms: event.atoms });
  }
}
