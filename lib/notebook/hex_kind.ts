/** What a hex text is the name of, as far as its length and the name of its field tell. */
export type HexKind = "uid" | "transaction" | "hash" | "account" | "token";

const UID_DIGITS = 112;
const HASH_DIGITS = 64;
const ADDRESS_DIGITS = 40;

/**
 * What a hex text is, if it is a UID, a hash or an address.
 *
 * A hash is that of a transaction only where its field says so: it may be of app data, or a secret.
 *
 * @param name Name of its field in snake_case; empty where it has none.
 */
export function hexKind(name: string, text: string): HexKind | undefined {
  if (!/^0x[0-9a-f]+$/i.test(text)) return undefined;
  switch (text.length - 2) {
    case UID_DIGITS:
      return "uid";
    case HASH_DIGITS:
      return /(?:^|_)(?:tx|transaction)(?:_hash(?:es)?|s)?$/.test(name) ? "transaction" : "hash";
    case ADDRESS_DIGITS:
      return /(?:^|_)(?:tokens?|prices)$/.test(name) ? "token" : "account";
  }
  return undefined;
}

/** A name of a field as columns write it: `txHash` is `tx_hash`. */
export function snakeCase(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}
