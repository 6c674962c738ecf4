import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { findFreePort } from './free-port.ts';
import type { MeasuredServer } from './measured-server.ts';
import { startPeerProcess } from './peer-process.ts';

const account = { username: 'peer', password: 'a peer of the tests' } as const;

// bcrypt of the password above at cost 5, the one that `htpasswd -B` takes
const htpasswd = `${account.username}:$2y$05$CA.hh1YdWNhxTb73B2OEbe7EkZ2bLyf3GpmDru9sFTAEOrGTmU3ha\n`;

/**
 * CNCF distribution (`registry`) or 2.8 (`docker-registry`) as their own images configure them: descriptors cached in
 * memory; nothing logged but errors, unless requests are counted.
 */
export async function startDistributionServer(
  program: string,
  folder: string,
  options: {
    readonly basic?: boolean;
    /** Told every request that it answered, as `GET /v2/…`, and the bytes of the answer's body. */
    readonly onRequest?: (request: string, bytes: number) => void;
    /** The registry that it is a pull-through cache of: a URL. */
    readonly proxy?: string;
  } = {},
): Promise<MeasuredServer> {
  const { basic = false, onRequest, proxy } = options;
  await mkdir(folder, { recursive: true });
  const host = `127.0.0.1:${await findFreePort()}`;
  const passwords = join(folder, 'htpasswd');
  if (basic) await writeFile(passwords, htpasswd, { mode: 0o600 });
  const configuration = join(folder, 'registry.yaml');
  await writeFile(
    configuration,
    stringify({
      version: 0.1,
      log: { level: 'error', accesslog: { disabled: onRequest === undefined } },
      storage: {
        filesystem: { rootdirectory: join(folder, 'storage') },
        cache: { blobdescriptor: 'inmemory' },
        delete: { enabled: true },
      },
      http: { addr: host, secret: 'of the benchmark' },
      ...(proxy === undefined ? {} : { proxy: { remoteurl: proxy } }),
      ...(basic ? { auth: { htpasswd: { realm: 'peer', path: passwords } } } : {}),
    }),
  );
  const { username, password } = account;
  return startPeerProcess(program, ['serve', configuration], {
    host,
    home: folder,
    authorization: basic ? `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` : undefined,
    onLine:
      onRequest &&
      ((line) => {
        const [, request, bytes] =
          /"((?:GET|HEAD|POST|PUT|PATCH|DELETE) \/[^" ]*) HTTP\/[\d.]+" \d+ (\d+)/.exec(line) ?? [];
        if (request !== undefined) onRequest(request, Number(bytes));
      }),
  });
}
