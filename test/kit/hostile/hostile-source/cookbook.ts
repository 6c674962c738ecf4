import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Descriptor } from '../../../../src/oci/descriptor.ts';
import type { Interceptor, RegistryDouble } from '../../result/registry-double.ts';
import { misbehave } from '../misbehave.ts';
import { type Attack, bundleType, imageType, indexType, octets, on, type Place, sha256 } from './attack.ts';

function attackTags(name: string, code: string, answer: (...args: Parameters<Interceptor>) => void): Attack {
  return {
    name,
    code,
    version: '^1.0.0',
    cookbook: (path, _subject, origin) => on(origin, new RegExp(`/v2/${path}/tags/list`), answer),
  };
}

function attackReferrers(
  name: string,
  code: string | undefined,
  answer: (path: string, subject: Descriptor, ...args: Parameters<Interceptor>) => void,
): Attack {
  return {
    name,
    code,
    cookbook: (path, subject, origin) =>
      on(origin, new RegExp(`/v2/${path}/referrers/`), (...args) => answer(path, subject, ...args)),
  };
}

export const asIndex = (manifests: readonly object[]): string =>
  JSON.stringify({ schemaVersion: 2, mediaType: indexType, manifests });

/** A classic signature artifact with many large payloads, none of which any key has signed. */
function plantClassicBomb(
  origin: RegistryDouble,
  path: string,
  subject: Descriptor,
  layers: number,
  size: number,
): void {
  const payload = Buffer.alloc(size, `payload of ${path} `);
  const descriptors = Array.from({ length: layers }, (_, i) => {
    payload.writeUInt32BE(i, 0);
    return {
      mediaType: 'application/vnd.dev.cosign.simplesigning.v1+json',
      digest: sha256(payload),
      size,
      annotations: { 'dev.cosignproject.cosign/signature': 'AAAA' },
    };
  });
  const bytes = JSON.stringify({
    schemaVersion: 2,
    mediaType: imageType,
    config: { mediaType: 'application/vnd.oci.image.config.v1+json', digest: sha256('{}'), size: 2 },
    layers: descriptors,
  });
  const byDigest = new Map(descriptors.map(({ digest }, i) => [digest, i]));
  on(origin, new RegExp(`/v2/${path}/manifests/sha256-`), (request, response) => {
    if (!request.path.endsWith('.sig')) return misbehave.reply(response, 404, {}, '{}');
    misbehave.reply(response, 200, { 'content-type': imageType }, bytes);
  });
  origin.intercept((request, response) => {
    const digest = new RegExp(`^/v2/${path}/blobs/(sha256:[0-9a-f]+)`).exec(request.path)?.[1] ?? '';
    const at = byDigest.get(digest);
    if (at === undefined) return false;
    const body = Buffer.from(payload);
    body.writeUInt32BE(at, 0);
    misbehave.reply(response, 200, octets, body);
    return true;
  });
  assert.ok(subject.digest);
}

/** The beginning that all bundles of the bombs share: it is written, hashed and kept once. */
const filler = Buffer.from(`{"annotations":{"filler":"${'f'.repeat(4_000_000)}",`);
const hashedFiller = createHash('sha256').update(filler);

/** Many bundles of a subject whose manifests, not their payloads, are large. */
function plantBundleBomb(origin: RegistryDouble, path: string, subject: Descriptor, count: number): void {
  const rest = JSON.stringify({
    schemaVersion: 2,
    mediaType: imageType,
    artifactType: bundleType,
    config: { mediaType: 'application/vnd.oci.empty.v1+json', digest: sha256('{}'), size: 2 },
    layers: [],
    subject: { mediaType: subject.mediaType, digest: subject.digest, size: subject.size },
  });
  const ends = Array.from({ length: count }, (_, i) => Buffer.from(`"i":"${path} ${i}"},${rest.slice(1)}`));
  const listed = ends.map((end) => ({
    mediaType: imageType,
    digest: `sha256:${hashedFiller.copy().update(end).digest('hex')}`,
    size: filler.length + end.length,
    artifactType: bundleType,
  }));
  on(origin, new RegExp(`/v2/${path}/referrers/`), (_request, response) =>
    misbehave.reply(response, 200, { 'content-type': indexType }, asIndex(listed)),
  );
  origin.intercept((request, response) => {
    const at = listed.findIndex(({ digest }) => request.path === `/v2/${path}/manifests/${digest}`);
    if (at < 0) return false;
    misbehave.reply(response, 200, { 'content-type': imageType }, filler, ends[at]!);
    return true;
  });
}
/** Lists of tags, documents and signatures. */
export function attackCookbook({ trap }: Place): readonly Attack[] {
  return [
    attackTags('tags-by-the-million', 'SVC-VAL-002', (_request, response) =>
      misbehave.reply(
        response,
        200,
        {},
        JSON.stringify({ name: 'x', tags: Array.from({ length: 1_000_000 }, (_, i) => `1.${i}.0`) }),
      ),
    ),
    attackTags('tags-of-objects', 'SVC-VAL-002', (_request, response) =>
      misbehave.reply(response, 200, {}, `{"tags":[${'{},'.repeat(11_000_000)}{}]}`),
    ),
    attackTags('tags-nested', 'SVC-REG-007', (_request, response) =>
      misbehave.reply(response, 200, {}, `{"tags":${'['.repeat(33_000_000)}`),
    ),
    attackTags('tags-endless', 'SVC-VAL-002', (_request, response) =>
      misbehave.endlessly(response, 200, {}, Buffer.alloc(65_536, 'x'), '{"tags":["'),
    ),
    attackTags('tags-no-list', 'SVC-REG-007', (_request, response) =>
      misbehave.reply(response, 200, {}, '{"tags":"1.0.0"}'),
    ),
    attackTags('tags-in-circles', 'SVC-REG-007', (request, response) =>
      misbehave.reply(response, 200, { link: `<${request.path}>; rel="next"` }, '{"tags":["1.0.0"]}'),
    ),
    attackTags('tags-empty-for-ever', 'SVC-REG-007', (request, response) =>
      misbehave.reply(response, 200, { link: `<${request.path}&x>; rel="next"` }, '{"tags":[]}'),
    ),
    attackTags('tags-drop-by-drop', 'SVC-REG-007', (request, response) => {
      const at = Number(/last=(\d+)/.exec(request.path)?.[1] ?? 0) + 1;
      misbehave.reply(
        response,
        200,
        { link: `<tags?n=1&last=${at}>; rel="next"`.replace('tags?', 'list?') },
        `{"tags":["1.${at}.0"]}`,
      );
    }),
    attackTags('tags-elsewhere', 'SVC-POL-001', (_request, response) =>
      misbehave.reply(
        response,
        200,
        { link: `<http://${trap.host}/next>; rel="next"` },
        '{"tags":["1.0.0"]}',
      ),
    ),
    attackTags('tags-of-signatures', 'SVC-REG-006', (_request, response) =>
      misbehave.reply(
        response,
        200,
        {},
        JSON.stringify({ tags: ['sha256-aa.sig', 'latest', '../x', 7, null] }),
      ),
    ),
    {
      name: 'document-of-aliases',
      code: 'SVC-VAL-001',
      document: () =>
        `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghij'
          .split('')
          .map(
            (c, i) => `${c}: &${c} [${Array.from({ length: 9 }, () => `*${'abcdefghij'[i]}`).join(',')}]\n`,
          )
          .join('')}`,
    },
    {
      name: 'document-huge',
      code: 'SVC-SIG-003',
      document: () => `# ${'x'.repeat(6_000_000)}\n`,
    },
    {
      name: 'document-nested',
      code: 'SVC-VAL-001',
      document: () => `a: ${'['.repeat(100_000)}`,
    },
    attackReferrers('referrers-too-many', undefined, (_path, subject, _request, response) => {
      const one = { mediaType: imageType, size: 10, artifactType: bundleType };
      const listed = Array.from({ length: 10_001 }, (_, i) => ({ ...one, digest: sha256(`${i}`) }));
      assert.ok(subject);
      misbehave.reply(response, 200, { 'content-type': indexType }, asIndex(listed));
    }),
    attackReferrers('referrers-of-nothing', undefined, (_path, _subject, _request, response) => {
      const one = { mediaType: imageType, size: 10, artifactType: bundleType };
      const listed = Array.from({ length: 10_000 }, (_, i) => ({ ...one, digest: sha256(`${i}`) }));
      misbehave.reply(response, 200, { 'content-type': indexType }, asIndex(listed));
    }),
    attackReferrers('referrers-in-circles', undefined, (_path, _subject, request, response) =>
      misbehave.reply(
        response,
        200,
        { 'content-type': indexType, link: `<${request.path}>; rel="next"` },
        asIndex([]),
      ),
    ),
    attackReferrers('referrers-elsewhere', undefined, (_path, _subject, _request, response) =>
      misbehave.reply(
        response,
        200,
        { 'content-type': indexType, link: `<http://${trap.host}/next>; rel="next"` },
        asIndex([{ mediaType: imageType, digest: sha256('1'), size: 10 }]),
      ),
    ),
    attackReferrers('referrers-endless', undefined, (_path, _subject, _request, response) =>
      misbehave.endlessly(response, 200, { 'content-type': indexType }, Buffer.alloc(65_536, ' ')),
    ),
    attackReferrers('referrers-garbage', undefined, (_path, _subject, _request, response) =>
      misbehave.reply(response, 200, { 'content-type': indexType }, '['.repeat(2_000_000)),
    ),
    attackReferrers('referrers-failing', undefined, (_path, _subject, _request, response) =>
      misbehave.reply(response, 503, {}),
    ),
    ...Array.from({ length: 4 }, (_, i) => ({
      name: `signature-bomb-${i}`,
      code: 'SVC-SIG-001',
      cookbook: (path: string, subject: Descriptor, origin: RegistryDouble) =>
        plantClassicBomb(origin, path, subject, 70, 1_048_576),
    })),
    ...Array.from({ length: 4 }, (_, i) => ({
      name: `bundle-bomb-${i}`,
      code: undefined,
      cookbook: (path: string, subject: Descriptor, origin: RegistryDouble) =>
        plantBundleBomb(origin, path, subject, 60),
    })),
  ];
}
