import { InputError } from "../../errors/mod.ts";

/** Meaning of the flags of an encoded trade. */
export interface TradeFlags {
  /** Which amount the order fixes. */
  readonly kind: "sell" | "buy";
  /** Whether the order may be partially filled. */
  readonly partiallyFillable: boolean;
  /** Where the sell token is taken from. */
  readonly sellTokenBalance: "erc20" | "external" | "internal";
  /** Where the buy token is sent to. */
  readonly buyTokenBalance: "erc20" | "internal";
  /** How the order was signed. */
  readonly signingScheme: "eip712" | "ethsign" | "eip1271" | "presign";
}

const SCHEMES = ["eip712", "ethsign", "eip1271", "presign"] as const;

/** The seven defined bits; the contract rejects a trade with any other. */
const KNOWN_BITS = 0x7fn;

/**
 * Reads the flags of an encoded trade: bit 0 the kind, 1 partially fillable, 2 and 3 where the sell
 * token comes from, 4 where the buy token goes to, 5 and 6 the signing scheme.
 *
 * @throws {InputError} If a higher bit is set.
 * @see {@link https://github.com/cowprotocol/contracts/blob/v1.0.0/src/contracts/libraries/GPv2Trade.sol | extractFlags of the contract}
 */
export function readTradeFlags(flags: bigint): TradeFlags {
  if (flags < 0n || flags > KNOWN_BITS) {
    throw new InputError(`Cannot read the flags ${flags} of a trade`, {
      facts: { range: "0 to 127" },
      remedy: "Pass the calldata of a successful transaction: the contract rejects such flags",
    });
  }
  const bits = Number(flags);
  const external = (bits & 4) === 0;
  return {
    kind: (bits & 1) === 0 ? "sell" : "buy",
    partiallyFillable: (bits & 2) !== 0,
    sellTokenBalance: (bits & 8) === 0 ? "erc20" : external ? "external" : "internal",
    buyTokenBalance: (bits & 16) === 0 ? "erc20" : "internal",
    signingScheme: SCHEMES[bits >> 5]!,
  };
}

const SELL_BALANCE_BITS = { erc20: 0, external: 8, internal: 12 } as const;

/** Packs the flags of a trade; the inverse of `readTradeFlags`. */
export function packTradeFlags(trade: TradeFlags): bigint {
  return BigInt(
    (trade.kind === "sell" ? 0 : 1) |
      (trade.partiallyFillable ? 2 : 0) |
      SELL_BALANCE_BITS[trade.sellTokenBalance] |
      (trade.buyTokenBalance === "erc20" ? 0 : 16) |
      (SCHEMES.indexOf(trade.signingScheme) << 5),
  );
}
