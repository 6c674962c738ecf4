import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from './free-port.ts';
import type { MeasuredServer } from './measured-server.ts';
import { startPeerProcess } from './peer-process.ts';

/** zot with the settings that it has by itself, logging errors only. */
export async function startZotServer(program: string, folder: string): Promise<MeasuredServer> {
  await mkdir(folder, { recursive: true });
  const port = await findFreePort();
  const configuration = join(folder, 'zot.json');
  await writeFile(
    configuration,
    JSON.stringify({
      distSpecVersion: '1.1.1',
      storage: { rootDirectory: join(folder, 'storage') },
      http: { address: '127.0.0.1', port: String(port) },
      log: { level: 'error' },
    }),
  );
  return startPeerProcess(program, ['serve', configuration], { host: `127.0.0.1:${port}`, home: folder });
}
