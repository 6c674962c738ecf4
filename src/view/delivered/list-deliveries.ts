import { hasWords } from '../../base/words.ts';
import {
  type DeliveryState,
  type KnownDelivery as Document,
  deliveryStates,
} from '../../contract/delivery.ts';
import type { QueryOf } from '../../contract/operation.ts';
import type { listKnownDeliveries as operation } from '../../contract/operations/deliveries.ts';
import { sortRows } from '../../contract/operations/sorting.ts';
import { dossier } from '../../text/words/delivering/dossier.ts';
import { type Words, words } from '../../text/words/words.ts';
import { listNeededParts } from '../needed-parts.ts';
import { foldersOf, type KnownDelivery } from './known-deliveries.ts';
import type { JudgedStep } from './ledger-deliveries.ts';
import { nextStepOf } from './next-step.ts';
import { codesOf, isProved, presentOf, refusedOf, standingOf } from './standing.ts';

type Choice = Omit<QueryOf<typeof operation.query>, 'page' | 'pageSize'>;

/** The deliveries that the filter of a list selects, in its order: the last begun first unless told. */
export function selectDeliveries(
  known: readonly KnownDelivery[],
  { q = '', zone: zones = '', state, sort, order }: Choice,
): readonly KnownDelivery[] {
  const [has, isNamed] = [hasWords(q), hasWords(zones)];
  const isIn = (standing: DeliveryState): boolean =>
    standing === (state ?? standing) || (state === 'way' && standing === 'overdue');
  const selected = known.filter(
    (one) => isIn(standingOf(one)) && isNamed(one.zone ?? '') && has(toSearched(one)),
  );
  return sortRows(
    selected,
    {
      at: ({ at }) => at,
      delivery: ({ id }) => id,
      zone: ({ zone }) => zone,
      state: (one) => deliveryStates.indexOf(standingOf(one)),
      bytes: ({ sent }) => sent?.bytes,
    },
    { sort, order },
  );
}

/** The identifier, the zone and the recipes of a delivery: the text that a search looks in. */
export const toSearched = ({ id, zone = '', recipes }: KnownDelivery): string =>
  [id, zone, ...recipes.map(({ name = '', version = '' }) => `${name} ${version} ${name}@${version}`)].join(
    '\n',
  );

/** Recipes that are named. */
const mostNames = 5;

/** The recipes that the zone refused, as a text. */
export function namesOf({ format }: Pick<Words, 'format'>, delivery: KnownDelivery): string | undefined {
  const names = refusedOf(delivery);
  if (names === undefined || names.length === 0) return undefined;
  return format.list(names.length > mostNames ? [...names.slice(0, mostNames), '…'] : names);
}

/** How far a delivery is, in one sentence. */
export function sayStanding(language: Words, delivery: KnownDelivery): string {
  const { say, format } = language;
  const { zone, parts, sent, arrival, receipt, recipes, isInside, lastReceipt, overdueSince } = delivery;
  const standing = standingOf(delivery);
  return say(dossier.says[standing], {
    ...{ zone, parts, done: sent?.written.length },
    needed: arrival && listNeededParts(arrival).map(({ part }) => part),
    names: namesOf(language, delivery),
    inside: isInside ? lastReceipt?.sequence : undefined,
    due: overdueSince === undefined ? undefined : format.time(overdueSince),
    sequence: (standing === 'partial' ? lastReceipt : receipt)?.sequence,
    present: presentOf(delivery),
    recipes: recipes.length,
  });
}

const some = <Name extends string, Value>(name: Name, value: Value | undefined) =>
  (value === undefined ? {} : { [name]: value }) as Partial<Record<Name, Value>>;

const toJudged = ({ at, by, isGood, codes }: JudgedStep) => ({
  ...{ at, by, ok: isGood },
  ...(codes.length === 0 ? {} : { codes: [...new Set(codes)] }),
});

function toRecipe(
  { digest, name, version, confirmed, arrived }: KnownDelivery['recipes'][number],
  { sent }: KnownDelivery,
): Document['recipes'][number] {
  const written = sent?.written.filter((one) => one.recipes !== undefined) ?? [];
  const disks = written.flatMap(({ part, recipes = [] }) => (recipes.includes(digest) ? [part] : []));
  return {
    ...some('name', name),
    ...some('version', version),
    digest,
    ...some('state', confirmed?.state),
    ...some('arrived', arrived && arrived.state === 'landed'),
    ...some('code', confirmed?.code),
    ...(written.length === 0 ? {} : { disks }),
  };
}

/** A delivery as a document. @param keepsLedger whether a ledger would have a line of the handing over */
export function toDocument(delivery: KnownDelivery, keepsLedger: boolean): Document {
  const { id, zone, parts, ledger, sent, arrival, receipt, writing, replacedBy, overdueSince } = delivery;
  const { written, proved, handedOver, received, imported } = ledger ?? {};
  const codes = [...new Set(codesOf(delivery))];
  const folders = foldersOf(delivery);
  const awaited = arrival ? listNeededParts(arrival).map(({ part }) => part) : (delivery.awaited ?? []);
  return {
    id,
    ...some('zone', zone),
    state: standingOf(delivery),
    reason: sayStanding(words.en, delivery),
    ...(codes.length === 0 ? {} : { codes }),
    ...some('step', nextStepOf(delivery, keepsLedger)),
    ...some('task', writing),
    ...some('replacedBy', replacedBy),
    ...some('parts', parts),
    ...some('partsWritten', sent?.written.length),
    ...some(
      'partsArrived',
      arrival?.landed.map(({ part }) => part),
    ),
    ...(awaited.length === 0 ? {} : { partsAwaited: awaited }),
    ...some('bytes', sent?.bytes),
    ...some('begunAt', sent?.startedAt),
    ...some('written', written && { at: written.at, by: written.by }),
    ...some('proved', isProved(delivery)),
    ...some('proof', proved && toJudged(proved)),
    ...some('handedOver', handedOver),
    ...some('received', received),
    ...some('imported', imported && toJudged(imported)),
    ...some('overdueSince', overdueSince),
    ...some('receipt', receipt),
    ...(folders.length === 0 ? {} : { folders }),
    recipes: delivery.recipes.map((one) => toRecipe(one, delivery)),
  } satisfies Document;
}
