import { toComparable } from '../placeholders.ts';
import type { Side } from '../side.ts';
import type { Form, Subject } from '../subject.ts';

/** Headers that the connection has, or that follow from the body or the time. */
const left = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']);

/** Members of which only the presence is compared. */
const valueless = new Set(['etag', 'last-modified', 'set-cookie']);

function formOf(type: string): Form {
  return /[/+]json\b/.test(type) ? 'value' : 'text';
}

/** Reads an answer: its status, the headers that matter, the body. */
export async function toAnswer({ placeholders }: Side, response: Response): Promise<Subject> {
  const headers = [...response.headers]
    .filter(([name]) => !left.has(name))
    .map(([name, value]) => `${name}: ${valueless.has(name) ? '<value>' : value}`);
  const body = await response.text();
  return {
    head: toComparable(`${response.status}\n${headers.join('\n')}\n\n`, placeholders),
    body: toComparable(body, placeholders),
    form: formOf(response.headers.get('content-type') ?? ''),
  };
}
