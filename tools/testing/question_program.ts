/** A question of `docs/questions.md`: what answers it, and the answer that the page shows. */
export interface Question {
  readonly title: string;
  readonly program: string;
  readonly answer: string;
}

/** Printed after each answer. */
export const SEPARATOR = "\f";

/** The questions of a page, and one program that prints all their answers. */
export function readQuestions(
  page: string,
): { readonly questions: readonly Question[]; readonly program: string } {
  const [, beginning = ""] = page.match(/```ts\n([^]*?)```/) ?? [];
  const questions = page.split(/^## (?=\d+\. )/m).slice(1).map((text) => {
    const match = text.match(
      /^\d+\. (.*)\n[^]*```ts ignore\n([^]*?)```\n\n```text\n([^]*?)```/,
    );
    const [, title = "", program = "", answer = ""] = match ?? [];
    return { title, program, answer: answer.trim() };
  });
  const blocks = questions.map(({ program }) =>
    `{\n${program}}\nconsole.log(${JSON.stringify(SEPARATOR)});\n`
  );
  return { questions, program: beginning + blocks.join("") };
}
