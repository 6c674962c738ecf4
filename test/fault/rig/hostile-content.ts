import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { Once } from '../../../src/base/once.ts';
import { silentReport } from '../../../src/base/report.ts';
import { readChartArchive } from '../../../src/chart/read-archive.ts';
import { readChartIndex, selectDependency } from '../../../src/chart/repository-index.ts';
import { selectTag } from '../../../src/engine/sync/resolve-recipe.ts';
import { parseManifest } from '../../../src/oci/manifest.ts';
import { mediaTypes } from '../../../src/oci/media-types.ts';
import { findDocumentLine, readRecipeDocument } from '../../../src/recipe/read-document.ts';
import { parseCredentials } from '../../../src/remote/registry/credentials.ts';
import { toBlob } from '../../kit/content/content.ts';
import { openTempShelf, toLayer } from '../../kit/content/fileset-image.ts';
import { type RawMember, toArchive, toLongName, toRawArchive } from '../../kit/content/tar-archive.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { openTempLedger } from '../../kit/instance/temp-ledger.ts';
import { type CostLimits, type HostileContent, requireCost } from './hostile-cost.ts';
import { requestMakes } from './hostile-requests.ts';
import type { Draw } from './run-histories.ts';

const texts: Readonly<Record<string, (bytes: number) => string>> = {
  nesting: (n) => '['.repeat(n),
  commas: (n) => `[${'a,'.repeat(n / 2)}]`,
  questions: (n) => `[${'?,'.repeat(n / 2)}]`,
  aliases: (n) => `a: &a [1]\nb: [${'*a,'.repeat(n / 3)}]`,
  anchors: (n) => '- &a 1\n'.repeat(n / 7),
  'a long key': (n) => `? ${'a'.repeat(n)}\n: b`,
  keys: (n) => Array.from({ length: n / 10 }, (_, i) => `k${i}: 1`).join('\n'),
  'repeated keys': (n) => 'a: 1\n'.repeat(n / 5),
  comments: (n) => `${'#\n'.repeat(n / 2)}a: b`,
  lines: (n) => '\n'.repeat(n),
  'a folded quote': (n) => `a: "x\n${'  c\n'.repeat(n / 4)}"`,
  blanks: (n) => `a:${' '.repeat(n)}b`,
  sequences: (n) => '- '.repeat(n / 2),
};

/** Bodies of an `index.yaml` below its `entries`. */
const sections: Readonly<Record<string, (bytes: number) => string>> = {
  versions: (n) =>
    `  c:\n${Array.from({ length: n / 50 }, (_, i) => `  - version: 1.0.${i}\n    urls: [c-${i}.tgz]\n`).join('')}`,
  'a large version': (n) => `  c:\n  - ${'a: b\n    '.repeat(n / 9)}`,
  charts: (n) => Array.from({ length: n / 9 }, (_, i) => `  c${i}:\n`).join(''),
  'a long line': (n) => `  c: ${'x'.repeat(n)}`,
};

/** Members of an archive, of about as many bytes. */
const archives: Readonly<Record<string, (headers: number) => (RawMember | Buffer)[]>> = {
  files: (n) => Array.from({ length: n }, (_, i) => ({ path: `c/${i}` })),
  'repeated files': (n) => Array.from({ length: n }, () => ({ path: 'c/file' })),
  'deep files': (n) =>
    Array.from({ length: n }, (_, i) => ({ path: `${i}/${'d/'.repeat(45)}f`.slice(0, 100) })),
  whiteouts: (n) =>
    Array.from({ length: n }, (_, i) =>
      i < n / 2 ? { path: `a/${i}` } : { path: i % 3 ? '.wh.a' : 'a/.wh..wh..opq' },
    ),
  'nested whiteouts': (n) =>
    Array.from({ length: n }, (_, i) => ({
      path: i < n / 2 ? `${'a/'.repeat(40)}${i}` : `${'a/'.repeat(i % 40)}.wh.a`,
    })),
  'files over folders': (n) =>
    Array.from({ length: n }, (_, i) => ({ path: ['a/b/c', 'a/b', 'a', 'a/x'][i % 4]! })).map((one, i) =>
      i % 4 === 3 ? { path: 'a/', flag: '5' } : one,
    ),
  'links through folders': (n) => [
    { path: 'x/', flag: '5' },
    ...Array.from({ length: n / 10 }, (_, i) => [
      toLongName(`${'x/../'.repeat(815)}hop${i + 1}`, 'K'),
      { path: `hop${i}`, flag: '2' },
    ]).flat(),
  ],
  'chains of links': (n) =>
    Array.from({ length: n }, (_, i) => ({ path: `h${i}`, flag: '2', target: `h${i + 1}` })),
  'links in folders': (n) =>
    Array.from({ length: n }, (_, i) =>
      i === 0 ? { path: 'self', flag: '2', target: '.' } : { path: `${'self/'.repeat(1 + (i % 15))}f${i}` },
    ),
  'hard links': (n) =>
    Array.from({ length: n }, (_, i) =>
      i === 0 ? { path: 'f' } : { path: `l${i}`, flag: '1', target: 'f' },
    ),
  'embedded charts': (n) =>
    Array.from({ length: n / 3 }, (_, i) => ({ path: `c/charts/${i}/Chart.yaml`, content: 'a: b' })),
};

const packs = {
  gzip: (bytes: Buffer) => gzipSync(bytes),
  zstd: (bytes: Buffer) => zstdCompressSync(bytes),
} as const;

/** Half of the measured value is left as room; the machine may be slower, and other work disturbs its caches. */
const loop = 10_000;
/** Of a document, which a thread reads: 1 000 000 tokens take about three seconds. */
const document: CostLimits = { held: loop, base: 400_000, perByte: 25 };
/** Of an unpacked archive: a header of 512 bytes with a path of 64 names. */
const unpacked: CostLimits = { held: loop, base: 400_000, perByte: 1 };

type Make = (draw: Draw, bytes: number) => HostileContent;

const makes: Readonly<Record<string, Make>> = {
  yaml: (draw, bytes) => {
    const kind = draw.pick(Object.keys(texts));
    const content = Buffer.from(texts[kind]!(bytes));
    const findsLine = draw.chance(0.3);
    return {
      name: `yaml of ${kind}, ${content.length} bytes`,
      run: () =>
        requireCost(content.length, document, async () =>
          findsLine
            ? findDocumentLine(content.toString(), 'spec.ingredients[3].version')
            : readRecipeDocument(content, 'recipe.yaml'),
        ),
    };
  },
  index: (draw, bytes) => {
    const kind = draw.pick(Object.keys(sections));
    const content = Buffer.from(`apiVersion: v1\nentries:\n${sections[kind]!(bytes)}`);
    return {
      name: `chart-index of ${kind}, ${content.length} bytes`,
      run: () => requireCost(content.length, document, () => readChartIndex(content, 'c', 'index.yaml')),
    };
  },
  chart: (draw, bytes) => {
    const kind = draw.pick(Object.keys(archives));
    const archive = toRawArchive(archives[kind]!(Math.ceil(bytes / 512)));
    const packed = gzipSync(archive);
    return {
      name: `chart of ${kind}, ${archive.length} bytes`,
      run: () =>
        requireCost(archive.length, unpacked, () => readChartArchive(Readable.from([packed]), 'chart')),
    };
  },
  layer: (draw, bytes) => {
    const archive = () => {
      const kind = draw.pick(Object.keys(archives));
      return { kind, bytes: toRawArchive(archives[kind]!(Math.ceil(bytes / 1024))) };
    };
    const [low, high] = [archive(), archive()];
    const packing = draw.pick(['none', 'gzip', 'zstd'] as const);
    const layers = [low, high].map((one) => toLayer(one.bytes, packing));
    const paths = ['hop0', 'h0', `${'self/'.repeat(60)}f1`, `${'a/'.repeat(63)}x`, 'c/1'];
    const size = low.bytes.length + high.bytes.length;
    return {
      name: `layers of ${low.kind} and ${high.kind} by ${packing}, ${size} bytes`,
      run: () =>
        requireCost(size, unpacked, async () => {
          await using shelf = await openTempShelf();
          using tree = await shelf.open(layers);
          const before = process.threadCpuUsage();
          for (const path of paths) tree.find(path);
          const { user, system } = process.threadCpuUsage(before);
          if (user + system > loop) throw new Error(`${paths.length} look-ups took ${user + system} µs`);
        }),
    };
  },
  frames: (draw, bytes) => {
    const packing = draw.pick(['gzip', 'zstd'] as const);
    const frame = packs[packing](Buffer.alloc(draw.pick([0, 1, 600])));
    const archive = packs[packing](toArchive({ file: 'end' }));
    const content = Buffer.concat([...Array.from({ length: bytes / frame.length }, () => frame), archive]);
    const layer = toBlob(content, `${mediaTypes.ociLayer}+${packing}`);
    return {
      name: `frames of ${packing}, ${content.length} bytes`,
      run: () =>
        requireCost(content.length, { held: loop, base: 1_000_000, perByte: 20 }, async () => {
          await using shelf = await openTempShelf();
          using _ = await shelf.open([layer]);
        }),
    };
  },
  manifest: (draw, bytes) => {
    const children = Array.from({ length: Math.min(bytes, 200_000) / 130 }, (_, i) => ({
      mediaType: mediaTypes.ociManifest,
      digest: `sha256:${i.toString(16).padStart(64, '0')}`,
      size: i,
    }));
    const index = { schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests: children };
    const content = Buffer.from(JSON.stringify(index, null, draw.below(2)));
    return {
      name: `manifest of ${children.length} children, ${content.length} bytes`,
      run: () =>
        requireCost(content.length, { held: loop, base: 50_000, perByte: 1 }, async () =>
          parseManifest(content, mediaTypes.ociIndex),
        ),
    };
  },
  tags: (draw, bytes) => {
    const text = draw.pick(['1.0.', 'v', 'latest-', '0.0.0-rc.']);
    const names = Array.from({ length: Math.min(bytes / 10, 100_000) }, (_, i) => `${text}${i}`);
    const version = draw.pick(['^1', '^9', '<0.1', '*']);
    const charts = names.map((name) => ({ version: name }));
    const reads = [
      () => selectTag({ version }, { listTags: async () => names }, 'a/b', new Once(), {}),
      () => selectDependency(charts, version, 'c'),
    ];
    const read = draw.pick(reads);
    return {
      name: `tags ${text}… for ${version}, ${names.length} names`,
      run: () => requireCost(10 * names.length, { held: loop, base: 100_000, perByte: 1 }, read),
    };
  },
  credentials: (draw, bytes) => {
    const size = Math.min(bytes, 1_000_000);
    const hosts = Array.from({ length: size / 40 }, (_, i) => [`h${i}.example`, { auth: 'YTpi' }]);
    const text = draw.chance(0.5) ? JSON.stringify({ auths: Object.fromEntries(hosts) }) : '['.repeat(size);
    return {
      name: `credentials of ${text.length} bytes`,
      run: () =>
        requireCost(text.length, { held: 4 * loop, base: 50_000, perByte: 1 }, async () =>
          parseCredentials(Buffer.from(text), 'config.json', silentReport),
        ),
    };
  },
  ledger: (draw, bytes) => {
    const isHollow = draw.chance(0.5);
    const head = draw.pick(['', '{"batch":2}\n', '{"commit":1,"generation":2,'.repeat(bytes / 27)]);
    return {
      name: `ledger ${isHollow ? 'with a hole' : 'of junk'}, ${head.length} bytes`,
      run: async () => {
        await using folder = await openTempFolder();
        const made = await openTempLedger(folder.path);
        await made.ledger.append([{ op: 'kept' }]);
        await made.ledger.close();
        for (let generation = 2; generation < 9; generation += 1) {
          const path = join(folder.path, 'ledger', `content-${String(generation).padStart(8, '0')}.jsonl`);
          await writeFile(path, head);
          await using file = await open(path, 'r+');
          if (isHollow) await file.truncate(2 ** 32);
        }
        await requireCost(7 * head.length, { held: loop, base: 200_000, perByte: 0.1 }, async () => {
          const { ledger } = await openTempLedger(folder.path, { writable: false });
          await ledger.close();
        });
      },
    };
  },
  ...requestMakes,
};

/** Draws content of 1 KB to 2 MB, mostly of some KB. */
export function drawHostileContent(draw: Draw): HostileContent {
  const bytes = Math.floor(1000 * 2000 ** ((draw.below(1000) / 1000) ** 2));
  return makes[draw.pick(Object.keys(makes))]!(draw, bytes);
}
