import { lstat, realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { toStamp } from '../../base/clock.ts';
import { isAbsent } from '../../disk/is-absent.ts';
import { isInconclusive } from '../../disk/read-error.ts';
import type { MediumHeader } from '../../store/rest/media-manifest.ts';
import { isSvcError, type SvcError, svcError } from '../../text/error.ts';
import { textParam } from '../../text/text-param.ts';
import { readManifestOf } from './find-medium.ts';
import { type FreshnessRecord, toAge } from './freshness.ts';
import { toLedgerError } from './judge-ledgers.ts';
import { unreadable } from './read-file.ts';
import { describeMedium, toBlock } from './report.ts';
import type { MediumVerification } from './verify-medium.ts';

/**
 * The verdict on a folder that cannot be opened as a store: blocked, because of its manifest, else because of
 * its ledgers.
 *
 * @param root path of the medium
 * @param error why the store could not be opened
 * @param record record of the zone about its last import
 * @throws the error, or one of reading the manifest, when it says nothing about the medium
 */
export async function toUnopened(
  root: string,
  zone: string,
  error: SvcError,
  record?: FreshnessRecord,
): Promise<MediumVerification> {
  if (isInconclusive(error)) throw error;
  const startedAt = toStamp();
  const conclude = async (obstacle: SvcError, header?: MediumHeader): Promise<MediumVerification> => ({
    cleared: [],
    passed: [],
    header,
    report: {
      verdict: 'blocked',
      blocks: [toBlock(obstacle, header ?? {})],
      ...describeMedium(header, zone, header && toAge(header, record)),
      recipes: [],
      findings: [],
      checked: { files: 0, bytes: 0 },
      startedAt,
      finishedAt: toStamp(),
    },
  });
  let header: MediumHeader;
  try {
    ({ header } = await readManifestOf(root));
  } catch (problem) {
    if (!isSvcError(problem) || !problem.code.startsWith('SVC-MED-')) throw problem;
    return conclude(problem);
  }
  const { found, supported } = error.params;
  if (error.code === 'SVC-STO-008' && typeof found === 'number')
    return conclude(svcError('SVC-MED-004', { found, supported: supported! }), header);
  const real = await realpath(root);
  const path = relative(real, String(error.params.path ?? real));
  const cause = error.cause as NodeJS.ErrnoException | undefined;
  const detail = textParam(error, 'detail') ?? cause?.code ?? unreadable;
  const isLedger = path === '' || path === 'ledger' || path.startsWith('ledger/');
  const obstacle = isLedger
    ? toLedgerError(path || 'ledger', await isAbsentPath(join(real, path || 'ledger')), detail)
    : svcError('SVC-MED-014', { path, detail });
  return conclude(obstacle, header);
}

async function isAbsentPath(path: string): Promise<boolean> {
  return lstat(path).then(() => false, isAbsent);
}
