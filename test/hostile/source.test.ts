import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { stringify } from 'yaml';
import type { Descriptor } from '../../src/oci/descriptor.ts';
import { toRecipeArtifact } from '../../src/recipe/artifact.ts';
import { parseRecipe } from '../../src/recipe/document.ts';
import type { Task } from '../../src/task/model.ts';
import { eventually } from '../kit/eventually.ts';
import type { Instance } from '../kit/instance.ts';
import { misbehave } from '../kit/misbehave.ts';
import { toRecipeDocument } from '../kit/origin.ts';
import { processFootprint } from '../kit/process-footprint.ts';
import type { Interceptor, RegistryDouble } from '../kit/registry-double.ts';
import { openRehearsal, type Rehearsal } from '../kit/rehearsal.ts';
import { tlsPair } from '../kit/tls-pair.ts';

const imageType = 'application/vnd.oci.image.manifest.v1+json';
const indexType = 'application/vnd.oci.image.index.v1+json';
const layerType = 'application/vnd.oci.image.layer.v1.tar+gzip';
const bundleType = 'application/vnd.dev.sigstore.bundle.v0.3+json';
const repository = 'library/x';
const octets = { 'content-type': 'application/octet-stream' };

/**
 * Mebibytes that the process may ever hold while all of this comes at it: what it needs to run from its sources (160),
 * the 64 that the signatures of one subject may be, the texts that they are read as (45), and room. Seen: 292 to 315.
 */
const memoryLimit = 380;

/** The machine's memory decides by default how much V8 lets lie before it looks; a machine of 4 GiB has this. */
const youngGeneration = { NODE_OPTIONS: '--max-semi-space-size=16' };

let world: Rehearsal;
let origin: RegistryDouble;
let trap: { readonly host: string; connections(): number; close(): Promise<void> };

interface Image {
  readonly root: Descriptor;
  readonly layer: Descriptor;
  readonly bytes: Buffer;
}

interface Attack {
  readonly name: string;
  /** The code of the item; undefined where the attack must do no harm. */
  readonly code: string | undefined;
  /** Of the ingredient's own host. Returns the digest to pin, where it is not the image's. */
  readonly host?: (host: RegistryDouble, image: Image) => unknown;
  readonly tls?: boolean;
  /** Of the repository of the recipe at the cookbook. */
  readonly cookbook?: (path: string, subject: Descriptor) => void;
  readonly version?: string;
  /** The recipe's document, where it is not the ordinary one. */
  readonly document?: (host: string, digest: string) => string;
}

function sha256(bytes: Buffer | string): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

function putImage(host: RegistryDouble, salt: string): Image {
  const config = host.putBlob(
    repository,
    JSON.stringify({ os: 'linux', architecture: 'amd64', salt }),
    'application/vnd.oci.image.config.v1+json',
  );
  const bytes = Buffer.alloc(100_000, salt);
  const layer = host.putBlob(repository, bytes, layerType);
  const manifest = { schemaVersion: 2, mediaType: imageType, config, layers: [layer] };
  return { root: host.putManifest(repository, manifest, { tag: '1.0' }), layer, bytes };
}

/** Answers whatever matches `METHOD path` itself. */
function on(host: RegistryDouble, pattern: RegExp, answer: (...args: Parameters<Interceptor>) => void): void {
  host.intercept((request, response, raw) => {
    if (!pattern.test(`${request.method} ${request.path}`)) return false;
    raw.resume();
    answer(request, response, raw);
    return true;
  });
}

const blob = (layer: Descriptor): RegExp => new RegExp(`^GET .*/blobs/${layer.digest}`);
const manifests = /^(?:GET|HEAD) .*\/library\/x\/manifests\//;
const anything = /^[A-Z]+ \/v2\//;

/** A manifest of any bytes, under its true digest. */
function plant(host: RegistryDouble, bytes: Buffer | string, mediaType = imageType): string {
  const digest = sha256(bytes);
  on(host, new RegExp(`/manifests/${digest}`), (request, response) => {
    const head = { 'content-type': mediaType, 'docker-content-digest': digest };
    misbehave.reply(
      response,
      200,
      { ...head, 'content-length': String(Buffer.byteLength(bytes)) },
      request.method === 'HEAD' ? '' : bytes,
    );
  });
  return digest;
}

function manifestOf(image: Image, change: object): string {
  return JSON.stringify({
    schemaVersion: 2,
    mediaType: imageType,
    config: image.layer,
    layers: [image.layer],
    ...change,
  });
}

function attackBlob(
  name: string,
  code: string,
  answer: (image: Image, ...args: Parameters<Interceptor>) => void,
  tls = false,
): Attack {
  return {
    name,
    code,
    tls,
    host: (host, image) => on(host, blob(image.layer), (...args) => answer(image, ...args)),
  };
}

function attackHost(name: string, code: string, answer: (...args: Parameters<Interceptor>) => void): Attack {
  return { name, code, host: (host) => on(host, anything, answer) };
}

function attackManifest(
  name: string,
  code: string,
  toBytes: (image: Image, host: RegistryDouble) => Buffer | string,
  mediaType?: string,
): Attack {
  return { name, code, host: (host, image) => plant(host, toBytes(image, host), mediaType) };
}

/** Challenges with a realm of the host's own that answers as told. */
function attackToken(name: string, code: string, answer: (...args: Parameters<Interceptor>) => void): Attack {
  return {
    name,
    code,
    host: (host) => {
      challenge(host, `Bearer realm="${host.origin}/token",service="s"`);
      on(host, /\/token/, answer);
    },
  };
}

function challenge(host: RegistryDouble, field: string): void {
  on(host, anything, (_request, response) =>
    misbehave.reply(response, 401, { 'www-authenticate': field }, '{}'),
  );
}

function attackChallenge(name: string, code: string, field: (host: RegistryDouble) => string): Attack {
  return { name, code, host: (host) => challenge(host, field(host)) };
}

function attackTags(name: string, code: string, answer: (...args: Parameters<Interceptor>) => void): Attack {
  return {
    name,
    code,
    version: '^1.0.0',
    cookbook: (path) => on(origin, new RegExp(`/v2/${path}/tags/list`), answer),
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
    cookbook: (path, subject) =>
      on(origin, new RegExp(`/v2/${path}/referrers/`), (...args) => answer(path, subject, ...args)),
  };
}

const asIndex = (manifests: readonly object[]): string =>
  JSON.stringify({ schemaVersion: 2, mediaType: indexType, manifests });

/** A classic signature artifact with many large payloads, none of which any key has signed. */
function plantClassicBomb(path: string, subject: Descriptor, layers: number, size: number): void {
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

/** Many bundles of a subject whose manifests, not their payloads, are large. */
function plantBundleBomb(path: string, subject: Descriptor, count: number): void {
  const filler = 'f'.repeat(4_000_000);
  const texts = Array.from({ length: count }, (_, i) => i).map(
    (i) => () =>
      JSON.stringify({
        schemaVersion: 2,
        mediaType: imageType,
        artifactType: bundleType,
        config: { mediaType: 'application/vnd.oci.empty.v1+json', digest: sha256('{}'), size: 2 },
        layers: [],
        subject: { mediaType: subject.mediaType, digest: subject.digest, size: subject.size },
        annotations: { i: `${path} ${i}`, filler },
      }),
  );
  const listed = texts.map((toText) => {
    const text = toText();
    return { mediaType: imageType, digest: sha256(text), size: text.length, artifactType: bundleType };
  });
  on(origin, new RegExp(`/v2/${path}/referrers/`), (_request, response) =>
    misbehave.reply(response, 200, { 'content-type': indexType }, asIndex(listed)),
  );
  origin.intercept((request, response) => {
    const at = listed.findIndex(({ digest }) => request.path === `/v2/${path}/manifests/${digest}`);
    if (at < 0) return false;
    misbehave.reply(response, 200, { 'content-type': imageType }, texts[at]!());
    return true;
  });
}

const attacks: readonly Attack[] = [
  // the bytes of a blob
  attackBlob('cut', 'SVC-REG-007', ({ bytes }, _request, response) => {
    const head = `HTTP/1.1 200 OK\r\ncontent-length: ${bytes.length}\r\n\r\n`;
    misbehave.resetAfter(response, `${head}${'x'.repeat(5000)}`);
  }),
  attackBlob('announced-shorter', 'SVC-REG-007', ({ bytes }, _request, response) =>
    misbehave.reply(response, 200, octets, bytes.subarray(1)),
  ),
  attackBlob('announced-longer', 'SVC-REG-007', ({ bytes }, _request, response) =>
    misbehave.reply(response, 200, octets, Buffer.concat([bytes, Buffer.from('!')])),
  ),
  attackBlob('chunked-shorter', 'SVC-REG-007', ({ bytes }, _request, response) => {
    response.writeHead(200, octets);
    response.write(bytes.subarray(0, 70_000));
    response.end();
  }),
  attackBlob('chunked-longer', 'SVC-REG-007', ({ bytes }, _request, response) => {
    response.on('error', () => {});
    response.writeHead(200, octets);
    response.write(bytes);
    response.end('!');
  }),
  attackBlob('endless', 'SVC-REG-007', ({ bytes }, _request, response) =>
    misbehave.endlessly(response, 200, octets, Buffer.alloc(65_536), bytes),
  ),
  attackBlob('other-bytes', 'SVC-SIG-002', ({ bytes }, _request, response) =>
    misbehave.reply(response, 200, octets, Buffer.alloc(bytes.length, 7)),
  ),
  attackBlob('range-of-nothing', 'SVC-REG-007', ({ bytes }, _request, response) =>
    misbehave.reply(response, 206, { 'content-range': `bytes 5-${bytes.length - 1}/${bytes.length}` }, bytes),
  ),
  attackBlob('a-page-for-people', 'SVC-REG-007', (_image, _request, response) =>
    misbehave.reply(response, 200, { 'content-type': 'text/html' }, '<html>sign in</html>'),
  ),
  attackBlob('gone', 'SVC-REG-005', (_image, _request, response) => misbehave.reply(response, 404, {})),
  attackBlob('endless-refusal', 'SVC-REG-007', (_image, _request, response) =>
    misbehave.endlessly(response, 418, {}, Buffer.alloc(65_536, '{"errors":[')),
  ),
  attackBlob('redirect-loop', 'SVC-REG-007', (_image, request, response) =>
    misbehave.reply(response, 307, { location: request.path }),
  ),
  attackBlob('redirect-endless-body', 'SVC-REG-007', (_image, request, response) =>
    misbehave.endlessly(response, 307, { location: request.path }, Buffer.alloc(65_536)),
  ),
  attackBlob('redirect-unlisted-plain', 'SVC-POL-001', (_image, _request, response) =>
    misbehave.reply(response, 307, { location: 'http://unlisted.example/x' }),
  ),
  attackBlob('redirect-off-the-list', 'SVC-POL-001', (_image, _request, response) =>
    misbehave.reply(response, 307, { location: `http://${trap.host}/x` }),
  ),
  attackBlob('redirect-file', 'SVC-POL-001', (_image, _request, response) =>
    misbehave.reply(response, 302, { location: 'file:///etc/passwd' }),
  ),
  attackBlob('redirect-userinfo', 'SVC-POL-001', (_image, request, response) =>
    misbehave.reply(response, 302, { location: `http://a:b@${request.headers.host}/x` }),
  ),
  attackBlob('redirect-nonsense', 'SVC-REG-007', (_image, _request, response) =>
    misbehave.reply(response, 302, { location: 'http://[' }),
  ),
  attackBlob(
    'redirect-down-to-http',
    'SVC-POL-001',
    (_image, _request, response) =>
      misbehave.reply(response, 307, { location: `${origin.origin}/v2/${repository}/x` }),
    true,
  ),
  {
    name: 'foreign-layer-absent',
    code: 'SVC-REG-005',
    host: (host, image) => {
      const mediaType = 'application/vnd.oci.image.layer.nondistributable.v1.tar+gzip';
      const digest = sha256('elsewhere');
      return host.putManifest(repository, {
        schemaVersion: 2,
        mediaType: imageType,
        config: image.layer,
        layers: [{ mediaType, digest, size: 9, urls: [`http://${trap.host}/layer`] }],
      }).digest;
    },
  },
  {
    name: 'foreign-layer-there',
    code: undefined,
    host: (host, image) =>
      host.putManifest(repository, {
        schemaVersion: 2,
        mediaType: imageType,
        config: image.layer,
        layers: [{ ...image.layer, urls: [`http://${trap.host}/layer`, 'file:///etc/passwd'] }],
      }).digest,
  },

  // statuses, retries, and what is no HTTP
  ...[500, 502, 503, 429, 408].map((status) =>
    attackHost(`always-${status}`, 'SVC-REG-002', (_request, response) =>
      misbehave.reply(response, status, {}),
    ),
  ),
  ...(
    [
      ['storm-1-second', '1'],
      ['storm-11-days', '999999'],
      ['storm-past', 'Thu, 01 Jan 1970 00:00:00 GMT'],
      ['storm-nonsense', 'soon'],
      ['storm-negative', '-1'],
    ] as const
  ).map(([name, after]) =>
    attackHost(name, 'SVC-REG-002', (_request, response) =>
      misbehave.reply(response, 429, { 'retry-after': after }),
    ),
  ),
  attackHost('storm-endless-body', 'SVC-REG-002', (_request, response) =>
    misbehave.endlessly(response, 429, {}, Buffer.alloc(65_536)),
  ),
  attackHost('teapot', 'SVC-REG-007', (_request, response) => misbehave.reply(response, 418, {})),
  attackHost('forbidden', 'SVC-REG-003', (_request, response) => misbehave.reply(response, 403, {})),
  attackHost('status-999', 'SVC-REG-002', (_request, response) =>
    misbehave.rawly(response, 'HTTP/1.1 999 No\r\ncontent-length: 0\r\n\r\n'),
  ),
  attackHost('garbage', 'SVC-REG-002', (_request, response) =>
    misbehave.rawly(response, `${'\u0000\u0001garbage'.repeat(1000)}\r\n\r\n`),
  ),
  attackHost('other-protocol', 'SVC-REG-002', (_request, response) =>
    misbehave.rawly(response, 'SSH-2.0-OpenSSH_9.2\r\n'),
  ),
  attackHost('two-lengths', 'SVC-REG-002', (_request, response) =>
    misbehave.rawly(response, 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello!'),
  ),
  attackHost('length-and-chunks', 'SVC-REG-002', (_request, response) =>
    misbehave.rawly(
      response,
      'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
    ),
  ),
  attackHost('header-bomb', 'SVC-REG-002', (_request, response) =>
    misbehave.rawly(response, `HTTP/1.1 200 OK\r\n${'x-a: bbbbbbbbbbbbbbbb\r\n'.repeat(20_000)}\r\n`),
  ),
  attackHost('endless-header', 'SVC-REG-002', (_request, response) =>
    misbehave.rawEndlessly(response, 'HTTP/1.1 200 OK\r\nx-a: ', 'b'.repeat(4096)),
  ),
  attackHost('endless-hints', 'SVC-REG-002', (_request, response) =>
    misbehave.rawEndlessly(response, '', 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'),
  ),
  attackHost('upgrade', 'SVC-REG-002', (_request, response) =>
    misbehave.rawly(response, 'HTTP/1.1 101 No\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n'),
  ),
  attackHost('reset-at-once', 'SVC-REG-002', (_request, response) => misbehave.resetAfter(response, '')),
  attackHost('reset-in-headers', 'SVC-REG-002', (_request, response) =>
    misbehave.resetAfter(response, 'HTTP/1.1 200 OK\r\ncontent-len'),
  ),
  attackHost('reset-in-manifest', 'SVC-REG-007', (_request, response) =>
    misbehave.resetAfter(response, 'HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{"schema'),
  ),
  attackHost('closed-in-chunk', 'SVC-REG-007', (_request, response) =>
    misbehave.rawly(response, 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nff\r\nshort'),
  ),

  // challenges and tokens
  attackChallenge('no-scheme', 'SVC-REG-003', () => ''),
  attackChallenge('negotiate', 'SVC-REG-003', () => 'Negotiate, NTLM TlRMTVNTUAAC'),
  attackChallenge('basic-unasked', 'SVC-REG-003', () => 'Basic realm="x"'),
  attackChallenge('malformed-challenge', 'SVC-REG-003', () => `Bearer realm="${'\\'.repeat(5000)}`),
  attackChallenge('realm-nonsense', 'SVC-REG-003', () => 'Bearer realm="http://["'),
  attackChallenge('realm-file', 'SVC-POL-001', () => 'Bearer realm="file:///etc/passwd"'),
  attackChallenge('realm-off-the-list', 'SVC-POL-001', () => `Bearer realm="http://${trap.host}/token"`),
  attackChallenge(
    'realm-unlisted-plain',
    'SVC-POL-001',
    () => 'Bearer realm="http://unlisted.example/token"',
  ),
  attackChallenge('realm-userinfo', 'SVC-POL-001', ({ host }) => `Bearer realm="http://u:p@${host}/token"`),
  attackToken('token-endless', 'SVC-VAL-002', (_request, response) =>
    misbehave.endlessly(response, 200, {}, Buffer.alloc(65_536, ' ')),
  ),
  attackToken('token-oversized', 'SVC-VAL-002', (_request, response) =>
    misbehave.reply(response, 200, {}, JSON.stringify({ token: 'x'.repeat(70_000) })),
  ),
  attackToken('token-html', 'SVC-REG-003', (_request, response) =>
    misbehave.reply(response, 200, { 'content-type': 'text/html' }, '<html></html>'),
  ),
  attackToken('token-nested', 'SVC-REG-003', (_request, response) =>
    misbehave.reply(response, 200, {}, '['.repeat(60_000)),
  ),
  attackToken('token-poisoned', 'SVC-REG-003', (_request, response) =>
    misbehave.reply(response, 200, {}, JSON.stringify({ token: 'a\r\nx-injected: 1' })),
  ),
  attackToken('token-number', 'SVC-REG-003', (_request, response) =>
    misbehave.reply(response, 200, {}, '{"token":7}'),
  ),
  attackToken('token-never-good', 'SVC-REG-003', (_request, response) =>
    misbehave.reply(response, 200, {}, '{"token":"abc","expires_in":-5}'),
  ),
  attackToken('token-refused', 'SVC-REG-003', (_request, response) => misbehave.reply(response, 401, {})),
  attackToken('token-failing', 'SVC-REG-002', (_request, response) => misbehave.reply(response, 503, {})),
  attackToken('token-redirect-loop', 'SVC-REG-007', (request, response) =>
    misbehave.reply(response, 302, { location: request.path }),
  ),
  attackToken('token-redirect-off-the-list', 'SVC-POL-001', (_request, response) =>
    misbehave.reply(response, 302, { location: `http://${trap.host}/token` }),
  ),

  // manifests
  {
    name: 'manifest-endless',
    code: 'SVC-VAL-002',
    host: (host) =>
      on(host, manifests, (_request, response) =>
        misbehave.endlessly(response, 200, { 'content-type': imageType }, Buffer.alloc(65_536, ' ')),
      ),
  },
  attackManifest('manifest-oversized', 'SVC-VAL-002', () => Buffer.alloc(4_194_305, ' ')),
  {
    name: 'manifest-other-bytes',
    code: 'SVC-SIG-002',
    host: (host, image) => {
      const found = host.manifest(repository, image.root.digest)!.bytes;
      on(host, manifests, (_request, response) =>
        misbehave.reply(response, 200, { 'content-type': imageType }, `${found.toString()} `),
      );
    },
  },
  {
    name: 'manifest-of-itself',
    code: 'SVC-SIG-002',
    host: (host) => {
      const bytes = asIndex([{ mediaType: indexType, digest: sha256('its child'), size: 200 }]);
      on(host, manifests, (_request, response) =>
        misbehave.reply(response, 200, { 'content-type': indexType }, bytes),
      );
      return sha256(bytes);
    },
  },
  attackManifest('manifest-empty', 'SVC-REG-007', () => ''),
  attackManifest('manifest-html', 'SVC-REG-007', () => '<html></html>', 'text/html'),
  attackManifest('manifest-null', 'SVC-REG-007', () => 'null'),
  attackManifest('manifest-nested', 'SVC-REG-007', () => '['.repeat(4_000_000)),
  attackManifest('manifest-nested-untyped', 'SVC-REG-007', () => '['.repeat(4_000_001), 'text/plain'),
  attackManifest('manifest-of-objects', 'SVC-REG-007', () => `[${'{},'.repeat(1_390_000)}{}]`),
  attackManifest(
    'manifest-of-objects-untyped',
    'SVC-REG-007',
    () => `[${'{},'.repeat(1_390_001)}{}]`,
    'text/x',
  ),
  attackManifest('manifest-not-utf8', 'SVC-REG-007', () => Buffer.from([0x7b, 0xff, 0xfe, 0x7d])),
  attackManifest(
    'manifest-two-layers-members',
    'SVC-REG-007',
    (image) => `${manifestOf(image, {}).slice(0, -1)},"layers":[]}`,
  ),
  attackManifest(
    'manifest-escaped-member',
    'SVC-REG-007',
    (image) => `${manifestOf(image, {}).slice(0, -1)},"\\u006cayers":[]}`,
  ),
  attackManifest('manifest-two-digests', 'SVC-REG-007', (image) =>
    manifestOf(image, {}).replace('"digest":', `"digest":"${sha256('x')}","digest":`),
  ),
  attackManifest('manifest-other-type', 'SVC-REG-007', (image) => manifestOf(image, {}), indexType),
  attackManifest('manifest-both-shapes', 'SVC-REG-007', (image) => manifestOf(image, { manifests: [] })),
  attackManifest(
    'manifest-schema-1',
    'SVC-REG-007',
    () =>
      JSON.stringify({
        schemaVersion: 1,
        name: 'library/x',
        fsLayers: [],
        history: [],
        signatures: [],
      }),
    'application/vnd.docker.distribution.manifest.v1+prettyjws',
  ),
  attackManifest(
    'manifest-withdrawn',
    'SVC-REG-007',
    () => JSON.stringify({ mediaType: 'application/vnd.oci.artifact.manifest.v1+json', blobs: [] }),
    'application/vnd.oci.artifact.manifest.v1+json',
  ),
  ...(
    [
      ['digest-path', { digest: 'sha256:../../../../etc/passwd' }],
      ['digest-sha1', { digest: `sha1:${'a'.repeat(40)}` }],
      ['digest-upper', { digest: `sha256:${'A'.repeat(64)}` }],
      ['size-negative', { size: -1 }],
      ['size-huge', { size: 1e300 }],
      ['size-text', { size: '5' }],
      ['size-fraction', { size: 1.5 }],
    ] as const
  ).map(([name, change]) =>
    attackManifest(name, 'SVC-REG-007', (image) =>
      manifestOf(image, { layers: [{ ...image.layer, ...change }] }),
    ),
  ),
  attackManifest('layers-too-many', 'SVC-REG-007', (image) =>
    manifestOf(image, { layers: Array.from({ length: 10_001 }, () => image.layer) }),
  ),
  attackManifest('size-lies', 'SVC-REG-007', (image) =>
    manifestOf(image, { layers: [{ ...image.layer, size: image.layer.size + 1 }] }),
  ),
  {
    name: 'nested-indexes',
    code: 'SVC-REG-007',
    host: (host, image) => {
      let child: Descriptor = image.root;
      for (let i = 0; i < 7; i += 1)
        child = host.putManifest(repository, { schemaVersion: 2, mediaType: indexType, manifests: [child] });
      return child.digest;
    },
  },
  {
    name: 'tree-explodes',
    code: 'SVC-REG-007',
    host: (host) => {
      const leaf = (i: number) => asIndex([]).replace('[]', `[],"annotations":{"i":"${i}"}`);
      const descriptor = (text: string) => ({
        mediaType: indexType,
        digest: sha256(text),
        size: text.length,
      });
      const texts = new Map<string, string>();
      const keep = (text: string) => {
        texts.set(sha256(text), text);
        return descriptor(text);
      };
      const branches = Array.from({ length: 103 }, (_, b) =>
        keep(asIndex(Array.from({ length: 100 }, (_one, i) => keep(leaf(b * 100 + i))))),
      );
      const root = keep(asIndex(branches));
      host.intercept((request, response) => {
        const text = texts.get(request.path.split('/').at(-1)!);
        if (text === undefined) return false;
        misbehave.reply(response, 200, { 'content-type': indexType }, text);
        return true;
      });
      return root.digest;
    },
  },
  {
    name: 'one-child-often',
    code: undefined,
    host: (host, image) =>
      host.putManifest(repository, {
        schemaVersion: 2,
        mediaType: indexType,
        manifests: Array.from({ length: 5000 }, () => image.root),
      }).digest,
  },

  // the cookbook: lists, documents, signatures
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
  attackTags('tags-drop-by-drop', 'SVC-VAL-002', (request, response) => {
    const at = Number(/last=(\d+)/.exec(request.path)?.[1] ?? 0) + 1;
    misbehave.reply(
      response,
      200,
      { link: `<tags?n=1&last=${at}>; rel="next"`.replace('tags?', 'list?') },
      `{"tags":["1.${at}.0"]}`,
    );
  }),
  attackTags('tags-elsewhere', 'SVC-POL-001', (_request, response) =>
    misbehave.reply(response, 200, { link: `<http://${trap.host}/next>; rel="next"` }, '{"tags":["1.0.0"]}'),
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
        .map((c, i) => `${c}: &${c} [${Array.from({ length: 9 }, () => `*${'abcdefghij'[i]}`).join(',')}]\n`)
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
  attackReferrers('referrers-too-many', 'SVC-REG-007', (_path, subject, _request, response) => {
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
  attackReferrers('referrers-in-circles', 'SVC-REG-007', (_path, _subject, request, response) =>
    misbehave.reply(
      response,
      200,
      { 'content-type': indexType, link: `<${request.path}>; rel="next"` },
      asIndex([]),
    ),
  ),
  attackReferrers('referrers-elsewhere', 'SVC-POL-001', (_path, _subject, _request, response) =>
    misbehave.reply(
      response,
      200,
      { 'content-type': indexType, link: `<http://${trap.host}/next>; rel="next"` },
      asIndex([{ mediaType: imageType, digest: sha256('1'), size: 10 }]),
    ),
  ),
  attackReferrers('referrers-endless', 'SVC-VAL-002', (_path, _subject, _request, response) =>
    misbehave.endlessly(response, 200, { 'content-type': indexType }, Buffer.alloc(65_536, ' ')),
  ),
  attackReferrers('referrers-garbage', 'SVC-REG-007', (_path, _subject, _request, response) =>
    misbehave.reply(response, 200, { 'content-type': indexType }, '['.repeat(2_000_000)),
  ),
  attackReferrers('referrers-failing', 'SVC-REG-002', (_path, _subject, _request, response) =>
    misbehave.reply(response, 503, {}),
  ),
  ...Array.from({ length: 4 }, (_, i) => ({
    name: `signature-bomb-${i}`,
    code: 'SVC-SIG-001',
    cookbook: (path: string, subject: Descriptor) => plantClassicBomb(path, subject, 70, 1_048_576),
  })),
  ...Array.from({ length: 4 }, (_, i) => ({
    name: `bundle-bomb-${i}`,
    code: undefined,
    cookbook: (path: string, subject: Descriptor) => plantBundleBomb(path, subject, 60),
  })),
];

const neighbours = ['aaa-neighbour', 'mmm-neighbour', 'zzz-neighbour'];

before(async () => {
  world = await openRehearsal();
  origin = await world.double();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  trap = {
    host: `127.0.0.1:${(server.address() as { port: number }).port}`,
    connections: () => connections,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
});
after(async () => {
  await trap.close();
  await world[Symbol.asyncDispose]();
});

/** Publishes a signed recipe of one ingredient. */
function publish(name: string, host: string, digest: string, document?: Attack['document']): Descriptor {
  const spec = { name, version: '1.0.0', ingredients: [{ name: 'app', repository, version: '1.0', digest }] };
  const good = Buffer.from(toRecipeDocument(host, spec));
  const artifact = toRecipeArtifact(good, parseRecipe(good, 'recipe'), '2026-01-01T00:00:00Z');
  const path = `cookbook/${name}`;
  for (const { descriptor, bytes } of artifact.blobs) origin.putBlob(path, bytes, descriptor.mediaType);
  let manifest = artifact.manifest.bytes;
  if (document !== undefined) {
    const parsed = JSON.parse(manifest.toString()) as { layers: Descriptor[] };
    const bytes = origin.putBlob(path, `${good}${document(host, digest)}`, parsed.layers[0]!.mediaType);
    manifest = Buffer.from(JSON.stringify({ ...parsed, layers: [bytes] }));
  }
  const descriptor = origin.putManifest(path, manifest, {
    tag: '1.0.0',
    mediaType: artifact.manifest.descriptor.mediaType,
  });
  const signature = world.signer.sign(descriptor, 'classic');
  for (const { bytes } of signature.blobs) origin.putBlob(path, bytes);
  origin.putManifest(path, signature.manifest.bytes, { mediaType: imageType, tag: signature.tag! });
  return descriptor;
}

async function runToEnd(instance: Instance): Promise<Task> {
  const submitted = await instance.api('POST', '/sync', {});
  assert.equal(submitted.status, 201, JSON.stringify(submitted.body));
  const { id } = submitted.body.task;
  return eventually(
    'the end of the run',
    async () => {
      const { task } = (await instance.api('GET', `/tasks/${id}`)).body as { task: Task };
      return task.status === 'pending' || task.status === 'running' ? undefined : task;
    },
    140,
  );
}

test('each hostile answer is a coded error of its own item, the neighbours are complete, memory and time are bounded', async (t) => {
  const insecure = [origin.host, trap.host];
  const allowlist = [origin.host];
  const entries: { name: string; version: string }[] = [];
  for (const name of neighbours) {
    publish(name, origin.host, putImage(origin, name).root.digest);
    entries.push({ name, version: '1.0.0' });
  }
  for (const attack of attacks) {
    const host = await world.double(attack.tls ? { tls: tlsPair } : {});
    allowlist.push(host.host);
    if (!attack.tls) insecure.push(host.host);
    const image = putImage(host, attack.name);
    const planted = attack.host?.(host, image);
    const digest = typeof planted === 'string' ? planted : image.root.digest;
    const subject = publish(attack.name, host.host, digest, attack.document);
    attack.cookbook?.(`cookbook/${attack.name}`, subject);
    entries.push({ name: attack.name, version: attack.version ?? '1.0.0' });
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const retriever = await world.retriever('zone', { cookbook: `${origin.host}/cookbook`, recipes: entries });
  const instance = await world.start(
    'mirror',
    {
      mode: 'mirror',
      auth: { disabled: true },
      retriever: { source: retriever },
      network: { tls: { ca: tlsPair.ca } },
      registries: { insecure, allowlist },
      trust: world.trust,
      sync: { interval: '0', retries: 1 },
    },
    youngGeneration,
  );
  const pid = instance.process.pid!;
  const before = await processFootprint.descriptors(pid);
  await processFootprint.resetPeak(pid);
  const started = performance.now();
  let silence = 0;
  const task = await (async () => {
    let running = true;
    const probing = (async () => {
      while (running) {
        const asked = performance.now();
        const { status } = await fetch(`${instance.url}/healthz`);
        assert.equal(status, 200);
        silence = Math.max(silence, performance.now() - asked);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();
    try {
      return await runToEnd(instance);
    } finally {
      running = false;
      await probing;
    }
  })();
  const seconds = (performance.now() - started) / 1000;
  const peak = await processFootprint.peakMebibytes(pid);
  t.diagnostic(
    `${attacks.length} attacks, ${seconds.toFixed(1)} s, peak ${peak.toFixed(0)} MiB, longest silence ${silence.toFixed(0)} ms`,
  );

  const errorOf = (name: string) =>
    task.items.find((item) => item.name.startsWith(`${name}@`) && item.error !== undefined)?.error;
  const wrong = attacks.flatMap(({ name, code }) => {
    const error = errorOf(name);
    return error?.code === code ? [] : [`${name}: ${error?.code} ${stringify(error?.params)} not ${code}`];
  });
  assert.deepEqual(wrong, []);
  for (const name of neighbours) {
    const items = task.items.filter((item) => item.name.startsWith(`${name}@`));
    assert.ok(items.length === 2 && items.every(({ status }) => status === 'done'), name);
  }
  assert.equal(trap.connections(), 0, 'a host off the list was spoken to');
  assert.ok(peak < memoryLimit, `the process held ${peak.toFixed(0)} MiB`);
  assert.ok(seconds < 120, `the run took ${seconds.toFixed(0)} s`);
  assert.ok(silence < 3000, `the instance was silent for ${silence.toFixed(0)} ms`);

  await t.test('what failed left nothing open', async () => {
    await eventually(
      'connections are closed',
      async () => {
        const now = await processFootprint.descriptors(pid);
        return now <= before + 8;
      },
      40,
    );
  });
});
