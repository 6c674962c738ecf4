import { type Digest, digestHex } from '../../base/digest.ts';
import { type Steps, sortInSteps } from '../../base/pacer.ts';
import type { CustodyPoint } from '../../contract/custody.ts';
import type { Evidence, EvidenceLine, EvidenceScope } from '../../contract/evidence.ts';
import { readRefused } from '../../custody/refused.ts';
import { isApproval } from '../../trust/judge.ts';
import { findClaimed, findManifest, findPeers, type IsClaimed, type MediaSources } from './claimed-media.ts';
import type { EvidenceSignature } from './model.ts';
import { selectNaming } from './select-lines.ts';

/** A recipe that lines name, with its folder in the pack. */
interface NamedRecipe {
  readonly name: string;
  readonly version: string;
  readonly digest: Digest;
  /** Other sites whose ledgers name it, where that of this site does not. */
  readonly sites?: readonly string[];
  /** Code of the refusal in the last line about its verification or import; absent where an import brought it. */
  readonly refused?: string;
  /** Only disks name it that claim to be of a delivery. */
  readonly claimed?: true;
  readonly folder: string;
}

const recipeName = /^([a-z0-9][a-z0-9._-]{0,127})@([0-9A-Za-z][0-9A-Za-z.+-]{0,127})$/;

type Found = Omit<NamedRecipe, 'folder'>;

/**
 * The recipes that lines of ledgers name, by name, version and digest: those of the own ledger, then those that
 * only other sites name. A line about a recipe of a delivery may name others, as those that were fetched with it: they are
 * none of the delivery.
 *
 * @param ledgers that of this site first
 */
export function* listRecipes({
  scope,
  ...sources
}: Pick<Evidence, 'scope' | 'ledgers'> & MediaSources): Steps<readonly NamedRecipe[]> {
  const [own, ...parts] = sources.ledgers;
  const isClaimed = yield* findClaimed(sources);
  const ofOwn = yield* findRecipes(own?.lines ?? [], scope, isClaimed);
  const ofOthers = new Map<string, Found>();
  for (const { site, lines } of parts)
    for (const [key, recipe] of yield* findRecipes(lines, scope, isClaimed)) {
      const { sites = [] } = ofOthers.get(key) ?? {};
      const { claimed, ...named } = ofOwn.get(key) ?? {};
      // that site names it in lines of its own
      if (claimed) ofOwn.set(key, named as Found);
      if (!ofOwn.has(key)) ofOthers.set(key, { ...recipe, sites: [...new Set([...sites, site])].sort() });
    }
  const references = new Set<string>();
  const named: NamedRecipe[] = [];
  for (const found of [ofOwn, ofOthers])
    for (const [, recipe] of yield* sortInSteps([...found], ([a], [b]) => (a < b ? -1 : 1))) {
      const reference = `${recipe.name}@${recipe.version}`;
      // one version may have been signed anew, in another manifest
      const more = references.has(reference) ? `-${digestHex(recipe.digest).slice(0, 12)}` : '';
      references.add(reference);
      named.push({ ...recipe, folder: `recipes/${reference}${more}` });
      yield;
    }
  return named;
}

function* findRecipes(
  lines: readonly EvidenceLine[],
  scope: EvidenceScope,
  isClaimed: IsClaimed,
): Steps<Map<string, Found>> {
  const found = new Map<string, Found>();
  // a later disk that lacks or spoils their content takes nothing back
  const landed = new Set<string>();
  for (const line of selectNaming(lines, scope)) {
    const codes = readRefused(line);
    const claimed = isClaimed(line);
    for (const { name: subject, digest } of line.subjects) {
      const [, name, version] = recipeName.exec(subject) ?? [];
      if (name === undefined || version === undefined) continue;
      const key = `${subject} ${digest}`;
      const known = found.get(key);
      // a disk that only claims says nothing about what others brought
      if (claimed && known !== undefined && !known.claimed) continue;
      const isJudged = line.type === 'verified' || line.type === 'imported';
      const before = known?.claimed && !claimed ? undefined : known?.refused;
      const isRefused = codes.has(subject);
      if (line.type === 'imported' && line.step !== 'intent' && !isRefused) landed.add(key);
      const judged = isJudged ? codes.get(subject) : before;
      const refused = landed.has(key) ? undefined : judged;
      found.set(key, { name, version, digest, ...(refused && { refused }), ...(claimed && { claimed }) });
    }
    yield;
  }
  return found;
}

type NamedDelivery = Evidence['deliveries'][number];
type ClaimedMedium = NonNullable<NamedDelivery['claimed']>[number];
interface FoundDelivery {
  readonly id: string;
  readonly peer: string | undefined;
  readonly zone: string;
  readonly parts: number;
  readonly media: Map<Digest, Medium>;
}

type Medium = NamedDelivery['media'][number];

/** Whether it was written or imported. */
const isArrived = ({ refused, verified }: Medium): boolean => refused === undefined && verified !== true;

/** Adds the statements of a line about a medium. The last one that arrived is that of its part; a refusal takes nothing back. */
function addMedium(
  media: FoundDelivery['media'],
  { type }: Pick<EvidenceLine, 'type'>,
  refused: string | undefined,
  one: Medium,
): void {
  const known = media.get(one.manifest);
  if (type === 'verified' || refused !== undefined) {
    if (known !== undefined && (isArrived(known) || (type === 'verified' && known.verified !== true))) return;
    media.set(one.manifest, {
      ...one,
      ...(refused === undefined ? {} : { refused }),
      ...(type === 'verified' ? { verified: true } : {}),
    });
    return;
  }
  for (const other of media.values())
    if (other.part === one.part && isArrived(other)) media.delete(other.manifest);
  media.set(one.manifest, one);
}

const toTexts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

/** In the order of the parts, those that arrived before others. */
const compareMedia = (a: Medium, b: Medium): number =>
  a.part - b.part || Number(isArrived(b)) - Number(isArrived(a));

/**
 * The deliveries that lines of the own ledger name, of each peer its own, with the media that were proved or received, those that
 * were refused or only verified, and apart from them the disks that only claim to be of one. Of those, neither the zone nor a number counts.
 */
export function* listDeliveries(sources: MediaSources): Steps<Evidence['deliveries']> {
  const isClaimed = yield* findClaimed(sources);
  const peerOf = yield* findPeers(sources);
  const found = new Map<string, FoundDelivery>();
  /** By the digest of a medium, why the last line about it says that it was refused or reported. */
  const judged = new Map<Digest, Pick<ClaimedMedium, 'refused' | 'reported'>>();
  /** By the digest of a medium, why its last verification refused a recipe of it. */
  const spoiled = new Map<Digest, string>();
  const claims: { readonly delivery: string; readonly zone: string; readonly one: ClaimedMedium }[] = [];
  for (const line of sources.ledgers[0]?.lines ?? []) {
    yield;
    const { delivery, zone, part, parts } = line.details;
    const manifest = findManifest(line);
    const isArrival = line.type === 'proved' || line.type === 'received';
    if (manifest !== undefined) judged.set(manifest, { ...judged.get(manifest), ...toJudged(line) });
    if (typeof delivery !== 'string' || typeof zone !== 'string' || typeof parts !== 'number') continue;
    if (isClaimed(line)) {
      if (typeof part === 'number' && manifest !== undefined && isArrival)
        claims.push({ delivery, zone, one: { part, parts, manifest } });
      continue;
    }
    const peer = peerOf(line, manifest);
    const key = `${delivery} ${peer ?? ''}`;
    const known = found.get(key) ?? { id: delivery, peer, zone, parts, media: new Map() };
    found.set(key, known);
    const isJudged = line.type === 'verified' && line.step !== 'intent';
    if (typeof part !== 'number' || manifest === undefined || !(isArrival || isJudged)) continue;
    const [code] = readRefused(line).values();
    if (isJudged && code !== undefined) spoiled.set(manifest, code);
    else if (isJudged) spoiled.delete(manifest);
    const [blocked] = line.type === 'proved' ? [] : toTexts(line.details.blocks);
    // lines of earlier versions have no code of a recipe
    const refused = blocked ?? (line.type === 'received' ? spoiled.get(manifest) : undefined);
    addMedium(known.media, line, refused, { part, manifest });
  }
  const claimedBy = new Map<string, { readonly zone: string; readonly all: Map<Digest, ClaimedMedium> }>();
  for (const { delivery, zone, one } of claims) {
    yield;
    const named = claimedBy.get(delivery) ?? { zone, all: new Map() };
    claimedBy.set(delivery, named);
    named.all.set(one.manifest, { ...one, ...judged.get(one.manifest) });
  }
  const known = new Set([...found.values()].map(({ id }) => id));
  for (const [id, { zone }] of claimedBy)
    if (!known.has(id)) found.set(id, { id, peer: undefined, zone, parts: 0, media: new Map() });
  const sorted = yield* sortInSteps([...found], ([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([, { id, peer, zone, parts, media }]) => ({
    id,
    ...(peer !== undefined && { peer }),
    zone,
    parts,
    media: [...media.values()].sort(compareMedia),
    ...(claimedBy.has(id) && { claimed: [...claimedBy.get(id)!.all.values()] }),
  }));
}

/** The codes for which a line says that a whole medium was refused, or was reported beside its delivery. */
function toJudged({
  details: { blocks, findings },
}: EvidenceLine): Pick<ClaimedMedium, 'refused' | 'reported'> {
  const [refused] = toTexts(blocks);
  const reported = toTexts(findings);
  return { ...(refused && { refused }), ...(reported.length > 0 && { reported }) };
}

/** The last line of a ledger that statements name. */
export interface Witnessed {
  /** In statements under its own key; absent: none does. */
  readonly own?: number;
  /** In statements of other sites, by name. */
  readonly others: readonly { readonly site: string; readonly seq: number }[];
}

/**
 * Tells which sites name lines of a ledger. The statements of its own site prove nothing to others.
 *
 * @param statements receipts and checkpoints; `by`: names of the site that speaks in each, the first one is shown
 */
export function listWitnesses(
  site: string,
  statements: readonly { readonly by: readonly string[]; readonly points: readonly CustodyPoint[] }[],
): Witnessed {
  let own = 0;
  const others = new Map<string, number>();
  for (const { by, points } of statements)
    for (const { seq } of points.filter((point) => point.site === site))
      if (by.includes(site)) own = Math.max(own, seq);
      else others.set(by[0]!, Math.max(others.get(by[0]!) ?? 0, seq));
  return {
    ...(own > 0 && { own }),
    others: [...others].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, seq]) => ({ site: name, seq })),
  };
}

/** Whether the signature of a recipe is a statement of another type than that of `cosign sign`. */
export const isAttestation = ({ kind, predicateType }: EvidenceSignature): boolean =>
  kind === 'recipe' && !isApproval({ predicateType });

/** The sites in whose name a receipt or a checkpoint speaks, as it says: the first of its ledgers is its own. */
export const listSpeakers = (points: readonly CustodyPoint[]): readonly string[] =>
  points.slice(0, 1).map(({ site }) => site);
