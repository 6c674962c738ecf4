import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { stringify } from 'yaml';
import { hashBytes } from '../../src/base/digest.ts';
import { buildImage } from '../kit/content/content.ts';
import { damageFile } from '../kit/hostile/damage-file.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { openClientHome } from '../kit/program/client-home.ts';
import { type PeerRegistry, startPeerRegistry, toPeerOrigin } from '../kit/program/peer-registry.ts';
import { needs } from '../kit/program/peers.ts';

// The behaviour of the peers with a bad byte on the disk of the registry that they keep up to date. It is the reason for
// the check of the store. A peer that one day finds it makes a test of this file fail, and the documentation wrong.

const image = buildImage('flipped', { ownLayers: 2, layerSize: 5000 });
const { digest } = image.blobs.at(-1)!.descriptor;

interface World extends AsyncDisposable {
  readonly folder: string;
  readonly origin: PeerRegistry;
  readonly mirror: PeerRegistry;
  /** A byte of a layer in the mirror's storage is another one. */
  damage(): Promise<void>;
  /** The bytes that the mirror serves under the digest of that layer. */
  serves(): Promise<{ readonly status: number; readonly digest: string }>;
}

async function openWorld(t: TestContext): Promise<World | undefined> {
  const program = needs(t, 'registry');
  if (!program) return undefined;
  const folder = await openTempFolder();
  const start = (name: string) => startPeerRegistry({ program, folder: join(folder.path, name) });
  const [origin, mirror] = [await start('origin'), await start('mirror')];
  await toPeerOrigin(origin).put('app', image, '1.0');
  const hex = digest.slice(7);
  return {
    folder: folder.path,
    origin,
    mirror,
    damage: () =>
      damageFile(
        join(folder.path, 'mirror/storage/docker/registry/v2/blobs/sha256', hex.slice(0, 2), hex, 'data'),
        99,
      ),
    serves: async () => {
      const answer = await fetch(`${mirror.url}/v2/app/blobs/${digest}`);
      return { status: answer.status, digest: hashBytes(Buffer.from(await answer.arrayBuffer())) };
    },
    [Symbol.asyncDispose]: async () => {
      await origin[Symbol.asyncDispose]();
      await mirror[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Each brings the mirror up to date; over a flipped byte it says that it is, and the wrong bytes are served. */
const peers: readonly {
  readonly name: string;
  readonly toArguments: (world: World) => Promise<readonly string[]>;
}[] = [
  {
    name: 'skopeo',
    toArguments: async ({ origin, mirror }) => [
      '--insecure-policy',
      'copy',
      '--preserve-digests',
      '--src-tls-verify=false',
      '--dest-tls-verify=false',
      `docker://${origin.host}/app:1.0`,
      `docker://${mirror.host}/app:1.0`,
    ],
  },
  {
    name: 'oras',
    toArguments: async ({ origin, mirror }) => [
      'cp',
      '--from-plain-http',
      '--to-plain-http',
      `${origin.host}/app:1.0`,
      `${mirror.host}/app:1.0`,
    ],
  },
  {
    name: 'regsync',
    toArguments: async ({ folder, origin, mirror }) => {
      const path = join(folder, 'regsync.yaml');
      const hosts = [origin, mirror].map(({ host }) => ({ registry: host, tls: 'disabled' }));
      const sync = [{ source: `${origin.host}/app`, target: `${mirror.host}/app`, type: 'repository' }];
      await writeFile(path, stringify({ version: 1, creds: hosts, sync }));
      return ['once', '--config', path];
    },
  },
];

for (const { name, toArguments } of peers)
  test(`${name} says that a mirror is up to date over a flipped byte, and the mirror serves it`, async (t) => {
    const program = needs(t, name);
    await using world = program === undefined ? undefined : await openWorld(t);
    if (program === undefined || world === undefined) return;
    const home = await openClientHome(world.folder);
    const args = await toArguments(world);
    await home.run(program, args);
    assert.deepEqual(await world.serves(), { status: 200, digest });
    await world.damage();
    await home.run(program, args);
    const served = await world.serves();
    assert.equal(served.status, 200);
    assert.notEqual(served.digest, digest);
  });
