import { parse } from 'yaml';
import type { Subject, Subjects } from '../subject.ts';
import { type Judgement, judgeDocuments } from './additions.ts';
import { renderDifference } from './unified-diff.ts';

export interface Finding {
  readonly name: string;
  /** `added`: only the newer program has the subject, or its document has more members and is the same otherwise. */
  readonly kind: 'differs' | 'gone' | 'added';
  readonly difference: string;
  readonly additions: readonly string[];
}

/** The elements of a page stand on long lines: a difference shows its own element only. */
function toText({ head, body }: Subject): string {
  return `${head}${/^content-type: text\/html/m.test(head) ? body.replaceAll('><', '>\n<') : body}`;
}

/** Places that are named of a document: its text alone does not tell differences from additions. */
const mostPlaces = 40;

function listPlaces(differences: readonly string[]): readonly string[] {
  const left = differences.length - mostPlaces;
  const named = differences.slice(0, mostPlaces).map((place) => `~ ${place}`);
  return left > 0 ? [...named, `~ and ${left} more places`] : named;
}

function compareOne(name: string, older: Subject, newer: Subject): Finding | undefined {
  if (older.head === newer.head && older.body === newer.body) return undefined;
  const differs = ({ additions, differences }: Judgement = { additions: [], differences: [] }): Finding => ({
    name,
    kind: 'differs',
    difference: [...listPlaces(differences), renderDifference(toText(older), toText(newer))].join('\n'),
    additions,
  });
  const { form } = older;
  if (older.head !== newer.head || form === 'text' || form !== newer.form) return differs();
  const read = ({ body }: Subject): unknown => (form === 'openapi' ? parse(body) : JSON.parse(body));
  let documents: readonly [unknown, unknown];
  try {
    documents = [read(older), read(newer)];
  } catch {
    // a page, or nothing, in place of a document
    return differs();
  }
  const judgement = judgeDocuments(...documents, form);
  const { additions, differences } = judgement;
  // of equal documents with other bytes, the bytes differ
  if (differences.length > 0 || additions.length === 0) return differs(judgement);
  return { name, kind: 'added', difference: '', additions };
}

/** Compares the subjects of a group. Those that only the newer program has are additions. */
export function compareSubjects(older: Subjects, newer: Subjects): readonly Finding[] {
  const findings: Finding[] = [];
  for (const [name, before] of older) {
    const after = newer.get(name);
    if (after === undefined) findings.push({ name, kind: 'gone', difference: '', additions: [] });
    else findings.push(...[compareOne(name, before, after) ?? []].flat());
  }
  for (const name of newer.keys())
    if (!older.has(name)) findings.push({ name, kind: 'added', difference: '', additions: [] });
  return findings;
}
