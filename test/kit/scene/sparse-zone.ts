import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openOwnReceipts } from '../../../src/zone/own-receipts.ts';
import { buildIndex } from '../content/content.ts';
import { createSigner } from '../content/signer.ts';
import { importCarried } from './import-carried.ts';
import { buildMedium } from './medium.ts';

/**
 * A zone with a signing key, and a medium with one platform of an index of two.
 *
 * @param host of the registry
 * @param platforms platforms that recipes of the medium carry, one each
 * @param at.state of the zone. Default: one beside the medium
 * @param at.repository of the index, which has no other content than that of the same name. Default: worker
 */
export async function openSparseZone(
  host: string,
  platforms: readonly string[] = ['linux/amd64'],
  at: { readonly state?: string; readonly repository?: string } = {},
) {
  const { repository = 'worker' } = at;
  const artifact = buildIndex(repository, ['linux/amd64', 'linux/arm64']);
  const medium = await buildMedium({
    recipes: platforms.map((platform, i) => ({
      name: `sparse-${repository}-${i}`,
      version: '1.0.0',
      layout: 'bundle',
      ingredients: [
        {
          name: 'worker',
          kind: 'ContainerImage',
          ref: `origin.example/${repository}`,
          tag: '1.0.0',
          artifact,
          platforms: [platform],
        },
      ],
    })),
  });
  const state = at.state ?? join(medium.folder, 'state');
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
