import { InputError } from "../../errors/mod.ts";
import { isWhole } from "../../errors/option_rules.ts";
import { parseHex, toHex } from "../hex.ts";

/** The parts of an order UID. */
export interface OrderUidParts {
  /** EIP-712 digest of the order, 32 bytes: what the owner signed. */
  digest: string;
  /** Account that the order trades for, 20 bytes; for ethflow orders the ethflow contract. */
  owner: string;
  /**
   * Expiry that was signed, in unix seconds, 0 to 4294967295; always 4294967295 for ethflow orders,
   * whose real expiry is `ethflowData.userValidTo`.
   */
  validTo: number;
}

const DIGEST = { what: "the digest of an order UID", bytes: 32 };
const OWNER = { what: "the owner of an order UID", bytes: 20 };
const UID_FIELD = { what: "an order UID", bytes: 56 };

const UID_OWNER_OFFSET = 32;
const UID_VALID_TO_OFFSET = 52;

/** Signed expiry of every ethflow order, and the latest possible one: 2^32 - 1. */
const MAX_VALID_TO = 0xffff_ffff;

/**
 * Packs an order UID.
 *
 * 56 bytes: the digest, the owner, and the expiry as an unsigned 32-bit big-endian number.
 *
 * @param parts Hex of either case; `validTo` in unix seconds.
 * @returns `0x` and 112 lower-case hex digits, as the service writes UIDs.
 * @throws {InputError} If a part has the wrong length, other characters or is out of range.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/model/src/order.rs | OrderUid in the service}
 *
 * @example
 * ```ts
 * import { packOrderUid } from "orderlens";
 * import { assertEquals } from "@std/assert";
 *
 * const uid = packOrderUid({
 *   digest: `0x${"ab".repeat(32)}`,
 *   owner: `0x${"cd".repeat(20)}`,
 *   validTo: 258,
 * });
 *
 * assertEquals(uid, `0x${"ab".repeat(32)}${"cd".repeat(20)}00000102`);
 * ```
 */
export function packOrderUid(parts: OrderUidParts): string {
  const packed = new Uint8Array(UID_FIELD.bytes);
  packed.set(parseHex(parts.digest, DIGEST), 0);
  packed.set(parseHex(parts.owner, OWNER), UID_OWNER_OFFSET);
  new DataView(packed.buffer).setUint32(UID_VALID_TO_OFFSET, requireValidTo(parts.validTo));
  return toHex(packed);
}

/**
 * Parses an order UID, the inverse of {@linkcode packOrderUid}.
 *
 * A UID names neither the network nor the environment: try each to find the order.
 *
 * @param uid `0x` and 112 hex digits of either case.
 * @returns Digest and owner in lower case, and the signed expiry in unix seconds.
 * @throws {InputError} If `uid` is not 56 bytes of hex; the error says what it looks like instead.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/model/src/order.rs | OrderUid in the service}
 *
 * @example
 * ```ts
 * import { parseOrderUid } from "orderlens";
 * import { assertEquals } from "@std/assert";
 *
 * const { owner, validTo } = parseOrderUid(
 *   "0xb5640e91382b683c89aec1283cc579646ddcf5df8d93edc2dcc639faab8a21d6" +
 *     "ba78423395063915fbf92bab6d4c769676f0f55e6b01b280",
 * );
 *
 * assertEquals(owner, "0xba78423395063915fbf92bab6d4c769676f0f55e");
 * assertEquals(validTo, 1795273344);
 * ```
 */
export function parseOrderUid(uid: string): OrderUidParts {
  const bytes = parseHex(uid, UID_FIELD);
  return {
    digest: toHex(bytes.subarray(0, UID_OWNER_OFFSET)),
    owner: toHex(bytes.subarray(UID_OWNER_OFFSET, UID_VALID_TO_OFFSET)),
    validTo: new DataView(bytes.buffer).getUint32(UID_VALID_TO_OFFSET),
  };
}

/**
 * Returns `validTo` if it is a whole number of seconds that fits into 32 bits.
 *
 * @throws {InputError} Otherwise; a value in milliseconds is the usual reason.
 */
export function requireValidTo(validTo: number): number {
  if (!isWhole(validTo, 0, MAX_VALID_TO)) {
    throw new InputError(`Cannot use ${validTo} as the validTo of an order`, {
      facts: { range: `whole numbers from 0 to ${MAX_VALID_TO}` },
      remedy: "Pass the expiry in unix seconds, not in milliseconds",
    });
  }
  return validTo;
}

/** The EIP-712 domain for orders of one deployment; wallets accept it unchanged. */
export interface OrderDomain {
  /** Always `"Gnosis Protocol"`, the name the settlement contract was deployed with. */
  readonly name: "Gnosis Protocol";
  /** Always `"v2"`. */
  readonly version: "v2";
  /** Chain id of the network. */
  readonly chainId: number;
  /** Settlement contract of the deployment, in lower case. */
  readonly verifyingContract: string;
}

/** Fields that distinguish the signatures of deployments. */
export interface OrderDomainOptions {
  /** Chain id of the network, at least 1. */
  chainId: number;
  /**
   * Address of the settlement contract; current order bodies name theirs in `settlementContract`.
   */
  settlementContract: string;
}

const SETTLEMENT_CONTRACT = { what: "the settlementContract of a domain", bytes: 20 };

/**
 * The EIP-712 domain of a deployment: chain and settlement contract.
 *
 * Staging and production can have different settlement contracts on the same chain, so use the
 * order's own `settlementContract` if it has one.
 *
 * @param options `chainId` of the network and address of the settlement contract.
 * @returns A frozen domain; create it once and use it for all orders of the deployment.
 * @throws {InputError} If the chain id is not a positive whole number, or the address not 20 bytes
 *   of hex.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/model/src/lib.rs | DomainSeparator in the service}
 *
 * @example
 * ```ts
 * import { orderDomain } from "orderlens/evm";
 * import { assertEquals } from "@std/assert";
 *
 * const domain = orderDomain({
 *   chainId: 100,
 *   settlementContract: "0x9008D19f58AAbD9eD0D60971565AA8510560ab41",
 * });
 *
 * assertEquals(domain, {
 *   name: "Gnosis Protocol",
 *   version: "v2",
 *   chainId: 100,
 *   verifyingContract: "0x9008d19f58aabd9ed0d60971565aa8510560ab41",
 * });
 * ```
 */
export function orderDomain(options: OrderDomainOptions): OrderDomain {
  const { chainId, settlementContract } = options;
  if (!isWhole(chainId, 1)) {
    throw new InputError(`Cannot use ${chainId} as a chain id`, {
      remedy: "Pass the network's chain id as a number, such as 1 for Ethereum",
    });
  }
  return Object.freeze({
    name: "Gnosis Protocol",
    version: "v2",
    chainId,
    verifyingContract: toHex(parseHex(settlementContract, SETTLEMENT_CONTRACT)),
  });
}
