import { createHash } from 'node:crypto';
import { svcError } from '../../src/text/error.ts';
import { isTagListed } from '../etag.ts';
import type { Exchange } from '../exchange.ts';
import type { Assets } from './load-assets.ts';

/** Where the style sheet of the operator is found. */
export const overridePath = '/static/theme.css';

/** The best encoding that a client takes and that is at hand. */
export function selectEncoding(header: string | undefined): 'br' | 'gzip' | undefined {
  const taken = new Set(
    (header ?? '')
      .toLowerCase()
      .split(',')
      .filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part))
      .map((part) => part.split(';')[0]!.trim()),
  );
  return taken.has('br') ? 'br' : taken.has('gzip') ? 'gzip' : undefined;
}

function sendOverride(
  { req, res }: Exchange,
  bytes: Buffer,
  headers: Readonly<Record<string, string>>,
): void {
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  const own = { ...headers, 'cache-control': 'no-cache', etag };
  if (isTagListed(req.headers['if-none-match'], etag)) {
    res.writeHead(304, own);
    res.end();
    return;
  }
  res.writeHead(200, { ...own, 'content-type': 'text/css; charset=utf-8', 'content-length': bytes.length });
  res.end(req.method === 'HEAD' ? undefined : bytes);
}

/**
 * Sends a file below `/static/`. All are public and say nothing of the instance.
 *
 * @throws SVC-SRV-002 when there is none of this name, SVC-SRV-004 for a method that does not read
 */
export function sendAsset(
  exchange: Exchange,
  assets: Assets,
  override: Buffer | undefined,
  headers: Readonly<Record<string, string>>,
): void {
  const { req, res, path } = exchange;
  const method = req.method ?? '';
  if (method !== 'GET' && method !== 'HEAD')
    throw svcError('SVC-SRV-004', { method: method.slice(0, 32), allow: ['GET', 'HEAD'] });
  if (path === overridePath && override !== undefined) {
    sendOverride(exchange, override, headers);
    return;
  }
  const prefix = `/static/${assets.hash}/`;
  const asset = path.startsWith(prefix) ? assets.get(path.slice(prefix.length)) : undefined;
  if (asset === undefined) throw svcError('SVC-SRV-002', { path: path.slice(0, 512) });
  const encoding = selectEncoding(req.headers['accept-encoding']);
  const bytes = encoding === undefined ? asset.bytes : asset[encoding];
  res.writeHead(200, {
    ...headers,
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': asset.contentType,
    'content-length': bytes.length,
    vary: 'accept-encoding',
    ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
  });
  res.end(method === 'HEAD' ? undefined : bytes);
}
