import { isTransient } from '../../disk/read-error.ts';
import type { Store } from '../../store/model.ts';
import { isSvcError, toErrorRecord } from '../../text/error.ts';
import { resolveFileset } from './resolve-fileset.ts';
import { type FilesetGate, type FilesetSetting, selectFileset } from './select-fileset.ts';
import type { UnservedFileset } from './unserved-board.ts';

/**
 * Lists the configured FileSets that an instance could not serve from a store: whose version is not there, or whose platform is
 * not clear. Layers are not read. While the gate is closed nothing is said of any.
 *
 * @throws errors of reading the store
 */
export async function listUnserved(
  store: Store,
  gate: Pick<FilesetGate, 'guarded' | 'refusal' | 'allowsTag'>,
  settings: readonly FilesetSetting[],
  basePrefix: string | undefined,
): Promise<readonly UnservedFileset[]> {
  if (gate.refusal() !== undefined) return [];
  const found: UnservedFileset[] = [];
  for (const setting of settings)
    try {
      const selected = selectFileset(store, gate, setting, basePrefix);
      await resolveFileset(store, { guarded: gate.guarded, onAltered: () => {} }, setting, selected);
    } catch (error) {
      if (!isSvcError(error) || isTransient(error)) throw error;
      found.push({ name: setting.name, error: toErrorRecord(error) });
    }
  return found;
}
