import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Digest, hashBytes } from '../../src/base/digest.ts';
import { ContentGraph } from '../../src/catalog/content-graph.ts';
import {
  type ContentChange,
  type ManifestChange,
  parseContentChange,
} from '../../src/catalog/content-records.ts';
import { PlainManifests } from '../../src/catalog/plain-manifests.ts';

const digestOf = (seed: string): Digest => hashBytes(seed);
const ociManifest = 'application/vnd.oci.image.manifest.v1+json';

function toManifest(seed: string, blobs: readonly string[], type = ociManifest): ManifestChange {
  return {
    op: 'manifest',
    digest: digestOf(seed),
    type,
    size: 834,
    blobs: blobs.flatMap((blob, i) => [digestOf(blob), i * 1_000_003]),
  };
}

const toLine = (change: ContentChange): Buffer => Buffer.from(`${JSON.stringify(change)}\n`);

/** The record that the lines read; undefined when they leave the line to JSON. */
function readPlain(lines: PlainManifests, line: Buffer): ManifestChange | undefined {
  lines.clear();
  if (!lines.keep(line, 0, line.length - 1)) return undefined;
  const { type, size, blobs, first } = lines.take();
  const digestAt = (i: number): Digest =>
    `sha256:${Buffer.from(lines.words.buffer, i * 32, 32).toString('hex')}`;
  return {
    op: 'manifest',
    digest: digestAt(first),
    type,
    size,
    blobs: Array.from({ length: blobs }, (_, i) => [
      digestAt(first + 1 + i),
      lines.sizes[first + 1 + i]!,
    ]).flat(),
  };
}

test('the record of an image is read from its bytes, and the records of everything else are left to JSON', () => {
  const lines = new PlainManifests();
  for (const change of [
    toManifest('a', ['1']),
    toManifest('a', ['1', '2', '1', '3']),
    toManifest('b', ['1', '2'], 'application/vnd.docker.distribution.manifest.v2+json'),
    toManifest('c', ['1'], ''),
    toManifest(
      'd',
      Array.from({ length: 3000 }, (_, i) => `${i}`),
    ),
    { ...toManifest('a', ['1']), size: 0 },
  ])
    assert.deepEqual(readPlain(lines, toLine(change)), change);
  const { blobs: _, ...bare } = toManifest('a', []);
  const others: ContentChange[] = [
    bare,
    { ...bare, blobs: [] },
    { ...bare, manifests: [digestOf('child')] },
    { ...toManifest('a', ['1']), unverified: true },
    { ...toManifest('a', ['1']), artifactType: 'application/x' },
    { ...toManifest('a', ['1']), digest: hashBytes('a', 'sha512') },
    { ...toManifest('a', ['1']), blobs: [hashBytes('1', 'sha512'), 1] },
    toManifest('a', ['1'], 'a "quoted" type'),
    toManifest('a', ['1'], 'é'),
    { op: 'put', repo: 'app', digest: digestOf('a') },
  ];
  for (const change of others) assert.equal(readPlain(lines, toLine(change)), undefined);
});

test('whatever byte of a line is changed, dropped or doubled, it is read as JSON reads it, or left to JSON', () => {
  const line = toLine(toManifest('a', ['1', '2']));
  const lines = new PlainManifests();
  let read = 0;
  const judge = (altered: Buffer): void => {
    const found = readPlain(lines, altered);
    if (found === undefined) return;
    read += 1;
    assert.deepEqual(parseContentChange(JSON.parse(altered.toString())), found, altered.toString());
  };
  for (let at = 0; at < line.length - 1; at += 1) {
    const rest = line.subarray(at + 1);
    for (const byte of Buffer.from('0a9fFgz"\\,:]}{[- .\n\0\x7f\xff', 'latin1'))
      judge(Buffer.concat([line.subarray(0, at), Buffer.of(byte), rest]));
    judge(Buffer.concat([line.subarray(0, at), rest]));
    judge(Buffer.concat([line.subarray(0, at + 1), line.subarray(at, at + 1), rest]));
  }
  assert.ok(read > 100, 'other digests, sizes and types are read');
});

test('a line that ends too early or too late is left to the JSON parser', () => {
  const line = toLine(toManifest('a', ['1', '2']));
  const lines = new PlainManifests();
  for (let end = 0; end < line.length - 1; end += 1) assert.equal(lines.keep(line, 0, end), false, `${end}`);
  const longer = Buffer.concat([line.subarray(0, -1), Buffer.from(' \n')]);
  assert.equal(lines.keep(longer, 0, longer.length - 1), false);
  assert.equal(lines.keep(line, 0, line.length - 1), true);
  assert.equal(lines.take().blobs, 2, 'what was not kept left nothing behind');
});

/** A history with images that come, are named twice, go and come again. */
function* toHistory(): Generator<ContentChange> {
  for (let n = 0; n < 200; n += 1) {
    const image = n % 40;
    const repo = `team/app-${image % 7}`;
    const { digest } = toManifest(`${image}`, []);
    if (n % 5 === 3) yield { op: 'drop', repo, digest };
    yield toManifest(`${image}`, [
      `config ${image}`,
      `base ${image % 4}`,
      `layer ${image}`,
      `base ${image % 4}`,
    ]);
    yield { op: 'put', repo, digest };
    if (n % 3 > 0)
      yield {
        op: 'tag',
        repo,
        tag: `1.${image}`,
        digest,
        kind: 'ContainerImage',
        owner: { provenance: 'import' },
      };
    if (n % 11 === 10) yield { op: 'untag', repo, tag: `1.${image}` };
  }
}

test('records that are read from their bytes give the graph that they give as JSON', () => {
  const [direct, byBytes] = [new ContentGraph(), new ContentGraph()];
  const lines = new PlainManifests();
  let plain = 0;
  for (const graph of [direct, byBytes]) {
    graph.startLoad();
    for (const change of toHistory()) {
      const line = toLine(change);
      const isPlain = graph === byBytes && lines.keep(line, 0, line.length - 1);
      if (isPlain) plain += 1;
      for (const gone of isPlain ? graph.applyPlain(lines) : graph.apply(change)) graph.forget(gone);
    }
    graph.finishLoad();
  }
  assert.equal(plain, 200);
  assert.deepEqual([...byBytes.snapshot()], [...direct.snapshot()]);
  for (const name of direct.repositories.keys())
    for (const content of direct.repositories.get(name)!.manifests.keys()) {
      const other = byBytes.get(content.digest)!;
      assert.deepEqual([other.refs, other.sound, other.size], [content.refs, content.sound, content.size]);
    }
});
