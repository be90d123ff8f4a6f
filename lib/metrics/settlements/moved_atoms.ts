import type { OnchainSettlement, TokenTransfer, TradeEvent } from "../../evm/mod.ts";
import { NATIVE_TOKEN_ADDRESS, NETWORKS } from "../../networks/networks.ts";
import { sameHex } from "../../units/mod.ts";
import type { NotComputable } from "../not_computable.ts";

/** The fields of a settlement that show what moved in it. */
export type SettlementFlows =
  & Pick<
    OnchainSettlement,
    "to" | "succeeded" | "events" | "trades" | "transfers" | "hasAllLogs"
  >
  & Partial<Pick<OnchainSettlement, "through">>;

/** Atoms of one token that one account sent to another. */
export interface MovedAtoms {
  /** Account that paid, in lower case. */
  readonly from: string;
  /** Account that received, in lower case. */
  readonly to: string;
  /** The token; `0xeeee…` for the native token. */
  readonly token: string;
  /** Amount, in atoms. */
  readonly atoms: bigint;
  /** Index of the log that shows it; `null` for native atoms paid to a trader. */
  readonly logIndex: number | null;
  /** Which end is the wrapped native token, where atoms are exchanged with it. */
  readonly wrapper?: "from" | "to";
}

/** What moved in a settlement. */
interface Movements {
  /** By transfers, by interactions, to traders. */
  readonly moved: readonly MovedAtoms[];
  /** Tokens some of whose movements are not known, and why. */
  readonly unknown: ReadonlyMap<string, string>;
}

/** What moved in a settlement, from its logs and its trades; nothing in one that failed. */
export function movedAtoms(
  settlement: SettlementFlows,
  options: { readonly wrappedNativeToken?: string },
): Movements | NotComputable<"logs_incomplete"> {
  if (!settlement.succeeded) return { moved: [], unknown: new Map() };
  if (!settlement.hasAllLogs) {
    return { reason: "logs_incomplete", detail: "The source does not have all of the logs" };
  }
  const unknown = new Map(
    missingTransfers(settlement).map(({ token, atoms }) => [
      token,
      `No log of the token transfers ${atoms} atoms of a trade`,
    ]),
  );
  const wrapped = wrappedTokens(options);
  const moved = [
    ...logged(settlement, { wrapped, unknown }),
    ...sentWithInteractions(settlement, wrapped),
    ...nativePaid(settlement),
  ].filter(({ atoms }) => atoms > 0n);
  const payer = moved.some(({ token }) => token === NATIVE_TOKEN_ADDRESS)
    ? possiblePayer(settlement, wrapped)
    : undefined;
  if (payer !== undefined) {
    unknown.set(NATIVE_TOKEN_ADDRESS, `${payer} may pay native atoms in, which leaves no log`);
  }
  return { moved, unknown };
}

/** Calls of tokens that only move or approve their own atoms. */
const TOKEN_CALLS = ["0x095ea7b3", "0xa9059cbb", "0x23b872dd"];

/** A contract that is called and may send native atoms back. */
function possiblePayer(
  { events, through }: SettlementFlows,
  wrapped: readonly string[],
): string | undefined {
  if (through != null) return through;
  for (const event of events) {
    if (event.event !== "Interaction" || TOKEN_CALLS.includes(event.selector)) continue;
    if (!wrapped.some((one) => sameHex(one, event.target))) return event.target;
  }
  return undefined;
}

/** What the logs of tokens show; tokens whose logs cannot be read are added to `unknown`. */
function logged(
  { transfers, to: contract }: SettlementFlows,
  { wrapped, unknown }: { wrapped: readonly string[]; unknown: Map<string, string> },
): MovedAtoms[] {
  const account = contract.toLowerCase();
  return transfers.flatMap((transfer) => {
    const { event, token, from, to, atoms, logIndex } = transfer;
    const isOwn = from === account || to === account;
    const isWrapped = wrapped.some((one) => sameHex(one, token));
    if (event !== "Transfer") {
      if (transfers.some((one) => isSameFlow(one, transfer))) return [];
      if (!isWrapped) {
        if (!isOwn) return [];
        const why = `${event} of a contract that may be the wrapped native token or not`;
        unknown.set(token, why);
        unknown.set(NATIVE_TOKEN_ADDRESS, why);
        return [];
      }
    }
    const moved = { from, to, token, atoms, logIndex };
    if (!isWrapped) return [moved];
    if (from === NOBODY) return [{ ...moved, from: token, wrapper: "from" as const }];
    if (to !== NOBODY) return [moved];
    const burned = { ...moved, to: token, wrapper: "to" as const };
    if (from !== account) return [burned];
    const native = { ...moved, from: token, to: from, token: NATIVE_TOKEN_ADDRESS };
    return [burned, { ...native, wrapper: "from" as const }];
  });
}

function sentWithInteractions(
  { events, to }: SettlementFlows,
  wrapped: readonly string[],
): MovedAtoms[] {
  return events.flatMap((event) =>
    event.event !== "Interaction" ? [] : [{
      from: to.toLowerCase(),
      to: event.target,
      token: NATIVE_TOKEN_ADDRESS,
      atoms: event.value,
      logIndex: event.logIndex,
      ...(wrapped.some((one) => sameHex(one, event.target)) ? { wrapper: "to" as const } : {}),
    }]
  );
}

function nativePaid({ events, trades, to }: SettlementFlows): MovedAtoms[] {
  const from = to.toLowerCase();
  return tradesIn(events).flatMap(({ buyToken, buyAmount, owner }, place) => {
    const receiver = (trades[place]?.receiver ?? owner).toLowerCase();
    return buyToken !== NATIVE_TOKEN_ADDRESS || receiver === from
      ? []
      : [{ from, to: receiver, token: NATIVE_TOKEN_ADDRESS, atoms: buyAmount, logIndex: null }];
  });
}

/** The trades of a settlement, in order. */
export function tradesIn(events: SettlementFlows["events"]): TradeEvent[] {
  return events.filter((event): event is TradeEvent => event.event === "Trade");
}

type Expected = Pick<TokenTransfer, "token" | "from" | "to" | "atoms">;

/**
 * The transfers of trades between traders and the settlement contract that the logs do not have.
 * Balances that are kept inside of the vault move without such a transfer.
 */
function missingTransfers(
  { to: contract, events, trades, transfers }: Pick<
    OnchainSettlement,
    "to" | "events" | "trades" | "transfers"
  >,
): Expected[] {
  const left = transfers.filter(({ event }) => event === "Transfer");
  const filled = events.filter((event): event is TradeEvent => event.event === "Trade");
  return filled.flatMap((fill, place) => expectedOf(fill, trades[place], contract))
    .filter((expected) => {
      const found = left.findIndex((one) => isSame(one, expected));
      if (found >= 0) left.splice(found, 1);
      return found < 0;
    });
}

function expectedOf(
  { owner, sellToken, buyToken, sellAmount, buyAmount }: TradeEvent,
  trade: OnchainSettlement["trades"][number] | undefined,
  contract: string,
): Expected[] {
  const receiver = trade?.receiver ?? owner;
  const moved: Expected[] = [];
  if (trade?.sellTokenBalance === "erc20") {
    moved.push({ token: sellToken, from: owner, to: contract, atoms: sellAmount });
  }
  if (trade?.buyTokenBalance === "erc20" && buyToken !== NATIVE_TOKEN_ADDRESS) {
    moved.push({ token: buyToken, from: contract, to: receiver, atoms: buyAmount });
  }
  return moved.filter(({ atoms }) => atoms > 0n);
}

function isSame(one: Expected, other: Expected): boolean {
  return one.token === other.token && one.from === other.from && one.to === other.to &&
    one.atoms === other.atoms;
}

/** The account of transfers that create or destroy atoms. */
export const NOBODY = `0x${"0".repeat(40)}`;

/** The wrapped native token of a network; those of the public networks if it is unknown. */
function wrappedTokens(
  { wrappedNativeToken }: { readonly wrappedNativeToken?: string | undefined },
): readonly string[] {
  return wrappedNativeToken === undefined
    ? Object.values(NETWORKS).map((one) => one.wrappedNativeToken.address)
    : [wrappedNativeToken];
}

/** Whether a `Transfer` is of the same atoms as another log: some wrapped tokens emit both. */
function isSameFlow(one: TokenTransfer, other: TokenTransfer): boolean {
  return one.event === "Transfer" && one.token === other.token && one.atoms === other.atoms &&
    one.from === other.from && one.to === other.to;
}
