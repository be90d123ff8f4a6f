import type { CommandSpec } from "./command_spec.ts";
import type { Given } from "./given.ts";

/** What a publisher says of a dataset; kept until something else is said. */
export const ABOUT_OPTIONS: NonNullable<CommandSpec["options"]> = [
  { flags: "--title <text>", text: "title of the dataset" },
  { flags: "--license <name>", text: "license of the dataset, such as CC-BY-4.0" },
  { flags: "--creator <name>", text: "who publishes the dataset" },
];

/** The values of these options. */
export function aboutOf(given: Given) {
  return {
    title: given.text("--title"),
    license: given.text("--license"),
    creator: given.text("--creator"),
  };
}
