import type { Digest } from '../../base/digest.ts';
import type { RecipeRecord } from '../../catalog/model.ts';
import type { MissingContent } from '../../contract/layout.ts';
import { listBelow } from '../../engine/copy/list-below.ts';
import { lookForLost } from '../../engine/delivery/close.ts';
import {
  asksForAll,
  type ExportGate,
  isWanted,
  type LayoutSelection,
  type SelectedEntries,
  type SelectedEntry,
  selectEntries,
  toReason,
} from '../../engine/layout/select-entries.ts';
import { blobPath } from '../../oci/layout.ts';
import { lookAtFiles } from '../../store/blobs/look-at-files.ts';
import type { Store } from '../../store/model.ts';
import { type SvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { type BlockedRecipe, toBlocked } from './select-closures.ts';

/** Content for a layout, without recipes and entries of which the store has lost content. */
interface WholeEntries extends SelectedEntries {
  /** Recipes that were asked for, and are left out. */
  readonly blocked: readonly BlockedRecipe[];
  /** The error for the first lost content. */
  readonly error?: SvcError;
}

/**
 * Selects as `selectEntries` does. A recipe with lost or damaged content is left out whole, as is any other entry with such
 * content, and named under `missing`. Each file that would be exported is looked at.
 *
 * @throws the errors of `selectEntries`
 */
export async function selectWhole(
  store: Store,
  selection: LayoutSelection,
  gate: ExportGate | undefined,
): Promise<WholeEntries> {
  // the files of a foreign store are judged by its verification
  if (store.standing === 'foreign') return { ...(await selectEntries(store, selection, gate)), blocked: [] };
  const { index } = store;
  const isAll = asksForAll(selection);
  const records = index
    .recipes()
    .filter((record) => isAll || selection.recipes.some((wanted) => isWanted(record, wanted)));
  const blocked: BlockedRecipe[] = [];
  for (const record of records) {
    const lost = await lookForLost(store, record);
    if (lost.length > 0) blocked.push(toBlocked(store, record, lost));
  }
  const lost = new Set(blocked.map(({ record }) => record));
  const found = await selectEntries(store, selection, gate, lost);
  const dropped = isAll ? listOwn(store, records, lost) : new Set<string>();
  const entries: SelectedEntry[] = [];
  const missing: MissingContent[] = [...found.missing];
  let error = blocked[0]?.error;
  for (const { record, error: own } of blocked) missing.push(toMissing(record, own));
  for (const entry of found.entries) {
    if (dropped.has(toKey(entry))) continue;
    const digest = await findLost(store, entry);
    if (digest === undefined) {
      entries.push(entry);
      continue;
    }
    const own = svcError('SVC-STO-010', { path: blobPath(digest) });
    missing.push(toMissing(entry, own));
    error ??= own;
  }
  if (entries.length === 0 && error !== undefined) throw error;
  return { entries, missing, blocked, ...(error === undefined ? {} : { error }) };
}

const toKey = ({ repository, digest }: Pick<SelectedEntry, 'repository' | 'digest'>): string =>
  `${repository}@${digest}`;

/** The entries of recipes with lost content that no other recipe has. */
function listOwn(
  { index }: Store,
  records: readonly RecipeRecord[],
  lost: ReadonlySet<RecipeRecord>,
): ReadonlySet<string> {
  const own = new Set<string>();
  const others = new Set<string>();
  for (const record of records)
    for (const { repository, digest: root } of [record, ...record.ingredients])
      for (const subject of listBelow(root, index))
        for (const digest of [subject, ...index.signatureFiles(repository, subject)])
          (lost.has(record) ? own : others).add(toKey({ repository, digest }));
  for (const key of others) own.delete(key);
  return own;
}

/** The first file below an entry that is gone or damaged. */
async function findLost(store: Store, { digest: root }: SelectedEntry): Promise<Digest | undefined> {
  const { index } = store;
  const below = listBelow(root, index);
  await lookAtFiles(store, below);
  const blobs = below.flatMap((digest) => index.manifest(digest)?.blobs ?? []);
  await lookAtFiles(
    store,
    blobs.map(({ digest }) => digest),
  );
  return index.lostBelow(root)[0];
}

function toMissing({ repository, tag, digest }: SelectedEntry, error: SvcError): MissingContent {
  const why = rule(['its content is lost or damaged: {path}', fr`son contenu est perdu ou abîmé : {path}`], {
    path: String(error.params.path),
  });
  return { repository, ...(tag === undefined ? {} : { tag }), digest, ...toReason(why) };
}
