import { assert, assertEquals, assertRejects } from "@std/assert";
import { createWalletClient, custom } from "viem";
import { mnemonicToAccount, privateKeyToAccount } from "viem/accounts";
import { InputError } from "../../../lib/errors/mod.ts";
import {
  orderDigest,
  orderDomain,
  type OrderSigner,
  recoverCancellationsSigner,
  recoverOrderSigner,
  signCancellations,
  signOrder,
  type SignOrderOptions,
  type WalletProvider,
} from "../../../lib/evm/mod.ts";
import services from "../../testdata/evm/services_vectors.json" with { type: "json" };
import { SERVICES_ORDER } from "../signed_orders.ts";

/** Second of the well-known development accounts. */
const KEY = "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d";
const ACCOUNT = privateKeyToAccount(KEY);
const OWNER = ACCOUNT.address.toLowerCase();
const DOMAIN = orderDomain({ chainId: 1, settlementContract: `0x${"90".repeat(20)}` });
const ORDER = { ...SERVICES_ORDER, feeAmount: 0n };

/** A wallet of the account, as browsers have it. */
function wallet(asked: string[] = []): WalletProvider {
  return {
    async request({ method, params }) {
      asked.push(method);
      if (method === "eth_accounts") return [];
      if (method === "eth_requestAccounts") return [ACCOUNT.address];
      const [first, second] = params as [string, string];
      if (method === "personal_sign") {
        assertEquals(second, OWNER);
        return await ACCOUNT.signMessage({ message: { raw: first as `0x${string}` } });
      }
      assertEquals([method, first], ["eth_signTypedData_v4", OWNER]);
      return await ACCOUNT.signTypedData(JSON.parse(second));
    },
  };
}

const SCHEMES = ["eip712", "ethsign"] as const;

for (const signingScheme of SCHEMES) {
  Deno.test(`signOrder() signs by ${signingScheme} with an account and with a wallet`, async () => {
    const made = await signOrder(ACCOUNT, DOMAIN, ORDER, { signingScheme });
    assertEquals([made.from, made.signingScheme], [OWNER, signingScheme]);
    assertEquals(await recoverOrderSigner(DOMAIN, ORDER, made), OWNER);
    const asked: string[] = [];
    assertEquals(await signOrder(wallet(asked), DOMAIN, ORDER, { signingScheme }), made);
    assertEquals(asked.slice(0, 2), ["eth_accounts", "eth_requestAccounts"]);
    const options = { signingScheme, from: ACCOUNT.address };
    assertEquals(await signOrder(wallet(), DOMAIN, ORDER, options), made);
  });
}

Deno.test("signOrder() and signCancellations() accept a mnemonic account, and every wallet client of viem", async () => {
  const phrase = "test test test test test test test test test test test junk";
  const transport = custom(wallet());
  const signers: OrderSigner[] = [
    mnemonicToAccount(phrase, { addressIndex: 1 }),
    // The client's own account signs, and the wallet behind it is not asked.
    createWalletClient({
      account: ACCOUNT,
      transport: custom({ request: () => Promise.reject(new Error("asked")) }),
    }),
    createWalletClient({ account: ACCOUNT.address, transport }),
    createWalletClient({ transport }),
  ];
  for (const signingScheme of SCHEMES) {
    const made = await signOrder(ACCOUNT, DOMAIN, ORDER, { signingScheme });
    const cancelled = await signCancellations(ACCOUNT, DOMAIN, [services.uid], { signingScheme });
    for (const signer of signers) {
      assertEquals(await signOrder(signer, DOMAIN, ORDER, { signingScheme }), made);
      const same = await signCancellations(signer, DOMAIN, [services.uid], { signingScheme });
      assertEquals(same, cancelled);
    }
  }
});

Deno.test("signOrder() sends a wallet standard requests", async () => {
  const asked: [string, unknown][] = [];
  const noting: WalletProvider = {
    request(call) {
      asked.push([call.method, call.params]);
      return wallet().request(call);
    },
  };
  const from = OWNER;
  await signOrder(noting, DOMAIN, ORDER, { from, signingScheme: "ethsign" });
  assertEquals(asked, [["personal_sign", [orderDigest(DOMAIN, ORDER), OWNER]]]);
  await signOrder(noting, DOMAIN, ORDER, { from });
  const [method, params] = asked[1]!;
  const [account, text] = params as [string, string];
  assertEquals([method, account], ["eth_signTypedData_v4", OWNER]);
  const data = JSON.parse(text);
  assertEquals([data.primaryType, data.domain], ["Order", DOMAIN]);
  assertEquals(Object.keys(data.types), ["EIP712Domain", "Order"]);
  assertEquals(data.message.sellAmount, `${ORDER.sellAmount}`);
});

Deno.test("signOrder() names the fault of a wallet, but not its message", async () => {
  const second = privateKeyToAccount(`0x${"42".repeat(32)}`);
  const signing = (answer: (data: string) => unknown, chain = "0x1"): WalletProvider => ({
    request({ method, params }) {
      if (method === "eth_chainId") return Promise.resolve(chain);
      if (method !== "eth_signTypedData_v4") return Promise.resolve([ACCOUNT.address]);
      return Promise.resolve(answer((params as [string, string])[1]));
    },
  });
  const throwing = (error: unknown, chain?: string) =>
    signing(() => {
      throw error;
    }, chain);
  const wallets: [WalletProvider, string][] = [
    [throwing({ code: 4001, message: KEY }), "the request was rejected in the wallet"],
    [throwing(new Error(`boom ${KEY}`)), "the wallet returned an error"],
    [throwing(KEY), "the wallet returned an error"],
    [throwing(null), "the wallet returned an error"],
    [throwing({ code: -32603 }), "code: -32603"],
    [throwing({ code: -32603 }, "0x64"), "wallet's chain: 100\n  order's chain: 1\nFix: Switch"],
    [signing(() => undefined), "it is undefined, not text"],
    [signing(() => ({ result: KEY })), "it is object, not text"],
    [signing(() => KEY), "it has 32 bytes instead of 65"],
    [signing(() => `signed with ${KEY}`), "it does not begin with 0x"],
    [signing(() => `0x${"12".repeat(65)}`), "the signature ends in 18"],
    [signing(() => `0x${"ff".repeat(64)}1b`), "the signature is not valid"],
    [signing((data) => second.signTypedData(JSON.parse(data))), "is not that of 0x7099"],
    [
      signing((data) => {
        const { domain, ...rest } = JSON.parse(data);
        return ACCOUNT.signTypedData({ ...rest, domain: { ...domain, chainId: 100 } });
      }),
      "is not that of 0x7099",
    ],
    [{ request: () => Promise.resolve([KEY]) }, "it has 32 bytes instead of 20"],
    [{ request: () => Promise.resolve(KEY) }, "exposes no account"],
  ];
  for (const [hostile, says] of wallets) {
    const error = await assertRejects(() => signOrder(hostile, DOMAIN, ORDER), InputError, says);
    assert(!Deno.inspect(error).includes(KEY.slice(2)), says);
  }
});

Deno.test("signOrder() shows no key or phrase that is passed in the wrong place, or in an account's error", async () => {
  const says = () => Promise.reject(new Error(`bad key ${KEY}`));
  const phrase = "test test test test test test test test test test test junk";
  const address = ACCOUNT.address;
  const leaky = { address, signMessage: says, signTypedData: says };
  const wrong: [unknown, Parameters<typeof signOrder>[3]][] = [
    ...[KEY, KEY.slice(2), phrase, null, undefined, 7, address, {}, { privateKey: KEY }].map((
      signer,
    ): [unknown, object] => [signer, {}]),
    [{ address, privateKey: KEY }, {}],
    [{ address: KEY }, {}],
    [{ address: phrase }, { signingScheme: "presign" }],
    [ACCOUNT, { from: KEY }],
    [ACCOUNT, { from: phrase }],
    [wallet(), { from: KEY }],
    [ACCOUNT, { signingScheme: KEY as "eip712" }],
    [ACCOUNT, { signature: KEY }],
    ...SCHEMES.map((signingScheme): [unknown, object] => [leaky, { signingScheme }]),
  ];
  for (const [signer, options] of wrong) {
    for (const order of [ORDER, { ...ORDER, sellToken: KEY }]) {
      const sign = () => signOrder(signer as OrderSigner, DOMAIN, order, options);
      const text = Deno.inspect(await assertRejects(sign, InputError));
      assert(!text.includes(KEY.slice(2)) && !text.includes("junk"), text);
    }
  }
});

Deno.test("signOrder() leaves presign and eip1271 orders to the chain", async () => {
  const owner = { address: ACCOUNT.address };
  assertEquals(await signOrder(owner, DOMAIN, ORDER, { signingScheme: "presign" }), {
    signature: "0x",
    signingScheme: "presign",
    from: OWNER,
  });
  assertEquals(
    await signOrder(wallet(), DOMAIN, ORDER, { signingScheme: "eip1271", signature: "0xabcdef" }),
    { signature: "0xabcdef", signingScheme: "eip1271", from: OWNER },
  );
  for (const signature of [undefined, "0xabc", "abcd", "0xzz"]) {
    const options = { signingScheme: "eip1271", signature } as SignOrderOptions;
    await assertRejects(() => signOrder(owner, DOMAIN, ORDER, options), InputError);
  }
});

Deno.test("signOrder() returns 27 or 28 as the last byte if a device counts from 0", async () => {
  const made = await signOrder(ACCOUNT, DOMAIN, ORDER);
  const device: OrderSigner = {
    address: ACCOUNT.address,
    signMessage: () => Promise.reject(new Error("not asked")),
    signTypedData: () =>
      Promise.resolve(made.signature.slice(0, -2) + (made.signature.endsWith("1b") ? "00" : "01")),
  };
  assertEquals(await signOrder(device, DOMAIN, ORDER), made);
});

Deno.test("signOrder() rejects accounts without a key or with another's, and orders that cannot be signed", async () => {
  const owner = { address: ACCOUNT.address };
  const refuses = (signer: OrderSigner, order: typeof ORDER, options: object, words: string) =>
    assertRejects(() => signOrder(signer, DOMAIN, order, options), InputError, words);
  await refuses(owner, ORDER, {}, "has no key");
  await refuses(ACCOUNT, { ...ORDER, kind: "swap" }, {}, "kind");
  await refuses(ACCOUNT, ORDER, { signature: "0xab" }, "and a given signature");
  const locked: WalletProvider = { request: () => Promise.resolve([]) };
  await refuses(locked, ORDER, {}, "exposes no account");
  const other = `0x${"11".repeat(20)}` as const;
  await refuses({ ...ACCOUNT, address: other }, ORDER, {}, "is not that of 0x1111");
  await refuses(ACCOUNT, ORDER, { from: other }, "the signer is 0x7099");
});

Deno.test("signCancellations() signs the list as it is sent, by both schemes", async () => {
  const orderUids = [services.uid, services.orderUidParts.uid];
  for (const signingScheme of SCHEMES) {
    for (const signer of [ACCOUNT, wallet()]) {
      const made = await signCancellations(signer, DOMAIN, orderUids, { signingScheme });
      assertEquals(made.orderUids, orderUids);
      assertEquals(await recoverCancellationsSigner(DOMAIN, made), OWNER);
    }
  }
  await assertRejects(() => signCancellations(ACCOUNT, DOMAIN, ["0x12"]), InputError);
});
