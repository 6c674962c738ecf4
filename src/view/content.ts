import { toWithheldError } from '../base/gate-refusal.ts';
import { Pacer } from '../base/pacer.ts';
import { selectPage } from '../base/page.ts';
import { hasWords } from '../base/words.ts';
import type { TagRecord } from '../catalog/model.ts';
import { toUnknownName } from '../catalog/unknown-name.ts';
import type {
  ContentList,
  Folder,
  FolderList,
  ListedRepository,
  ListedVersion,
  Repository,
  Tag,
} from '../contract/content.ts';
import type { QueryOf } from '../contract/operation.ts';
import { type getRepository, versionsAtOnce } from '../contract/operations/content.ts';
import { compareBy, orderOf } from '../contract/operations/sorting.ts';
import { isAttachmentTag, isRepositoryName, isTag } from '../oci/reference.ts';
import { type DeletePreview, previewDelete } from '../operation/delete-repository.ts';
import { isSigned, selectSignatures } from '../operation/select-signatures.ts';
import { svcError } from '../text/error.ts';
import { readParsed } from './kept-manifests.ts';
import { landedOf, timesOfTags } from './landed.ts';
import type { ViewParts } from './parts.ts';
import { requireOpen } from './require-open.ts';
import { type ContentQuery, selectRepositories, toPrefix } from './select-repositories.ts';
import {
  absentLayersOf,
  namePlatforms,
  platformsOf,
  provenanceOf,
  readVersionsAhead,
  recipesOf,
  toKind,
} from './versions.ts';

type Parts = Pick<ViewParts, 'store' | 'gate' | 'instance'>;

export type VersionQuery = QueryOf<typeof getRepository.query> & { readonly repository: string };

/** Minimum length of a search text that is compared with digests: a shorter one would match most of them. */
const shortestDigest = 7;

/** Describes a repository. One whose versions are all held is described by its name only. */
function describe({ store }: Parts, name: string): ListedRepository {
  const summary = store.index.summaryOf(name);
  if (summary === undefined || summary.held) return { name };
  const { kinds, versions, sizeBytes, owners } = summary;
  return { name, kind: toKind(kinds), tags: versions, sizeBytes, provenance: provenanceOf([{ owners }]) };
}

/** Lists the repositories of the store that match a query. */
export async function listContent(parts: Parts, query: ContentQuery): Promise<ContentList> {
  const closed = parts.gate.refusal() !== undefined;
  const found = await selectRepositories(parts, query);
  const { selected, pageOf } = selectPage(found, query);
  if (closed) return { repositories: selected.map((name) => ({ name })), ...pageOf };
  const landed = await landedOf(parts, selected);
  return {
    repositories: selected.map((name) => ({ ...describe(parts, name), landedAt: landed.get(name)?.last })),
    ...pageOf,
  };
}

/** Describes the repository with this name; undefined where there is none, or none that may be shown. */
export async function findRepository(parts: Parts, name: string): Promise<ListedRepository | undefined> {
  const { store, gate } = parts;
  if (gate.refusal() !== undefined || !isRepositoryName(name)) return undefined;
  if (!store.index.hasRepository(name) || !gate.allowsRepository(name)) return undefined;
  const landed = await landedOf(parts, [name]);
  return { ...describe(parts, name), landedAt: landed.get(name)?.last };
}

/**
 * Groups the repositories that match a query by the path segment that follows its prefix. A repository with no other
 * below it is in no folder.
 */
export async function listFolders(
  parts: Pick<ViewParts, 'store' | 'gate'>,
  query: Omit<ContentQuery, 'sort' | 'order'>,
): Promise<FolderList> {
  const prefix = toPrefix(query);
  const start = prefix === '' ? 0 : prefix.length + 1;
  const counts = new Map<string, { repositories: number; isFolder: boolean }>();
  for (const name of await selectRepositories(parts, query)) {
    if (name.length < start) continue;
    const slash = name.indexOf('/', start);
    const folder = slash < 0 ? name : name.slice(0, slash);
    const count = counts.get(folder) ?? { repositories: 0, isFolder: false };
    counts.set(folder, { repositories: count.repositories + 1, isFolder: count.isFolder || slash >= 0 });
  }
  const folders = [...counts]
    .filter(([, { isFolder }]) => isFolder)
    .map(([folder, { repositories }]): Folder => ({ prefix: folder, repositories }))
    .sort((a, b) => (a.prefix < b.prefix ? -1 : 1));
  const { selected, pageOf } = selectPage(folders, query);
  return { folders: selected, ...pageOf };
}

/**
 * Requires that a repository is in the store and may be shown.
 *
 * @throws SVC-REG-005; SVC-MED-030 or SVC-MED-032 while the gate is closed, SVC-MED-032 when no recipe that passed reaches it
 */
export function requireRepository(parts: Pick<ViewParts, 'store' | 'gate'>, name: string): string {
  requireOpen(parts);
  const { store, gate } = parts;
  const { index, mediaId } = store;
  const isShown = (each: string) => gate.allowsRepository(each);
  if (!isRepositoryName(name) || !index.hasRepository(name))
    throw toUnknownName(name, index.repositories().filter(isShown));
  if (!isShown(name)) throw toWithheldError(gate, mediaId, { repository: name });
  return name;
}

/**
 * Shows a repository with one page of its versions, by tag. Reads the manifests of that page only.
 *
 * @throws the errors of {@link requireRepository}; SVC-STO-001 when a manifest cannot be read
 */
export async function showRepository(parts: Parts, query: VersionQuery): Promise<Repository> {
  const { store, gate, instance } = parts;
  const name = requireRepository(parts, query.repository);
  const { index } = store;
  const all = index.tagNames(name).filter((tag) => !isAttachmentTag(tag) && gate.allowsTag(name, tag));
  const text = (query.q ?? '').trim().toLowerCase();
  const isNamed = hasWords(text);
  const isWanted = (tag: string): boolean =>
    isNamed(tag) || (text.length >= shortestDigest && index.tag(name, tag)?.digest.includes(text) === true);
  const wanted = text === '' ? all : all.filter(isWanted);
  const { sort = 'name', order } = query;
  const direction = orderOf(sort, order);
  const found =
    sort === 'arrival'
      ? wanted
          .map((tag) => ({ tag, at: index.sinceOf(name, tag) }))
          .sort((a, b) => compareBy(a.at, b.at, direction))
          .map(({ tag }) => tag)
      : direction === 'desc'
        ? wanted.toReversed()
        : wanted;
  const page = selectPage(found, { page: query.page, pageSize: query.pageSize ?? versionsAtOnce });
  const selected = page.selected.flatMap((tag) => index.tag(name, tag) ?? []);
  // of a guarded store, its other records are not verified
  const owned = gate.guarded
    ? all.flatMap((tag) => index.tag(name, tag) ?? [])
    : [{ owners: index.summaryOf(name)?.owners ?? [] }];
  await readVersionsAhead(
    store,
    selected.flatMap(({ held, digest }) => (held ? [] : [digest])),
  );
  const arrivals = (await landedOf(parts, [name])).get(name);
  const landed = arrivals && timesOfTags(arrivals);
  const pacer = new Pacer();
  const shown: ListedVersion[] = [];
  // one after the other: each may be long work, whose slices would add up in a turn of the event loop
  for (const record of selected) {
    if (pacer.isDue()) await pacer.rest();
    const { tag, digest, held } = record;
    const provenance = provenanceOf([record]);
    if (held) {
      shown.push({ tag, digest, provenance, held });
      continue;
    }
    const manifest = await readParsed(store, digest);
    const platforms = manifest === undefined ? [] : await platformsOf(parts, name, digest, manifest, pacer);
    shown.push({
      tag,
      digest,
      sizeBytes: store.index.sizeBelow(digest),
      ...(await namePlatforms(platforms, pacer)),
      provenance,
      recipes: recipesOf([record]),
      signed: await isSigned(store, name, digest, instance.context.policy.roots),
      landedAt: landed?.get(tag),
    });
  }
  return {
    name,
    kind: toKind(store.index.kindsOf(name)),
    provenance: provenanceOf(owned),
    recipes: recipesOf(owned),
    tags: shown,
    ...page.pageOf,
  };
}

/**
 * Shows the tags that a deletion of the imported content of a repository would remove and keep.
 *
 * @throws the errors of {@link requireRepository}; SVC-POL-002 or SVC-POL-003 when no content is imported, SVC-MED-030
 *   or SVC-STO-002 when the store cannot be changed
 */
export async function showDeletePreview(
  parts: Pick<ViewParts, 'store' | 'gate'>,
  repository: string,
): Promise<DeletePreview> {
  return previewDelete(parts.store, requireRepository(parts, repository));
}

/** Address of a version. */
interface VersionPlace {
  readonly repository: string;
  readonly tag: string;
}

const toUnknownVersion = ({ index }: Pick<ViewParts['store'], 'index'>, { repository, tag }: VersionPlace) =>
  toUnknownName(
    `${repository}:${tag.slice(0, 128)}`,
    index.tags(repository).map((one) => `${repository}:${one.tag}`),
  );

/**
 * Requires that a version is in the store and may be shown.
 *
 * @throws the errors of {@link requireRepository}; SVC-REG-005 without such a tag; SVC-MED-030 or SVC-MED-032 when no
 *   verified recipe reaches it
 */
export function requireVersion(
  parts: Pick<ViewParts, 'store' | 'gate'>,
  { repository: name, tag }: VersionPlace,
): TagRecord {
  const { store, gate } = parts;
  const repository = requireRepository(parts, name);
  const record = isTag(tag) ? store.index.tag(repository, tag) : undefined;
  if (record === undefined) throw toUnknownVersion(store, { repository, tag });
  if (record.held) throw svcError('SVC-MED-030', { mediaId: store.mediaId });
  if (!gate.allowsTag(repository, tag)) throw toWithheldError(gate, store.mediaId, { repository, tag });
  return record;
}

/**
 * Shows one version of a repository.
 *
 * @throws the errors of {@link requireVersion}
 */
export async function showVersion(parts: Parts, place: VersionPlace): Promise<Tag> {
  const { store, instance } = parts;
  const record = requireVersion(parts, place);
  const { repository, tag } = record;
  const manifest = await readParsed(store, record.digest);
  if (manifest === undefined) throw toUnknownVersion(store, place);
  const pacer = new Pacer();
  const absentLayers = await absentLayersOf(store, manifest, pacer);
  return {
    repository,
    tag,
    digest: record.digest,
    mediaType: manifest.mediaType,
    artifactType: manifest.artifactType,
    kind: record.kind,
    sizeBytes: store.index.sizeBelow(record.digest),
    annotations: manifest.annotations,
    provenance: provenanceOf([record]),
    recipes: recipesOf([record]),
    signatures: await selectSignatures(store, repository, record.digest, instance.context.policy.roots),
    platforms: await platformsOf(parts, repository, record.digest, manifest, pacer),
    ...(absentLayers.length === 0 ? {} : { absentLayers }),
  };
}
