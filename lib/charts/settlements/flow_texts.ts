import { isNumber } from "../rows/row_selection.ts";
import { axisText, exactText } from "../texts/axis_text.ts";
import { pairText } from "../texts/pair_text.ts";
import { shortName } from "../texts/short_names.ts";
import { SolverNames } from "../texts/solver_names.ts";
import type { DrawnFlow, SettlementFlowRow } from "./settlement_flow_row.ts";

/** Longest number of atoms that is written in full. */
const MOST_DIGITS = 12;
const [LEAST_PLAIN, MOST_PLAIN] = [1e-4, 1e9];
/** Longest symbol beside an amount. */
const MOST_SYMBOL = 14;

/** What accounts are called that are none of an address. */
const BY_ROLE: ReadonlyMap<string | null, string> = new Map([
  ["contract", "settlement contract"],
  ["wrapper", "wrapped native token"],
  ["nobody", "nobody"],
]);

/** What tokens and accounts of a settlement are called. */
export interface FlowTexts {
  /** Name of a flow's token, the same for each of its flows. */
  readonly token: (flow: SettlementFlowRow) => string;
  /** The other side than the settlement contract; both sides where it has no part. */
  readonly label: (flow: DrawnFlow) => string;
  /** The amount with its token, short. */
  readonly amount: (flow: DrawnFlow) => string;
  /** All that is known of a flow. */
  readonly title: (flow: DrawnFlow) => string;
}

/** The names of all tokens and accounts of a settlement, so that different ones stay apart. */
export function flowTexts(flows: readonly DrawnFlow[]): FlowTexts {
  const tokens = new SolverNames(flows.map((flow) => [keyOf(flow), flow.symbol]));
  const names = accountNames(flows.flatMap(({ sender, receiver }) => [sender, receiver]));
  const named = (account: string, role: string | null) => {
    const name = names.get(account) ?? account;
    return role === "solver" ? `solver ${name}` : BY_ROLE.get(role) ?? name;
  };
  const token = (flow: SettlementFlowRow) => tokens.text(keyOf(flow));
  return {
    token,
    label: (flow) => {
      const { sender, sender_role, receiver, receiver_role } = flow;
      if (sender_role === "contract") return named(receiver, receiver_role);
      if (receiver_role === "contract") return named(sender, sender_role);
      return pairText(named(sender, sender_role), named(receiver, receiver_role));
    },
    amount: (flow) => {
      const letters = [...token(flow)];
      const symbol = letters.length <= MOST_SYMBOL
        ? letters.join("")
        : `${letters.slice(0, MOST_SYMBOL - 1).join("")}…`;
      const { amount_tokens: tokens } = flow;
      return isNumber(tokens)
        ? `${tokensText(tokens)} ${symbol}`
        : `${atomsText(flow) ?? "unknown amount of"} ${symbol}`;
    },
    title: (flow) => {
      const { sender, sender_role, receiver, receiver_role, amount_tokens, amount_atoms: amount } =
        flow;
      const side = (account: string, role: string | null) =>
        role === null || role === "other" ? account : `${BY_ROLE.get(role) ?? role} ${account}`;
      return [
        isNumber(amount_tokens)
          ? `${exactText(amount_tokens)} ${token(flow)}`
          : `${token(flow)}, decimals unknown`,
        isAtoms(amount) ? `${amount} atoms` : null,
        `from ${side(sender, sender_role)}`,
        `to ${side(receiver, receiver_role)}`,
      ].filter((line) => line !== null).join("\n");
    },
  };
}

/** Ends of addresses; those that are alike have a number, in the order in which they come. */
function accountNames(accounts: readonly string[]): ReadonlyMap<string, string> {
  const alike = Map.groupBy(new Set(accounts), shortName);
  return new Map(
    [...alike].flatMap(([name, own]) =>
      own.map((account, at) => [account, at === 0 ? name : `${name} (${at + 1})`] as const)
    ),
  );
}

/** Whole tokens with 6 significant digits; very large and small amounts with an exponent. */
function tokensText(tokens: number): string {
  const size = Math.abs(tokens);
  return size < LEAST_PLAIN || size >= MOST_PLAIN
    ? axisText(tokens)
    : tokens.toLocaleString("en-US", { maximumSignificantDigits: 6 }).replace("-", "−");
}

function keyOf({ token, symbol }: SettlementFlowRow): string {
  return token ?? symbol ?? "unknown";
}

/** An amount in atoms: in full where it is short, else with an exponent. */
function atomsText({ amount_atoms: amount }: SettlementFlowRow): string | null {
  if (!isAtoms(amount)) return null;
  return amount.length <= MOST_DIGITS
    ? `${Number(amount).toLocaleString("en-US")} atoms of`
    : `${amount[0]}.${amount.slice(1, 3)}e${amount.length - 1} atoms of`;
}

function isAtoms(amount: unknown): amount is string {
  return typeof amount === "string" && /^\d+$/.test(amount);
}
