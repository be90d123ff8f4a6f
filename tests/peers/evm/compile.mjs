/**
 * A program that compiles the Solidity on its input, and writes its contracts: ABI and bytecode by
 * name.
 *
 * @module
 */
import process from "node:process";
import { readFileSync } from "node:fs";

/** Not in the project's own import map, so that nothing but this program asks for it. */
const PACKAGE = "solc";
const { default: solc } = await import(PACKAGE);

const input = {
  language: "Solidity",
  sources: { "contracts.sol": { content: readFileSync(0, "utf8") } },
  settings: {
    evmVersion: "paris",
    optimizer: { enabled: true, runs: 200 },
    metadata: { bytecodeHash: "none" },
    outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } },
  },
};
const { errors = [], contracts } = JSON.parse(solc.compile(JSON.stringify(input)));
const failed = errors.filter(({ severity }) => severity === "error");
if (failed.length > 0) {
  process.stderr.write(failed.map(({ formattedMessage }) => formattedMessage).join("\n"));
  process.exit(1);
}
const compiled = Object.entries(contracts["contracts.sol"]).map(([name, { abi, evm }]) => [
  name,
  { abi, bytecode: `0x${evm.bytecode.object}` },
]);
process.stdout.write(JSON.stringify(Object.fromEntries(compiled)));
