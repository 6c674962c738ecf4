import { seed } from './form.ts';

/**
 * Does one round of a part; a failure names its place in the round, and how to repeat that round alone.
 *
 * @param where a description of the round to look at
 */
export async function repeatable(
  part: string,
  round: number,
  where: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const again = `npm run test:fault -- --seed ${seed} --round ${round} --only ${part}`;
    const reason = error instanceof Error ? error.stack : error;
    throw new Error(`${where}; repeat with: ${again}\n${reason}`, { cause: error });
  }
}
