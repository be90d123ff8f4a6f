import type { Abi, DecodeErrorResultReturnType } from "viem";
import { decodeErrorResult, parseAbi } from "viem/utils";
import { requireHexBytes } from "../hex.ts";

/** The reason of a call that reverted. */
export interface RevertReason {
  /** Name of the error: `Error` for a text, `Panic`, or that of a contract; `null` if it is unknown. */
  readonly name: string | null;
  /** The reason in words: the text of the contract, or the error with its arguments. */
  readonly text: string;
  /** The data that the call returned, as hex; `null` if the node passed on a text alone. */
  readonly data: string | null;
}

/**
 * Errors of contracts that settlements call: of tokens and of the libraries that transfer them, of
 * Permit2, and of ComposableCoW, which signs programmatic orders.
 *
 * @see {@link https://github.com/OpenZeppelin/openzeppelin-contracts/blob/v5.0.0/contracts/interfaces/draft-IERC6093.sol | errors of ERC-20 tokens}
 * @see {@link https://github.com/Vectorized/solady/blob/main/src/tokens/ERC20.sol | errors of Solady's tokens}
 * @see {@link https://github.com/Uniswap/permit2/blob/main/src/interfaces/IAllowanceTransfer.sol | errors of Permit2}
 * @see {@link https://github.com/cowprotocol/composable-cow/blob/main/src/ComposableCoW.sol | errors of ComposableCoW}
 * @see {@link https://github.com/cowprotocol/composable-cow/blob/main/src/interfaces/IConditionalOrder.sol | errors of its orders}
 */
const ERRORS_ABI: Abi = parseAbi([
  "error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)",
  "error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)",
  "error ERC20InvalidSender(address sender)",
  "error ERC20InvalidReceiver(address receiver)",
  "error SafeERC20FailedOperation(address token)",
  "error InsufficientBalance()",
  "error InsufficientAllowance()",
  "error TransferFailed()",
  "error TransferFromFailed()",
  "error InsufficientAllowance(uint256 amount)",
  "error AllowanceExpired(uint256 deadline)",
  "error ProofNotAuthed()",
  "error SingleOrderNotAuthed()",
  "error SwapGuardRestricted()",
  "error InvalidHandler()",
  "error OrderNotValid(string reason)",
  "error PollTryNextBlock(string reason)",
  "error PollTryAtBlock(uint256 blockNumber, string reason)",
  "error PollTryAtEpoch(uint256 timestamp, string reason)",
  "error PollNever(string reason)",
]);

/**
 * Causes of a panic.
 *
 * @see {@link https://docs.soliditylang.org/en/latest/control-structures.html#panic-via-assert-and-error-via-require | Panic of Solidity}
 */
const PANICS: Readonly<Record<string, string>> = {
  "1": "a failed assertion",
  "17": "an arithmetic overflow or underflow",
  "18": "a division by zero",
  "33": "an invalid enum value",
  "50": "an index out of bounds",
};

const MAX_TEXT = 300;

/**
 * Decodes the data of a call that reverted: `Error(string)`, `Panic(uint256)`, or an error of tokens,
 * Permit2 or ComposableCoW.
 *
 * @param data The returned data, as hex with `0x`.
 * @returns The reason; of an unknown error its selector. A text is the contract's own, cut after 300
 * characters.
 *
 * @example A token of OpenZeppelin whose sender has 5 of 7 atoms
 * ```ts
 * import { decodeRevert } from "orderlens/evm";
 * import { assertEquals } from "@std/assert";
 *
 * const words = ["0d".repeat(20), "5", "7"].map((digits) => digits.padStart(64, "0")).join("");
 * const { name, text } = decodeRevert(`0xe450d38c${words}`);
 *
 * assertEquals(name, "ERC20InsufficientBalance");
 * assertEquals(text, `ERC20InsufficientBalance: sender 0x${"0d".repeat(20)}, balance 5, needed 7`);
 * ```
 */
export function decodeRevert(data: string): RevertReason {
  if (data === "0x") return { name: null, text: "no reason: it returned no data", data };
  let decoded: DecodeErrorResultReturnType<Abi>;
  try {
    decoded = decodeErrorResult({ abi: ERRORS_ABI, data: requireHexBytes(data) });
  } catch {
    return { name: null, text: `the unknown error ${data.slice(0, 10)}`, data };
  }
  const { errorName, args = [], abiItem } = decoded;
  if (errorName === "Error") return { name: errorName, text: cutText(String(args[0])), data };
  if (errorName === "Panic") {
    const cause = PANICS[String(args[0])] ?? `code ${String(args[0])}`;
    return { name: errorName, text: `a panic of the contract: ${cause}`, data };
  }
  const inputs = "inputs" in abiItem ? abiItem.inputs ?? [] : [];
  const words = inputs.map(({ name, type }, index) => {
    const value = String(args[index]);
    return `${name} ${type === "address" ? value.toLowerCase() : cutText(value)}`;
  });
  return {
    name: errorName,
    text: [errorName, ...words.length === 0 ? [] : [words.join(", ")]].join(": "),
    data,
  };
}

function cutText(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`;
}
