import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';

/**
 * Runs test files in this process, one after another. Each is a test around the tests of the file. Its hooks are its own,
 * its servers end with it, and a failure carries its name.
 *
 * @param root the folder of the project
 * @param files paths in the project
 * @param limit milliseconds for each file, after which it has failed
 * @param grace seconds after the last test in which the process ends by itself, unless a file left something behind
 */
export function runTestGroup(
  root: string,
  files: readonly string[],
  limit: number,
  grace: number = 30,
): void {
  for (const file of files) {
    test(file, { timeout: limit }, async () => {
      await import(pathToFileURL(join(root, file)).href);
    });
  }
  after(() => {
    setTimeout(() => {
      process.stderr.write(
        `test: left behind by ${files.join(', ')}: ${process.getActiveResourcesInfo().join(', ')}\n`,
      );
      process.exit(1);
    }, grace * 1000).unref();
  });
}
