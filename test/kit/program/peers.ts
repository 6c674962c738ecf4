import { spawnSync } from 'node:child_process';
import type { TestContext } from 'node:test';

import { findProgram } from '../../../src/program/find-program.ts';

/** The executable of this name on PATH. */
export const onPath = (name: string): string | undefined => findProgram(name, process.env);

/**
 * The path of an outside program that a test runs against. Where it is not installed the test is skipped as
 * `not run: needs <name>`, and must return: `const cosign = needs(t, 'cosign'); if (!cosign) return;`
 */
export function needs(context: Pick<TestContext, 'skip'>, name: string): string | undefined {
  const path = onPath(name);
  if (path === undefined) context.skip(`not run: needs ${name}`);
  return path;
}

/**
 * As `needs`, for a part of a program that is packaged apart (a plugin, a subcommand). The test is skipped as `not run:
 * needs <name> <arguments>` unless this call of the program ends with success.
 *
 * @param args a call without effect, such as `download --help`
 */
export function needsPart(
  context: Pick<TestContext, 'skip'>,
  name: string,
  args: readonly string[],
): boolean {
  const path = needs(context, name);
  if (path === undefined) return false;
  if (spawnSync(path, args, { stdio: 'ignore' }).status === 0) return true;
  context.skip(`not run: needs ${name} ${args.join(' ')}`);
  return false;
}
