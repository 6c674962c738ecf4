import { randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { FoundFile, ServedFilesets } from '../../src/engine/fileset/served-model.ts';
import { isDamage } from '../../src/store/blobs/judge-blob.ts';
import { isTagListed } from '../etag.ts';
import type { Exchange } from '../exchange.ts';
import type { Gate } from '../gate.ts';
import { sendBlobPart, streamBlobPart } from '../send-blob.ts';
import { parseByteRanges, type Span } from './byte-ranges.ts';

const contentType = 'application/octet-stream';

interface FileAnswer {
  readonly exchange: Exchange;
  readonly found: FoundFile;
  readonly filesets: Pick<ServedFilesets, 'open'>;
  readonly gate: Pick<Gate, 'rehash' | 'isVerifiedFile' | 'onAltered'>;
  /**
   * Whether the FileSet is readable without credentials. Decides whether shared caches may store the answer.
   */
  readonly isPublic: boolean;
  /** Name under which a browser saves the file, which it never shows; no cache keeps it. Absent: for package managers. */
  readonly saveAs?: string;
}

type Headers = Record<string, string | number>;

/**
 * Headers of every answer about a file. Validation uses the entity tag only: every file has the epoch as its
 * date.
 */
function toHeaders(
  { exchange, isPublic, saveAs }: Pick<FileAnswer, 'exchange' | 'isPublic' | 'saveAs'>,
  digest: string,
  type: string,
): Headers {
  return {
    'content-type': type,
    etag: `"${digest}"`,
    'last-modified': 'Thu, 01 Jan 1970 00:00:00 GMT',
    'accept-ranges': 'bytes',
    // the file under a path changes with the served version
    'cache-control': isPublic ? 'no-cache' : 'private, no-cache',
    'content-security-policy': 'sandbox',
    'x-content-type-options': 'nosniff',
    'x-request-id': exchange.correlationId,
    ...(saveAs === undefined ? {} : { ...saved, 'content-disposition': toAttachment(saveAs) }),
  };
}

/** Headers of a file that a browser asks for with a session: nothing of it is shown, run or read by another page. */
const saved = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin',
} as const;

/**
 * Formats the header that has a browser save a file (RFC 6266). Characters that a name may not show are replaced: control characters,
 * and those that change the display of others.
 *
 * @param name as text, without folders
 */
export function toAttachment(name: string): string {
  const shown = name.toWellFormed().replace(/[\p{C}\p{Zl}\p{Zp}"\\/:*?<>|\ufffd]/gu, '_');
  const plain = shown.replace(/[^ -~]|%/g, '_');
  const encoded = encodeURIComponent(shown).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** Headers of an answer without the content: nothing that describes the content, or lets a cache keep the refusal. */
function toRefusal(headers: Headers): Headers {
  const { etag: _, 'last-modified': _modified, 'content-type': _type, ...others } = headers;
  return { ...others, 'cache-control': 'no-store', 'content-length': 0 };
}

/**
 * Judges the conditions of GET and HEAD (RFC 9110, section 13), and answers where no byte of the content is sent.
 *
 * @returns the ranges to send; undefined when the request was answered
 */
function selectRanges(
  { req, res }: Pick<Exchange, 'req' | 'res'>,
  headers: Headers,
  size: number,
): Exclude<ReturnType<typeof parseByteRanges>, { readonly kind: 'unsatisfiable' }> | undefined {
  const tag = String(headers.etag);
  if (req.headers['if-match'] !== undefined && !isTagListed(req.headers['if-match'], tag)) {
    res.writeHead(412, toRefusal(headers)).end();
    return undefined;
  }
  if (isTagListed(req.headers['if-none-match'], tag)) {
    res.writeHead(304, headers).end();
    return undefined;
  }
  if (req.method === 'HEAD') {
    res.writeHead(200, { ...headers, 'content-length': size }).end();
    return undefined;
  }
  const guard = req.headers['if-range'];
  const ranges =
    guard === undefined || guard === tag
      ? parseByteRanges(req.headers.range, size)
      : ({ kind: 'whole' } as const);
  if (ranges.kind !== 'unsatisfiable') return ranges;
  res.writeHead(416, { ...toRefusal(headers), 'content-range': `bytes */${size}` }).end();
  return undefined;
}

/** Answers GET and HEAD of a generated document. Of several ranges it sends the whole, which is allowed (section 14.2). */
export function sendDocument(
  exchange: Exchange,
  {
    bytes,
    digest,
    type,
    isPublic,
  }: {
    readonly bytes: Buffer;
    readonly digest: string;
    /** Media type. */
    readonly type: string;
    readonly isPublic: boolean;
  },
): void {
  const { res } = exchange;
  const headers = toHeaders({ exchange, isPublic }, digest, type);
  const ranges = selectRanges(exchange, headers, bytes.length);
  if (ranges === undefined) return;
  const [only] = ranges.kind === 'parts' ? ranges.parts : [];
  if (ranges.kind === 'whole' || only === undefined || ranges.parts.length > 1) {
    res.writeHead(200, { ...headers, 'content-length': bytes.length }).end(bytes);
    return;
  }
  const part = bytes.subarray(only.start, only.end + 1);
  const range = `bytes ${only.start}-${only.end}/${bytes.length}`;
  res.writeHead(206, { ...headers, 'content-range': range, 'content-length': part.length }).end(part);
}

/**
 * Answers GET and HEAD of a file: conditions, ranges and bytes (RFC 9110, sections 13 and 14).
 *
 * @throws the errors of opening and sending the file
 */
export async function sendFile(answer: FileAnswer): Promise<void> {
  const { exchange, found, filesets, gate } = answer;
  const { res } = exchange;
  const { size } = found;
  const headers = toHeaders(answer, found.digest, contentType);
  const ranges = selectRanges(exchange, headers, size);
  if (ranges === undefined) return;
  const { file, start } = await filesets.open(found);
  try {
    // The hash of a part cannot be checked, so a part of a foreign file is sent only when its bytes were
    // verified.
    const isForeign = found.isBlob && gate.rehash;
    const mayPart = !isForeign || gate.isVerifiedFile(found.layer.digest, await file.stat({ bigint: true }));
    if (ranges.kind === 'parts' && mayPart) await sendParts(answer, file, start, ranges.parts, headers);
    else {
      res.writeHead(200, { ...headers, 'content-length': size });
      const expected = found.isBlob && gate.rehash ? found.digest : undefined;
      if (size === 0) res.end();
      else await sendBlobPart(res, file, { start, length: size, expected, path: found.layer.digest });
    }
  } catch (error) {
    const isAltered = isDamage(error);
    if (found.isBlob && isAltered) gate.onAltered(found.layer.digest);
    throw error;
  } finally {
    await file.close();
  }
}

async function sendParts(
  { exchange: { res }, found }: FileAnswer,
  file: FileHandle,
  origin: number,
  parts: readonly Span[],
  headers: Record<string, string | number>,
): Promise<void> {
  const { size } = found;
  const path = found.layer.digest;
  const toRange = ({ start, end }: Span) => `bytes ${start}-${end}/${size}`;
  const send = (part: Span, stream: typeof sendBlobPart) =>
    stream(res, file, { start: origin + part.start, length: part.end - part.start + 1, path });
  const [only] = parts;
  if (only !== undefined && parts.length === 1) {
    const length = only.end - only.start + 1;
    res.writeHead(206, { ...headers, 'content-range': toRange(only), 'content-length': length });
    await send(only, sendBlobPart);
    return;
  }
  // section 14.6: the boundary must not occur in the content; a random one cannot be anticipated
  const boundary = randomBytes(18).toString('hex');
  const heads = parts.map(
    (part) => `\r\n--${boundary}\r\ncontent-type: ${contentType}\r\ncontent-range: ${toRange(part)}\r\n\r\n`,
  );
  const tail = `\r\n--${boundary}--\r\n`;
  const length = parts.reduce((sum, { start, end }) => sum + end - start + 1, 0);
  const frame = heads.reduce((sum, head) => sum + head.length, tail.length);
  res.writeHead(206, {
    ...headers,
    'content-type': `multipart/byteranges; boundary=${boundary}`,
    'content-length': length + frame,
  });
  for (const [i, part] of parts.entries()) {
    res.write(heads[i]);
    await send(part, streamBlobPart);
  }
  res.end(tail);
}
