import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { Parser, type ReadEntry } from 'tar';
import { parseDocument } from 'yaml';
import { svcError } from '../base/error.ts';

/** What a packaged chart says of its dependencies. */
export interface ChartFacts {
  readonly name: string;
  readonly version: string;
  /** Names declared in `Chart.yaml`, or in `requirements.yaml` of older charts. */
  readonly dependencies: readonly string[];
  /** Names of charts under `charts/`. */
  readonly embedded: ReadonlySet<string>;
}

const limits = { chartBytes: 256 << 20, documentBytes: 1 << 20, entries: 100_000 } as const;

interface Documents {
  chart?: Buffer;
  requirements?: Buffer;
  readonly embedded: Set<string>;
}

function readYaml(bytes: Buffer, reference: string): Record<string, unknown> {
  const document = parseDocument(bytes.toString('utf8'), { schema: 'core', uniqueKeys: true });
  const value: unknown = document.errors.length > 0 ? undefined : document.toJS({ maxAliasCount: 100 });
  if (typeof value !== 'object' || value === null)
    throw svcError('SVC-SIG-003', {
      expected: 'a chart with a readable Chart.yaml',
      actual: 'not YAML',
      reference,
    });
  return value as Record<string, unknown>;
}

/** Packaged charts carry their version in the file name; which part of it is the name is known to their own file only. */
function toEmbeddedName(file: string): string {
  return file.replace(/\.tgz$/, '').replace(/-v?\d+(?:\.\d+)*(?:[-+].*)?$/, '');
}

function toNames(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown) =>
    typeof one === 'object' && one !== null && typeof (one as { name?: unknown }).name === 'string'
      ? [(one as { name: string }).name]
      : [],
  );
}

/**
 * Reads what a chart archive (`.tgz`) declares, without unpacking it.
 *
 * @param archive gzip-compressed tar, read to its end or destroyed
 * @param reference names the chart in errors
 * @throws SVC-SIG-003 when it is not a chart, or larger than 256 MiB unpacked
 */
export async function readChart(archive: Readable, reference: string): Promise<ChartFacts> {
  const found: Documents = { embedded: new Set() };
  const refuse = (actual: string) =>
    svcError('SVC-SIG-003', { expected: 'a Helm chart archive', actual, reference });
  let size = 0;
  let entries = 0;
  let failure: Error | undefined;
  const take = (entry: ReadEntry, keep: (bytes: Buffer) => void) => {
    if (entry.size > limits.documentBytes) {
      failure ??= refuse(`${entry.path} of ${entry.size} bytes`);
      entry.resume();
      return;
    }
    const chunks: Buffer[] = [];
    entry.on('data', (chunk: Buffer) => chunks.push(chunk));
    entry.on('end', () => keep(Buffer.concat(chunks)));
  };
  const parser = new Parser({
    strict: false,
    onReadEntry: (entry) => {
      entries += 1;
      if (entries > limits.entries) failure ??= refuse(`more than ${limits.entries} entries`);
      const [, second, third, ...rest] = entry.path.split('/');
      if (second === 'charts' && third) {
        if (rest.length === 0 && third.endsWith('.tgz')) found.embedded.add(toEmbeddedName(third));
        else if (rest.length === 1 && rest[0] === 'Chart.yaml') found.embedded.add(third);
        entry.resume();
      } else if (second === 'Chart.yaml' && third === undefined) {
        take(entry, (bytes) => {
          found.chart ??= bytes;
        });
      } else if (second === 'requirements.yaml' && third === undefined) {
        take(entry, (bytes) => {
          found.requirements ??= bytes;
        });
      } else entry.resume();
    },
  });
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > limits.chartBytes) failure ??= refuse(`more than ${limits.chartBytes} bytes unpacked`);
      if (failure) return done(failure);
      if (parser.write(chunk)) done();
      else parser.once('drain', done);
    },
    final(done) {
      parser.end();
      done();
    },
  });
  try {
    await pipeline(archive, createGunzip(), sink);
  } catch (error) {
    if (failure) throw failure;
    throw svcError(
      'SVC-SIG-003',
      { expected: 'a Helm chart archive', actual: 'not a gzip-compressed tar', reference },
      { cause: error },
    );
  }
  if (failure) throw failure;
  if (!found.chart) throw refuse('no Chart.yaml');
  const chart = readYaml(found.chart, reference);
  const requirements = found.requirements ? readYaml(found.requirements, reference) : {};
  const { name, version } = chart;
  if (typeof name !== 'string' || (typeof version !== 'string' && typeof version !== 'number'))
    throw refuse('a Chart.yaml without name and version');
  return {
    name,
    version: String(version),
    dependencies: [...new Set([...toNames(chart.dependencies), ...toNames(requirements.dependencies)])],
    embedded: found.embedded,
  };
}
