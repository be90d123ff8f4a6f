import { nearestText } from "../../errors/orderlens_error.ts";
import {
  Args,
  type CommandSpec,
  type Declared,
  declared,
  optionsOf,
  unknownWord,
  usageError,
} from "./command_line.ts";

/** A command, and what was written for it. */
export interface Parsed {
  /** The command. */
  readonly spec: CommandSpec;
  /** Its arguments and options. */
  readonly args: Args;
}

/**
 * Finds the command that the words name, and reads its arguments and options.
 *
 * @throws {InputError} If there is no such command or option, or a word is missing or one too many.
 */
export function parseWords(raw: readonly string[], commands: readonly CommandSpec[]): Parsed {
  const spec = commandIn(raw, commands);
  if (spec === undefined) throw unknownCommand(raw, commands);
  const own = raw.slice(spec.name.split(" ").length);
  // They go to another program as they are.
  if (spec.passesOn === true) return { spec, args: new Args(spec.name, noneOf(own)) };
  const { words, values } = readWords(spec, own);
  requireWords(spec, words);
  return { spec, args: new Args(spec.name, { words, raw: own, values }) };
}

/** The command that the words begin with. */
export function commandIn(
  raw: readonly string[],
  commands: readonly CommandSpec[],
): CommandSpec | undefined {
  const names = [raw.slice(0, 2).join(" "), raw[0]];
  return commands.find(({ name }) => names.includes(name));
}

function unknownCommand(raw: readonly string[], commands: readonly CommandSpec[]): Error {
  // `help exprt` asks for the help of a command that there is not.
  const [first = "", second = ""] = raw.filter((word) => word !== "help");
  const members = commands.map(({ name }) => name.split(" "))
    .flatMap(([group, member]) => group === first && member !== undefined ? [member] : []);
  const [what, word] = members.length > 0 ? [`orderlens ${first}`, second] : ["orderlens", first];
  const known = members.length > 0 ? members : commands.map(({ name }) => name.split(" ")[0]!);
  return unknownWord(`Cannot run ${what} ${word}`, { noun: "command", word }, [...new Set(known)]);
}

function noneOf(raw: readonly string[]) {
  return { words: raw, raw, values: new Map<string, string[]>() };
}

function readWords(spec: CommandSpec, raw: readonly string[]) {
  const known = Object.keys(optionsOf(spec)).map(declared);
  const words: string[] = [];
  const values = new Map<string, string[]>();
  const left = [...raw];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (word === "--") {
      words.push(...left.splice(0));
    } else if (word === "-" || !word.startsWith("-")) {
      words.push(word);
    } else {
      const option = optionOf(spec, word, known);
      const own = valueOf(spec, { word, option, left });
      const before = option.isRepeated ? values.get(option.name) ?? [] : [];
      values.set(option.name, own === undefined ? before : [...before, own]);
    }
  }
  return { words, values };
}

function optionOf({ name: command }: CommandSpec, word: string, known: readonly Declared[]) {
  const [name = word] = word.split("=");
  const option = known.find((one) => one.name === name);
  const cannot = `Cannot run ${command} with`;
  if (option?.value === null && word !== name) {
    throw usageError(`${cannot} ${word}: it takes no value`, `Pass ${name}`);
  }
  if (option !== undefined) return option;
  const nearest = nearestText(name, [...known.map((one) => one.name), "--help"]);
  throw nearest === undefined
    ? usageError(`${cannot} ${name}: there is no such option`, "Leave it out")
    : usageError(`${cannot} ${name}: did you mean ${nearest}?`, `Pass ${nearest}`);
}

/** The value in a word or in the next one, which it is taken from. */
function valueOf(
  spec: CommandSpec,
  { word, option, left }: {
    readonly word: string;
    readonly option: Declared;
    readonly left: string[];
  },
): string | undefined {
  const { name, value, isOptional } = option;
  if (word !== name) return word.slice(name.length + 1);
  if (value === null || isOptional && (left[0] ?? "-").startsWith("-")) return undefined;
  const own = left.shift();
  if (own !== undefined) return own;
  throw usageError(
    `Cannot run ${spec.name} with ${name} and no value`,
    `Pass ${name} <${value}>`,
  );
}

/** Refuses words that are missing, too many, or empty, as a variable that is not set makes them. */
function requireWords(spec: CommandSpec, words: readonly string[]): void {
  const names = Object.keys(spec.arguments ?? {});
  const cannot = `Cannot run ${spec.name}`;
  const missing = names[words.length];
  if (missing?.startsWith("<")) {
    throw usageError(
      `${cannot} without its ${missing.replace("...", "")}`,
      `Pass it, as in orderlens ${spec.name} ${names.join(" ")} [options]`,
    );
  }
  const excess = words[names.length];
  if (excess !== undefined && !names.some((name) => declared(name).isRepeated)) {
    throw usageError(`${cannot} with ${excess}: it takes fewer words`, "Leave it out");
  }
  if (!words.includes("")) return;
  throw usageError(`${cannot} with an empty word`, "Pass a path or a name in its place");
}
