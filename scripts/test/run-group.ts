import { type AsyncHook, createHook } from 'node:async_hooks';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';

/**
 * Sets up the test runner of Node, and takes its hook that follows every promise and handle of the process. The hook finds
 * the test that a declaration or an uncaught error belongs to. It costs a process of tests about a third of its time.
 */
function takeTracking(setUp: () => void): AsyncHook {
  const prototype = Object.getPrototypeOf(createHook({})) as AsyncHook;
  const { enable } = prototype;
  let tracking: AsyncHook | undefined;
  prototype.enable = function (this: AsyncHook) {
    tracking = this;
    return enable.call(this);
  };
  try {
    setUp();
  } finally {
    prototype.enable = enable;
  }
  if (tracking === undefined) throw new Error('the test runner follows nothing');
  return tracking;
}

/**
 * Runs test files in this process, one after another. Each is a test around the tests of the file. Its hooks are its own,
 * its servers end with it, and a failure carries its name.
 *
 * @param root the folder of the project
 * @param files paths in the project
 * @param options.limit milliseconds for each file, after which it has failed
 * @param options.until milliseconds since 1970, after which no further file begins: those left are not run
 * @param options.temporary folder of temporary files, in place of the folder of the system
 * @param options.grace seconds after the last test in which the process ends by itself, unless a file left something behind
 */
export function runTestGroup(
  root: string,
  files: readonly string[],
  {
    limit,
    until = Number.POSITIVE_INFINITY,
    temporary,
    grace = 30,
  }: {
    readonly limit: number;
    readonly until?: number | undefined;
    readonly temporary?: string | undefined;
    readonly grace?: number;
  },
): void {
  if (temporary !== undefined) process.env.TMPDIR = temporary;
  let current: string | undefined;
  const declare = (): void => {
    for (const file of files) {
      test(file, { timeout: limit }, async (t) => {
        if (Date.now() >= until) return t.skip('no time was left');
        current = file;
        tracking.enable();
        try {
          await import(pathToFileURL(join(root, file)).href);
        } finally {
          // the tests of the file are declared
          tracking.disable();
        }
      });
    }
  };
  const tracking = takeTracking(declare);
  // the runner fails the process for them, and no test
  for (const event of ['uncaughtException', 'unhandledRejection'])
    process.on(event, (error) => process.stderr.write(`test: ${event} in ${current}: ${inspect(error)}\n`));
  after(() => {
    setTimeout(() => {
      process.stderr.write(
        `test: left behind by ${files.join(', ')}: ${process.getActiveResourcesInfo().join(', ')}\n`,
      );
      process.exit(1);
    }, grace * 1000).unref();
  });
}
