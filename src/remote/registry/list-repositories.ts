import { parseJson } from '../../base/json/parse-json.ts';
import type { Report } from '../../base/report.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { isRepositoryName } from '../../oci/reference.ts';
import { isSvcError } from '../../text/error.ts';
import { drainBody, readBody } from '../transport/read-body.ts';
import type { Client, ClientRequest } from './client.ts';
import { listLimits, toNextPage } from './list-tags.ts';

/** Limits of one page: its names and few other values. */
const pageBounds = { depth: 8, values: listLimits.names + 1000 };

/**
 * Lists the repositories of a registry (`_catalog`), at most 100 000 names, 32 MiB and 1000 pages. The list is a
 * convenience of some registries: one that is refused, unusable or too long counts as absent.
 */
export async function listRepositories(
  client: Client,
  report: Report,
  options: CallOptions = {},
): Promise<readonly string[] | undefined> {
  try {
    return await readPages(client, options);
  } catch (error) {
    options.signal?.throwIfAborted();
    if (!isSvcError(error)) throw error;
    report.log('warn', 'The registry does not list its repositories', { effective: client.host, error });
    return undefined;
  }
}

async function readPages(client: Client, { signal }: CallOptions): Promise<readonly string[] | undefined> {
  const reference = `${client.host}/v2/_catalog`;
  const names = new Set<string>();
  let to: ClientRequest['to'] = '/v2/_catalog?n=1000';
  let bytesLeft = listLimits.bytes;
  for (let page = 0; page < listLimits.pages; page += 1) {
    const request: ClientRequest = {
      method: 'GET',
      to,
      scope: 'registry:catalog:*',
      headers: { accept: 'application/json' },
      reference,
      signal,
    };
    const response = await client.send(request);
    if (response.status !== 200) {
      await drainBody(response);
      return undefined;
    }
    const bytes = await readBody(response, bytesLeft, reference, signal);
    bytesLeft -= bytes.length;
    const found = parsePage(bytes);
    if (found === undefined) return undefined;
    const before = names.size;
    for (const name of found) if (typeof name === 'string' && isRepositoryName(name)) names.add(name);
    const next = toNextPage(response, client.base, reference);
    if (next === undefined) return [...names];
    if (names.size === before || names.size > listLimits.names) return undefined;
    to = { url: next, kind: 'next page' };
  }
  return undefined;
}

function parsePage(bytes: Buffer): readonly unknown[] | undefined {
  try {
    const { repositories } = parseJson(bytes, pageBounds) as { repositories?: unknown };
    return Array.isArray(repositories) ? repositories : undefined;
  } catch {
    return undefined;
  }
}
