import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Digest } from '../../src/base/digest.ts';
import { ContentGraph } from '../../src/catalog/content-graph.ts';
import { createLostContent } from '../../src/catalog/lost-content.ts';
import type { LostContent } from '../../src/catalog/model.ts';
import { digests, generateChange, numbers, repositories } from '../kit/content/random-changes.ts';

test('answers about lost content stay right whatever changes between two questions', () => {
  const answers = (lost: LostContent) => ({
    count: lost.countLost(),
    below: digests.map((digest) => [lost.isLostBelow(digest), lost.lostBelow(digest)]),
    repositories: repositories.map(lost.isLostIn),
  });
  let hits = 0;
  for (let seed = 1; seed <= 200; seed += 1) {
    const next = numbers(seed);
    const graph = new ContentGraph();
    const lost = createLostContent(graph);
    for (let i = 0; i < 60; i += 1) {
      for (const gone of graph.apply(generateChange(next))) graph.forget(gone);
      const expected = answers(createLostContent(graph));
      assert.deepEqual(answers(lost), expected, `seed ${seed}, change ${i}`);
      graph.intern(digests[next() % digests.length]!).present = next() % 2 === 0;
      const moved = answers(createLostContent(graph));
      assert.deepEqual(answers(lost), moved, `seed ${seed}, file ${i}`);
      hits += moved.below.filter(([isHit]) => isHit).length;
    }
  }
  assert.ok(hits > 1000);
});

test('a repository says whether it needs lost content, among more and among less than it has', () => {
  const digestOf = (n: number): Digest => `sha256:${n.toString(16).padStart(64, '0')}`;
  const states = (lost: LostContent) => ['hit', 'other', 'whole', 'none'].map(lost.isLostIn);
  for (const lostOthers of [0, 20]) {
    const graph = new ContentGraph();
    const lost = createLostContent(graph);
    let last = 0;
    const put = (repo: string, isPresent: boolean): readonly Digest[] => {
      last += 2;
      const both = [digestOf(last), digestOf(last + 1)] as const;
      graph.apply({ op: 'manifest', digest: both[0], type: 'a/b', size: 1, blobs: [both[1], 1] });
      graph.apply({ op: 'put', repo, digest: both[0], pushed: true });
      for (const digest of both) graph.intern(digest).present = isPresent;
      return both;
    };
    const [manifest, blob] = put('hit', true) as [Digest, Digest];
    const [whole] = put('whole', true) as [Digest];
    for (let n = 0; n < 5; n += 1) for (const repo of ['hit', 'whole']) put(repo, true);
    for (let n = 0; n < lostOthers; n += 1) put('other', false);
    const other = lostOthers > 0;
    assert.deepEqual(states(lost), [false, other, false, false]);
    for (const digest of [blob, manifest]) {
      graph.intern(digest).present = false;
      assert.deepEqual(states(lost), [true, other, false, false]);
      graph.intern(digest).present = true;
    }
    graph.intern(blob).present = false;
    graph.intern(whole).present = false;
    graph.apply({ op: 'drop', repo: 'hit', digest: manifest });
    assert.deepEqual(states(lost), [false, other, true, false]);
    assert.equal(lost.countLost(), 2 * lostOthers + 1);
  }
});
