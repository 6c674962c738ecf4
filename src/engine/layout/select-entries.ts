import type { Digest } from '../../base/digest.ts';
import type { RecipeRecord } from '../../catalog/model.ts';
import { isAliasOf, selectAlias } from '../../catalog/re-point.ts';
import { toUnknownName } from '../../catalog/unknown-name.ts';
import type { MissingContent } from '../../contract/layout.ts';
import { isAttachmentTag } from '../../oci/reference.ts';
import type { Store } from '../../store/model.ts';
import { type SvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import { collectAll } from '../../trust/discover.ts';
import { listBelow } from '../copy/list-below.ts';
import { localSigned } from '../copy/local-source.ts';

/** Content requested for a layout; empty: everything. */
export interface LayoutSelection {
  /** `<name>` or `<name>@<version>`. */
  readonly recipes: readonly string[];
  readonly repositories: readonly string[];
}

/** Decides which content may be exported from a foreign store. */
export interface ExportGate {
  allowsTag(repository: string, tag: string): boolean;
  allowsManifest(repository: string, digest: Digest): boolean;
}

export interface SelectedEntry {
  readonly repository: string;
  /** Absent for content that is found only by its subject. */
  readonly tag?: string;
  readonly digest: Digest;
}

/** The members that say why content is missing. */
export function toReason(why: Rule): Pick<MissingContent, 'reason' | 'reasonRule'> {
  return { reason: String(why), reasonRule: why };
}

export interface SelectedEntries {
  readonly entries: readonly SelectedEntry[];
  readonly missing: readonly MissingContent[];
}

type Reader = Store;

/**
 * Selects the entries of a layout from a store: tags, with the signatures and other artifacts that refer to them. For a
 * recipe: its artifact, its ingredients, and the signatures of both and of their platform images.
 *
 * @param gate absent where everything may be exported
 * @param lost recipes with lost content: they are left out
 * @returns sorted by repository and tag, each once
 * @throws SVC-REG-005 for a recipe or repository that does not exist, SVC-MED-032 for one that may not be
 *   exported
 */
export async function selectEntries(
  store: Reader & Pick<Store, 'mediaId'>,
  selection: LayoutSelection,
  gate: ExportGate | undefined,
  lost: ReadonlySet<RecipeRecord> = new Set(),
): Promise<SelectedEntries> {
  const { index } = store;
  const entries = new Map<string, SelectedEntry>();
  const missing: MissingContent[] = [];
  const add = (entry: SelectedEntry): void => {
    const { repository, tag, digest } = entry;
    const isFree = (name: string) =>
      (entries.get(toEntryReference({ repository, tag: name, digest })) ?? entry).digest === digest;
    const own =
      tag === undefined || isFree(tag) ? entry : { ...entry, tag: selectAlias(tag, digest, isFree) };
    entries.set(toEntryReference(own), own);
  };
  const isWhole = asksForAll(selection);
  for (const repository of isWhole ? index.repositories() : selection.repositories) {
    if (!index.hasRepository(repository)) throw toUnknownName(repository, index.repositories());
    const found = selectRepository(store, repository, gate);
    found.entries.forEach(add);
    missing.push(...found.missing);
    if (!isWhole && found.entries.length === 0 && found.missing.length > 0) throw toClosed(store);
  }
  for (const wanted of selection.recipes) {
    const records = index.recipes().filter((record) => isWanted(record, wanted));
    if (records.length === 0)
      throw toUnknownName(
        wanted,
        index.recipes().flatMap(({ name, version }) => [name, `${name}@${version}`]),
      );
    for (const record of records)
      if (!lost.has(record)) for (const entry of await selectRecipe(store, record, gate)) add(entry);
  }
  // the tags of a foreign store are no evidence: content that its verified recipes pin is always exported
  if (isWhole && gate)
    for (const record of index.recipes())
      if (gate.allowsManifest(record.repository, record.digest))
        for (const entry of await selectRecipe(store, record, gate)) add(entry);
  const sorted = [...entries].sort(([, a], [, b]) => compareEntries(a, b)).map(([, entry]) => entry);
  return { entries: sorted, missing };
}

/** `<repository>:<tag>`, or `<repository>@<digest>` without a tag. */
export function toEntryReference({ repository, tag, digest }: SelectedEntry): string {
  return tag === undefined ? `${repository}@${digest}` : `${repository}:${tag}`;
}

function compareEntries(a: SelectedEntry, b: SelectedEntry): number {
  if (a.repository !== b.repository) return a.repository < b.repository ? -1 : 1;
  const [one, other] = [a.tag ?? `~${a.digest}`, b.tag ?? `~${b.digest}`];
  return one < other ? -1 : 1;
}

const toClosed = ({ mediaId }: Pick<Store, 'mediaId'>): SvcError => svcError('SVC-MED-032', { mediaId });

/** Whether the selection is empty, which requests everything. */
export function asksForAll({ recipes, repositories }: LayoutSelection): boolean {
  return recipes.length === 0 && repositories.length === 0;
}

/** @param wanted `<name>` or `<name>@<version>` */
export function isWanted({ name, version }: Pick<RecipeRecord, 'name' | 'version'>, wanted: string): boolean {
  return wanted === name || wanted === `${name}@${version}`;
}

const heldBack = rule([
  'held: not part of a verified recipe yet',
  fr`retenu : ne fait pas encore partie d’une recette vérifiée`,
]);
const blocked = rule([
  'blocked: not part of a verified recipe of the medium',
  fr`bloqué : ne fait pas partie d’une recette vérifiée du support`,
]);

function selectRepository(store: Reader, repository: string, gate: ExportGate | undefined): SelectedEntries {
  const { index } = store;
  const entries: SelectedEntry[] = [];
  const missing: MissingContent[] = [];
  for (const { tag, digest, held } of index.tags(repository)) {
    const barred = held ? heldBack : gate && !gate.allowsTag(repository, tag) ? blocked : undefined;
    if (barred === undefined) entries.push({ repository, tag, digest });
    else missing.push({ repository, tag, digest, ...toReason(barred) });
  }
  const named = new Set(entries.map(({ digest }) => digest));
  const seen = new Set<Digest>();
  const todo = [...named];
  for (let digest = todo.pop(); digest !== undefined; digest = todo.pop()) {
    if (seen.has(digest)) continue;
    seen.add(digest);
    todo.push(...(index.manifest(digest)?.manifests ?? []));
    for (const referrer of index.referrers(repository, digest)) {
      if (named.has(referrer.digest) || (gate && !gate.allowsManifest(repository, referrer.digest))) continue;
      named.add(referrer.digest);
      entries.push({ repository, digest: referrer.digest });
      todo.push(referrer.digest);
    }
  }
  return { entries, missing };
}

async function selectRecipe(
  store: Reader & Pick<Store, 'mediaId'>,
  record: RecipeRecord,
  gate: ExportGate | undefined,
): Promise<readonly SelectedEntry[]> {
  const entries: SelectedEntry[] = [];
  for (const { repository, tag, digest } of [record, ...record.ingredients]) {
    if (gate && !gate.allowsManifest(repository, digest)) throw toClosed(store);
    entries.push({ repository, tag: toHeldTag(store, repository, tag, digest), digest });
    for (const subject of listBelow(digest, store.index)) {
      for (const entry of await selectSignatures(store, repository, subject))
        if (!gate || gate.allowsManifest(repository, entry.digest)) entries.push(entry);
    }
  }
  return entries;
}

/** The tag that names this content: its own, or an alias; its own where the ledger of a medium has neither. */
export function toHeldTag({ index }: Reader, repository: string, tag: string, digest: Digest): string {
  if (index.tag(repository, tag)?.digest === digest || isAttachmentTag(tag)) return tag;
  const alias = index
    .tagsOf(digest)
    .find((one) => one.repository === repository && isAliasOf(one.tag, tag, digest));
  return alias?.tag ?? tag;
}

export async function selectSignatures(
  store: Reader,
  repository: string,
  subject: Digest,
): Promise<SelectedEntry[]> {
  const found = await collectAll(localSigned(store, repository), subject);
  const { fallbackIndex, evidence } = found;
  const entries: SelectedEntry[] = evidence.map(({ layout, tag, manifest }) => ({
    repository,
    ...(layout === 'classic' && tag !== undefined ? { tag } : {}),
    digest: manifest.descriptor.digest,
  }));
  const fallbackTag = fallbackIndex && store.index.tagsOf(fallbackIndex.descriptor.digest);
  for (const known of fallbackTag ?? []) {
    if (known.repository === repository && isAttachmentTag(known.tag))
      entries.push({ repository, tag: known.tag, digest: known.digest });
  }
  return entries;
}
