import { NODE_OPTIONS, TARGET_OPTIONS } from "../deployment/target_options.ts";
import type { CommandSpec } from "../words/command_spec.ts";

/** `orderlens verify` */
export const VERIFY: CommandSpec = {
  name: "verify",
  summary: "Verify a dataset: hashes, keys, rows and references",
  description: "Exits with 6 on failure; prints one problem per line. " +
    "Gaps that the manifest names are no problem, and neither are settlements after their deadline.",
  arguments: [{ name: "<folder>", text: "folder of the dataset", values: "folder" }],
  options: [
    {
      flags: "--refetch <number>",
      text: "ask for so many random auctions and orders again, and compare",
    },
    {
      flags: "--recompute",
      text: "build the tables again, recompute winners, scores, fees, UIDs, and compare",
    },
    {
      flags: "--check-chain",
      text:
        "ask a node for the settlements again, and compare fills, fees and winners with the chain",
    },
    { flags: "--sample <number>", text: "with --check-chain: only so many random settlements" },
    ...NODE_OPTIONS,
    ...TARGET_OPTIONS,
  ],
  examples: [
    { words: "verify try", text: "The files and tables of a dataset" },
    { words: "verify try --recompute", text: "Also what follows from its answers" },
    {
      words: "verify week --check-chain --rpc-url http://localhost:8545",
      text: "Also every settlement, against a node",
    },
    {
      words: "verify week --refetch 20 --network mainnet",
      text: "Also twenty of its auctions and orders, as the service answers today",
    },
  ],
  permissions: ["read", "output", "ffi", "sys", "net", "env"],
  async run(session, given) {
    const { verifyAction } = await import("../actions/verify_action.ts");
    return await verifyAction(session, given);
  },
};
