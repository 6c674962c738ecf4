import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '../../bench/servers/free-port.ts';
import { startPeerProcess } from '../../bench/servers/peer-process.ts';
import { eventually } from '../../kit/instance/eventually.ts';

export interface Zot extends AsyncDisposable {
  /** `127.0.0.1:<port>` */
  readonly host: string;
  readonly url: string;
  /** Waits for two ends of a collection of a repository: the second one began after the call. */
  collect(repository: string): Promise<void>;
}

/**
 * zot with an empty storage that collects all the time, and removes blobs that no manifest names after a second.
 *
 * @param dedupe whether a repository shows the blobs of all others too: nobody asks for a mount. Without it, zot begins an
 * upload for each mount that it is asked for. Default true
 */
export async function startCollectingZot(program: string, folder: string, dedupe = true): Promise<Zot> {
  await mkdir(folder, { recursive: true });
  const port = await findFreePort();
  const storage = join(folder, 'storage');
  const configuration = join(folder, 'zot.json');
  await writeFile(
    configuration,
    JSON.stringify({
      distSpecVersion: '1.1.1',
      storage: {
        rootDirectory: storage,
        dedupe,
        gc: true,
        gcDelay: '1s',
        gcInterval: '1s',
        gcMaxSchedulerDelay: '1ms',
      },
      http: { address: '127.0.0.1', port: String(port) },
      log: { level: 'info' },
    }),
  );
  const ended = new Map<string, number>();
  const host = `127.0.0.1:${port}`;
  const server = await startPeerProcess(program, ['serve', configuration], {
    host,
    home: folder,
    onLine: (line) => {
      const [, path] = /gc successfully completed for ([^"]+)"/.exec(line) ?? [];
      if (path !== undefined) ended.set(path, (ended.get(path) ?? 0) + 1);
    },
  });
  return {
    host,
    url: `http://${host}`,
    collect: async (repository) => {
      const path = join(storage, repository);
      const before = ended.get(path) ?? 0;
      await eventually('a collection', () => (ended.get(path) ?? 0) >= before + 2, 60);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
