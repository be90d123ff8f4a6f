import type { OrderDomain } from "../orders/order_domain.ts";

/** Structured data to sign (EIP-712). */
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

/** An account that signs by itself, such as any local account of viem. */
export interface SigningAccount {
  /** Its address. */
  readonly address: string;
  /** Signs structured data; gives 65 bytes of hex. */
  signTypedData(data: TypedDataToSign): Promise<string>;
  /** Signs bytes as a personal message (EIP-191); gives 65 bytes of hex. */
  signMessage(message: { readonly message: { readonly raw: string } }): Promise<string>;
}

/** A wallet from a browser or a wallet kit (EIP-1193), or a wallet client of viem. */
export interface WalletProvider {
  /**
   * Account of a wallet client; a local account signs by itself, without a request to the wallet.
   *
   * @default {the first account that the wallet exposes}
   */
  readonly account?: SigningAccount | AccountAddress | undefined;
  /**
   * Sends `eth_accounts`, `eth_signTypedData_v4` or `personal_sign` to the wallet, and
   * `eth_chainId` if it rejects.
   */
  request(call: { readonly method: string; readonly params?: unknown }): Promise<unknown>;
}

/** An account that signs on-chain, so that only its address is needed. */
export interface AccountAddress {
  /** Its address. */
  readonly address: string;
}

/** A signer: an account, a wallet, or for `presign` and `eip1271` just an address. */
export type OrderSigner = SigningAccount | WalletProvider | AccountAddress;
