import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench } from './bench.ts';
import type { Corpus } from './corpus.ts';
import { type Measured, runMeasured } from './run-measured.ts';

/** A program that brings the images of the corpus into a folder, or finds that they are there. */
export interface MirrorPeer {
  readonly name: 'regsync' | 'oras' | 'skopeo' | 'hauler';
  /** Whether it can be run again over content that it brought before. */
  readonly repeats: boolean;
  mirror(folder: string, corpus: Corpus): Promise<Pick<Measured, 'seconds' | 'cpu' | 'peak'>>;
}

const sum = (runs: readonly Measured[]): Pick<Measured, 'seconds' | 'cpu' | 'peak'> => ({
  seconds: runs.reduce((total, { seconds }) => total + seconds, 0),
  cpu: runs.reduce((total, { cpu }) => total + cpu, 0),
  peak: Math.max(...runs.map(({ peak }) => peak)),
});

/** One process, several images at once, into one layout: blobs that images share are there once. */
function toRegsync(program: string): MirrorPeer {
  return {
    name: 'regsync',
    repeats: true,
    mirror: async (folder, { host, images }) => {
      const configuration = join(folder, 'regsync.yaml');
      await writeFile(
        configuration,
        JSON.stringify({
          version: 1,
          creds: [{ registry: host, tls: 'disabled' }],
          defaults: { parallel: 4 },
          sync: images.map(({ repository, tag }) => ({
            source: `${host}/${repository}:${tag}`,
            target: `ocidir://${join(folder, 'layout')}:${repository.replaceAll('/', '-')}`,
            type: 'image',
          })),
        }),
      );
      return runMeasured(program, ['-c', configuration, 'once', '-v', 'error'], { env: { HOME: folder } });
    },
  };
}

/** One process an image, as it offers no more, into one layout. */
function toOras(program: string): MirrorPeer {
  return {
    name: 'oras',
    repeats: true,
    mirror: async (folder, { host, images }) => {
      const layout = join(folder, 'layout');
      const runs: Measured[] = [];
      for (const { repository, tag } of images) {
        const to = `${layout}:${repository.replaceAll('/', '-')}`;
        const flags = ['-r', '--no-tty', '--from-plain-http', '--to-oci-layout'];
        runs.push(
          await runMeasured(program, ['cp', ...flags, `${host}/${repository}:${tag}`, to], {
            env: { HOME: folder },
          }),
        );
      }
      return sum(runs);
    },
  };
}

/** One process; its folders share nothing. */
function toSkopeo(program: string): MirrorPeer {
  return {
    name: 'skopeo',
    // it refuses a folder that is there
    repeats: false,
    mirror: async (folder, { host, images }) => {
      const list = join(folder, 'images.yaml');
      await writeFile(
        list,
        JSON.stringify({
          [host]: {
            'tls-verify': false,
            images: Object.fromEntries(images.map(({ repository, tag }) => [repository, [tag]])),
          },
        }),
      );
      const policy = join(folder, 'policy.json');
      await writeFile(policy, JSON.stringify({ default: [{ type: 'insecureAcceptAnything' }] }));
      const to = join(folder, 'folders');
      await mkdir(to, { recursive: true });
      const flags = ['--policy', policy, 'sync', '--all', '--scoped', '--src', 'yaml', '--dest', 'dir'];
      return runMeasured(program, [...flags, list, to], { env: { HOME: folder } });
    },
  };
}

/** One process; verifies images with a key, one by one. */
function toHauler(program: string): MirrorPeer {
  return {
    name: 'hauler',
    repeats: true,
    mirror: async (folder, { host, images, signer }) => {
      const key = join(folder, 'key.pub');
      await writeFile(key, signer.publicKeyPem);
      const list = join(folder, 'images.yaml');
      await writeFile(
        list,
        JSON.stringify({
          apiVersion: 'content.hauler.cattle.io/v1',
          kind: 'Images',
          metadata: { name: 'corpus' },
          spec: {
            images: images.map(({ repository, tag }) => ({ name: `${host}/${repository}:${tag}`, key })),
          },
        }),
      );
      const flags = ['store', 'sync', '--store', join(folder, 'store'), '--filename', list];
      return runMeasured(program, flags, { env: { HOME: folder } });
    },
  };
}

/** Those that are installed. */
export function findMirrorPeers(bench: Bench): MirrorPeer[] {
  const make = { regsync: toRegsync, oras: toOras, skopeo: toSkopeo, hauler: toHauler } as const;
  return (Object.keys(make) as (keyof typeof make)[]).flatMap((name) => {
    const program = bench.peer(name);
    return program === undefined ? [] : [make[name](program)];
  });
}
