import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Digest, hashBytes } from '../../../src/base/digest.ts';
import {
  type DistributedContent,
  type PartLimits,
  type PartSupply,
  type PlannedPart,
  partition,
  recordBytes,
} from '../../../src/engine/delivery/partition.ts';

const mib = 1 << 20;
const id = (name: string): Digest => hashBytes(name);

function toContent(
  recipes: Readonly<Record<string, Readonly<Record<string, number>>>>,
  always: Readonly<Record<string, number>> = { manifest: 1000 },
): DistributedContent {
  const toMap = (sizes: Readonly<Record<string, number>>) =>
    new Map(Object.entries(sizes).map(([name, size]) => [id(name), size]));
  return {
    always: toMap(always),
    recipes: new Map(Object.entries(recipes).map(([name, blobs]) => [id(name), toMap(blobs)])),
    absent: 0,
  };
}

function requireParts(found: ReturnType<typeof partition>): readonly PlannedPart[] {
  assert.ok(!('fault' in found), JSON.stringify(found));
  return found;
}

/** Names of the blobs of each part. */
function toNames(parts: readonly PlannedPart[], names: readonly string[]): string[][] {
  return parts.map(({ blobs }) => names.filter((name) => blobs.has(id(name))));
}

/** Requires that each blob is whole on one part, or cut without gaps, and that no part exceeds its limits. */
function requireSound(content: DistributedContent, supply: PartSupply, parts: readonly PlannedPart[]): void {
  const all = new Map([...content.recipes.values()].flatMap((blobs) => [...blobs]));
  const taken = [...content.always.values()].reduce((a, b) => a + b, 0);
  for (const [digest, size] of all) {
    const whole = parts.filter(({ blobs }) => blobs.has(digest));
    const segments = parts.flatMap((part) => part.segments.filter((one) => one.digest === digest));
    if (whole.length > 0) {
      assert.equal(whole.length, 1);
      assert.equal(segments.length, 0);
      continue;
    }
    let end = 0;
    for (const segment of segments) {
      assert.equal(segment.offset, end);
      end += segment.size;
    }
    assert.equal(end, size);
  }
  for (const { place, blobs, segments } of parts) {
    const kinds = 'given' in supply ? supply.given : [...(supply.before ?? []), supply.each];
    const limits: PartLimits = kinds[Math.min(place, kinds.length - 1)]!;
    const sizes = [...blobs.values(), ...segments.map(({ size }) => size)];
    const files = { always: content.always.size, blobs: all.size + content.absent };
    assert.ok(sizes.reduce((a, b) => a + b, taken + recordBytes(files)) <= limits.bytes);
    assert.ok(sizes.every((size) => size <= (limits.maxFileBytes ?? size)));
    assert.ok(blobs.size + content.always.size <= (limits.maxFolderEntries ?? Number.POSITIVE_INFINITY));
  }
}

test('the largest recipe comes first, and each goes whole to the fullest part that holds it', () => {
  const content = toContent({
    small: { s: 1 * mib },
    middle: { m: 3 * mib },
    large: { l1: 4 * mib, l2: 2 * mib },
  });
  const supply: PartSupply = { each: { bytes: 7.5 * mib }, most: 999 };
  const parts = requireParts(partition(content, supply));
  assert.deepEqual(toNames(parts, ['s', 'm', 'l1', 'l2']), [['s', 'l1', 'l2'], ['m']]);
  requireSound(content, supply, parts);
});

test('a blob of several recipes is placed once, with the first', () => {
  const content = toContent({ a: { shared: 5 * mib, a: mib }, b: { shared: 5 * mib, b: 2 * mib } });
  const parts = requireParts(partition(content, { each: { bytes: 7.5 * mib }, most: 9 }));
  assert.deepEqual(toNames(parts, ['shared', 'a', 'b']), [['shared', 'b'], ['a']]);
});

test('a recipe larger than a part spills blob by blob', () => {
  const content = toContent({ wide: { a: 4 * mib, b: 3 * mib, c: 2 * mib } });
  const supply: PartSupply = { each: { bytes: 5.5 * mib }, most: 9 };
  const parts = requireParts(partition(content, supply));
  assert.deepEqual(toNames(parts, ['a', 'b', 'c']), [['a'], ['b', 'c']]);
  requireSound(content, supply, parts);
});

test('a blob larger than a part is cut, and its rest shares a part with others', () => {
  const content = toContent({ big: { big: 10 * mib }, small: { small: mib } });
  const supply: PartSupply = { each: { bytes: 6 * mib }, most: 9 };
  const parts = requireParts(partition(content, supply));
  assert.equal(parts.length, 2);
  assert.deepEqual(
    parts.map(({ segments }) => segments.length),
    [1, 1],
  );
  requireSound(content, supply, parts);
});

test('a blob larger than a file of the filesystem is cut on one part', () => {
  const content = toContent({ big: { big: 10 * mib } });
  const supply: PartSupply = { given: [{ bytes: 60 * mib, maxFileBytes: 4 * mib - 1 }] };
  const parts = requireParts(partition(content, supply));
  assert.deepEqual(
    parts[0]?.segments.map(({ offset, size }) => [offset, size]),
    [
      [0, 4 * mib - 1],
      [4 * mib - 1, 4 * mib - 1],
      [8 * mib - 2, 2 * mib + 2],
    ],
  );
});

test('a part takes no more files than a folder of its filesystem', () => {
  const blobs = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`b${i}`, 10]));
  const content = toContent({ many: blobs });
  const supply: PartSupply = { each: { bytes: 100 * mib, maxFolderEntries: 11 }, most: 9 };
  const parts = requireParts(partition(content, supply));
  assert.equal(parts.length, 3);
  requireSound(content, supply, parts);
});

test('the given media are filled, and those without content are not used', () => {
  const content = toContent({ a: { a: 5 * mib } });
  const supply: PartSupply = { given: [{ bytes: 2 * mib }, { bytes: 8 * mib }, { bytes: 7 * mib }] };
  assert.deepEqual(
    requireParts(partition(content, supply)).map(({ place }) => place),
    [2],
  );
});

test('a delivery without blobs takes one part', () => {
  assert.equal(requireParts(partition(toContent({ a: {} }), { each: { bytes: mib }, most: 9 })).length, 1);
});

test('faults name the figures', () => {
  const content = toContent({ a: { a: 5 * mib } }, { manifest: mib });
  const toFault = (supply: PartSupply) => partition(content, supply);
  const metadata = toFault({ given: [{ bytes: 9 * mib }, { bytes: 2 * mib }] });
  assert.deepEqual(metadata, {
    fault: 'metadata',
    place: 1,
    neededBytes: mib + recordBytes({ always: 1, blobs: 1 }),
    limitBytes: mib / 2,
  });
  const space = toFault({ given: [{ bytes: 5 * mib }] });
  assert.ok('fault' in space && space.fault === 'space' && space.missingBytes > 0);
  assert.deepEqual(partition(toContent({ a: { a: 50 * mib } }), { each: { bytes: 2 * mib }, most: 3 }), {
    fault: 'parts',
    most: 3,
  });
  // no number of disks helps where none has room for a piece of a large file
  const records = 1000 + recordBytes({ always: 1, blobs: 1 });
  assert.deepEqual(partition(toContent({ a: { a: 5 * mib } }), { each: { bytes: mib }, most: 999 }), {
    fault: 'piece',
    neededBytes: records + mib,
    limitBytes: mib,
  });
  assert.deepEqual(toFault({ given: [{ bytes: 90 * mib, maxFolderEntries: 0 }] }), {
    fault: 'entries',
    place: 0,
    entries: 1,
    limitEntries: 0,
  });
});

test('any content is distributed soundly, and in any order alike', () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    let state = seed;
    const random = () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
      return state / 0x7fffffff;
    };
    const recipes: [Digest, Map<Digest, number>][] = Array.from({ length: 6 }, (_, r) => [
      id(`${seed} recipe ${r}`),
      new Map(
        Array.from({ length: 1 + Math.floor(random() * 8) }, () => {
          const blob = Math.floor(random() * 30);
          return [id(`${seed} blob ${blob}`), (blob + 1) * 300_000] as const;
        }),
      ),
    ]);
    const toInput = (order: typeof recipes): DistributedContent => ({
      always: new Map([[id('m'), 1000]]),
      recipes: new Map(order),
      absent: 3,
    });
    const each = { bytes: 4 * mib, maxFileBytes: 3 * mib, maxFolderEntries: 5 };
    const supply: PartSupply = { each, most: 999 };
    const content = toInput(recipes);
    const parts = requireParts(partition(content, supply));
    requireSound(content, supply, parts);
    const reversed = recipes
      .toReversed()
      .map(([recipe, blobs]): (typeof recipes)[number] => [recipe, new Map([...blobs].toReversed())]);
    const toPlain = (found: readonly PlannedPart[]) =>
      found.map(({ place, blobs, segments }) => [place, [...blobs.keys()].sort(), segments]);
    assert.deepEqual(toPlain(requireParts(partition(toInput(reversed), supply))), toPlain(parts));
  }
});

test('the program is on each part, outside of the quarter for documents, and leaves less room for content', () => {
  const program = [{ size: 6 * mib }, { size: mib }];
  const content = { ...toContent({ one: { a: 2 * mib }, two: { b: 2 * mib } }), program };
  const each = { bytes: 10 * mib };
  assert.equal(requireParts(partition(content, { each, most: 9 })).length, 2);
  assert.equal(requireParts(partition({ ...content, program: [] }, { each, most: 9 })).length, 1);
  const needed = 7 * mib + 1000 + recordBytes({ always: 1, blobs: 2, program: 2 });
  const small = { given: [each, { bytes: 7 * mib }] };
  assert.deepEqual(partition(content, small), {
    fault: 'program',
    place: 1,
    neededBytes: needed,
    limitBytes: 7 * mib,
  });
  const short = { given: [{ bytes: 20 * mib, maxFileBytes: 4 * mib }] };
  assert.deepEqual(partition(content, short), {
    fault: 'file',
    place: 0,
    size: 6 * mib,
    limitBytes: 4 * mib,
  });
});

test('media of several sizes are used in their order, and the last size repeats', () => {
  const content = toContent({
    large: { a: 8 * mib },
    middle: { b: 5 * mib },
    small: { c: 1 * mib },
    other: { d: 5 * mib },
    last: { e: 5 * mib },
  });
  const sizes = [9, 2, 6].map((size) => ({ bytes: size * mib }));
  const supply = { before: sizes.slice(0, 2), each: sizes[2]!, most: 99 };
  const parts = requireParts(partition(content, supply));
  requireSound(content, supply, parts);
  // the second medium has no room for a recipe of 5 MiB: it is opened for what fits there
  const [first, second, ...others] = toNames(parts, ['a', 'b', 'c', 'd', 'e']);
  assert.deepEqual([first, second, others.flat().sort()], [['a'], ['c'], ['b', 'd', 'e']]);
  assert.deepEqual(
    parts.map(({ place }) => place),
    [0, 1, 2, 3, 4],
  );
  assert.deepEqual(partition(content, supply), parts);
});

test('a medium that nothing fits on is left out, and the next ones keep their sizes', () => {
  const content = toContent({ large: { a: 4 * mib }, other: { b: 4 * mib } });
  const supply = { before: [{ bytes: 5 * mib }, { bytes: 2 * mib }], each: { bytes: 5 * mib }, most: 99 };
  const parts = requireParts(partition(content, supply));
  assert.deepEqual(
    parts.map(({ place }) => place),
    [0, 2],
  );
  const few = partition(content, { ...supply, most: 2 });
  assert.ok('fault' in few || few.every(({ place }) => place < 2));
});

test('random content on media of random sizes is whole, within the limits, and the same each time', () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    let state = seed;
    const below = (count: number): number => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return state % count;
    };
    const content = toContent(
      Object.fromEntries(
        Array.from({ length: 1 + below(6) }, (_, i) => [
          `recipe ${i}`,
          Object.fromEntries(
            Array.from({ length: 1 + below(5) }, (_, n) => [`${seed} ${i} ${n}`, 1 + below(9 * mib)]),
          ),
        ]),
      ),
    );
    const sizes = Array.from({ length: 1 + below(4) }, () => ({ bytes: (2 + below(12)) * mib }));
    const supply = { before: sizes.slice(0, -1), each: sizes.at(-1)!, most: 200 };
    const parts = requireParts(partition(content, supply));
    requireSound(content, supply, parts);
    assert.deepEqual(partition(content, supply), parts);
  }
});
