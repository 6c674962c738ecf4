import { svcError } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { rule } from '../../src/text/rule.ts';
import { readBody } from '../body.ts';
import type { Exchange } from '../exchange.ts';
import type { BodyShare } from '../shares/body-room.ts';
import type { Fields } from './ui-route.ts';

/** A file field is named after the text field that it may replace: `document-file` for `document`. */
const fileSuffix = '-file';
/**
 * The content of a file is a field of its own: `document-base64` for `document`. Browsers do not carry a field of text
 * byte for byte: they change the ends of lines (HTML, "constructing the entry list").
 */
const exactSuffix = '-base64';

/** Name of the base64 field that carries the content of a file in place of a text field. */
export const toExactName = (name: string): string => `${name}${exactSuffix}`;

/** Name of the text field that a base64 field replaces; undefined if this is not a base64 field. */
export const fromExactName = (name: string): string | undefined =>
  name.endsWith(exactSuffix) ? name.slice(0, -exactSuffix.length) : undefined;

/** @throws SVC-VAL-001 when the bytes are not text: decoding would replace them */
export function decodeExact(name: string, base64: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(base64, 'base64'));
  } catch {
    const path = `/${name.slice(0, 64)}`;
    throw svcError('SVC-VAL-001', {
      file: 'form',
      path,
      rule: rule(['must be UTF-8 text', fr`doit être un texte en UTF-8`]),
    });
  }
}

/**
 * The text of a field, or of the file that was given in its place. A file keeps its ends of lines; typed text gets LF.
 *
 * @throws SVC-VAL-001 when a file is not text
 */
export function textOf(fields: Fields, name: string): string {
  const exact = fieldOf(fields, toExactName(name)) ?? '';
  if (exact !== '') return decodeExact(name, exact);
  return (fieldOf(fields, name) ?? '').replaceAll('\r\n', '\n');
}
const mostFields = 1000;

function collect(entries: Iterable<readonly [string, string]>): Fields {
  const fields = new Map<string, string[]>();
  let count = 0;
  for (const [name, value] of entries) {
    count += 1;
    if (count > mostFields)
      throw svcError('SVC-VAL-002', {
        limit: rule(['{most} fields', fr`{most} champs`], { most: mostFields }),
        file: 'form',
      });
    const values = fields.get(name);
    if (values === undefined) fields.set(name, [value]);
    else values.push(value);
  }
  return fields;
}

/** A text field and the file that may be given in its place become one field. @throws SVC-VAL-001 when both are given */
async function joinFiles(data: FormData): Promise<Fields> {
  const texts: [string, string][] = [];
  const files = new Map<string, string>();
  for (const [name, value] of data) {
    if (typeof value === 'string') texts.push([name, value]);
    else if (name.endsWith(fileSuffix)) {
      // a browser sends an empty file where none was selected
      if (value.size > 0)
        files.set(
          name.slice(0, -fileSuffix.length),
          Buffer.from(await value.arrayBuffer()).toString('base64'),
        );
    } else
      throw svcError('SVC-VAL-001', {
        file: 'form',
        path: `/${name.slice(0, 64)}`,
        rule: rule(['must be a text, not a file', fr`doit être un texte, pas un fichier`]),
      });
  }
  for (const [name, text] of files) {
    const own = texts.findIndex(([other]) => other === name);
    if (own >= 0 && texts[own]![1].trim() !== '') {
      throw svcError('SVC-VAL-001', {
        file: 'form',
        path: `/${name.slice(0, 64)}`,
        rule: rule(['is given both as a file and as text', fr`est donné à la fois en fichier et en texte`]),
      });
    }
    if (own >= 0) texts.splice(own, 1);
    texts.push([toExactName(name), text]);
  }
  return collect(texts);
}

/**
 * Reads a form. `multipart/form-data` is for forms with files.
 *
 * @param limit bytes of the request body
 * @param share provides the memory of the body
 * @throws SVC-VAL-002 when it is longer or has too many fields, SVC-SRV-005 when it is not a form, SVC-VAL-001,
 *   SVC-SRV-006 when the bodies of all requests are too large
 */
export async function readForm({ req, res }: Exchange, limit: number, share: BodyShare): Promise<Fields> {
  const contentType = req.headers['content-type'] ?? '';
  const type = contentType.split(';')[0]!.trim().toLowerCase();
  const isMultipart = type === 'multipart/form-data';
  if (!isMultipart && type !== 'application/x-www-form-urlencoded')
    throw svcError('SVC-SRV-005', { contentType: contentType.slice(0, 128) });
  const bytes = await readBody(req, res, limit, share);
  if (!isMultipart) return collect(new URLSearchParams(bytes.toString('utf8')));
  const request = new Request('http://form.invalid/', {
    method: 'POST',
    headers: { 'content-type': contentType },
    body: new Uint8Array(bytes),
  });
  let data: FormData;
  try {
    data = await request.formData();
  } catch (error) {
    throw svcError('SVC-SRV-005', { contentType: contentType.slice(0, 128) }, { cause: error });
  }
  return joinFiles(data);
}

/** The first value of a field. */
export function fieldOf(fields: Fields, name: string): string | undefined {
  return fields.get(name)?.[0];
}
