import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench } from './bench.ts';
import { type Corpus, getCorpus } from './corpus.ts';
import { startMirror, synchronize, zone } from './mirror.ts';

/** The corpus on a medium at rest. */
export interface Medium {
  readonly root: string;
  /** The state of the mirror that made it. */
  readonly state: string;
  readonly corpus: Corpus;
}

/** The medium of this run, made by a mirror when it is needed first. */
export function getMedium(bench: Bench): Promise<Medium> {
  return bench.share('medium', async () => {
    const corpus = await getCorpus(bench);
    const folder = await bench.createFolder('medium');
    const server = await startMirror(folder, corpus);
    try {
      await synchronize(server);
    } finally {
      await server.instance.stop();
    }
    return { root: join(folder, 'store'), state: join(folder, 'state'), corpus };
  });
}

/**
 * Writes the configuration of the zone that a medium is carried to; its state is its own, so that the medium is foreign.
 *
 * @param registry the zone's, where there is one
 * @returns its path
 */
export async function writeZone(folder: string, medium: Medium, registry?: string): Promise<string> {
  const path = join(folder, 'zone.yaml');
  await writeFile(
    path,
    JSON.stringify({
      mode: 'mirror',
      zone,
      storage: { root: medium.root },
      state: { root: join(folder, 'zone-state') },
      trust: { roots: [{ name: 'bench', key: medium.corpus.signer.publicKeyPem }] },
      ...(registry === undefined ? {} : { destination: { registry }, registries: { insecure: [registry] } }),
    }),
  );
  return path;
}
