import type { CommandSpec } from "../arguments/command_line.ts";
import {
  CHECK,
  CONVERT,
  DESCRIBE,
  EXPORT,
  MERGE,
  PUBLISH_HUGGINGFACE,
  PUBLISH_SITE,
  PUBLISH_ZENODO,
  REBUILD,
  REPORT_WEEK,
  VERIFY,
} from "./datasets.ts";
import { INSPECT, TRIAGE, WATCH } from "./inspect.ts";
import { LAB, NOTEBOOK_NEW, NOTEBOOK_RUN, SQL } from "./analysis.ts";
import { COMPLETIONS, DOCTOR, MCP, SANDBOX, SERVE } from "./services.ts";

/** All commands, in the order of help. */
export const COMMANDS: readonly CommandSpec[] = [
  EXPORT,
  VERIFY,
  CHECK,
  REBUILD,
  CONVERT,
  MERGE,
  DESCRIBE,
  PUBLISH_HUGGINGFACE,
  PUBLISH_SITE,
  PUBLISH_ZENODO,
  REPORT_WEEK,
  SQL,
  INSPECT,
  TRIAGE,
  WATCH,
  SERVE,
  MCP,
  SANDBOX,
  LAB,
  NOTEBOOK_NEW,
  NOTEBOOK_RUN,
  DOCTOR,
  COMPLETIONS,
];
