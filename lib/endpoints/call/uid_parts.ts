/** Offset of the owner in the text of a UID: after 0x and the 32 bytes of the digest. */
const OWNER_AT = 66;
/** Offset of the expiry: after the 20 bytes of the owner. */
const VALID_TO_AT = 106;

/** The parts of a UID other than its digest. */
export interface UidParts {
  /** Account that the order trades for; for EthFlow orders their contract. */
  readonly owner: string;
  /** Signed expiry, in unix seconds; 4294967295 for EthFlow orders. */
  readonly validTo: number;
}

/** The owner and the expiry of a valid UID. */
export function uidParts(uid: string): UidParts {
  return {
    owner: `0x${uid.slice(OWNER_AT, VALID_TO_AT)}`,
    validTo: Number.parseInt(uid.slice(VALID_TO_AT), 16),
  };
}
