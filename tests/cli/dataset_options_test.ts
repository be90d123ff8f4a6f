import { cp } from "node:fs/promises";
import { parseRun } from "../../tools/notebooks/parse_run.ts";
import {
  ACCOUNT,
  AUCTION,
  FOLDER,
  HERE,
  NODE,
  nodeRows,
  OWN,
  targetRows,
  testOptions,
} from "./option_rows.ts";
import { assertEquals } from "@std/assert";
import { trace } from "./option_rows.ts";

const ONE = `--auctions ${AUCTION}..${AUCTION}`;
const FEW = "--tables auctions,orders --no-trades --no-debug-reports";
const SET = `${FOLDER}/set`;
const SMALL = `${FOLDER}/few`;
for (
  const line of [
    `export ${SET} ${HERE} ${NODE} ${ONE} --no-debug-reports`,
    `export ${SMALL} ${HERE} ${ONE} --tables auctions --no-trades --no-debug-reports`,
  ]
) {
  const { code, said } = await trace(line);
  assertEquals(code, 0, said);
}
await Deno.mkdir(`${FOLDER}/taken`);
await Deno.writeTextFile(`${FOLDER}/taken/file`, "");
await cp(SMALL, `${FOLDER}/odd`, { recursive: true });
await cp(SET, `${FOLDER}/strange`, { recursive: true });
await Deno.writeTextFile(`${FOLDER}/strange/other.txt`, "");
await Deno.writeTextFile(`${FOLDER}/odd/other.txt`, "");
await Deno.writeTextFile(`${FOLDER}/creators.json`, JSON.stringify([{ name: "Lab" }]));
await Deno.writeTextFile(`${FOLDER}/query.sql`, "SELECT count(*) AS n FROM auctions");
await Deno.writeTextFile(`${FOLDER}/joined.sql`, "SELECT count(*) AS n FROM own");
await Deno.writeTextFile(`${FOLDER}/prices.csv`, "native_tokens,source\n0.0000631,Dune\n");
await Deno.writeTextFile(`${FOLDER}/own.csv`, "a\n1\n");

const EXPORT = `export ${OWN}/set ${HERE} ${ONE} ${FEW}`;
const PLAN = `export ${OWN}/set ${HERE} ${ONE} --dry-run`;
const SELECTED = `export ${OWN}/set ${HERE} --last 1 --dry-run =>` +
  ` export ${OWN}/set ${HERE} --dry-run`;
const DAY = `export ${OWN}/set ${HERE} ${NODE} --dry-run --to 2026-11-21T00:00:20Z --from`;
const BLOCKS = `export ${OWN}/set ${HERE} ${NODE} --dry-run --blocks`;
const VERIFY = `verify ${SMALL}`;
const CHAIN = `verify ${SET} --check-chain`;
const WEEK = `report week ${SET} ${OWN}/week.html`;
const SQL = `sql ${SMALL} ${FOLDER}/query.sql`;
const WITH = `--with own=${FOLDER}/own.csv`;

function aboutRows(command: string) {
  return {
    "--title": [`${command} => --title Orders`],
    "--license": [`${command} => --license CC-BY-4.0`],
    "--creator": [`${command} => --creator Somebody`],
  };
}

function publishRows(target: string) {
  const publish = (set: string) => `publish ${target} ${set} ${OWN}/upload`;
  const few = `${publish(SMALL)} --no-validate`;
  return {
    "--creators": [`${few} => --creators ${FOLDER}/creators.json`],
    "--description": [`${few} => --description Auctions`],
    "--release": [`${few} => --release 1.0`],
    "--no-picture": [`${publish(SET)} --no-validate => --no-picture`],
    "--python": [`${publish(SMALL)} --python no_such_python => --python no_other_python`],
    "--no-validate": [`${publish(SMALL)} --python no_such_python => --no-validate`],
    "--anyway": [`${publish(`${FOLDER}/odd`)} --no-validate => --anyway`],
  };
}

const SITE = `publish site ${SET} ${OWN}/site`;

testOptions({
  export: {
    ...targetRows(`export ${OWN}/set`, "--last 1 --dry-run"),
    ...nodeRows(PLAN),
    ...aboutRows(EXPORT),
    "--settlement": targetRows(`export ${OWN}/set`, `${ONE} ${FEW}`)["--settlement"]!,
    "--chain-id": targetRows(`export ${OWN}/set`, `${ONE} ${FEW}`)["--chain-id"]!,
    "--from": [`${DAY} 2026-11-21 => ${DAY} 2026-11-21T00:00:10Z`],
    "--to": [`${DAY} 2026-11-21 => --to 2026-11-21T00:00:16Z`],
    "--auctions": [`${SELECTED} ${ONE}`],
    "--blocks": [`${SELECTED} --blocks 1..1000000`],
    "--discover-by": [`${BLOCKS} 1..30 => --discover-by settlements`],
    "--last": [`${PLAN} => export ${OWN}/set ${HERE} --last 2 --dry-run`],
    "--owner": [`${SELECTED} --owner ${ACCOUNT}`],
    "--uids": [`${SELECTED} --uids ${FOLDER}/other_uids`],
    "--tables": [`${PLAN} => --tables auctions`],
    "--no-trades": [`${PLAN} => --no-trades`],
    "--no-debug-reports": [`${PLAN} => --no-debug-reports`],
    "--no-block-times": [`${PLAN} ${NODE} => --no-block-times`],
    "--no-settlements": [`${PLAN} ${NODE} => --no-settlements`],
    "--rewards-of": [`${EXPORT} => --rewards-of xdai`],
    "--cow-price": [`${EXPORT} => --cow-price 63100000000000@Dune`],
    "--instances": [`${PLAN} => --instances /instances`],
    "--follow": [`${PLAN} => --follow`],
    "--rate": [`${PLAN} => --rate 7`],
    "--max-requests": [`${EXPORT} => --max-requests 1`],
    "--format": [`${EXPORT} => --format csv`],
    "--dry-run": [`${EXPORT} => --dry-run`],
  },
  verify: {
    ...targetRows(VERIFY, "--refetch 1 --seed 1"),
    ...nodeRows(CHAIN),
    "--refetch": [`${VERIFY} ${HERE} => --refetch 1`],
    "--recompute": [`${VERIFY} => --recompute`],
    "--check-chain": [`${VERIFY} => --check-chain ${NODE}`],
    "--sample": [`${VERIFY} => --sample 1`],
    "--signer": [
      `${VERIFY} => --signer RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3`,
    ],
    "--seed": [`${VERIFY} ${HERE} --refetch 1 --seed 1 => ${VERIFY} ${HERE} --refetch 1 --seed 2`],
  },
  rebuild: {
    "--into": [`rebuild ${SMALL} => --into ${OWN}/copy`],
    "--rewards-of": [`rebuild ${SMALL} --into ${OWN}/copy => --rewards-of xdai`],
    "--cow-price": [`rebuild ${SMALL} --into ${OWN}/copy => --cow-price ${FOLDER}/prices.csv`],
    ...aboutRows(`rebuild ${SMALL} --into ${OWN}/copy`),
  },
  convert: {
    "--format": [`convert ${SMALL} ${OWN}/out --format csv => --format ndjson`],
    "--tables": [`convert ${SMALL} ${OWN}/out --format csv => --tables orders`],
    "--partition": [`convert ${SMALL} ${OWN}/out --format csv => --partition day`],
  },
  merge: { "--into": [`merge ${SMALL} => --into ${OWN}/all`] },
  check: {},
  describe: {},
  "publish huggingface": publishRows("huggingface"),
  "publish zenodo": publishRows("zenodo"),
  "publish site": {
    "--orders": [`${SITE} --orders 0 => --orders 1`],
    "--creators": [`${SITE} --orders 0 => --creators ${FOLDER}/creators.json`],
    "--description": [`${SITE} --orders 0 => --description Auctions`],
    "--release": [`${SITE} --orders 0 => --release 1.0`],
    "--anyway": [`publish site ${FOLDER}/strange ${OWN}/site --orders 0 => --anyway`],
  },
  // A page takes seconds: what is refused was read, and the tests of weekReport() show the rest.
  "report week": {
    "--week": [`${WEEK} --week 2026-11-10 => --week 2026-11-11`],
    "--rewards-of": [`${WEEK} --week 2026-11-10 => --rewards-of nowhere`],
    "--cow-price": [`${WEEK} --week 2026-11-10 => --cow-price much`],
  },
  sql: {
    "--list": [`${SQL} => sql ${SMALL} --list`],
    "--csv": [`${SQL} => --csv`],
    "--output": [`${SQL} => --output ${OWN}/rows.csv`],
    "--with": [`sql ${SMALL} ${FOLDER}/joined.sql => ${WITH}`],
    "--memory": [`${SQL} => --memory much`],
  },
  "notebook new": {
    "--from": [`notebook new ${OWN}/n.ipynb --from ${SMALL} => --from ${SET}`],
    "--python": [`notebook new ${OWN}/n.ipynb --from ${SMALL} => --python`],
  },
  completions: {},
  lab: {},
});

/** What the words of `orderlens notebook run` ask the notebooks for, which take minutes. */
async function parseWords(line: string): Promise<unknown> {
  const words = line.replace("notebook run", "").split(" ").filter((word) => word !== "");
  const run = parseRun(words, {}).catch(({ message }: Error) => message);
  return JSON.parse(JSON.stringify(await run));
}

testOptions({
  "notebook run": {
    ...Object.fromEntries(
      Object.entries(targetRows("notebook run", "--last 2")).filter(([option]) =>
        option !== "--sandbox" && option !== "--api-key-file"
      ),
    ),
    "--update": ["notebook run 01 => --update"],
    "--dataset": [`notebook run 01 => --dataset ${SET}`],
    "--last": [`notebook run 01 ${HERE} => --last 3`],
    "--set": ["notebook run 01 => --set seed=8"],
    "--html": ["notebook run 01 => --html one.html"],
    "--overwrite": ["notebook run 01 --html one.html => --overwrite"],
    "--out": [`notebook run 01 --recording edges => --out ${FOLDER}/out`],
  },
}, { traceLine: parseWords });
