import { type Digest, isDigest } from '../../base/digest.ts';
import type { Report } from '../../base/report.ts';
import { toContents } from '../../engine/delivery/close.ts';
import type { Delivery } from '../../engine/delivery/model.ts';
import { takeOut } from '../../engine/sync/take-out.ts';
import { blobPath } from '../../oci/layout.ts';
import { lookAtFiles } from '../../store/blobs/look-at-files.ts';
import type { Store } from '../../store/model.ts';
import { isSvcError, type SvcError, svcError } from '../../text/error.ts';
import { textParam } from '../../text/text-param.ts';
import type { Sent } from '../../zone/sent.ts';

interface FindDamageInput {
  readonly store: Store;
  readonly sent: Sent;
  readonly report: Report;
  readonly actor: string;
}

/** The content of the store that an error names by its digest or its file. */
export function toNamedContent(error: SvcError): Digest | undefined {
  const named = String(textParam(error, 'reference') ?? textParam(error, 'path'));
  const [, algorithm, hex] = /(sha256|sha512)[:/]([0-9a-f]+)$/.exec(named) ?? [];
  const digest = `${algorithm}:${hex}`;
  return isDigest(digest) ? digest : undefined;
}

/**
 * Judges the file of the store that an error of copying names. A damaged one is moved to quarantine where this process may
 * write the store. It counts as absent from here on.
 *
 * @returns the content, where it is damaged or lost; undefined where it is whole, or the error is another one
 */
export async function judgeNamed(
  { store, report, actor }: Pick<FindDamageInput, 'store' | 'report' | 'actor'>,
  cause: unknown,
): Promise<Digest | undefined> {
  if (!isSvcError(cause, 'SVC-SIG-002') && !isSvcError(cause, 'SVC-STO-001')) return undefined;
  const digest = toNamedContent(cause);
  if (digest === undefined || store.standing === 'foreign') return undefined;
  if (store.readOnly === undefined)
    await takeOut(store, [{ digest }], { report, actor }).catch((error: unknown) => {
      report.log('error', 'A damaged blob of the store could not be moved', { digest, error });
    });
  await lookAtFiles(store, [digest], { reads: true });
  return store.index.sizeOf(digest) === undefined ? digest : undefined;
}

/**
 * Judges the file of the store that ended the writing of a delivery, as {@link judgeNamed} does, so that the next plan blocks
 * the recipes that need it. The delivery cannot be completed without it: its record says so.
 *
 * @returns SVC-MED-050 with the recipes that need it; undefined where the file is whole, or the error is another one
 * @throws errors of writing the state
 */
export async function findDamage(
  { sent, ...judge }: FindDamageInput,
  { id, content, closures }: Pick<Delivery, 'id' | 'content' | 'closures'>,
  cause: unknown,
): Promise<SvcError | undefined> {
  const digest = await judgeNamed(judge, cause);
  if (digest === undefined || !(content.always.has(digest) || content.blobs.has(digest))) return undefined;
  const record = await sent.delivery(id);
  if (record !== undefined) await sent.keepDelivery({ ...record, lost: [...(record.lost ?? []), digest] });
  const parts = record?.written.map(({ part }) => part) ?? [];
  const needing = closures.filter((closure) => toContents(closure).has(digest));
  return svcError(
    'SVC-MED-050',
    {
      delivery: id,
      path: blobPath(digest),
      recipes: needing.map(({ record: { name, version } }) => `${name}@${version}`).join(', '),
      ...(parts.length === 0 ? {} : { parts: parts.join(', ') }),
    },
    { cause },
  );
}
