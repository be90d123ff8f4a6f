import { toFunctionSelector } from "viem/utils";
import { CALLS_ABI, TRAMPOLINE_ABI } from "../abis.ts";

/**
 * Functions that settlements and hooks call, by their types: of tokens, of pools and routers, of the
 * EthFlow contract, and of CoW Shed proxies.
 *
 * @see {@link https://eips.ethereum.org/EIPS/eip-2612 | EIP-2612, of `permit`}
 * @see {@link https://github.com/cowdao-grants/cow-shed/blob/main/src/COWShedFactory.sol | COWShedFactory}
 * @see {@link https://github.com/Uniswap/v3-periphery/blob/main/contracts/interfaces/ISwapRouter.sol | ISwapRouter}
 * @see {@link https://github.com/balancer/balancer-v2-monorepo/blob/master/pkg/interfaces/contracts/vault/IVault.sol | IVault}
 */
const SIGNATURES = [
  "transfer(address,uint256)",
  "transferFrom(address,address,uint256)",
  "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)",
  "permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)",
  "deposit()",
  "wrapAll()",
  "swap(uint256,uint256,address,bytes)",
  "swap(address,bool,int256,uint160,bytes)",
  "exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))",
  "exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))",
  "exactOutputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))",
  "exactOutputSingle((address,address,uint24,address,uint256,uint256,uint160))",
  "exchange(int128,int128,uint256,uint256)",
  "swap((bytes32,uint8,address,address,uint256,bytes),(address,bool,address,bool),uint256,uint256)",
  "batchSwap(uint8,(bytes32,uint256,uint256,uint256,bytes)[],address[],(address,bool,address,bool),int256[],uint256)",
  "executeHooks((address,uint256,bytes,bool,bool)[],bytes32,uint256,address,bytes)",
  "executeHooks((address,uint256,bytes,bool,bool)[],bytes32,uint256,bytes)",
];

const names = new Map<string, string>();

/**
 * Returns the name of the function that calldata calls, by its selector; `null` if it is none of those
 * that settlements and hooks mostly call. Functions of other names can have the same selector.
 *
 * @param callData Calldata, or its first four bytes, as hex with `0x`.
 */
export function findFunctionName(callData: string): string | null {
  // Hashed on first use, which takes longer than loading a module.
  if (names.size === 0) {
    for (const item of [...CALLS_ABI, ...TRAMPOLINE_ABI]) {
      if (item.type === "function") names.set(toFunctionSelector(item), item.name);
    }
    for (const signature of SIGNATURES) {
      names.set(toFunctionSelector(signature), signature.slice(0, signature.indexOf("(")));
    }
  }
  return names.get(callData.slice(0, 10).toLowerCase()) ?? null;
}
