import type { InspectedPlatform } from '../../contract/content.ts';
import type { CallOptions } from '../../oci/ports.ts';
import type { Store } from '../../store/model.ts';
import { GraphMemory, takeTurn } from '../copy/read-child.ts';
import type { ReadManifest } from '../copy/read-manifest.ts';
import { readPresence } from '../sync/presence.ts';
import { judgeStatus, readLocalStatus } from './judge-status.ts';
import type { MeasuredChoice } from './read-choices.ts';

/** Converts choices to the form shown, each with its status against a tag of the store. */
export async function toPlatforms(
  store: Store,
  at: { readonly repository: string; readonly tag: string },
  root: ReadManifest['content'],
  choices: readonly MeasuredChoice[],
  call: CallOptions = {},
): Promise<readonly InspectedPlatform[]> {
  const contents = new Set(choices.map((choice) => choice.contents));
  const presence = await readPresence(store, [...contents].flat());
  const current = await readLocalStatus(store, at.repository, at.tag, call);
  const memory = new GraphMemory();
  // choices with the same contents share one list of them
  const sizes = new Map<MeasuredChoice['contents'], number>();
  const shown: InspectedPlatform[] = [];
  for (const { name, platform, digest, contents: each } of choices) {
    await takeTurn(memory, call.signal);
    const sizeBytes = sizes.get(each) ?? each.reduce((sum, { size }) => sum + size, 0);
    sizes.set(each, sizeBytes);
    const status = judgeStatus(root.descriptor.digest, platform, each, current, presence);
    shown.push({ name, ...platform, digest, sizeBytes, status });
  }
  return shown;
}
