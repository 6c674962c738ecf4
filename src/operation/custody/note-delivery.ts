import { audited } from '../../base/audited.ts';
import type { Digest } from '../../base/digest.ts';
import type { Report } from '../../base/report.ts';
import { requireSetting } from '../../base/require-setting.ts';
import { toUnknownName } from '../../catalog/unknown-name.ts';
import type { Config } from '../../config/model.ts';
import type { CustodyPoint, CustodyType } from '../../contract/custody.ts';
import { mediaOf, visitDeliveryLines } from '../../custody/delivery-lines.ts';
import { toCustodyFolder } from '../../custody/ledger-files.ts';
import type { CustodySubject } from '../../custody/model.ts';
import { openArrivals } from '../../zone/arrivals.ts';
import { openSent } from '../../zone/sent.ts';
import { requireCustody } from './require-kept.ts';

/** Events that nobody but a person knows. */
export const notedTypes = ['handed-over', 'received'] as const satisfies readonly CustodyType[];

interface NoteInput {
  /** Identifier of a delivery that this site sent or received. */
  readonly delivery: string;
  readonly type: (typeof notedTypes)[number];
  /** Text of the person. */
  readonly text: string;
  readonly actor: string;
}

/**
 * Appends the note of a person about a delivery to the ledger.
 *
 * @returns the line
 * @throws SVC-CFG-001 without a ledger, SVC-REG-005 for an unknown delivery, the errors of the ledger
 */
export async function noteDelivery(
  { config, report }: { readonly config: Config; readonly report: Report },
  { delivery, type, text, actor }: NoteInput,
): Promise<Omit<CustodyPoint, 'site'>> {
  return audited(
    report,
    { actor, action: 'custody.note', target: delivery, details: { type } },
    async () => {
      const custody = requireCustody(config);
      const subjects = await findMedia(requireSetting('state.root', config.state.root), delivery);
      const head = await custody.record({ type, actor, subjects, details: { delivery, text } });
      return { seq: head!.seq, head: head!.digest };
    },
    { success: ({ seq }) => ({ line: seq }) },
  );
}

const toMedium = (digest: Digest): CustodySubject => ({ name: 'media.jsonl', digest });

/** The media of a delivery that lines of the ledger name: those that were only verified have no other record. */
async function findVerified(folder: string, id: string): Promise<readonly CustodySubject[]> {
  const found = new Set<Digest>();
  await visitDeliveryLines(folder, id, (line) => {
    for (const digest of mediaOf(line)) found.add(digest);
  });
  return [...found].map(toMedium);
}

/** The media of a delivery, as far as they were written, arrived or were verified. @throws SVC-REG-005 */
async function findMedia(stateRoot: string, id: string): Promise<readonly CustodySubject[]> {
  const sent = openSent(stateRoot);
  const arrivals = openArrivals(stateRoot);
  const received = await arrivals.find(id);
  const landed = received.length === 0 ? undefined : received.flatMap((one) => one.landed);
  const parts = (await sent.delivery(id))?.written ?? landed;
  if (parts !== undefined) return [...new Set(parts.map(({ manifest }) => manifest))].map(toMedium);
  const verified = await findVerified(toCustodyFolder(stateRoot), id);
  if (verified.length > 0) return verified;
  const known = [...(await sent.list()), ...(await arrivals.list())];
  throw toUnknownName(
    id,
    known.map((one) => one.id),
    'custody',
  );
}
