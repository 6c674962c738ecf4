import { createHash } from 'node:crypto';
import { systemClock } from '../src/base/clock.ts';
import type { EvidenceScope } from '../src/contract/evidence.ts';
import type { PackContent } from '../src/operation/custody/pack-for-client.ts';
import type { ViewParts } from './views/parts.ts';

/** The archive of a pack, and its request. */
interface AskedPack {
  /** Name of the file. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly scope: EvidenceScope;
  readonly withholdActors: boolean;
  readonly content: PackContent;
}

/** A pack that was sent whole to the actor who asked for it. */
interface PackedEvidence extends AskedPack {
  /** SHA-256 in hexadecimal digits. */
  readonly sha256: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The last pack of each actor, as long as the instance runs. */
const sent = new WeakMap<ViewParts['instance'], Map<string, PackedEvidence>>();

/** Passes the parts of a pack on, and remembers it once all were taken. */
export async function* rememberPack(
  { instance, actor }: { readonly instance: ViewParts['instance']; readonly actor: string },
  asked: AskedPack,
  parts: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const part of parts) {
    hash.update(part);
    yield part;
  }
  const own = sent.get(instance) ?? new Map<string, PackedEvidence>();
  sent.set(instance, own.set(actor, { ...asked, sha256: hash.digest('hex'), at: systemClock.wall() }));
}

export const lastPack = (instance: ViewParts['instance'], actor: string): PackedEvidence | undefined =>
  sent.get(instance)?.get(actor);
