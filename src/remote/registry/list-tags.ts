import { JsonGauge } from '../../base/json/json-gauge.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { isTag } from '../../oci/reference.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import type { TransportResponse } from '../model.ts';
import { refusePage } from '../transport/page-answer.ts';
import { toHopRule } from '../transport/policy.ts';
import { drainBody, readBody } from '../transport/read-body.ts';
import type { ClientRequest } from './client.ts';
import { parseNextLink } from './link.ts';
import { logSubstitution, type RepositoryScope, toName, toNotFound, toPath } from './scope.ts';

/** Limits over all pages of one list. */
export const listLimits: Readonly<Record<'names' | 'referrers' | 'bytes' | 'pages', number>> = {
  names: 100_000,
  /** About as many as one index of 4 MiB can list. */
  referrers: 40_000,
  bytes: 33_554_432,
  pages: 1_000,
};
/**
 * After this number of pages they must have this average number of tags, so that a list with one tag a page
 * is refused.
 */
const leastTags = { pages: 50, each: 10 } as const;
/** Milliseconds for all pages of one list. */
const listTimeout = 300_000;

/** Limits of one page: its names and few other values. */
const pageBounds = { depth: 8, values: listLimits.names + 1000 };

/**
 * The URL of the next page, which must have the same origin. An unusable link is an error, not the end of a list: the
 * tags after it would be missing.
 *
 * @param reference names the list in errors
 * @throws SVC-POL-001, SVC-REG-007
 */
export function toNextPage(response: TransportResponse, base: URL, reference: string): URL | undefined {
  const link = parseNextLink(response.headers.link);
  if (link.kind === 'none') return undefined;
  if (link.kind === 'unusable' || !URL.canParse(link.target, response.url.href))
    throw svcError('SVC-REG-007', {
      reference,
      detail: rule([
        'the link to the next page cannot be used, and the list is not complete',
        fr`le lien vers la page suivante est inutilisable, et la liste n’est pas complète`,
      ]),
    });
  const next = new URL(link.target, response.url);
  if (next.origin !== base.origin)
    throw svcError(
      'SVC-POL-001',
      {
        host: next.host || next.protocol,
        hop: toHopRule({ kind: 'next page', from: base }),
        reason: 'other-origin',
      },
      {
        detail: rule([
          'the next page of the list is on another host',
          fr`la page suivante de la liste est sur un autre hôte`,
        ]),
      },
    );
  return next;
}

function parseTags(bytes: Buffer): readonly unknown[] | undefined {
  try {
    const { tags } = JSON.parse(bytes.toString('utf8')) as { tags?: unknown };
    if (tags === undefined || tags === null) return [];
    return Array.isArray(tags) ? tags : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Lists all tags of a repository. A missing repository is an empty list for pushes, and an error for reads.
 *
 * @throws SVC-REG-005; SVC-VAL-002 beyond 100 000 names, 32 MiB or 1000 pages; SVC-REG-007 for pages with few
 *   tags, for a link to the next page that cannot be used, and after 5 minutes
 */
export async function listTags(scope: RepositoryScope, options?: CallOptions): Promise<readonly string[]> {
  const { client } = scope;
  const reference = toName(scope);
  const tags = new Set<string>();
  let to: ClientRequest['to'] = toPath(scope, 'tags/list?n=1000');
  let bytesLeft = listLimits.bytes;
  let skipped = 0;
  const end = (): readonly string[] => {
    if (skipped > 0)
      scope.report.log('warn', 'A list of tags has entries that cannot be used; they are skipped', {
        source: reference,
        effective: client.host,
        count: skipped,
      });
    return [...tags];
  };
  const wrong = (detail: Rule) => svcError('SVC-REG-007', { reference, detail });
  const started = performance.now();
  const tooMany = (limit: Rule) => svcError('SVC-VAL-002', { limit, file: `${reference} (tags)` });
  logSubstitution(scope);
  for (let page = 0; page < listLimits.pages; page += 1) {
    const request: ClientRequest = {
      method: 'GET',
      to,
      scope: scope.pull,
      headers: { accept: 'application/json' },
      reference,
      signal: options?.signal,
    };
    const left = bytesLeft;
    const { next, names, size } = await client.repeat(async () => {
      const response = await client.sendOnce(request);
      if (response.status === 404) {
        await drainBody(response);
        if (scope.access === 'push') return { next: undefined, names: [], size: 0 };
        throw toNotFound(scope);
      }
      if (response.status !== 200) throw await client.toUnexpected(request, response);
      const gauge = new JsonGauge(pageBounds);
      const bytes = await readBody(response, left, `${reference} (tags)`, options?.signal, (chunk) => {
        const fault = gauge.add(chunk);
        if (fault === 'values')
          throw tooMany(rule(['{names} names', fr`{names} noms`], { names: listLimits.names }));
        if (fault === 'depth')
          throw wrong(rule(['the tag list is not valid', fr`la liste des étiquettes n’est pas valide`]));
      });
      const found = parseTags(bytes);
      if (found === undefined) refusePage(response, bytes, `${reference} (tags)`);
      if (found === undefined)
        throw wrong(rule(['the tag list is not valid', fr`la liste des étiquettes n’est pas valide`]));
      return { next: toNextPage(response, client.base, reference), names: found, size: bytes.length };
    }, options?.signal);
    bytesLeft -= size;
    const before = tags.size;
    for (const name of names) {
      if (typeof name !== 'string' || !isTag(name)) {
        skipped += 1;
        continue;
      }
      tags.add(name);
      if (tags.size > listLimits.names)
        throw tooMany(rule(['{names} names', fr`{names} noms`], { names: listLimits.names }));
    }
    if (next === undefined) return end();
    if (tags.size === before)
      throw wrong(
        rule([
          'a page of the tag list has no new entries',
          fr`une page de la liste des étiquettes n’a pas de nouvelle entrée`,
        ]),
      );
    if (page + 1 >= leastTags.pages && tags.size < (page + 1) * leastTags.each)
      throw wrong(
        rule(
          [
            '{pages} pages of the tag list contain only {tags} tags',
            fr`{pages} pages de la liste des étiquettes ne contiennent que {tags} étiquettes`,
          ],
          { pages: page + 1, tags: tags.size },
        ),
      );
    if (performance.now() - started > listTimeout)
      throw wrong(
        rule(
          [
            'the tag list was not complete after {time} s',
            fr`la liste des étiquettes n’était pas complète après {time} s`,
          ],
          { time: listTimeout / 1000 },
        ),
      );
    to = { url: next, kind: 'next page' };
  }
  throw tooMany(rule(['{pages} pages', fr`{pages} pages`], { pages: listLimits.pages }));
}
