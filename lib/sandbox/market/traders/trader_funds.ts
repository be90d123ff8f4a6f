import type { BookOrder } from "../state/book_order.ts";
import { DEVELOPMENT_ACCOUNTS } from "../state/development_accounts.ts";
import { type Ledger, OUTSIDE } from "../state/ledger.ts";
import type { Random } from "../state/random.ts";
import { atomsWorth, ETHER } from "../state/token_worth.ts";
import { TOKENS } from "../state/tokens.ts";
import { WALLET_CONTRACT } from "./wallet_contract.ts";

const WITHDRAWALS_IN_1000 = 90;
const RETURNS_IN_1000 = 120;
const MIN_FUNDS = 500n * ETHER;
const MORE_FUNDS = 50_000n * ETHER;

/** The account that sometimes moves its funds away and back. */
const RESTLESS = DEVELOPMENT_ACCOUNTS.at(-1)!.address;
const VAULT = "vault of the restless account";
const STEADY = [WALLET_CONTRACT, ...DEVELOPMENT_ACCOUNTS.slice(1, -1).map((one) => one.address)];

/** The restless account withdraws the sell token of one of its open orders, and returns it later. */
export function moveFunds(ledger: Ledger, random: Random, open: readonly BookOrder[]): void {
  const [here, there] = [RESTLESS, VAULT];
  const waiting = open.find(({ owner }) => owner === here)?.signed.sellToken;
  if (random.chance(WITHDRAWALS_IN_1000) && waiting !== undefined) {
    ledger.move(waiting, ledger.balanceOf(here, waiting), { from: here, to: there });
  }
  if (random.chance(RETURNS_IN_1000)) {
    for (const { address } of TOKENS) {
      ledger.move(address, ledger.balanceOf(there, address), { from: there, to: here });
    }
  }
}

/** Refills low balances of the other accounts from outside. */
export function keepFunded(ledger: Ledger): void {
  for (const { address, openingPrice } of TOKENS) {
    const least = atomsWorth(MIN_FUNDS, openingPrice);
    const more = atomsWorth(MORE_FUNDS, openingPrice);
    for (const holder of STEADY) {
      if (ledger.balanceOf(holder, address) < least) {
        ledger.move(address, more, { from: OUTSIDE, to: holder });
      }
    }
  }
}
