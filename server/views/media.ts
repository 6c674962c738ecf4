import { requireSetting } from '../../src/base/require-setting.ts';
import type { Media, VerificationState } from '../../src/contract/medium.ts';
import type { Status } from '../../src/contract/status.ts';
import { isImported } from '../../src/engine/medium/freshness.ts';
import type { MediaOperations } from '../operations.ts';
import type { ViewParts } from './parts.ts';

type Parts = Pick<ViewParts, 'operations'>;

/** @throws SVC-CFG-001 when the instance has no `zone` */
export function requireMedia({ operations }: Parts): MediaOperations {
  return requireSetting('zone', operations.media);
}

/** Shows the medium and the last import for this zone. @throws SVC-CFG-001 without a zone */
export async function showMedia(parts: Parts): Promise<Media> {
  return requireMedia(parts).state();
}

/**
 * Whether the instance passes a medium on to a destination, and has not done so yet with this medium as it was written.
 */
export async function isUnimported({
  operations,
  gate,
  store,
}: Pick<ViewParts, 'operations' | 'gate' | 'store'>): Promise<boolean> {
  const { media } = operations;
  if (media === undefined || !gate.guarded || operations.retriever().destination === undefined) return false;
  const { lastImport } = await media.state();
  if (lastImport?.mediaId !== store.mediaId) return true;
  const written = media.verification().report?.medium?.resolvedAt;
  return written !== undefined && !isImported(lastImport, { mediaId: store.mediaId, resolvedAt: written });
}

/** The last import of the medium that is here, by whichever program with this state; undefined without one. */
export async function showLastImport({
  operations,
  store,
}: Pick<ViewParts, 'operations' | 'store'>): Promise<Status['lastImport']> {
  const last = (await operations.media?.state())?.lastImport;
  if (last === undefined || last.mediaId !== store.mediaId) return undefined;
  return { mediaId: last.mediaId, importedAt: last.importedAt, runId: last.runId };
}

/** Shows the serving gate, the verification under way and the last report. @throws SVC-CFG-001 without a zone */
export function showVerification(parts: Parts): VerificationState {
  return requireMedia(parts).verification();
}
