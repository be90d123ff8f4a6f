import { localFiles } from "../../http/reading/local_files.ts";

/** The programs that run Spark, and what they need, by name. */
const NAMES = [
  "prepare.py",
  "driver.py",
  "requirements.txt",
  "build_requirements.txt",
] as const;

/** Texts of the programs. */
export type ProgramFiles = Readonly<Record<(typeof NAMES)[number], string>>;

/** Reads the programs, which stand beside this file. */
export async function readPrograms(): Promise<ProgramFiles> {
  const texts = await Promise.all(NAMES.map(async (name) => {
    const file = new URL(`./programs/${name}`, import.meta.url);
    return [name, await localFiles().readFile(file, "utf8")] as const;
  }));
  return Object.fromEntries(texts) as Record<(typeof NAMES)[number], string>;
}
