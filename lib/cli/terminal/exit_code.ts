/** How a command ended, as the system gets it. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  gaps: 3,
  unauthorized: 4,
  notFound: 5,
  differs: 6,
  comeBackLater: 75,
  interrupted: 130,
} as const;

/** An exit code of the command line. */
export type ExitCode = number;

/** What each exit code means, for help. */
export const EXIT_MEANINGS: Readonly<
  Record<keyof typeof EXIT, readonly [code: ExitCode, text: string]>
> = {
  done: [EXIT.done, "done"],
  failed: [EXIT.failed, "failed"],
  usage: [EXIT.usage, "the command line is wrong"],
  gaps: [EXIT.gaps, "finished, with gaps"],
  unauthorized: [EXIT.unauthorized, "the service needs a key, or refuses it"],
  notFound: [EXIT.notFound, "not found"],
  differs: [EXIT.differs, "does not verify"],
  comeBackLater: [
    EXIT.comeBackLater,
    "come back later: the service asks to wait, or the folder is in use",
  ],
  interrupted: [EXIT.interrupted, "interrupted, everything kept"],
};
