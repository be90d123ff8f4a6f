/** Where the owner begins in the text of a UID: after 0x and the 32 bytes of the digest. */
const OWNER_AT = 66;
/** Where the expiry begins: after the 20 bytes of the owner. */
const VALID_TO_AT = 106;

/** What the text of a UID tells without its digest. */
export interface UidParts {
  /** Account that the order trades for; of EthFlow orders their contract. */
  readonly owner: string;
  /** Signed expiry, in unix seconds; 4294967295 for EthFlow orders. */
  readonly validTo: number;
}

/** The owner and the expiry in a UID that is known to be one. */
export function uidParts(uid: string): UidParts {
  return {
    owner: `0x${uid.slice(OWNER_AT, VALID_TO_AT)}`,
    validTo: Number.parseInt(uid.slice(VALID_TO_AT), 16),
  };
}
