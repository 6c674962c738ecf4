import type { Store } from '../../store/model.ts';
import type { ReadManifest } from '../copy/read-manifest.ts';
import { readPresence } from '../sync/presence.ts';
import { judgeStatus, readLocalStatus } from './judge-status.ts';
import type { InspectedPlatform } from './model.ts';
import type { MeasuredChoice } from './read-choices.ts';

/** Converts choices to the form shown, each with its status against a tag of the store. */
export async function toPlatforms(
  store: Store,
  at: { readonly repository: string; readonly tag: string },
  root: ReadManifest['content'],
  choices: readonly MeasuredChoice[],
): Promise<readonly InspectedPlatform[]> {
  const presence = await readPresence(
    store,
    choices.flatMap(({ contents }) => contents),
  );
  const current = await readLocalStatus(store, at.repository, at.tag);
  return choices.map(({ name, platform, digest, contents }) => ({
    name,
    ...platform,
    digest,
    sizeBytes: contents.reduce((sum, { size }) => sum + size, 0),
    status: judgeStatus(root.descriptor.digest, platform, contents, current, presence),
  }));
}
