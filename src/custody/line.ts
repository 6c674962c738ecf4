import { type Digest, hashBytes } from '../base/digest.ts';
import { parseJson } from '../base/json/parse-json.ts';
import { checkValue } from '../contract/check-value.ts';
import { CustodyLine, custodyLimits } from '../contract/custody.ts';
import { isSvcError } from '../text/error.ts';
import { escapeText } from '../text/escape.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import { textParam } from '../text/text-param.ts';

/** The last line of a ledger, or of a part of it: its number, and the SHA-256 of its bytes with the line feed. */
export interface CustodyHead {
  readonly seq: number;
  readonly digest: Digest;
}

/** The head before the first line. */
export const beginning: CustodyHead = { seq: 0, digest: hashBytes('') };

/** A line without its place in the chain. */
export type LineContent = Omit<CustodyLine, 'seq' | 'prev' | 'sum'>;

const bounds = { depth: 4, values: 10_000 };
/** Between the content of a line and its sum. */
const beforeSum = ',"sum":';

/** The number of a line and the digest of the one before, as `writeLine` puts them first. */
export const lineStart = /^\{"seq":([1-9][0-9]{0,15}),"prev":"(sha256:[0-9a-f]{64})"/;
/** Bytes that it matches at most. */
export const longestStart = 110;

/** The bytes of a line, with its line feed, and the head that it makes. */
export interface WrittenLine extends CustodyHead {
  readonly bytes: Buffer;
}

/** Writes the line that follows `before`. Control characters are escaped, so that a terminal can show it. */
export function writeLine(content: LineContent, before: CustodyHead): WrittenLine {
  const { ts, site, type, step, of, result, actor, subjects, details, torn } = content;
  const seq = before.seq + 1;
  // absent members are left out
  const members = {
    ...{ seq, prev: before.digest, ts, site, type, step, of, result, actor },
    subjects: subjects.map(({ name, digest }) => ({ name, digest })),
    ...{ details, torn: torn && { bytes: torn.bytes, digest: torn.digest } },
  };
  const text = escapeText(JSON.stringify(members)).slice(0, -1);
  const bytes = Buffer.from(`${text}${beforeSum}"${hashBytes(text)}"}\n`);
  return { seq, digest: hashBytes(bytes), bytes };
}

/**
 * Reads a line. It is untrusted: members, their order and their form must be those that `writeLine` gives it.
 *
 * @param bytes with the line feed
 * @returns the rule that the line breaks, if it is none
 */
export function readLine(
  bytes: Buffer,
): { readonly line: CustodyLine; readonly head: CustodyHead } | { readonly flaw: Rule } {
  if (bytes.length > custodyLimits.line)
    return {
      flaw: rule(['longer than {limit:size}', fr`plus de {limit:size}`], { limit: custodyLimits.line }),
    };
  let value: unknown;
  try {
    value = parseJson(bytes, bounds);
    checkValue(value, CustodyLine, '', 'line');
  } catch (error) {
    if (error instanceof SyntaxError) return { flaw: rule(['not JSON', fr`pas du JSON`]) };
    if (!isSvcError(error, 'SVC-VAL-001')) throw error;
    const path = textParam(error, 'path');
    return {
      flaw: rule(['{path} {broken}', fr`{path} {broken}`], { path, broken: textParam(error, 'rule') }),
    };
  }
  const line = value as CustodyLine;
  const { seq, prev, sum, ...content } = line;
  const written = writeLine(content, { seq: seq - 1, digest: prev });
  if (!written.bytes.equals(bytes))
    return {
      flaw: rule([
        'its bytes do not have the sum that it states',
        fr`ses octets n’ont pas la somme qu’elle indique`,
      ]),
    };
  if (line.of !== undefined && (line.step !== 'outcome' || line.of >= seq))
    return {
      flaw: rule(['it belongs to no line before it', fr`elle ne se rapporte à aucune ligne précédente`]),
    };
  return { line, head: { seq, digest: written.digest } };
}

/**
 * Reads the line that follows another one.
 *
 * @returns the rule that it breaks, if it does not follow
 */
export function readNextLine(bytes: Buffer, before: CustodyHead): ReturnType<typeof readLine> {
  const read = readLine(bytes);
  if ('flaw' in read) return read;
  const { seq, prev } = read.line;
  if (seq !== before.seq + 1)
    return {
      flaw: rule(
        ['it has number {seq} in place of {expected}', fr`elle a le numéro {seq} au lieu de {expected}`],
        {
          seq,
          expected: before.seq + 1,
        },
      ),
    };
  if (prev !== before.digest)
    return {
      flaw: rule(
        [
          'it does not name the SHA-256 of line {before}',
          fr`elle ne porte pas l’empreinte SHA-256 de la ligne {before}`,
        ],
        { before: before.seq },
      ),
    };
  return read;
}

const sumAt = /,"sum":"sha256:[0-9a-f]{64}"\}/;

/**
 * Whether the bytes after the last line feed of a ledger are the beginning of a line that its writer did not finish. A whole
 * line whose line feed became another byte is none.
 *
 * @param isLast whether no file follows
 */
export function isUnfinished(rest: Buffer, isLast: boolean): boolean {
  const text = rest.toString('latin1');
  const end = sumAt.exec(text);
  return isLast && (end === null || end.index + end[0].length === text.length);
}
