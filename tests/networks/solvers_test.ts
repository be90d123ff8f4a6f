import { assert, assertEquals, assertThrows } from "@std/assert";
import { InputError } from "orderlens";
import { isNetworkName, solver, solverName, SOLVERS } from "orderlens/networks";
import { findAgreedSolverName } from "../../lib/networks/solvers.ts";
import file from "../../data/solvers.json" with { type: "json" };
import named from "../testdata/schemas/v1_9008649_mainnet_2024_06_trimmed.json" with {
  type: "json",
};

const BASELINE = "0x833f076d182123ca8dde2743045ea02957bd61ef";

Deno.test("data/solvers.json has each address of a network once, well-formed and frozen, with its source", () => {
  assert(/commit [0-9a-f]{9} \(20\d\d-\d\d-\d\d\)$/.test(file.source), file.source);
  assertEquals(SOLVERS.length, 574);
  assertEquals(new Set(SOLVERS.map(({ network }) => network)).size, 11);
  const places = new Set(SOLVERS.map(({ network, address }) => `${network} ${address}`));
  assertEquals(places.size, SOLVERS.length);
  assert(Object.isFrozen(SOLVERS) && SOLVERS.every(Object.isFrozen));
  for (const { network, address, name, environment } of SOLVERS) {
    assert(network === "lens" || isNetworkName(network), network);
    assert(/^0x[0-9a-f]{40}$/.test(address), address);
    assert(name.length > 0 && name === name.trim(), address);
    assert(["production", "staging", "service", "test"].includes(environment), address);
  }
});

// The service itself named solvers in 2024; the last one has had another name since.
Deno.test("solverName() agrees with the names in an old response of the service", () => {
  assertEquals(
    named.solutions.map(({ solver, solverAddress }) => [
      solver,
      solverName("mainnet", solverAddress),
    ]),
    [
      ["openocean", "OpenOcean_Aggregator"],
      ["quasilabs", "Quasilabs"],
      ["enso", "Enso"],
      ["paraswap", "Gnosis_ParaSwap"],
      ["zeroex", "Gnosis_0x"],
      ["barter", "Barter"],
      ["baseline", "Baseline"],
      ["otex", "GlueX_Protocol"],
    ],
  );
});

Deno.test("solver() accepts any letter case, and returns null for unlisted addresses", () => {
  const checksummed = "0x833F076D182123Ca8DdE2743045eA02957bD61eF";
  assertEquals(solver("mainnet", checksummed), {
    network: "mainnet",
    address: BASELINE,
    name: "Baseline",
    environment: "production",
  });
  assertEquals(solver("sepolia", BASELINE), null);
  assertEquals(solver("mainnet", `0x${"00".repeat(20)}`), null);
  assertEquals(
    solverName("mainnet", "0x2caef7f0ee82fb0abf1ab0dcd3a093803002e705"),
    "Test Solver 1 (test)",
  );
  assertEquals(
    solverName("xdai", "0x68dee65bb88d919463495e5cea9870a81f1e9413"),
    "Withdraw (service)",
  );
});

Deno.test("solver() rejects an unknown network or an invalid address", () => {
  assertThrows(() => solver("mainet" as "mainnet", BASELINE), InputError, 'mean "mainnet"');
  for (const wrong of ["Baseline", `${BASELINE}00`, "", undefined, null, 7]) {
    const ask = () => solver("mainnet", wrong as string);
    assertThrows(ask, InputError, "Cannot look up a solver at ");
  }
});

Deno.test("findAgreedSolverName() searches every network if none is named, and never guesses", () => {
  const portus = "0x6BF97AFE2D2C790999CDED2A8523009EB8A0823F";
  assertEquals(findAgreedSolverName(portus, undefined), "Portus");
  assertEquals(findAgreedSolverName(portus, "base"), "Portus");
  assertEquals(findAgreedSolverName(portus, "local"), null);
  assertEquals(findAgreedSolverName("no address", undefined), null);
});
