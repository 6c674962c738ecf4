import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { Parser, type ReadEntry } from 'tar';
import { isSvcError, svcError } from '../base/error.ts';
import { isBareScalar, isYamlMap, readYaml, type YamlMap, type YamlValue } from '../recipe/read-yaml.ts';
import { parseVersionTag } from '../recipe/version.ts';

export const chartLimits = {
  /** Bytes of a chart once unpacked. */
  unpackedBytes: 268_435_456,
  /** Bytes of one `Chart.yaml` or `requirements.yaml`. */
  documentBytes: 1_048_576,
  /** Bytes of all of them together. */
  totalDocumentBytes: 16_777_216,
  /** Embedded charts. */
  charts: 10_000,
} as const;

export interface ChartDependency {
  readonly name: string;
  readonly version?: string;
  readonly repository?: string;
  /** Whether the chart carries it in `charts/`, as a folder or as an archive. */
  readonly embedded: boolean;
}

export interface ChartDependencies {
  /** Name of the folder that its files lie in. */
  readonly folder: string;
  /** `Chart.yaml` as it was written. */
  readonly metadata: YamlMap;
  /** Dependencies as `requirements.yaml` of an older chart writes them. */
  readonly requirements: readonly YamlValue[];
  readonly name?: string;
  readonly version?: string;
  /** Declared in `Chart.yaml` or, by older charts, in `requirements.yaml`; each name once. */
  readonly dependencies: readonly ChartDependency[];
}

/**
 * Reads which dependencies a packed chart declares and which it carries, in one pass and without writing anything.
 * Whether one that is not embedded is an error is the caller's to say.
 *
 * @param archive the chart layer (gzipped tar); read to its end or destroyed
 * @param chart names the chart in errors
 * @throws SVC-SIG-003 when it is no readable chart, SVC-VAL-002 when it unpacks to more than 256 MiB
 */
export async function readChartDependencies(archive: Readable, chart: string): Promise<ChartDependencies> {
  const documents = new Map<string, Buffer>();
  let folder = '';
  const archives: string[] = [];
  let failure: unknown;
  let kept = 0;
  const unreadable = (actual: string, cause?: unknown) =>
    svcError(
      'SVC-SIG-003',
      { expected: 'a Helm chart archive', actual, reference: chart },
      cause === undefined ? {} : { cause },
    );
  const keep = (entry: ReadEntry, place: string) => {
    kept += entry.size;
    const limit =
      entry.size > chartLimits.documentBytes ? chartLimits.documentBytes : chartLimits.totalDocumentBytes;
    if (entry.size > limit || kept > chartLimits.totalDocumentBytes || documents.size >= chartLimits.charts) {
      failure ??= svcError('SVC-VAL-002', { limit, file: `${chart} ${place}`.slice(0, 300) });
      return entry.resume();
    }
    const chunks: Buffer[] = [];
    entry.on('data', (chunk) => chunks.push(Buffer.from(chunk)));
    // as helm reads it, the last entry of a name counts
    entry.on('end', () => documents.set(place, Buffer.concat(chunks)));
  };
  const parser = new Parser({
    strict: true,
    onReadEntry: (entry) => {
      const place = toPlace(entry);
      if (place === undefined) return entry.resume();
      if (place === 'Chart.yaml') folder = toSegments(entry)[0]!;
      if (!place.endsWith('.tgz')) return keep(entry, place);
      if (archives.length < chartLimits.charts) archives.push(place);
      return entry.resume();
    },
  });
  parser.on('error', (error: unknown) => {
    failure ??= unreadable('a damaged archive', error);
  });
  try {
    await pipeline(archive, createGunzip(), async (unpacked: AsyncIterable<Buffer>) => {
      let seen = 0;
      for await (const chunk of unpacked) {
        seen += chunk.length;
        if (seen > chartLimits.unpackedBytes)
          throw svcError('SVC-VAL-002', { limit: chartLimits.unpackedBytes, file: chart });
        parser.write(chunk);
        if (failure !== undefined) throw failure;
      }
    });
  } catch (error) {
    if (isSvcError(error)) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw code?.startsWith('Z_') || code === 'ERR_BUFFER_TOO_LARGE'
      ? unreadable('a damaged archive', error)
      : error;
  }
  parser.end();
  if (failure !== undefined) throw failure;

  const read = (place: string): YamlMap | undefined => {
    const bytes = documents.get(place);
    if (!bytes) return undefined;
    try {
      const value = readYaml(bytes, place, { duplicateKeys: 'last' });
      if (isYamlMap(value)) return value;
    } catch (error) {
      throw unreadable(`its ${place} cannot be read`, error);
    }
    throw unreadable(`its ${place} is not a map`);
  };
  const own = read('Chart.yaml');
  if (!own) throw unreadable('no Chart.yaml');
  const folders = [...documents.keys()]
    .filter((place) => place.startsWith('charts/'))
    .map((place) => toText(read(place)?.get('name')));
  const isEmbedded = (name: string): boolean =>
    folders.includes(name) || archives.some((place) => isArchiveOf(name, place));

  const declared = new Map<string, ChartDependency>();
  const requirements = toList(read('requirements.yaml')?.get('dependencies'));
  for (const items of [toList(own.get('dependencies')), requirements]) {
    for (const item of items) {
      const name = isYamlMap(item) ? toText(item.get('name')) : undefined;
      if (!isYamlMap(item) || name === undefined) throw unreadable('a dependency without a name');
      if (declared.has(name)) continue;
      const version = toText(item.get('version'));
      const repository = toText(item.get('repository'));
      declared.set(name, {
        name,
        ...(version === undefined ? {} : { version }),
        ...(repository === undefined ? {} : { repository }),
        embedded: isEmbedded(name),
      });
    }
  }
  const name = toText(own.get('name'));
  const version = toText(own.get('version'));
  return {
    folder,
    metadata: own,
    requirements,
    ...(name === undefined ? {} : { name }),
    ...(version === undefined ? {} : { version }),
    dependencies: [...declared.values()],
  };
}

function toSegments({ path }: ReadEntry): string[] {
  return path.replace(/^(?:\.\/)+/, '').split('/');
}

/** What an entry is to a chart, its path below the chart's folder; undefined for everything that says nothing here. */
function toPlace(entry: ReadEntry): string | undefined {
  if (!['File', 'OldFile', 'ContiguousFile'].includes(entry.type)) return undefined;
  const [, ...parts] = toSegments(entry);
  const place = parts.join('/');
  if (place === 'Chart.yaml' || place === 'requirements.yaml') return place;
  if (parts[0] !== 'charts' || parts[1] === undefined || /^[._]/.test(parts[1])) return undefined;
  if (parts.length === 2) return place.endsWith('.tgz') ? place : undefined;
  return parts.length === 3 && parts[2] === 'Chart.yaml' ? place : undefined;
}

/** `charts/<name>-<version>.tgz`, as helm writes it. */
function isArchiveOf(name: string, place: string): boolean {
  const file = place.slice('charts/'.length, -'.tgz'.length);
  return file.startsWith(`${name}-`) && parseVersionTag(file.slice(name.length + 1)) !== undefined;
}

function toList(value: YamlValue | undefined): readonly YamlValue[] {
  return Array.isArray(value) ? (value as readonly YamlValue[]) : [];
}

/** A scalar as it was written. */
export function toText(value: YamlValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  return isBareScalar(value) && value.bare !== null ? value.source : undefined;
}
