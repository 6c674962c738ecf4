import type { Descriptor } from '../../oci/descriptor.ts';
import { judgeVolume } from '../sync/preflight/judge-volume.ts';
import { measureVolumes } from '../sync/preflight/measure-volumes.ts';
import { passPreflight } from '../sync/preflight/pass-preflight.ts';
import type { ImportRun } from './import-run.ts';

/** Refuses an import that does not fit before any byte moves. @throws SVC-STO-004, SVC-STO-005 */
export async function requireRoom(
  missing: readonly Descriptor[],
  { settings, store, report }: Pick<ImportRun, 'settings' | 'store' | 'report'>,
): Promise<void> {
  const demands = await measureVolumes({
    storeRoot: store.root,
    stateRoot: settings.stateRoot,
    missing,
    resumeThreshold: settings.resumeThreshold,
    parallelism: settings.parallelism,
  });
  const volumes = demands.map((demand) => judgeVolume(demand, settings.marginPercent));
  passPreflight(volumes, settings.preflightDisabled, report);
}
