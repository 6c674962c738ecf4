import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Artifact } from '../content/content.ts';
import type { Origin } from '../content/origin.ts';
import { pushArtifactOverHttp } from '../content/push-artifact.ts';
import type { S3Bucket } from './s3-engine.ts';
import { tlsPair } from './tls-pair.ts';
import { watchOutput } from './watch-output.ts';

export interface PeerRegistryOptions {
  /** Path of the program: CNCF distribution 3 (`registry`) or 2.8 (`docker-registry`). */
  readonly program: string;
  /** A folder of its own. */
  readonly folder: string;
  /** Whether it asks for the account below. Default false. */
  readonly auth?: boolean;
  /** Whether it serves TLS with the certificate of the tests, under `localhost`. Default false. */
  readonly tls?: boolean;
  /** A bucket that it stores in. Default: a folder. A pull of a blob is redirected to the bucket, as it is usual. */
  readonly bucket?: S3Bucket;
}

/** A registry of another make, a real process on a free port of 127.0.0.1. */
export interface PeerRegistry extends AsyncDisposable {
  /** `127.0.0.1:<port>`, with TLS `localhost:<port>`, as references name it. */
  readonly host: string;
  readonly url: string;
  readonly authorization?: string;
  /** Everything it logged so far, requests with the address of the client included. */
  log(): string;
}

/** The account that a peer registry with `auth` admits. */
export const peerAccount = { username: 'peer', password: 'a peer of the tests' } as const;

// bcrypt of the password above at its lowest cost: the only hash that this registry reads
const htpasswd = `${peerAccount.username}:$2a$04$CA.hh1YdWNhxTb73B2OEbeHsXSJmU8rHoiVEhhbv.a6ovUrTMGxa6\n`;

export async function startPeerRegistry(options: PeerRegistryOptions): Promise<PeerRegistry> {
  const { folder } = options;
  await mkdir(folder, { recursive: true });
  const file = async (name: string, content: string): Promise<string> => {
    await writeFile(join(folder, name), content, { mode: 0o600 });
    return join(folder, name);
  };
  const configPath = await file(
    'registry.yaml',
    stringify({
      version: 0.1,
      log: { level: 'info' },
      storage: { ...toStorage(options), delete: { enabled: true } },
      http: {
        addr: '127.0.0.1:0',
        secret: 'of the tests',
        ...(options.tls
          ? {
              tls: {
                certificate: await file('cert.pem', tlsPair.cert),
                key: await file('key.pem', tlsPair.key),
              },
            }
          : {}),
      },
      ...(options.auth
        ? { auth: { htpasswd: { realm: 'peer', path: await file('htpasswd', htpasswd) } } }
        : {}),
    }),
  );
  const child = spawn(options.program, ['serve', configPath], {
    env: { PATH: process.env.PATH ?? '', HOME: folder, OTEL_TRACES_EXPORTER: 'none' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const { found, text } = watchOutput(child, /listening on 127\.0\.0\.1:(\d+)/);
  const port = (await found)[1]!;
  const host = `${options.tls ? 'localhost' : '127.0.0.1'}:${port}`;
  const { username, password } = peerAccount;
  return {
    host,
    url: `${options.tls ? 'https' : 'http'}://${host}`,
    ...(options.auth
      ? { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
      : {}),
    log: text,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await exited;
    },
  };
}

function toStorage({ folder, bucket }: PeerRegistryOptions): object {
  if (bucket === undefined) return { filesystem: { rootdirectory: join(folder, 'storage') } };
  const s3 = {
    regionendpoint: bucket.endpoint,
    bucket: bucket.bucket,
    accesskey: bucket.accessKey,
    secretkey: bucket.secretKey,
    region: 'us-east-1',
    forcepathstyle: true,
    secure: false,
  };
  return { s3 };
}

/** The registry as an origin that content is published in, over plain HTTP. */
export function toPeerOrigin({ host, url, authorization }: PeerRegistry): Origin {
  const at = (repository: string) => ({
    registry: url,
    repository,
    ...(authorization === undefined ? {} : { authorization }),
  });
  const put = async (repository: string, artifact: Artifact, tag?: string): Promise<void> => {
    for (const { artifact: child } of artifact.children) await put(repository, child);
    await pushArtifactOverHttp(at(repository), artifact, tag);
  };
  return {
    host,
    put,
    putTag: (repository, tag, manifest) => pushArtifactOverHttp(at(repository), { manifest, blobs: [] }, tag),
  };
}
