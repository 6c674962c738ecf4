import { createHash } from 'node:crypto';
import { type Digest, isDigest } from '../base/digest.ts';
import { Pacer } from '../base/pacer.ts';
import { mediaTypes } from '../oci/media-types.ts';
import { parseVersionTag } from '../recipe/version.ts';
import type { ChartFacts, ChartLayer } from './chart-facts.ts';
import { isChartName } from './chart-reference.ts';
import { entryRules, toArchiveName } from './index-entry.ts';

/** First words: a file of other rules is of no use. */
const heading = `svc chart entries 1.${entryRules}`;
/** Bytes that are hashed and passed on at once. */
const pieceSize = 1 << 18;
/** Bytes of the checksum at the end. */
const checksumSize = 32;
/** Bytes of the number before the table, and of the line feeds. */
const framing = 64;

/** Bytes that say nothing: they are damaged, or of other rules or another format. */
class UnusableError extends Error {}

/**
 * Encodes facts of charts: a heading with the size of the table, a line for each chart, the entries in sequence, and a
 * SHA-256 against damage. Entries are kept as an index needs them: reading them decodes nothing.
 *
 * @param most bytes of the result; facts that have no room are left out
 */
export function* encodeChartFacts(
  facts: Iterable<readonly [Digest, ChartFacts]>,
  most: number,
): Generator<Buffer> {
  const lines: string[] = [];
  const entries: Buffer[] = [];
  let room = most - heading.length - framing - checksumSize;
  for (const [digest, one] of facts) {
    // the store, not the bytes of the chart, may be the reason
    if ('leftOut' in one && one.leftOut === 'archive') continue;
    const line = `${digest}\t${toLine(one)}\n`;
    const json = 'leftOut' in one ? undefined : one.entry.json;
    room -= line.length + (json?.length ?? 0);
    if (room < 0) break;
    lines.push(line);
    if (json !== undefined) entries.push(json);
  }
  const hash = createHash('sha256');
  const table = lines.join('');
  const piece: Buffer[] = [Buffer.from(`${heading} ${table.length}\n${table}`, 'latin1')];
  let size = piece[0]!.length;
  const end = (): Buffer => {
    const whole = Buffer.concat(piece.splice(0));
    size = 0;
    hash.update(whole);
    return whole;
  };
  for (const json of entries) {
    if (size >= pieceSize) yield end();
    piece.push(json);
    size += json.length;
  }
  yield end();
  yield hash.digest();
}

function toLine(facts: ChartFacts): string {
  if ('leftOut' in facts) return facts.leftOut;
  const { entry, archive, provenance } = facts;
  return [toPair(archive), toPair(provenance), entry.name, entry.version, entry.json.length].join('\t');
}

const toPair = (layer: ChartLayer | undefined): string =>
  layer === undefined ? '' : `${layer.digest} ${layer.size}`;

/**
 * Decodes the output of `encodeChartFacts`, in slices. The entries are parts of the bytes.
 *
 * @returns undefined when the bytes are damaged, or were made by other rules
 */
export async function decodeChartFacts(bytes: Buffer): Promise<Map<Digest, ChartFacts> | undefined> {
  const pacer = new Pacer();
  const content = bytes.subarray(0, Math.max(0, bytes.length - checksumSize));
  const [title, size, ...more] = content
    .toString('latin1', 0, heading.length + framing)
    .split('\n', 1)[0]!
    .split(/ (?=[0-9]+$)/);
  if (title !== heading || size === undefined || more.length > 0) return undefined;
  const hash = createHash('sha256');
  for (let at = 0; at < content.length; at += pieceSize) {
    hash.update(content.subarray(at, at + pieceSize));
    if (pacer.isDue()) await pacer.rest();
  }
  if (!hash.digest().equals(bytes.subarray(content.length))) return undefined;
  const start = title.length + size.length + 2;
  const table = content.toString('latin1', start, start + Number(size));
  const found = new Map<Digest, ChartFacts>();
  try {
    let at = start + table.length;
    for (let line = 0; line < table.length; ) {
      const end = table.indexOf('\n', line);
      insist(end > line);
      const read = decode(table.slice(line, end), content, at);
      found.set(read.digest, read.facts);
      if ('entry' in read.facts) at += read.facts.entry.json.length;
      line = end + 1;
      if (pacer.isDue()) await pacer.rest();
    }
    insist(at === content.length);
  } catch (error) {
    if (error instanceof UnusableError) return undefined;
    throw error;
  }
  return found;
}

/** Decodes a line of the table. @param at offset of its entry */
function decode(
  line: string,
  content: Buffer,
  at: number,
): { readonly digest: Digest; readonly facts: ChartFacts } {
  const [digest, first, second, name, version, size, ...more] = line.split('\t');
  insist(isDigest(digest) && first !== undefined && more.length === 0);
  if (second === undefined) {
    insist(first === 'config' || first === 'name' || first === 'version');
    return { digest, facts: { leftOut: first } };
  }
  const archive = toLayer(first, mediaTypes.helmChart);
  const provenance = second === '' ? undefined : toLayer(second, mediaTypes.helmProvenance);
  insist(name !== undefined && isChartName(name) && version !== undefined);
  const parsed = parseVersionTag(version);
  const json = content.subarray(at, at + toSize(size));
  insist(parsed !== undefined && json.length === Number(size));
  const entry = { name, version, parsed, file: toArchiveName(name, version), json };
  return { digest, facts: { entry, archive, ...(provenance === undefined ? {} : { provenance }) } };
}

function toLayer(pair: string, mediaType: string): ChartLayer {
  const space = pair.indexOf(' ');
  const digest = pair.slice(0, space);
  insist(isDigest(digest));
  return { mediaType, digest, size: toSize(pair.slice(space + 1)) };
}

function toSize(text: string | undefined): number {
  const size = Number(text);
  insist(Number.isSafeInteger(size) && size >= 0);
  return size;
}

/** @throws UnusableError */
function insist(isRight: boolean): asserts isRight {
  if (!isRight) throw new UnusableError();
}
