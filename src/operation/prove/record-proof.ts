import type { MediumProof } from '../../contract/proof.ts';
import type { Custody, OpenIntent } from '../../custody/model.ts';
import { mediumManifestPath } from '../../store/rest/media-manifest.ts';
import type { Sent } from '../../zone/sent.ts';
import type { VerifiedMedium } from './verify-folder.ts';

/** Who asked for a proof, and the ledger that has it. */
export interface ProofCustody {
  readonly custody: Custody;
  readonly actor: string;
  /** Address of the client. */
  readonly origin?: string | undefined;
}

interface MadeProof {
  readonly proof: MediumProof;
  /** The media among the folders, in any order. */
  readonly media: readonly VerifiedMedium[];
}

/**
 * Makes a proof between an intent and an outcome for each folder in the ledger.
 *
 * @param folders real paths
 * @throws errors of the ledger, before the work; the errors of the work
 */
export async function recordProof(
  { custody, actor, origin }: ProofCustody,
  { folders, zone }: { readonly folders: readonly string[]; readonly zone: string },
  work: () => Promise<MadeProof>,
  signal?: AbortSignal,
): Promise<MadeProof> {
  const intents: { readonly folder: string; readonly intent: OpenIntent }[] = [];
  try {
    for (const folder of folders)
      intents.push({
        folder,
        intent: await custody.begin({ type: 'proved', actor, details: { folder, zone, origin } }),
      });
    const made = await work();
    const { verdict, findings } = made.proof;
    const codes = [...new Set(findings.map(({ code }) => code))];
    for (const { folder, intent } of intents) {
      const { mediaId, verification } = made.media.find(({ root }) => root === folder) ?? {};
      const { delivery } = verification?.header ?? {};
      const digest = verification?.manifest;
      await intent.end({
        subjects: digest === undefined ? [] : [{ name: mediumManifestPath, digest }],
        details: {
          verdict,
          medium: mediaId,
          delivery: delivery?.id,
          part: delivery?.part,
          parts: delivery?.parts,
          findings: codes,
        },
        result: verdict === 'proved' ? 'success' : 'failure',
      });
    }
    return made;
  } catch (error) {
    for (const { intent } of intents) await intent.fail(error, signal);
    throw error;
  }
}

/**
 * Counts the proved media of deliveries that were not proved at the end of their writing: the zone that a medium was proved for is
 * that of its delivery, and its manifest is the one that was written.
 *
 * @param now milliseconds since the epoch
 * @throws SVC-STO-002, SVC-STO-004, SVC-STO-014
 */
export async function countProof(
  sent: Pick<Sent, 'delivery' | 'keepDelivery'>,
  media: readonly VerifiedMedium[],
  { zone, now }: { readonly zone: string; readonly now: number },
): Promise<void> {
  const proved = new Map(
    media.flatMap(({ verification: { header, manifest } }) =>
      header?.delivery === undefined
        ? []
        : [[`${header.delivery.id} ${header.delivery.part}`, manifest] as const],
    ),
  );
  const ids = new Set([...proved.keys()].map((key) => key.split(' ')[0]!));
  for (const id of ids) {
    const record = await sent.delivery(id);
    if (record?.zone !== zone) continue;
    const isNow = ({ part, manifest, unproved }: (typeof record.written)[number]): boolean =>
      unproved === true && proved.get(`${id} ${part}`) === manifest;
    if (!record.written.some(isNow)) continue;
    const written = record.written.map((one) => {
      const { unproved: _, ...rest } = one;
      return isNow(one) ? { ...rest, provedSince: new Date(now).toISOString() } : one;
    });
    await sent.keepDelivery({ ...record, written });
  }
}
