import type { Digest } from '../../src/base/digest.ts';
import type { Provenance } from '../../src/contract/common.ts';
import type { FilesetList, View } from '../../src/contract/fileset.ts';
import type { QueryOf } from '../../src/contract/operation.ts';
import type { listFilesets as operation } from '../../src/contract/operations/filesets.ts';
import { sortRows } from '../../src/contract/operations/sorting.ts';
import type { ViewSetting } from '../../src/engine/fileset/chart-views.ts';
import {
  type FilesetSetting,
  listVersions,
  type SelectedFileset,
} from '../../src/engine/fileset/select-fileset.ts';
import { toFilesetPlace } from '../../src/operation/pack-fileset.ts';
import { isSigned } from '../../src/operation/select-signatures.ts';
import { type ErrorRecord, isSvcError, toErrorRecord } from '../../src/text/error.ts';
import { provenanceOf } from '../../src/view/versions.ts';
import type { ViewParts } from './parts.ts';

type Parts = Pick<ViewParts, 'store' | 'gate' | 'instance'>;

/** A repository that holds a FileSet. */
interface FilesetContent {
  readonly reference: string;
  readonly repository: string;
  readonly versions: readonly string[];
  /** The version that is served. */
  readonly version?: string;
  readonly digest?: Digest;
  readonly provenance: readonly Provenance[];
  readonly signed: boolean;
}

export interface ListedFileset extends FilesetContent {
  readonly name: string;
  readonly served: boolean;
  readonly anonymous: boolean;
  readonly url?: string;
  /** Why a configured FileSet is not served. */
  readonly error?: ErrorRecord;
}

/** Describes a repository that holds a FileSet, configured or not. */
async function describe(
  { store, gate, instance }: Parts,
  reference: string,
  repository: string,
  selected?: SelectedFileset,
): Promise<FilesetContent> {
  const versions = listVersions(store, gate, repository);
  const shown = selected === undefined ? versions : versions.filter(({ tag }) => tag === selected.tag);
  const { roots } = instance.context.policy;
  const signed = await Promise.all(shown.map(({ digest }) => isSigned(store, repository, digest, roots)));
  return {
    reference,
    repository,
    versions: versions.map(({ tag }) => tag),
    version: selected?.tag,
    digest: selected?.digest,
    provenance: provenanceOf(shown),
    signed: signed.length > 0 && signed.every(Boolean),
  };
}

/** The description while the gate is closed. */
function toUnseen(reference: string, repository: string): FilesetContent {
  return { reference, repository, versions: [], provenance: [], signed: false };
}

async function describeServed(parts: Parts, setting: FilesetSetting): Promise<ListedFileset> {
  const { name, ref: reference, anonymous } = setting;
  const { filesets } = parts.instance;
  const repository = filesets.repositoryOf(setting);
  const shared = { anonymous, url: `/files/${name}/` };
  if (parts.gate.refusal() !== undefined)
    return { name, ...toUnseen(reference, repository), served: false, ...shared };
  let selected: SelectedFileset | undefined;
  try {
    selected = filesets.select(setting);
    await filesets.requireServable(setting);
    return { name, ...(await describe(parts, reference, repository, selected)), served: true, ...shared };
  } catch (error) {
    const content = await describe(parts, reference, repository, selected);
    return { name, ...content, served: false, ...shared, error: toErrorRecord(error) };
  }
}

/** Describes the configured FileSets with the words in their name or reference. @param most that are described */
export async function findFilesets(
  parts: Parts,
  has: (text: string) => boolean,
  most: number,
): Promise<{ readonly total: number; readonly selected: readonly ListedFileset[] }> {
  const { settings } = parts.instance.filesets;
  const found = [...settings.values()].filter(({ name, ref }) => has(`${name} ${ref}`));
  const selected = await Promise.all(found.slice(0, most).map((setting) => describeServed(parts, setting)));
  return { total: found.length, selected };
}

const nameOf = (repository: string): string => repository.slice(repository.lastIndexOf('/') + 1);

/** Describes a FileSet of the store that no configuration names. */
export async function describeUnserved(parts: Parts, repository: string): Promise<ListedFileset> {
  const reference = parts.instance.filesets.nominalOf(repository);
  const name = nameOf(repository);
  const isOpen = parts.gate.refusal() === undefined;
  const content = isOpen ? await describe(parts, reference, repository) : toUnseen(reference, repository);
  return { name, ...content, served: false, anonymous: false };
}

const mostLeftOut = 1000;

async function describeView({ instance }: Parts, setting: ViewSetting): Promise<View> {
  const shared = { ...setting, url: `/files/${setting.name}/` };
  try {
    const { charts, leftOut } = await instance.views.index(setting);
    return { ...shared, charts, leftOut: leftOut.slice(0, mostLeftOut), leftOutCount: leftOut.length };
  } catch (error) {
    return { ...shared, leftOut: [], leftOutCount: 0, error: toErrorRecord(error) };
  }
}

/** Lists the configured FileSets and views, in the order of the configuration. */
export async function listConfigured(parts: Parts): Promise<FilesetList> {
  const { filesets, views: charts, context } = parts.instance;
  const served = [...filesets.settings.values()].map((setting) => describeServed(parts, setting));
  const views = [...charts.settings.values()].map((setting) => describeView(parts, setting));
  return {
    filesets: await Promise.all(served),
    views: await Promise.all(views),
    packEnabled: context.config.files.packRoots.length > 0,
  };
}

/** Selects the repositories of the FileSets that no configuration names, by name unless told. */
export function selectUnserved(
  { store, gate, instance: { filesets } }: Parts,
  query: QueryOf<typeof operation.query>,
): readonly string[] {
  const configured = new Set(
    [...filesets.settings.values()].map((setting) => filesets.repositoryOf(setting)),
  );
  const closed = gate.refusal() !== undefined;
  const found = store.index
    .repositoriesOf('FileSet')
    .filter((name) => !configured.has(name) && (closed || gate.allowsRepository(name)));
  const versions = (name: string): number => (closed ? 0 : listVersions(store, gate, name).length);
  const counts = query.sort === 'versions' ? new Map(found.map((name) => [name, versions(name)])) : undefined;
  return sortRows(
    found,
    { repository: (name) => name, name: nameOf, versions: (name) => counts?.get(name) },
    query,
  );
}

/** Lists the FileSets of the store: the configured ones, then the others. */
export async function listFilesets(
  parts: Parts,
  query: QueryOf<typeof operation.query> = {},
): Promise<FilesetList> {
  const configured = await listConfigured(parts);
  const others = selectUnserved(parts, query).map((name) => describeUnserved(parts, name));
  return { ...configured, filesets: [...configured.filesets, ...(await Promise.all(others))] };
}

/** A FileSet that is served from a repository. */
export interface ServedFileset {
  readonly name: string;
  readonly anonymous: boolean;
  /** The version that is served; absent when none can be. */
  readonly version?: string;
}

/** Lists the configured FileSets that are served from a repository. */
export function servedFrom(
  { instance }: Pick<Parts, 'instance'>,
  repository: string,
): readonly ServedFileset[] {
  const { filesets } = instance;
  return [...filesets.settings.values()]
    .filter((setting) => filesets.repositoryOf(setting) === repository)
    .map((setting): ServedFileset => {
      const { name, anonymous } = setting;
      try {
        return { name, anonymous, version: filesets.select(setting).tag };
      } catch (error) {
        if (!isSvcError(error)) throw error;
        return { name, anonymous };
      }
    });
}

/** Where a version of a FileSet is stored. @throws SVC-FIL-001 for an unusable name or version */
export function placeFileset(
  { instance }: Pick<Parts, 'instance'>,
  fileset: { readonly name: string; readonly version: string },
): { readonly repository: string; readonly tag: string } {
  return toFilesetPlace(instance.context.config, fileset);
}
