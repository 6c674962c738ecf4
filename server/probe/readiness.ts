import { systemClock } from '../../src/base/clock.ts';
import { type GateRefusal, toGateError } from '../../src/base/gate-refusal.ts';
import type { ListenerCertificate } from '../../src/certificate/listener-certificate.ts';
import { validityOf } from '../../src/certificate/tls-pair.ts';
import type { MediumDelivery } from '../../src/contract/status.ts';
import { isTransient } from '../../src/disk/read-error.ts';
import type { Store } from '../../src/store/model.ts';
import { isSvcError } from '../../src/text/error.ts';
import { renderError } from '../../src/text/message.ts';
import { words } from '../../src/text/words/words.ts';
import { sayStanding } from '../../src/view/medium-standing.ts';
import type { VolumeLook, VolumeState } from './volume-look.ts';

/** The conditions that `/readyz` can report, in order of importance. With the first three the instance is not ready. */
export const conditionNames = [
  'draining',
  'store-away',
  'state-away',
  'gate-closed',
  'recipes-withdrawn',
  'store-new',
  'store-foreign',
  'store-read-only',
  'store-full',
  'state-full',
  'certificate-early',
  'certificate-expired',
] as const;
export type ConditionName = (typeof conditionNames)[number];

const blocking: ReadonlySet<ConditionName> = new Set(['draining', 'store-away', 'state-away']);

export interface Condition {
  readonly name: ConditionName;
  /** One line for a person, without paths. */
  readonly reason: string;
}

export interface Readiness {
  /** `draining`: the instance stops. `unavailable`: it cannot serve. Both answer 503. */
  readonly status: 'ready' | 'draining' | 'unavailable';
  readonly conditions: readonly Condition[];
  /** The volume of the store. */
  readonly store: VolumeState;
  /** The volume of the state; absent without a state folder. */
  readonly state?: VolumeState;
}

interface ReadinessParts {
  readonly isDraining: () => boolean;
  /** @throws SVC-STO-014, SVC-STO-019 when the medium cannot be asked now */
  readonly refusal: () => GateRefusal | undefined;
  /** Number of recipes withdrawn since the verification that passed them. */
  readonly withdrawn: () => number;
  /** The delivery of the medium, as the zone has received it. Never throws an SvcError. */
  readonly delivery: () => Promise<MediumDelivery | undefined>;
  readonly store: Pick<Store, 'readOnly' | 'standing' | 'earlier'>;
  readonly zone: string | undefined;
  readonly volumes: { readonly store: VolumeLook; readonly state?: VolumeLook | undefined };
  /** Absent without TLS. */
  readonly certificate?: Pick<ListenerCertificate, 'description'> | undefined;
  /** Whether uploads find no room. */
  readonly isStoreFull: () => Promise<boolean>;
}

/** Free bytes on the state's volume below which the record of a task may not fit. */
const stateRoom = 1 << 20;

/** Reason of an instance that waits for the disk with its store. */
export const absentStore = 'there is no store in its folder: connect and mount the disk';

const sentences = {
  draining: 'the instance is stopping: it completes work under way and accepts no new work',
  'store-away': 'the folder of the store is absent, was replaced, or does not answer',
  'state-away': 'the folder of the state is absent, was replaced, or does not answer',
  'store-new':
    'the store is new and empty, although this instance wrote another one before: check that its disk is mounted',
  'store-foreign': 'the store was made by another instance and is served unverified: no zone is set',
  'store-read-only': 'the store is read-only',
  'store-full': 'the volume of the store is nearly full: pushes are refused',
  'state-full': 'the volume of the state is nearly full: accounts and tokens can be changed, tasks may fail',
  'certificate-early':
    'the certificate of the listener is not valid yet: the clock of this machine may be wrong',
  'certificate-expired': 'the certificate of the listener has expired: clients refuse the connection',
} satisfies Partial<Record<ConditionName, string>>;

const toCondition = (name: keyof typeof sentences): Condition => ({ name, reason: sentences[name] });

/** Reports a closed gate, or the recipes blocked behind an open one. */
async function toGateCondition({
  refusal: readRefusal,
  withdrawn: countWithdrawn,
  delivery: readDelivery,
}: Pick<ReadinessParts, 'refusal' | 'withdrawn' | 'delivery'>): Promise<Condition | undefined> {
  const [refusal, withdrawn] = [readRefusal(), countWithdrawn()];
  if (withdrawn > 0 && (refusal === undefined || refusal.code === 'SVC-MED-032')) {
    const rest = refusal === undefined ? 'the others are available' : 'no recipe is available';
    return {
      name: refusal === undefined ? 'recipes-withdrawn' : 'gate-closed',
      reason: `SVC-MED-012: files of the medium changed after its verification: recipes blocked since: ${withdrawn}; ${rest}`,
    };
  }
  if (refusal === undefined) return undefined;
  const delivery = refusal.awaits === undefined ? undefined : await readDelivery();
  if (delivery !== undefined) {
    const standing = sayStanding(words.en, { awaits: refusal.awaits, delivery });
    return { name: 'gate-closed', reason: `${refusal.code}: ${standing}.` };
  }
  const { what } = renderError(toGateError(refusal), 'en');
  return { name: 'gate-closed', reason: `${refusal.code}: ${what}` };
}

/** Makes the function that determines whether the instance is ready, and which conditions deserve attention. */
export function createReadiness(parts: ReadinessParts): () => Promise<Readiness> {
  const { store, zone, volumes, certificate } = parts;

  /** Judges the gate; a medium that cannot be asked is away, which is no verdict on it. */
  const judgeGate = async (isStateAway: boolean): Promise<Condition | undefined> => {
    try {
      const delivery = isStateAway ? async () => undefined : parts.delivery;
      return await toGateCondition({ ...parts, delivery });
    } catch (error) {
      if (isSvcError(error) && isTransient(error)) return toCondition('store-away');
      throw error;
    }
  };

  return async () => {
    const [ofStore, ofState] = await Promise.all([volumes.store.look(), volumes.state?.look()]);
    const conditions: Condition[] = [];
    if (parts.isDraining()) conditions.push(toCondition('draining'));
    if (ofStore.state === 'away') conditions.push(toCondition('store-away'));
    if (ofState?.state === 'away') conditions.push(toCondition('state-away'));
    // a volume that hangs would hold up this too
    const gate = ofStore.state === 'away' ? undefined : await judgeGate(ofState?.state === 'away');
    if (gate) conditions.push(gate);
    if (store.earlier !== undefined) conditions.push(toCondition('store-new'));
    if (store.standing === 'foreign' && zone === undefined) conditions.push(toCondition('store-foreign'));
    if (store.readOnly !== undefined) conditions.push(toCondition('store-read-only'));
    if (ofStore.state === 'present' && (await parts.isStoreFull()))
      conditions.push(toCondition('store-full'));
    if (ofState?.state === 'present' && ofState.freeBytes < stateRoom)
      conditions.push(toCondition('state-full'));
    const validity =
      certificate === undefined ? 'valid' : validityOf(certificate.description, systemClock.wall());
    if (validity !== 'valid') conditions.push(toCondition(`certificate-${validity}`));
    const isBlocked = conditions.some(({ name }) => blocking.has(name));
    const status = parts.isDraining() ? 'draining' : isBlocked ? 'unavailable' : 'ready';
    return { status, conditions, store: ofStore, state: ofState };
  };
}
