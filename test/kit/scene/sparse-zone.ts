import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openOwnReceipts } from '../../../src/zone/own-receipts.ts';
import { buildIndex } from '../content/content.ts';
import { createSigner } from '../content/signer.ts';
import { importCarried } from './import-carried.ts';
import { buildMedium } from './medium.ts';

/** A zone with a signing key, and a medium with one platform of an index of two. @param host of the registry */
export async function openSparseZone(host: string) {
  const medium = await buildMedium({
    recipes: [
      {
        name: 'sparse',
        version: '1.0.0',
        layout: 'bundle',
        ingredients: [
          {
            name: 'worker',
            kind: 'ContainerImage',
            ref: 'origin.example/worker',
            tag: '1.0.0',
            artifact: buildIndex('worker', ['linux/amd64', 'linux/arm64']),
            platforms: ['linux/amd64'],
          },
        ],
      },
    ],
  });
  const state = join(medium.folder, 'state');
  const signing = { keyFile: join(medium.folder, 'zone.key') };
  await writeFile(signing.keyFile, createSigner().privateKeyPem, { mode: 0o600 });
  return {
    medium,
    state,
    /** Imports the medium. @returns the code of its error, and what the receipt after it says */
    import: async () => {
      const run = await importCarried(medium.root, [medium.signer], { host }, { state, signing });
      const { receipt } = (await openOwnReceipts(state).last('zone-b'))!;
      return [run.items.find(({ error }) => error)?.error?.code, receipt.destination.sparse];
    },
    [Symbol.asyncDispose]: () => medium[Symbol.asyncDispose](),
  };
}
