import type { CommandSpec } from "../words/command_spec.ts";
import { COMPLETIONS } from "./completions.ts";
import { CONVERT } from "./convert.ts";
import { DESCRIBE } from "./describe.ts";
import { DOCTOR } from "./doctor.ts";
import { EXPORT } from "./export.ts";
import { INSPECT } from "./inspect.ts";
import { LAB } from "./lab.ts";
import { MERGE } from "./merge.ts";
import { NOTEBOOK_NEW } from "./notebook_new.ts";
import { NOTEBOOK_RUN } from "./notebook_run.ts";
import { PUBLISH } from "./publish.ts";
import { REBUILD } from "./rebuild.ts";
import { SANDBOX } from "./sandbox.ts";
import { SQL } from "./sql.ts";
import { SERVE } from "./serve.ts";
import { TRIAGE } from "./triage.ts";
import { VERIFY } from "./verify.ts";
import { WATCH } from "./watch.ts";

/** All commands, in the order of help: another one is a file, and a line here. */
export const COMMANDS: readonly CommandSpec[] = [
  EXPORT,
  VERIFY,
  REBUILD,
  CONVERT,
  PUBLISH,
  MERGE,
  DESCRIBE,
  SQL,
  INSPECT,
  TRIAGE,
  WATCH,
  SERVE,
  SANDBOX,
  LAB,
  NOTEBOOK_NEW,
  NOTEBOOK_RUN,
  DOCTOR,
  COMPLETIONS,
];
