import { shippedDatasets } from "../../datasets/mod.ts";

/** A folder that a command line names, and never the dataset of the same name that ships. */
export function localFolder(word: string): string {
  return shippedDatasets().includes(word) ? `./${word}` : word;
}
