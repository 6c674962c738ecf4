/** Short in the test suite; full with `npm run test:fault`. */
export const isFull: boolean = process.env.SVC_FAULT_FORM === 'full';

/** Everything random comes from it and the number of the round. */
export const seed: string = process.env.SVC_FAULT_SEED ?? '1';

/** The one round to repeat. */
export const onlyRound: number | undefined =
  process.env.SVC_FAULT_ROUND === undefined ? undefined : Number(process.env.SVC_FAULT_ROUND);

/** Histories of each property, where their number was asked for. */
export const asked: number | undefined =
  process.env.SVC_FAULT_HISTORIES === undefined ? undefined : Number(process.env.SVC_FAULT_HISTORIES);

/** How often something is done in this form. */
export function times(short: number, full: number): number {
  return isFull ? full : short;
}

/** The one part to run, where one was named; the others are left out. */
export const only: string | undefined = process.env.SVC_FAULT_ONLY;
