import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Report } from '../../base/report.ts';
import type { Content } from '../../catalog/content.ts';
import { ContentGraph } from '../../catalog/content-graph.ts';
import { type ContentChange, type MediumChange, parseContentChange } from '../../catalog/content-records.ts';
import { PlainManifests } from '../../catalog/plain-manifests.ts';
import { parseRecipeChange, RecipeBook, type RecipeChange } from '../../catalog/recipe-book.ts';
import { formatGenerationName } from '../../ledger/generation.ts';
import { type Ledger, type LedgerPlace, openLedger } from '../../ledger/ledger.ts';
import { listGenerations } from '../../ledger/read-ledger.ts';
import { type RememberedLedgers, readRememberedLedgers } from './remembered-ledgers.ts';
import { logUnused, openSavedIndex } from './saved-index.ts';
import { judgeStanding, type StandingVerdict, toLedgerFacts } from './standing.ts';
import { readStoreKey } from './store-key.ts';

/** Folder of the ledgers, relative to the root. */
export const ledgerFolder = 'ledger';

/**
 * Estimated ledger bytes for each digest, and the most digests for which memory is reserved before reading.
 */
const bytesPerDigest = 144;
const mostExpected = 1 << 23;
/** Bytes of a block as `stat` counts them, on every filesystem. */
const blockBytes = 512;

/** Result of reading the ledgers of a store. */
export interface Reading {
  readonly graph: ContentGraph;
  readonly book: RecipeBook;
  readonly content: Ledger<ContentChange>;
  readonly recipes: Ledger<RecipeChange>;
  /** The first records of the ledgers; undefined: there is no store. */
  readonly medium: MediumChange | undefined;
  readonly recipeMedium: MediumChange | undefined;
  readonly verdict: StandingVerdict;
  /** The remembered states of this medium's ledgers, from its last use by this instance. */
  readonly remembered: RememberedLedgers | undefined;
  /** The place up to which the records came from the saved index. */
  readonly savedAt: LedgerPlace | undefined;
  /** Changes when a ledger file changes. */
  readonly stamp: string;
}

interface ReadLedgersOptions {
  readonly stateRoot?: string | undefined;
  readonly zone?: string | undefined;
  /** Whether the ledgers will be written. */
  readonly writable: boolean;
  /**
   * Also read the batches after damage: of both ledgers for a repair, of the content ledger where it is only
   * a hint where to look.
   */
  readonly salvage?: 'both' | 'content';
  /** Whether every record is read, and none is taken from the saved index. */
  readonly isThorough?: boolean | undefined;
  readonly report: Report;
}

/**
 * Reads both ledgers and decides whether this instance wrote them. Changes nothing.
 *
 * @param root real path
 * @throws SVC-STO-001
 */
export async function readLedgers(root: string, options: ReadLedgersOptions): Promise<Reading> {
  const { stateRoot, zone, report, writable, salvage, isThorough = false } = options;
  const { stamp, bytes } = await inspectLedgers(root);
  const key = stateRoot === undefined ? undefined : await readStoreKey(stateRoot);
  const remembered =
    stateRoot === undefined ? new Map<string, RememberedLedgers>() : await readRememberedLedgers(stateRoot);
  const isIndexed = key !== undefined && remembered.size > 0 && salvage === undefined && !isThorough;
  await using saved = isIndexed ? await openSavedIndex(root, key, report) : undefined;
  let savedAt: LedgerPlace | undefined;
  let made: ContentGraph | undefined;
  /** The graph, made when the first record comes: the saved one needs no room of another. */
  const toGraph = (): ContentGraph => {
    if (made !== undefined) return made;
    made = new ContentGraph(Math.min(mostExpected, Math.ceil(bytes / bytesPerDigest)));
    made.startLoad();
    return made;
  };
  const book = new RecipeBook();
  const common = { root, folder: ledgerFolder, key, writable, report };
  let medium: MediumChange | undefined;
  let recipeMedium: MediumChange | undefined;
  const manifests = new PlainManifests();
  const forget = (gone: readonly Content[]): void => {
    for (const content of gone) toGraph().forget(content);
  };
  let isOffered = false;
  const known = saved && {
    place: saved.place,
    take: async (): Promise<boolean> => {
      isOffered = true;
      made = await saved.read();
      if (made === undefined) return false;
      made.startLoad();
      medium = saved.medium;
      savedAt = saved.place;
      report.log('debug', 'The saved index of the store is used', { records: saved.place.records });
      return true;
    },
  };
  const content = await openLedger<ContentChange>({
    ...common,
    name: 'content',
    salvage: salvage !== undefined,
    known,
    parse: parseContentChange,
    plain: {
      keep: (bytes, start, end) => manifests.keep(bytes, start, end),
      apply: () => forget(toGraph().applyPlain(manifests)),
      clear: () => manifests.clear(),
    },
    remembered: (first) => (first.op === 'medium' ? remembered.get(first.id)?.content : undefined),
    onRecord: (change) => {
      if (change.op === 'medium') medium ??= change;
      else forget(toGraph().apply(change));
    },
  });
  if (saved && !isOffered) logUnused(root, report, 'of another ledger');
  const graph = toGraph();
  graph.finishLoad();
  const recipes = await openLedger<RecipeChange>({
    ...common,
    name: 'recipes',
    salvage: salvage === 'both',
    parse: parseRecipeChange,
    remembered: (first) => (first.op === 'medium' ? remembered.get(first.id)?.recipe : undefined),
    onRecord: (change) => {
      if (change.op === 'medium') recipeMedium ??= change;
      else book.apply(change);
    },
  }).catch(async (error) => {
    await content.close();
    throw error;
  });
  const mine = remembered.get((medium ?? recipeMedium)?.id ?? '');
  const mineOfRecipes = recipeMedium === undefined ? mine : remembered.get(recipeMedium.id);
  const verdict = judgeStanding({
    hasStateRoot: stateRoot !== undefined,
    zone,
    ledgers: [toLedgerFacts(content, mine?.content), toLedgerFacts(recipes, mineOfRecipes?.recipe)],
  });
  return { graph, book, content, recipes, medium, recipeMedium, verdict, remembered: mine, savedAt, stamp };
}

export async function closeReading(reading: Reading): Promise<void> {
  await reading.content.close();
  await reading.recipes.close();
}

/**
 * Inspects the ledger files: a stamp that changes when one of them changes, and the bytes that they occupy.
 */
export async function inspectLedgers(
  root: string,
): Promise<{ readonly stamp: string; readonly bytes: number }> {
  const parts: string[] = [];
  let bytes = 0;
  for (const name of ['content', 'recipes']) {
    for (const generation of await listGenerations(root, ledgerFolder, name)) {
      const path = join(root, ledgerFolder, formatGenerationName(name, generation));
      const info = await stat(path, { bigint: true }).catch(() => undefined);
      // a sparse file on a hostile medium costs its maker nothing, and would cost memory here
      if (info !== undefined) bytes += Math.min(Number(info.size), Number(info.blocks) * blockBytes);
      parts.push(`${name}-${generation} ${info?.ino} ${info?.size} ${info?.mtimeNs}`);
    }
  }
  return { stamp: parts.join('\n'), bytes };
}
