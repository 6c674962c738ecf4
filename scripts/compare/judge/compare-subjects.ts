import { parse } from 'yaml';
import type { Subject, Subjects } from '../subject.ts';
import { judgeDocuments } from './additions.ts';
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

function compareOne(name: string, older: Subject, newer: Subject): Finding | undefined {
  if (older.head === newer.head && older.body === newer.body) return undefined;
  const differs = (): Finding => ({
    name,
    kind: 'differs',
    difference: renderDifference(toText(older), toText(newer)),
    additions: [],
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
  const { additions, differences } = judgeDocuments(...documents, form);
  // of equal documents with other bytes, the bytes differ
  if (differences.length > 0 || additions.length === 0) return { ...differs(), additions };
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
