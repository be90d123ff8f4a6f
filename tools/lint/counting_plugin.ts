/** Reports the {@linkcode Tally} of each file, as JSON, for `tools/testing/count_language.ts`. */
import { visitDeclarations } from "./declarations.ts";
import {
  beginsWithQuestion,
  beginsWithVerb,
  isBareWord,
  isHalfSentence,
  isOldLimit,
  isParticipleType,
} from "./words.ts";

/** Counts of a file's declarations. */
export type Tally = Record<
  | ("functions" | "halfSentences" | "verbs" | "types" | "participleTypes")
  | ("variables" | "bareWords" | "oldLimits" | "docs" | "questions"),
  number
>;

/** A tally of nothing. */
export function emptyTally(): Tally {
  return {
    functions: 0,
    halfSentences: 0,
    verbs: 0,
    types: 0,
    participleTypes: 0,
    variables: 0,
    bareWords: 0,
    oldLimits: 0,
    docs: 0,
    questions: 0,
  };
}

const plugin: Deno.lint.Plugin = {
  name: "counting",
  rules: {
    count: {
      create(context) {
        const tally = emptyTally();
        const { "Program:exit": readDocs, ...visitor } = visitDeclarations(
          context,
          ({ kind, text, isShorthand = false }) => {
            if (kind === "function") {
              tally.functions++;
              tally.halfSentences += Number(isHalfSentence(text));
              tally.verbs += Number(beginsWithVerb(text));
            } else if (kind === "type") {
              tally.types++;
              tally.participleTypes += Number(isParticipleType(text));
            } else if (kind === "doc") {
              tally.docs++;
              tally.questions += Number(beginsWithQuestion(text));
            } else {
              tally.variables++;
              tally.bareWords += Number(!isShorthand && isBareWord(text));
              tally.oldLimits += Number(isOldLimit(text));
            }
          },
        );
        return {
          ...visitor,
          "Program:exit"(node) {
            readDocs?.(node);
            context.report({ node, message: JSON.stringify(tally) });
          },
        };
      },
    },
  },
};

export default plugin;
