import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TempFolder extends AsyncDisposable {
  readonly path: string;
}

/** A folder of its own for one test, removed with everything in it: `await using folder = await openTempFolder()`. */
export async function openTempFolder(prefix: string = 'svc-test-'): Promise<TempFolder> {
  const path = await realpath(await mkdtemp(join(tmpdir(), prefix)));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
