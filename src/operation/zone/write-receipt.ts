import {
  type SubjectFile,
  writeReceipt as sign,
  toInventory,
  toSubject,
  toZoneFile,
  withholdNames,
} from '../../attest/receipt.ts';
import type { StatementSubject } from '../../attest/statement.ts';
import { audited } from '../../base/audited.ts';
import { systemClock } from '../../base/clock.ts';
import type { Digest } from '../../base/digest.ts';
import { requireSetting } from '../../base/require-setting.ts';
import type { Config } from '../../config/model.ts';
import { type Receipt, type ReceivedRecipe, receiptLimits } from '../../contract/receipt.ts';
import type { CustodyHead } from '../../custody/line.ts';
import {
  boundDate,
  type FreshnessRecord,
  listStamped,
  openFreshness,
  selectNewest,
} from '../../engine/medium/freshness.ts';
import type { SurveyedRecipe, UnfinishedRecipe, ZoneSurvey } from '../../engine/zone/survey.ts';
import type { Signer } from '../../signing/signer.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { openArrivals } from '../../zone/arrivals.ts';
import { openOwnReceipts } from '../../zone/own-receipts.ts';
import type { KeptReceipt } from '../../zone/receipt-files.ts';
import { type Context, toDestinationSetting } from '../context.ts';
import { listPeerHeads } from '../custody/carry-custody.ts';
import { keepStatement } from '../custody/kept-statements.ts';
import { openCustody } from '../custody/open-custody.ts';
import { toSubject as toReceiptSubject } from './known-receipts.ts';
import { judgeSparse } from './refusals.ts';
import { surveyDestination } from './survey-destination.ts';

interface WriteReceiptInput {
  readonly signer: Signer;
  readonly actor: string;
  readonly origin?: string | undefined;
  /** Reads and hashes every blob of the registry, instead of asking for it. Default false. */
  readonly deep?: boolean | undefined;
  /** Also lists the blobs. Default false. */
  readonly inventory?: boolean | undefined;
  /** Leaves names and versions out. Default false. */
  readonly withholdsNames?: boolean | undefined;
  /** Recipes that an import refused just now, which the registry may not have. Default: none. */
  readonly refused?: readonly RefusedRecipe[] | undefined;
  /** Recipes that an import could not push just now. Default: none. */
  readonly unfinished?: readonly UnfinishedRecipe[] | undefined;
  /** Free bytes of the registry, where they are known. */
  readonly freeBytes?: number | undefined;
  readonly onRecipe?: ((recipe: SurveyedRecipe) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: (() => number) | undefined;
}

/** A recipe of a medium that its verification refused. Its name is that of the medium. */
export type RefusedRecipe = Required<Pick<ReceivedRecipe, 'name' | 'version' | 'digest' | 'code'>>;

/** Most refused recipes of a receipt: a medium may list any number, and those of the registry need their room. */
const mostRefused = 1000;
/** Characters of the name and the version of one. */
const longestName = 256;

export interface WrittenReceipt {
  readonly receipt: KeptReceipt;
  /** The recipes of the receipt, with their names. */
  readonly recipes: readonly ReceivedRecipe[];
  /** The second subject of the receipt. */
  readonly inventory?: SubjectFile;
}

/**
 * Reads the recipes of the registry of this zone, and signs them as the next receipt, which is durable in the state when
 * this returns.
 *
 * @throws SVC-CFG-001 naming a setting that a receipt requires; SVC-VAL-002 for more recipes than a receipt may have; errors
 *   of the registry as a whole, of the state and of signing. No number is used then
 */
export async function writeReceipt(context: Context, input: WriteReceiptInput): Promise<WrittenReceipt> {
  const { config, report } = context;
  const zone = requireSetting('zone', config.zone);
  const stateRoot = requireSetting('state.root', config.state.root);
  const destination = requireSetting('destination.registry', toDestinationSetting(config));
  const { actor, origin, signer, deep, unfinished, onRecipe, signal } = input;
  const attempt = { actor, action: 'receipt.write', target: zone, origin } as const;
  return audited(
    report,
    attempt,
    async () => {
      const own = openOwnReceipts(stateRoot);
      const before = await own.last(zone);
      const names = before?.receipt.recipes.flatMap(({ name }) => name ?? []);
      const survey = await surveyDestination(context, {
        zone,
        destination,
        names,
        deep,
        unfinished,
        onRecipe,
        signal,
      });
      const inventory = input.inventory ? toInventory(survey.places.keys()) : undefined;
      const { registry: host } = destination;
      const sparse = await judgeSparse(survey.sparse, context, stateRoot, host, { signal });
      const imported = await openFreshness(stateRoot).get(zone);
      const issuedAt = new Date((input.now ?? systemClock.wall)()).toISOString();
      const last = await findNewestMedium(stateRoot, zone, imported);
      const facts = { issuedAt, evidence: deep ? 'deep' : 'head' } as const;
      const content = describe({ ...survey, sparse }, input, {
        ...facts,
        ...toFreshness(imported, last),
        ...toLastDelivery(last),
      });
      const shown = input.withholdsNames ? withholdNames : (one: Receipt): Receipt => one;
      const subjects = [
        last?.manifest ? toManifestSubject(last.manifest) : toSubject(toZoneFile(zone)),
        ...(inventory ? [toSubject(inventory)] : []),
      ];
      const ledger = openCustody(config, context.policy);
      const receipt = await ledger.during(
        {
          type: 'receipt-issued',
          actor,
          subjects: subjects.map(({ name = '', digest }) => ({ name, digest })),
          details: { zone, delivery: last?.delivery?.id, origin },
        },
        async (head) => {
          const ends = await describeLedgers(config, stateRoot, head);
          const issued = await own.issue(zone, (place) =>
            requireSmall(sign(shown({ zone, ...place, ...content, ...ends }), subjects, signer)),
          );
          if (ledger.stateRoot !== undefined) await keepStatement(ledger.stateRoot, 'receipts', issued);
          return issued;
        },
        (issued) => ({
          subjects: [toReceiptSubject(issued)],
          details: { sequence: issued.receipt.sequence, keyFingerprint: signer.fingerprint },
        }),
        signal,
      );
      return { receipt, recipes: content.recipes, ...(inventory ? { inventory } : {}) };
    },
    {
      success: ({ receipt: { digest, receipt } }) => ({
        sequence: receipt.sequence,
        digest,
        keyFingerprint: signer.fingerprint,
      }),
      failure: ({ code }) => (signal?.aborted ? { interrupted: true } : { code }),
    },
  );
}

/** The end of the ledger of this zone, and those of its senders that it knows. @param head absent without a ledger */
async function describeLedgers(
  { custody }: Pick<Config, 'custody'>,
  stateRoot: string,
  head: CustodyHead | undefined,
): Promise<Pick<Receipt, 'custody'>> {
  if (head === undefined) return {};
  const site = requireSetting('custody.site', custody.site);
  const peers = await listPeerHeads(stateRoot);
  return { custody: { site, seq: head.seq, head: head.digest, ...(peers.length > 0 ? { peers } : {}) } };
}

/** A medium that a zone imported, whole or as a part of a delivery. */
interface ArrivedMedium {
  readonly mediaId: string;
  /** Whether recipes of its delivery still wait for other disks. */
  readonly waits?: boolean;
  readonly resolvedAt: string;
  readonly importedAt: string;
  /** Digest of its `media.jsonl`; absent in records of earlier versions. */
  readonly manifest?: FreshnessRecord['manifest'];
  /** Absent for a medium that is no delivery. */
  readonly delivery?: Pick<NonNullable<Receipt['lastDelivery']>, 'id' | 'part'>;
  /** The peer whose passport vouched for it or for its delivery, if one did. */
  readonly peer?: string | undefined;
}

/**
 * Finds the newest medium that a zone imported: by its date, which counts up to a day after its import, then by its first
 * import. Anybody can write a date: where media with a passport arrived, only these count. An older disk that is inserted again
 * takes no arrival back. The freshness record has media of which every recipe landed; a part of a delivery may have arrived
 * beside them.
 *
 * @param stateRoot folder of the state
 * @throws SVC-STO-001, SVC-STO-014 for a record of a delivery that cannot be read
 */
async function findNewestMedium(
  stateRoot: string,
  zone: string,
  freshness: FreshnessRecord | undefined,
): Promise<ArrivedMedium | undefined> {
  const imported: readonly (ArrivedMedium | undefined)[] = [
    freshness,
    freshness?.last,
    ...listStamped(freshness),
  ];
  const arrived = imported.flatMap((one) => one ?? []);
  for (const { id, zone: of, resolvedAt, landed, peer, complete } of await openArrivals(stateRoot).list())
    for (const { part, mediaId, manifest, importedAt } of of === zone ? landed : []) {
      const date = boundDate(resolvedAt, Date.parse(importedAt));
      const facts = { mediaId, waits: !complete, resolvedAt: date, importedAt, manifest, peer };
      arrived.push({ ...facts, delivery: { id, part } });
    }
  const stamped = arrived.filter(({ peer }) => peer !== undefined);
  const firsts = new Map<string, ArrivedMedium>();
  for (const one of (stamped.length > 0 ? stamped : arrived).sort((a, b) =>
    a.importedAt < b.importedAt ? -1 : 1,
  )) {
    const key = `${one.manifest ?? one.importedAt} ${one.peer ?? ''}`;
    if (!firsts.has(key)) firsts.set(key, one);
  }
  return selectNewest([...firsts.values()]);
}

/**
 * The newest medium: of those with a passport, where there are any.
 *
 * @param newest the medium of the receipt: it is this one, unless recipes of its delivery wait. Where it has a passport, none
 *   without counts then
 */
function toFreshness(
  imported: FreshnessRecord | undefined,
  newest: ArrivedMedium | undefined,
): Pick<Receipt, 'freshness'> {
  if (newest !== undefined && !newest.waits) return toStated(newest, newest.peer !== undefined);
  const stamped = selectNewest(listStamped(imported));
  if (stamped === undefined && newest?.peer !== undefined) return {};
  const freshest = stamped ?? imported;
  return freshest === undefined ? {} : toStated(freshest, stamped !== undefined);
}

const toStated = (
  { mediaId, resolvedAt }: Pick<ArrivedMedium, 'mediaId' | 'resolvedAt'>,
  isVouched: boolean,
): Pick<Receipt, 'freshness'> => ({
  freshness: { mediaId, resolvedAt, ...(isVouched ? { vouched: true } : {}) },
});

const toLastDelivery = ({
  manifest,
  delivery,
  peer,
}: Partial<ArrivedMedium> = {}): Pick<Receipt, 'lastDelivery'> =>
  manifest && delivery ? { lastDelivery: { ...delivery, manifest, ...(peer ? { peer } : {}) } } : {};

const toManifestSubject = (digest: Digest): StatementSubject => ({ name: 'media.jsonl', digest });

function describe(
  { recipes, sparse }: ZoneSurvey,
  { freeBytes, refused = [] }: Pick<WriteReceiptInput, 'freeBytes' | 'refused'>,
  facts: Pick<Receipt, 'issuedAt' | 'evidence' | 'freshness' | 'lastDelivery'>,
): Omit<Receipt, 'zone' | 'sequence'> {
  const byDigest = new Map<Digest, ReceivedRecipe>();
  for (const recipe of recipes) {
    // a second tag of the same content is blocked, and says nothing about the first
    if (byDigest.get(recipe.digest)?.state !== 'present') byDigest.set(recipe.digest, toReceived(recipe));
  }
  if (byDigest.size > receiptLimits.recipes)
    refuseLarge(rule(['{n} recipes', fr`{n} recettes`], { n: receiptLimits.recipes }));
  // the content of the registry counts before a refusal: a medium may name any recipe
  const others = refused.filter(
    ({ name, version, digest }) => !byDigest.has(digest) && name.length + version.length <= longestName,
  );
  const room = Math.min(mostRefused, receiptLimits.recipes - byDigest.size);
  for (const { name, version, digest, code } of others.slice(0, room))
    byDigest.set(digest, { name, version, digest, state: 'blocked', code });
  return {
    ...facts,
    destination: { sparse, ...(freeBytes === undefined ? {} : { freeBytes }) },
    recipes: [...byDigest.values()],
  };
}

function toReceived({
  name,
  version,
  digest,
  documentDigest,
  state,
  missing,
  displacedBy,
  error,
}: SurveyedRecipe): ReceivedRecipe {
  return {
    name,
    version,
    digest,
    ...(documentDigest ? { documentDigest } : {}),
    state,
    ...(missing ? { missing } : {}),
    ...(displacedBy ? { displacedBy } : {}),
    ...(error ? { code: error.code } : {}),
  };
}

/** @throws SVC-VAL-002 */
function requireSmall(bytes: Buffer): Buffer {
  if (bytes.length > receiptLimits.bytes)
    refuseLarge(rule(['{limit:size}', fr`{limit:size}`], { limit: receiptLimits.bytes }));
  return bytes;
}

function refuseLarge(limit: ReturnType<typeof rule>): never {
  throw svcError('SVC-VAL-002', { limit, file: rule(['the receipt', fr`le reçu`]) });
}
