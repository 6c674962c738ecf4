import { content } from '../../src/text/words/content.ts';
import { dossier } from '../../src/text/words/delivering/dossier.ts';
import { steps } from '../../src/text/words/delivering/next-steps.ts';
import { receipts } from '../../src/text/words/delivering/receipts.ts';
import { zones } from '../../src/text/words/delivering/zones.ts';
import { history } from '../../src/text/words/history.ts';
import { recipeWords } from '../../src/text/words/recipes.ts';
import { tasks } from '../../src/text/words/tasks.ts';
import type { Sentence } from '../../src/text/words/words.ts';
import { cookieNames, readCookie } from './cookies.ts';
import type { PageCall } from './ui-route.ts';

/** The columns of each list that its reader may leave out. */
export const columnChoices = {
  content: {
    kind: content.kind,
    versions: content.versions,
    newest: content.newest,
    size: content.size,
    landed: content.landed,
    provenance: content.provenance,
  },
  versions: {
    digest: content.digest,
    platforms: content.platforms,
    size: content.size,
    landed: content.landed,
    provenance: content.owners,
  },
  recipes: {
    newest: recipeWords.newest,
    wanted: recipeWords.wanted,
    signature: recipeWords.signature,
    ingredients: recipeWords.ingredients,
    versions: recipeWords.versionsHere,
    landed: recipeWords.landed,
  },
  tasks: {
    status: tasks.status,
    outcome: tasks.outcomeHead,
    reference: tasks.reference,
    actor: tasks.actor,
    size: tasks.bytes,
    took: tasks.took,
    created: tasks.created,
  },
  zones: {
    receipt: zones.receipt,
    deliveries: zones.deliveries,
    resolved: zones.resolved,
  },
  zone: {
    wanted: zones.wanted,
    present: zones.present,
    since: zones.asOf,
  },
  deliveries: {
    zone: dossier.zone,
    next: steps.next,
    begun: dossier.begun,
    received: dossier.received,
    parts: dossier.parts,
    bytes: dossier.bytes,
    proved: dossier.proved,
    handed: dossier.handedOver,
    imported: dossier.imported,
    confirmed: dossier.receipt,
  },
  receipts: {
    sequence: receipts.sequence,
    issued: receipts.issued,
    evidence: receipts.evidence,
  },
  history: {
    actor: history.actor,
    subject: history.subject,
    outcome: history.outcome,
    origin: history.origin,
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Sentence>>>>;

export type TableName = keyof typeof columnChoices;
type KeysOf<T> = T extends unknown ? keyof T : never;
export type ColumnName = KeysOf<(typeof columnChoices)[TableName]>;

/** Whether a list with this name lets its reader choose. */
export const isTable = (name: string): name is TableName => Object.hasOwn(columnChoices, name);

const isColumn = (table: TableName, name: string): name is ColumnName =>
  Object.hasOwn(columnChoices[table], name);

/** The left-out columns of a list in the text of the cookie, `<list>.<column>.<column>~<list>…`; unknown ones are skipped. */
export function readHidden(text: string | undefined, table: TableName): ReadonlySet<ColumnName> {
  for (const part of (text ?? '').slice(0, 1024).split('~')) {
    const [name, ...columns] = part.split('.');
    if (name === table) return new Set(columns.filter((each) => isColumn(table, each)));
  }
  return new Set();
}

/** The text of the cookie with another choice for one list. @param shown columns that stay */
export function writeHidden(text: string | undefined, table: TableName, shown: readonly string[]): string {
  const kept = (Object.keys(columnChoices) as TableName[]).flatMap((name) => {
    const all = Object.keys(columnChoices[name]);
    const hidden =
      name === table ? all.filter((column) => !shown.includes(column)) : [...readHidden(text, name)];
    return hidden.length === 0 ? [] : [[name, ...hidden].join('.')];
  });
  return kept.join('~');
}

/** The columns of a list that the reader has left out. */
export function hiddenColumns(
  { exchange }: Pick<PageCall, 'exchange'>,
  table: TableName,
): ReadonlySet<ColumnName> {
  return readHidden(readCookie(exchange.req.headers.cookie, cookieNames.columns), table);
}
