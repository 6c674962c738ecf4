import { type Digest, hashBytes } from '../../base/digest.ts';
import { isPageAnswer } from '../../base/page-answer.ts';
import { mergeEntries } from '../../oci/announced.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import { type ListEntries, readListEntries } from '../../oci/list-entries.ts';
import { ManifestError, manifestLimits } from '../../oci/manifest.ts';
import { isImageType, mediaTypes } from '../../oci/media-types.ts';
import type { CallOptions, ListOptions, ManifestContent } from '../../oci/ports.ts';
import { fallbackTag } from '../../oci/reference.ts';
import { isSvcError, type SvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import type { Referrers, TransportResponse } from '../model.ts';
import { refusePage } from '../transport/page-answer.ts';
import { drainBody, readBody } from '../transport/read-body.ts';
import type { ClientRequest } from './client.ts';
import { listLimits, toNextPage } from './list-tags.ts';
import { fetchManifest } from './manifests.ts';
import { logSubstitution, type RepositoryScope, toName, toPath } from './scope.ts';

/** Most pages of a list that repeat an earlier one. */
const repeatedPages = 8;
/** Milliseconds for all pages of one list. */
const listTimeout = 300_000;

/** Statuses of registries without the path of the API. */
const unknownPath: ReadonlySet<number> = new Set([400, 404, 405, 406, 501]);

interface Page extends ListEntries {
  /** Bytes. */
  readonly size: number;
  readonly digest: Digest;
  /** Absent on the last page. An error: it is not known, or may not be requested. */
  readonly next?: URL | SvcError;
}

/**
 * Requests one page. Its media type is not examined: an answer that is no list says nothing about the referrers.
 *
 * @returns undefined where the registry says that it does not support the API
 * @throws SVC-REG-002 for a page for people, SVC-REG-007 for other content
 */
async function askPage(
  { client }: RepositoryScope,
  request: ClientRequest,
  limit: number,
  accepts: ListOptions['accepts'],
): Promise<Page | undefined> {
  const response = await client.sendOnce(request);
  const { status } = response;
  if (unknownPath.has(status)) {
    await drainBody(response);
    return undefined;
  }
  if (status !== 200) throw await client.toUnexpected(request, response);
  const bytes = await readBody(response, limit, request.reference, request.signal);
  refusePage(response, bytes, request.reference);
  const entries = readEntries(bytes, request.reference, accepts);
  const next = toNext(response, client.base, request.reference);
  return { ...entries, size: bytes.length, digest: hashBytes(bytes), ...next };
}

function toNext(response: TransportResponse, base: URL, reference: string): Pick<Page, 'next'> {
  try {
    const next = toNextPage(response, base, reference);
    return next === undefined ? {} : { next };
  } catch (error) {
    if (isSvcError(error)) return { next: error };
    throw error;
  }
}

/** @throws SVC-REG-007 for bytes that are not an index */
function readEntries(bytes: Buffer, reference: string, accepts: ListOptions['accepts']): ListEntries {
  try {
    return readListEntries(bytes, accepts);
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    const detail = rule(
      [
        'the referrers are not an image index: {broken}',
        fr`les référents ne sont pas un index d’images : {broken}`,
      ],
      { broken: error.rule },
    );
    throw svcError('SVC-REG-007', { reference, detail }, { cause: error });
  }
}

/** Whether a failure says that the document cannot be used, and not that it did not arrive. */
function isUnusable(error: SvcError): boolean {
  if (error.cause instanceof ManifestError) return !error.cause.isPage;
  return error.code === 'SVC-VAL-002' || error.code === 'SVC-SIG-002' || error.code === 'SVC-POL-001';
}

/** Passes a failure on as a fault of the list. @throws it, where nobody takes it */
function yieldFault(error: unknown, { onFault, signal }: ListOptions): void {
  signal?.throwIfAborted();
  if (onFault === undefined || !isSvcError(error)) throw error;
  onFault({ kind: isUnusable(error) ? 'list' : 'transfer', error, mayBeSignature: true });
}

function tellSkipped({ skipped }: ListEntries, reference: string, { onFault }: ListOptions): void {
  if (skipped === undefined) return;
  const { count, rule: broken, mayBeSignature } = skipped;
  const detail =
    count === 0
      ? broken
      : rule(
          ['{count} referrers cannot be used: {broken}', fr`{count} référents sont inutilisables : {broken}`],
          { count, broken },
        );
  const error = svcError('SVC-REG-007', { reference, detail });
  onFault?.({ kind: 'entries', error, mayBeSignature });
}

/**
 * Referrers from the API, page by page; undefined where the registry does not support it. A fault ends the list, and
 * earlier entries are kept.
 *
 * @returns `page` where it answered with a page for people, which is a fault
 */
async function askApi(
  scope: RepositoryScope,
  subject: Digest,
  options: ListOptions,
): Promise<readonly Descriptor[] | 'page' | undefined> {
  const { client } = scope;
  const { signal, accepts } = options;
  const reference = `${toName(scope, subject)} (referrers)`;
  const found = new Map<Digest, Descriptor>();
  const asked = new Set<string>();
  const started = performance.now();
  let to: ClientRequest['to'] = toPath(scope, `referrers/${subject}`);
  let bytesLeft: number = listLimits.bytes;
  const pages = new Set<Digest>();
  const wrong = (detail: Rule): SvcError => svcError('SVC-REG-007', { reference, detail });
  const end = (error: SvcError): readonly Descriptor[] => {
    signal?.throwIfAborted();
    if (options.onFault === undefined) throw error;
    options.onFault({ kind: 'list', error, mayBeSignature: true });
    return [...found.values()];
  };
  for (let page = 0; page < listLimits.pages; page += 1) {
    const request: ClientRequest = {
      method: 'GET',
      to,
      scope: scope.pull,
      headers: { accept: mediaTypes.ociIndex },
      reference,
      signal,
    };
    const limit = Math.min(bytesLeft, manifestLimits.bytes);
    let answer: Page | undefined;
    try {
      answer = await client.repeat(() => askPage(scope, request, limit, accepts), signal);
    } catch (error) {
      yieldFault(error, options);
      return page === 0 && isPageAnswer(error) ? 'page' : [...found.values()];
    }
    if (answer === undefined) {
      if (page === 0) return undefined;
      return end(wrong(rule(['a page of referrers is not there', fr`une page de référents est absente`])));
    }
    tellSkipped(answer, reference, options);
    bytesLeft -= answer.size;
    pages.add(answer.digest);
    for (const one of answer.manifests) {
      const known = found.get(one.digest);
      if (known === undefined && found.size >= listLimits.referrers)
        return end(
          svcError('SVC-VAL-002', {
            limit: rule(['{referrers} referrers', fr`{referrers} référents`], {
              referrers: listLimits.referrers,
            }),
            file: reference,
          }),
        );
      found.set(one.digest, mergeEntries(known ?? one, one));
    }
    const { next } = answer;
    if (next === undefined) return [...found.values()];
    if (isSvcError(next)) return end(next);
    if (asked.has(next.href) || page + 1 - pages.size > repeatedPages)
      return end(
        wrong(rule(['the pages of referrers are repeated', fr`les pages de référents se répètent`])),
      );
    if (performance.now() - started > listTimeout)
      return end(
        wrong(
          rule(
            [
              'the list of referrers was not complete after {time} s',
              fr`la liste des référents n’était pas complète après {time} s`,
            ],
            { time: listTimeout / 1000 },
          ),
        ),
      );
    asked.add(next.href);
    to = { url: next, kind: 'next page' };
  }
  return end(
    svcError('SVC-VAL-002', {
      limit: rule(['{pages} pages', fr`{pages} pages`], { pages: listLimits.pages }),
      file: reference,
    }),
  );
}

/** Whether the registry supports the referrers API for this subject. @throws errors of the client */
export async function hasReferrersApi(
  scope: RepositoryScope,
  subject: Digest,
  options: CallOptions = {},
): Promise<boolean> {
  const { signal } = options;
  return (await askApi(scope, subject, { signal })) !== undefined;
}

/**
 * Reads the manifests with this subject from the API, else from the fallback tag. A page for people counts as no API:
 * some registries without the API send one.
 */
export async function readReferrers(
  scope: RepositoryScope,
  subject: Digest,
  options: ListOptions = {},
): Promise<Referrers> {
  logSubstitution(scope, subject);
  const answer = await askApi(scope, subject, options);
  if (answer !== undefined && answer !== 'page') return { origin: 'api', manifests: answer };
  const fallback = await readFallback(scope, subject, options);
  // a page does not say that there is no API: the next call asks again
  return answer === 'page' ? { ...fallback, origin: 'api' } : fallback;
}

/** Reads the referrers under the fallback tag, also where the API is supported. */
export async function readFallback(
  scope: RepositoryScope,
  subject: Digest,
  options: ListOptions = {},
): Promise<Referrers> {
  const tag = fallbackTag(subject);
  const reference = toName(scope, tag);
  let index: ManifestContent | undefined;
  let entries: ListEntries;
  try {
    index = await fetchManifest(scope, tag, options);
    if (index === undefined) return { origin: 'fallback-tag', manifests: [] };
    if (isImageType(index.descriptor.mediaType)) {
      // a tag that somebody chose: no list, and no signature
      const detail = rule([
        'an image under the tag of the referrers index',
        fr`une image sous l’étiquette de l’index des référents`,
      ]);
      const error = svcError('SVC-REG-007', { reference, detail });
      options.onFault?.({ kind: 'list', error, mayBeSignature: false });
      return { origin: 'fallback-tag', manifests: [] };
    }
    entries = readEntries(index.bytes, reference, options.accepts);
  } catch (error) {
    yieldFault(error, options);
    return { origin: 'fallback-tag', manifests: [] };
  }
  tellSkipped(entries, reference, options);
  return { origin: 'fallback-tag', manifests: entries.manifests, index };
}

/** Filters descriptors by `artifactType`, whether or not the registry has applied this filter. */
export function selectByType(
  manifests: readonly Descriptor[],
  artifactType: string | undefined,
): readonly Descriptor[] {
  return artifactType === undefined
    ? manifests
    : manifests.filter((one) => one.artifactType === artifactType);
}
