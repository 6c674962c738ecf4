import type { ServerResponse } from 'node:http';
import type { RecordedRequest } from '../../result/registry-double.ts';
import { misbehave } from '../misbehave.ts';
import {
  answer,
  asIndex,
  type Deviation,
  entriesOf,
  imageType,
  indexType,
  putImage,
  serve,
  sha256,
  tagOf,
  type Victim,
} from './deviation.ts';

const page = '<!DOCTYPE html><html><body>Sign in</body></html>';
const large = Buffer.alloc(4_194_305, ' ');

type Reply = (victim: Victim, request: RecordedRequest, response: ServerResponse) => void;

const withStatus =
  (status: number): Reply =>
  (_victim, _request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"errors":[]}');

const withBody =
  (body: Buffer | string, type = indexType): Reply =>
  (_victim, _request, response) =>
    response.writeHead(200, { 'content-type': type }).end(body);

/** A list of several pages: `next` of each leads to the following one. */
const withPages =
  (
    count: number,
    toPage: (page: number, victim: Victim) => string,
    toNext?: (victim: Victim) => string,
  ): Reply =>
  (victim, request, response) => {
    const at = Number(new URL(request.path, 'http://x').searchParams.get('page') ?? 0);
    const own = `/v2/${victim.repository}/referrers/${victim.subject.digest}`;
    const next = at + 1 < count ? `${own}?page=${at + 1}` : toNext?.(victim);
    response.writeHead(200, {
      'content-type': indexType,
      ...(next === undefined ? {} : { link: `<${next}>; rel="next"` }),
    });
    response.end(toPage(at, victim));
  };

/** The answer to a request for one page, as given; the first page lists the valid signature. */
const afterFirst =
  (second: Reply): Reply =>
  (victim, request, response) =>
    request.path.includes('page=')
      ? second(victim, request, response)
      : withPages(2, () => asIndex(entriesOf(victim)))(victim, request, response);

const toOwn = ({ repository, subject }: Victim): string => `/v2/${repository}/referrers/${subject.digest}`;
const first = (at: number, victim: Victim): string => asIndex(at === 0 ? entriesOf(victim) : []);
const last =
  (count: number) =>
  (at: number, victim: Victim): string =>
    asIndex(at === count - 1 ? entriesOf(victim) : []);

/** A list with a member twice, of which most readers take the last one. */
const asTwice = (victim: Victim): string => asIndex(entriesOf(victim)).replace(/\}$/, ',"manifests":[]}');

function onApi(name: string, reply: Reply, beside: Deviation['beside'], unsigned?: string): Deviation {
  return {
    name: `referrers API: ${name}`,
    api: true,
    beside,
    ...(unsigned === undefined ? {} : { unsigned }),
    plant: (victim) =>
      answer(victim, toOwn(victim).slice(`/v2/${victim.repository}/`.length), (request, response) =>
        reply(victim, request, response),
      ),
  };
}

const down = 'SVC-REG-002';
const broken = 'SVC-REG-007';

/** Lists of the API that are not a list as a whole, end in the middle, or lead in circles. */
export const apiDeviations: readonly Deviation[] = [
  onApi('manifests that are null', withBody(asIndex(null)), ['classic']),
  onApi(
    'manifests twice, at last none',
    (victim, request, response) => withBody(asTwice(victim))(victim, request, response),
    ['classic'],
  ),
  onApi('no manifests', withBody('{"schemaVersion":2}'), ['classic']),
  onApi('manifests that are an object', withBody(asIndex({})), ['classic']),
  onApi('an image', withBody(JSON.stringify({ schemaVersion: 2, mediaType: imageType, layers: [] })), [
    'classic',
  ]),
  onApi('no JSON', withBody('{'), ['classic']),
  onApi('an empty body', withBody(''), ['classic']),
  onApi('a page for people', withBody(page, 'text/html'), ['classic'], down),
  onApi('a page for people as plain text', withBody(page, 'text/plain'), ['classic'], down),
  onApi(
    'a page for people as nothing in particular',
    withBody(page, 'application/octet-stream'),
    ['classic'],
    down,
  ),
  onApi('a text that is no list', withBody('Welcome', 'text/plain'), ['classic']),
  onApi('an entry that is null, and nothing else', withBody(asIndex([null])), ['classic']),
  onApi(
    'a list of another media type',
    (victim, _request, response) =>
      response.writeHead(200, { 'content-type': 'text/plain' }).end(asIndex(entriesOf(victim))),
    ['classic', 'bundle'],
  ),
  onApi('a page for people in place of the list', withBody(page), ['classic'], broken),
  onApi('more than 4 MiB', withBody(large), ['classic']),
  onApi('deep nesting', withBody('['.repeat(100_000)), ['classic']),
  onApi(
    'another media type of JSON',
    (victim, _request, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
        .end(asIndex(entriesOf(victim))),
    ['classic', 'bundle'],
  ),
  onApi(
    'no version of the schema',
    (victim, _request, response) =>
      response
        .writeHead(200, { 'content-type': indexType })
        .end(JSON.stringify({ manifests: entriesOf(victim) })),
    ['classic', 'bundle'],
  ),
  ...[400, 404, 405, 406, 501].map((status) => onApi(`status ${status}`, withStatus(status), ['classic'])),
  ...[500, 502, 503, 429].map((status) => onApi(`status ${status}`, withStatus(status), ['classic'], down)),
  onApi('status 403', withStatus(403), ['classic'], 'SVC-REG-003'),
  onApi('status 418', withStatus(418), ['classic'], broken),
  onApi('a reset', (_victim, _request, response) => misbehave.resetAfter(response, ''), ['classic'], down),
  onApi(
    'a broken body',
    (_victim, _request, response) =>
      misbehave.resetAfter(
        response,
        `HTTP/1.1 200 OK\r\ncontent-type: ${indexType}\r\ncontent-length: 99\r\n\r\n{`,
      ),
    ['classic'],
    broken,
  ),
  onApi('a next page that is the same one', withPages(1, first, toOwn), ['classic', 'bundle']),
  onApi(
    'a next page that leads in a circle',
    withPages(3, first, (victim) => `${toOwn(victim)}?page=1`),
    ['classic', 'bundle'],
  ),
  onApi(
    'a next page on another host',
    withPages(1, first, () => 'http://127.0.0.1:1/next'),
    ['classic', 'bundle'],
  ),
  onApi(
    'a next page that is no address',
    withPages(1, first, () => 'http://['),
    ['classic', 'bundle'],
  ),
  ...['</next; rel="next"', 'garbled', '</next>', `<${'a'.repeat(16_400)}>; rel="next"`].map((link, i) =>
    onApi(
      `a link to the next page that cannot be used (${i + 1})`,
      (victim, _request, response) =>
        response.writeHead(200, { 'content-type': indexType, link }).end(asIndex(entriesOf(victim))),
      ['classic', 'bundle'],
    ),
  ),
  onApi('a next page that is not there', afterFirst(withStatus(404)), ['classic', 'bundle']),
  onApi('a next page that fails', afterFirst(withStatus(500)), ['classic', 'bundle'], down),
  onApi('a next page that is no list', afterFirst(withBody('7')), ['classic', 'bundle']),
  onApi('a next page that is too large', afterFirst(withBody(large)), ['classic', 'bundle']),
  onApi('an empty page before the signature', withPages(2, last(2)), ['classic', 'bundle']),
  onApi(
    'pages of other referrers before the signature',
    withPages(12, (at, victim) =>
      asIndex(
        at === 11
          ? entriesOf(victim)
          : [{ mediaType: imageType, digest: sha256(`${at}`), size: 7, artifactType: 'text/spdx' }],
      ),
    ),
    ['classic', 'bundle'],
  ),
];

function onTag(name: string, plant: Deviation['plant'], unsigned?: string): readonly Deviation[] {
  const common = { ...(unsigned === undefined ? {} : { unsigned }), plant };
  return [
    { name: `fallback tag: ${name}`, api: false, beside: ['classic'], ...common },
    { name: `fallback tag beside the API: ${name}`, api: true, beside: ['classic', 'bundle'], ...common },
  ];
}

const served =
  (body: Buffer | string, headers?: Readonly<Record<string, string>>): Deviation['plant'] =>
  (victim) =>
    serve(victim, tagOf(victim), body, headers);

/** Content under the fallback tag that is not a list of referrers. */
export const fallbackDeviations: readonly Deviation[] = [
  ...onTag('an image', (victim) => void putImage(victim, tagOf(victim))),
  ...onTag('the subject', (victim) =>
    victim.registry.tag(victim.repository, tagOf(victim), victim.subject.digest),
  ),
  ...onTag('an index of images', (victim) => {
    const manifests = [putImage(victim, undefined, 'one'), putImage(victim, undefined, 'two')];
    victim.registry.putManifest(
      victim.repository,
      { schemaVersion: 2, mediaType: indexType, manifests },
      { tag: tagOf(victim) },
    );
  }),
  ...onTag('a page for people', served(page, { 'content-type': 'text/html' }), broken),
  ...onTag('junk', served('junk')),
  ...onTag('nothing', served('')),
  ...onTag('an array', served('[]')),
  ...onTag('manifests that are null', served(asIndex(null))),
  ...onTag('manifests twice, at last none', (victim) => serve(victim, tagOf(victim), asTwice(victim))),
  ...onTag('no manifests', served('{"schemaVersion":2}')),
  ...onTag('no UTF-8', served(Buffer.from([0x7b, 0xff, 0x7d]))),
  ...onTag('deep nesting', served(`{"manifests":${'['.repeat(1000)}${']'.repeat(1000)}}`)),
  ...onTag('more than 4 MiB', served(large)),
  ...onTag(
    'an image of the first schema',
    served('{"schemaVersion":1}', { 'content-type': 'application/vnd.docker.distribution.manifest.v1+json' }),
  ),
  ...onTag('another digest than it has', served(asIndex([]), { 'docker-content-digest': sha256('other') })),
  ...onTag(
    'status 500',
    (victim) =>
      answer(victim, `manifests/${tagOf(victim)}`, (_request, response) => response.writeHead(500).end()),
    down,
  ),
  ...onTag(
    'status 403',
    (victim) =>
      answer(victim, `manifests/${tagOf(victim)}`, (_request, response) => response.writeHead(403).end()),
    'SVC-REG-003',
  ),
];
