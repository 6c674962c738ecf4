import { type Digest, digestHex } from '../../base/digest.ts';
import { type Steps, sortInSteps } from '../../base/pacer.ts';
import type { CustodyPoint } from '../../contract/custody.ts';
import type { Evidence, EvidenceLine, EvidenceScope } from '../../contract/evidence.ts';
import { readRefused } from '../../custody/refused.ts';
import { isApproval } from '../../trust/judge.ts';
import type { EvidenceSignature } from './model.ts';
import { selectNaming } from './select-lines.ts';

/** A recipe that lines name, with its folder in the pack. */
interface NamedRecipe {
  readonly name: string;
  readonly version: string;
  readonly digest: Digest;
  /** Other sites whose ledgers name it, where that of this site does not. */
  readonly sites?: readonly string[];
  /** Code of the refusal in the last line about its verification or import. */
  readonly refused?: string;
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
  ledgers: [own, ...parts],
}: Pick<Evidence, 'scope' | 'ledgers'>): Steps<readonly NamedRecipe[]> {
  const ofOwn = yield* findRecipes(own?.lines ?? [], scope);
  const ofOthers = new Map<string, Found>();
  for (const { site, lines } of parts)
    for (const [key, recipe] of yield* findRecipes(lines, scope)) {
      const { sites = [] } = ofOthers.get(key) ?? {};
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

function* findRecipes(lines: readonly EvidenceLine[], scope: EvidenceScope): Steps<Map<string, Found>> {
  const found = new Map<string, Found>();
  for (const line of selectNaming(lines, scope)) {
    const codes = readRefused(line);
    for (const { name: subject, digest } of line.subjects) {
      const [, name, version] = recipeName.exec(subject) ?? [];
      if (name === undefined || version === undefined) continue;
      const key = `${subject} ${digest}`;
      const isJudged = line.type === 'verified' || line.type === 'imported';
      const refused = isJudged ? codes.get(subject) : found.get(key)?.refused;
      found.set(key, { name, version, digest, ...(refused && { refused }) });
    }
    yield;
  }
  return found;
}

/** The deliveries that lines name, with the media that were proved or received. */
export function* listDeliveries(lines: readonly EvidenceLine[]): Steps<Evidence['deliveries']> {
  const found = new Map<string, { zone: string; parts: number; media: Map<number, Digest> }>();
  for (const { type, details, subjects } of lines) {
    yield;
    const { delivery, zone, part, parts } = details;
    if (typeof delivery !== 'string' || typeof zone !== 'string' || typeof parts !== 'number') continue;
    const known = found.get(delivery) ?? { zone, parts, media: new Map<number, Digest>() };
    found.set(delivery, known);
    const medium = subjects.find(({ name }) => name === 'media.jsonl');
    if (typeof part === 'number' && medium !== undefined && (type === 'proved' || type === 'received'))
      known.media.set(part, medium.digest);
  }
  const sorted = yield* sortInSteps([...found], ([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([id, { zone, parts, media }]) => ({
    id,
    zone,
    parts,
    media: [...media].sort(([a], [b]) => a - b).map(([part, manifest]) => ({ part, manifest })),
  }));
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
