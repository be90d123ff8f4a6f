import type { OrderDomain } from "./order_domain.ts";

/** Structured data as accounts take it (EIP-712). */
export interface TypedDataToSign {
  /** Chain and settlement contract. */
  readonly domain: OrderDomain;
  /** Fields of every struct by its name, the domain's included. */
  readonly types: Readonly<
    Record<string, readonly { readonly name: string; readonly type: string }[]>
  >;
  /** Struct that is signed. */
  readonly primaryType: string;
  /** Its fields; amounts as integers. */
  readonly message: Readonly<Record<string, unknown>>;
}

/** An account that signs by itself; every local account of viem is one as it is. */
export interface SigningAccount {
  /** Its address. */
  readonly address: string;
  /** Signs structured data; gives 65 bytes of hex. */
  signTypedData(data: TypedDataToSign): Promise<string>;
  /** Signs bytes as a personal message (EIP-191); gives 65 bytes of hex. */
  signMessage(message: { readonly message: { readonly raw: string } }): Promise<string>;
}

/** A wallet as browsers and wallet kits offer it (EIP-1193), or a wallet client of viem. */
export interface WalletProvider {
  /**
   * Account of a wallet client; one that signs by itself does so, and the wallet is not asked.
   *
   * @default {the first one that the wallet opens}
   */
  readonly account?: SigningAccount | AccountAddress | undefined;
  /**
   * Asks the wallet for `eth_accounts`, `eth_signTypedData_v4` or `personal_sign`, and where it
   * refuses for `eth_chainId`.
   */
  request(call: { readonly method: string; readonly params?: unknown }): Promise<unknown>;
}

/** An account that signs on the chain, so that nothing but its address is needed. */
export interface AccountAddress {
  /** Its address. */
  readonly address: string;
}

/** Who signs: an account, a wallet, or for `presign` and `eip1271` an address alone. */
export type OrderSigner = SigningAccount | WalletProvider | AccountAddress;
