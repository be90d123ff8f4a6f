/**
 * The function of the hooks trampoline.
 *
 * @see {@link https://github.com/cowprotocol/hooks-trampoline/blob/main/src/HooksTrampoline.sol | HooksTrampoline}
 */
export const TRAMPOLINE_ABI = [{
  type: "function",
  name: "execute",
  stateMutability: "nonpayable",
  outputs: [],
  inputs: [{
    name: "hooks",
    type: "tuple[]",
    components: [
      { name: "target", type: "address" },
      { name: "callData", type: "bytes" },
      { name: "gasLimit", type: "uint256" },
    ],
  }],
}] as const;
