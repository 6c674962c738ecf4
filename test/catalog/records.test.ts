import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Digest } from '../../src/base/digest.ts';
import { ContentGraph } from '../../src/catalog/content-graph.ts';
import { type ContentChange, parseContentChange } from '../../src/catalog/content-records.ts';
import { parseRecipeChange, RecipeBook, type RecipeChange } from '../../src/catalog/recipe-book.ts';
import type { Owner } from '../../src/contract/content.ts';
import { contentKinds } from '../../src/oci/kind.ts';
import {
  digests,
  generateChange,
  longestHost,
  numbers,
  repositories,
  tags,
} from '../kit/content/random-changes.ts';

const readBack = <R>(record: R, parse: (value: unknown) => R | undefined): R => {
  const text = JSON.stringify(record);
  const read = parse(JSON.parse(text));
  assert.ok(read, `not read back: ${text}`);
  return read;
};
const sorted = (records: Iterable<unknown>): string[] =>
  [...records].map((one) => JSON.stringify(one)).sort();

test('every content record that the writer makes is read back, and says the same', () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const next = numbers(seed);
    const graph = new ContentGraph();
    for (let i = 0; i < 60; i += 1) {
      const change = readBack(generateChange(next), parseContentChange);
      for (const gone of graph.apply(change)) graph.forget(gone);
      // a file comes, or is found altered
      const content = graph.intern(digests[next() % digests.length]!);
      content.present = next() % 2 === 0;
    }
    const again = new ContentGraph();
    for (const record of graph.snapshot()) again.apply(readBack(record, parseContentChange));
    assert.deepEqual(sorted(again.snapshot()), sorted(graph.snapshot()), `seed ${seed}`);
  }
});

test('a tag keeps its place through compaction, gets a later one with other content, and the old one when that comes back', () => {
  const owner = (recipe: string): Owner => ({ provenance: 'recipe', recipe, cookbook: 'x.io/cookbook' });
  const [a, b] = digests as [Digest, Digest];
  const place = (graph: ContentGraph, repo: string, tag = '1.0.0') => graph.tag(repo, tag)!.since;
  const put = (repo: string, digest: Digest, by: Owner, more: object = {}): ContentChange => ({
    op: 'tag',
    repo,
    tag: '1.0.0',
    digest,
    kind: 'HelmChart',
    owner: by,
    ...more,
  });
  const graph = new ContentGraph();
  graph.apply({ op: 'put', repo: 'z', digest: b });
  graph.apply(put('a', a, owner('one@1.0.0')));
  graph.apply(put('z', a, owner('one@1.0.0')));
  graph.apply(put('a', b, owner('two@1.0.0'), { keeps: true }));
  assert.ok(place(graph, 'z') < place(graph, 'a'), 'another chart is there since then only');
  const [alias] = graph.displacedFrom('a', '1.0.0');
  assert.ok(alias!.since < place(graph, 'z'), 'the alias keeps the place of its content');
  graph.apply(put('z', a, owner('three@1.0.0')));
  assert.ok(place(graph, 'z') < place(graph, 'a'), 'a further owner changes no place');

  const again = new ContentGraph();
  const hostile = put('m', a, owner('one@1.0.0'), { since: Number.MAX_SAFE_INTEGER });
  for (const record of graph.snapshot()) again.apply(readBack(record, parseContentChange));
  for (const repo of ['a', 'z']) assert.equal(place(again, repo), place(graph, repo));
  again.apply(readBack(hostile, parseContentChange));
  again.apply(put('n', a, owner('one@1.0.0')));
  assert.ok(place(again, 'a') < place(again, 'm') && place(again, 'm') < place(again, 'n'));
  again.apply({ op: 'disown', repo: 'a', tag: '1.0.0', owner: owner('two@1.0.0') });
  again.apply(put('a', a, owner('one@1.0.0')));
  assert.ok(place(again, 'a') < place(again, 'z'), 'what comes back has the place that it had');
});

test('every recipe record that the writer makes is read back, and says the same', () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const next = numbers(seed);
    const pick = <T>(from: readonly T[]): T => from[next() % from.length]!;
    const flag = () => next() % 2 === 0;
    const book = new RecipeBook();
    const [runId, zone, resolvedAt] = ['run', 'z'.repeat(63), '2026-01-01T00:00:00.000Z'];
    const records = Array.from({ length: next() % 5 }, () => ({
      name: pick(['shop', 'n'.repeat(253)]),
      version: pick(['1.0.0', `1.0.0-${'v'.repeat(120)}`]),
      cookbook: pick(['x.io/cookbook', `${longestHost}/${'c'.repeat(255)}`]),
      repository: pick(repositories),
      tag: pick(tags),
      digest: pick(digests),
      documentDigest: pick(digests),
      runId,
      zone,
      resolvedAt,
      verified: flag(),
      ...(flag() ? { keyFingerprint: 'f'.repeat(64), trustScope: 'vendor' } : {}),
      ingredients: Array.from({ length: next() % 3 }, () => ({
        name: pick(['app', 'i'.repeat(253)]),
        kind: pick(contentKinds),
        ref: `${longestHost}/${'r'.repeat(255)}`,
        repository: pick(repositories),
        tag: pick(tags),
        digest: pick(digests),
        ...(flag() ? { platforms: ['linux/amd64', 'windows/amd64:10.0.26100.1'] } : {}),
      })),
    }));
    const outcome = pick(['success', 'partial', 'failure'] as const);
    const changes: RecipeChange[] = book.plan(
      { zone, runId, resolvedAt, ...(flag() ? { outcome } : {}) },
      records,
    );
    for (const change of changes) book.apply(readBack(change, parseRecipeChange));
    const again = new RecipeBook();
    for (const record of book.snapshot()) again.apply(readBack(record, parseRecipeChange));
    assert.deepEqual(sorted(again.snapshot()), sorted(book.snapshot()));
  }
});
