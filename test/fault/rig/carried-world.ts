import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { truncate, unlink } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { toExchange } from '../../../server/exchange.ts';
import { BlobHomes } from '../../../server/registry/blob-homes.ts';
import { createRegistry } from '../../../server/registry/registry.ts';
import { UploadRoom } from '../../../server/registry/upload-room.ts';
import { UploadSessions } from '../../../server/registry/upload-sessions.ts';
import { BodyRoom } from '../../../server/shares/body-room.ts';
import { type Digest, hashBytes } from '../../../src/base/digest.ts';
import { silentReport } from '../../../src/base/report.ts';
import { Clearance } from '../../../src/engine/medium/clearance.ts';
import { blobPath } from '../../../src/oci/layout.ts';
import type { Store } from '../../../src/store/model.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import {
  type Artifact,
  buildImage,
  buildIndex,
  buildReferrer,
  pushArtifact,
} from '../../kit/content/content.ts';
import { damageFile } from '../../kit/hostile/damage-file.ts';
import { forgeLedgerAt } from '../../kit/hostile/forge-ledger.ts';
import { openMemoryFolder } from '../../kit/instance/memory-folder.ts';
import { openStoreAt } from '../../kit/instance/open-store-at.ts';

/** The true content: bytes, and the references of each manifest. */
export interface Truth {
  readonly artifacts: readonly Artifact[];
  readonly bytes: ReadonlyMap<Digest, Buffer>;
  readonly manifests: ReadonlyMap<
    Digest,
    { readonly children: readonly Digest[]; readonly blobs: readonly Digest[] }
  >;
}

const options = { ownLayers: 2, layerSize: 300 };
const platforms = ['linux/amd64', 'linux/arm64', 'linux/s390x'];
const indexes = ['a', 'b'].map((name) => buildIndex(name, platforms, options));
const shared = indexes[0]!.children[0]!.artifact.blobs[1]!;
const images = ['c', 'd'].map((name) => buildImage(name, { ...options, layers: [shared] }));
const referrers = [indexes[0]!, images[0]!].map(({ manifest }) => buildReferrer(manifest.descriptor));

export const truth: Truth = toTruth([...indexes, ...images, ...referrers]);

function toTruth(artifacts: readonly Artifact[]): Truth {
  const bytes = new Map<Digest, Buffer>();
  const manifests = new Map<Digest, { children: Digest[]; blobs: Digest[] }>();
  const add = ({ manifest, blobs, children }: Artifact): void => {
    const { digest } = manifest.descriptor;
    bytes.set(digest, manifest.bytes);
    for (const blob of blobs) bytes.set(blob.descriptor.digest, blob.bytes);
    manifests.set(digest, {
      children: children.map(({ artifact }) => artifact.manifest.descriptor.digest),
      blobs: blobs.map(({ descriptor }) => descriptor.digest),
    });
    for (const { artifact } of children) add(artifact);
  };
  artifacts.forEach(add);
  return { artifacts, bytes, manifests };
}

export const repositoryOf = (at: number): string => `origin.example/app-${at}`;
const owner = { provenance: 'recipe', recipe: 'app@1.0.0', cookbook: 'origin.example/cookbook' } as const;

export type Damage = 'flip' | 'cut' | 'remove' | 'exchange';

export type Forgery = (records: any[]) => readonly unknown[];

export interface Opening {
  /** Whose state: each instance has its own key and memory. */
  readonly instance: 'one' | 'two';
  readonly zone: boolean;
}

/** A store that is carried between instances and tampered with on the way, behind the surface of a registry. */
export interface CarriedWorld extends AsyncDisposable {
  readonly root: string;
  readonly folder: string;
  readonly url: string;
  readonly store: Store;
  readonly opening: Opening;
  close(): Promise<void>;
  open(opening: Opening): Promise<void>;
  /** Between instances: takes the medium as its maker left it, unless the store goes on as it is. */
  replace(): Promise<void>;
  damage(digest: Digest, how: Damage): Promise<void>;
  /** Writes the content ledger as somebody without any key would. */
  forge(forgery: Forgery): Promise<void>;
  /** Whether the file of a digest has its bytes. */
  isTrueOnDisk(digest: Digest): boolean;
}

/** The files of a medium as its maker left it, by their path below its root. */
export type MadeMedium = ReadonlyMap<string, Buffer>;

export async function makeMedium(folder: string): Promise<MadeMedium> {
  const root = join(folder, 'made');
  await writeMedium(root, folder);
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return new Map(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(root.length + 1), readFileSync(path)];
    }),
  );
}

async function writeMedium(root: string, folder: string): Promise<void> {
  await using store = await openStoreAt({ root, stateRoot: join(folder, 'maker') });
  for (const [at, artifact] of truth.artifacts.entries()) {
    const isReferrer = at >= indexes.length + images.length;
    const name = repositoryOf(isReferrer ? (at - indexes.length - images.length) * indexes.length : at);
    await pushArtifact(openRepository(store, name, { owner }), artifact, isReferrer ? undefined : 'v1');
  }
}

/** Histories ask after each step: a read of memory, without a turn of the loop. */
function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The listener of the registries of all worlds, one after another. */
export interface Surface extends AsyncDisposable {
  readonly url: string;
  handle: ReturnType<typeof createRegistry> | undefined;
}

export async function openSurface(): Promise<Surface> {
  const outside = {
    toClientAddress: () => '127.0.0.1',
    toClientScheme: () => 'http' as const,
    refusals: { record: () => {} },
  };
  const server = createServer((req, res) => void surface.handle?.(toExchange(req, res, outside)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const surface: Surface = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    handle: undefined,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return surface;
}

export async function openCarriedWorld(medium: MadeMedium, surface: Surface): Promise<CarriedWorld> {
  const folder = await openMemoryFolder('svc-carried-');
  const root = join(folder.path, 'store');
  let store: Store | undefined;
  let opening: Opening = { instance: 'one', zone: false };
  const world: CarriedWorld = {
    root,
    folder: folder.path,
    url: surface.url,
    get store() {
      return store!;
    },
    get opening() {
      return opening;
    },
    close: async () => {
      await store?.[Symbol.asyncDispose]();
      store = undefined;
    },
    open: async (next) => {
      opening = next;
      const zone = next.zone ? 'zone-b' : undefined;
      store = await openStoreAt(
        { root, stateRoot: join(folder.path, next.instance) },
        { zone, access: 'serve' },
      );
      surface.handle = createRegistry({
        identify: async () => ({ actor: 'token:test', role: 'operator', via: 'bearer' }),
        store,
        gate: new Clearance({ store, zone, report: silentReport }),
        uploads: new UploadSessions(),
        homes: new BlobHomes(),
        report: silentReport,
        room: new UploadRoom({ path: root, reserve: 0, freeBytes: async () => 1 << 30, pending: () => 0 }),
        bodies: new BodyRoom(),
        turns: { take: () => undefined },
        isCurrent: () => true,
        conceal: (text) => text,
        onChange: () => {},
      });
    },
    replace: async () => {
      rmSync(root, { recursive: true, force: true });
      const folders = new Set([...medium.keys()].map((path) => dirname(join(root, path))));
      for (const one of folders) mkdirSync(one, { recursive: true });
      for (const [path, bytes] of medium) writeFileSync(join(root, path), bytes);
    },
    damage: async (digest, how) => {
      const path = join(root, blobPath(digest));
      const bytes = readIfThere(path);
      if (bytes === undefined || bytes.length === 0) return;
      if (how === 'flip') await damageFile(path, bytes.length >> 1);
      else if (how === 'cut') await truncate(path, bytes.length - 1);
      else if (how === 'remove') await unlink(path);
      else writeFileSync(path, Buffer.alloc(bytes.length, 'x'));
    },
    forge: async (forgery) => {
      await forgeLedgerAt(root, 'content', forgery);
    },
    isTrueOnDisk: (digest) => {
      const bytes = readIfThere(join(root, blobPath(digest)));
      return bytes !== undefined && hashBytes(bytes) === digest;
    },
    [Symbol.asyncDispose]: async () => {
      surface.handle = undefined;
      await world.close();
      await folder[Symbol.asyncDispose]();
    },
  };
  await world.replace();
  await world.open({ instance: 'one', zone: false });
  return world;
}
