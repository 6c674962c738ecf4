import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runAtOnce } from '../../src/base/pacer.ts';
import { ContentGraph } from '../../src/catalog/content-graph.ts';
import {
  type ColumnName,
  type GraphImage,
  imageColumns,
  makeColumn,
} from '../../src/catalog/image/columns.ts';
import { digests, generateChange, numbers, repositories, tags } from '../kit/content/random-changes.ts';
import { describeGraph as describeAll } from '../kit/result/describe-graph.ts';

/** Copies the columns of an image, as a file does. */
function copy(image: GraphImage): GraphImage {
  const names = Object.keys(imageColumns) as ColumnName[];
  const columns = names.map((name) => {
    const column = makeColumn(name, image[name].length, image.figures.end);
    column.set(image[name]);
    return [name, column] as const;
  });
  return { ...Object.fromEntries(columns), figures: structuredClone(image.figures) } as GraphImage;
}

const describeGraph = (graph: ContentGraph) => describeAll(graph, digests, tags);

/** Applies the next change, as an opening does. */
function change(graph: ContentGraph, next: () => number): void {
  for (const gone of graph.apply(generateChange(next))) graph.forget(gone);
}

/** Requests something, which loads a part of the graph. */
function look(graph: ContentGraph, next: () => number): void {
  const pick = <T>(from: readonly T[]): T => from[next() % from.length]!;
  const [digest, name] = [pick(digests), pick(repositories)];
  const looks = [
    () => graph.get(digest)?.facts,
    () => graph.get(digest)?.links,
    () => graph.get(digest)?.referrers,
    () => graph.tag(name, pick(tags)),
    () => graph.repositories.get(name)?.manifests,
    () => graph.shadows.get(name)?.kinds,
  ];
  pick(looks)();
}

/** The graph that an opening makes of a history. */
function replay(seed: number, changes: number, more?: { readonly seed: number; readonly changes: number }) {
  const graph = new ContentGraph();
  graph.startLoad();
  const next = numbers(seed);
  for (let i = 0; i < changes; i += 1) change(graph, next);
  const later = numbers(more?.seed ?? 0);
  for (let i = 0; i < (more?.changes ?? 0); i += 1) change(graph, later);
  graph.finishLoad();
  return graph;
}

const throughImage = (graph: ContentGraph): ContentGraph => ContentGraph.of(copy(runAtOnce(graph.image())));

test('a graph of an image is the graph of the replayed records, whatever is requested before and between changes', () => {
  for (let seed = 1; seed <= 150; seed += 1) {
    const later = { seed: seed + 1000, changes: 40 };
    const graph = replay(seed, 80);
    if (seed % 4 === 0)
      assert.deepEqual(describeGraph(throughImage(graph)), describeGraph(graph), `${seed}, untouched`);
    const again = throughImage(graph);
    again.startLoad();
    const [next, own] = [numbers(later.seed), numbers(seed + 2000)];
    for (let i = 0; i < later.changes; i += 1) {
      if (own() % 3 === 0) look(again, own);
      change(again, next);
    }
    again.finishLoad();
    assert.deepEqual(describeGraph(again), describeGraph(replay(seed, 80, later)), `${seed}, read on`);
  }
});

test('an image of a store in use is the graph of its replayed records, without what its process knows', () => {
  for (let seed = 1; seed <= 100; seed += 1) {
    const later = { seed: seed + 1000, changes: 40 };
    const used = throughImage(replay(seed, 80));
    const [next, own] = [numbers(later.seed), numbers(seed + 2000)];
    for (let i = 0; i < later.changes; i += 1) {
      look(used, own);
      change(used, next);
      const content = used.get(digests[own() % digests.length]!);
      if (content === undefined) continue;
      content.sound = own() % 2 === 0;
      content.settle();
    }
    assert.deepEqual(describeGraph(throughImage(used)), describeGraph(replay(seed, 80, later)), `${seed}`);
  }
});

test('a store that was emptied has nothing of its image left', () => {
  const graph = throughImage(replay(7, 80));
  graph.clear();
  const { names, records, homes } = describeGraph(graph) as Record<string, readonly unknown[]>;
  assert.deepEqual({ names, records, homes }, { names: [], records: [], homes: [] });
  for (let id = 0; id < graph.contents.end; id += 1) {
    assert.equal(graph.contents.peek(id)?.facts, undefined);
    assert.equal(graph.contents.peek(id)?.links, undefined);
  }
});
