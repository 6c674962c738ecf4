/** Exit codes, which are covered by semantic versioning. */
export const exitCodes = {
  ok: 0,
  failure: 1,
  usage: 2,
  policy: 3,
  verification: 4,
  'changes-planned': 5,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
