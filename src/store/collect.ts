import { Pacer } from '../base/pacer.ts';
import type { Content, Repository } from '../catalog/content.ts';
import type { ContentChange } from '../catalog/content-records.ts';
import { IdSet } from '../catalog/id-set.ts';
import { toReadError } from '../disk/read-error.ts';
import { blobPath } from '../oci/layout.ts';
import { ManifestError, manifestLimits } from '../oci/manifest.ts';
import { parseManifestInTurns } from '../oci/parse-in-turns.ts';
import type { CollectionResult, Store } from './model.ts';
import { isNeeded, removeFiles } from './reclaim.ts';
import type { StoreCore } from './store-core.ts';

/**
 * Finds everything that a root reaches by walking the references, independently of the reference counts.
 * Roots are tags, pushed manifests, referrers of a reached manifest in the same repository, unexpired uploads
 * and mounts, and holds. Yields to the event loop between slices. Changes made during the walk are covered by
 * the reference counts, which are checked again before a file is removed.
 *
 * @throws SVC-STO-001 when a reached manifest without a record cannot be read
 */
export async function markReachable(core: StoreCore): Promise<IdSet> {
  const { graph, holds, isStanding } = core;
  const pacer = new Pacer();
  const marked = new IdSet();
  for (const side of [graph.repositories, graph.shadows]) {
    for (const repository of [...side.values()]) await markRepository(core, repository, marked, pacer);
  }
  for (const repository of graph.repositories.values())
    for (const [{ id }, { at }] of repository.uploads) if (isStanding(at)) marked.add(id);
  const todo = [...holds.current()];
  const walked = new IdSet();
  for (let id = todo.pop(); id !== undefined; id = todo.pop()) {
    if (walked.has(id)) continue;
    walked.add(id);
    marked.add(id);
    const facts = graph.contents.peek(id)?.facts;
    for (const blob of facts?.blobs ?? []) marked.add(blob);
    for (const child of facts?.manifests ?? []) todo.push(child.id);
    if (pacer.isDue()) await pacer.rest();
  }
  return marked;
}

async function markRepository(
  core: StoreCore,
  repository: Repository,
  marked: IdSet,
  pacer: Pacer,
): Promise<void> {
  const walked = new Set<Content>();
  const todo: Content[] = [];
  for (const tag of repository.tags.values()) todo.push(tag.content);
  for (const [content, { pushed }] of repository.manifests) if (pushed) todo.push(content);
  for (let content = todo.pop(); content !== undefined; content = todo.pop()) {
    if (walked.has(content)) continue;
    walked.add(content);
    marked.add(content.id);
    if (content.facts === undefined && content.present) await markUnknown(core, content, marked, todo);
    for (const blob of content.facts?.blobs ?? []) marked.add(blob);
    todo.push(...(content.facts?.manifests ?? []));
    for (const referrer of content.referrers)
      if (repository.manifests.get(referrer)?.put) todo.push(referrer);
    if (pacer.isDue()) await pacer.rest();
  }
}

/** Marks the references of a reached manifest without a record, by parsing its file. */
async function markUnknown(core: StoreCore, content: Content, marked: IdSet, todo: Content[]): Promise<void> {
  const bytes = await readSmall(core, content);
  try {
    if (bytes === undefined) return;
    const manifest = await parseManifestInTurns(bytes);
    const children = manifest.kind === 'index' ? manifest.manifests : [];
    for (const { digest } of children) {
      const child = core.graph.get(digest);
      if (child) todo.push(child);
    }
    const blobs = manifest.kind === 'image' ? [manifest.config, ...manifest.layers] : [];
    for (const { digest } of blobs) {
      const blob = core.graph.contents.find(digest);
      if (blob !== undefined) marked.add(blob);
    }
  } catch (error) {
    // Bytes that are not a manifest reference nothing.
    if (!(error instanceof ManifestError)) throw error;
  }
}

/**
 * @throws SVC-STO-001 when the manifest cannot be read: its references are unknown, so nothing may be removed
 */
async function readSmall(core: StoreCore, content: Content): Promise<Buffer | undefined> {
  const { file, size } = await core.files.open(content);
  try {
    return size > manifestLimits.bytes ? undefined : await file.readFile();
  } catch (error) {
    throw toReadError(error, blobPath(content.digest));
  } finally {
    await file.close();
  }
}

/**
 * Removes unreachable content. First go the records of expired uploads and of manifests that never got a root, then all
 * files outside the walk and the reference counts.
 *
 * @throws SVC-STO-001 with nothing deleted; SVC-STO-002
 */
export async function collectGarbage({ core }: Store): Promise<CollectionResult> {
  await core.requireWritable();
  if (!(await hasCandidates(core))) {
    core.report.meter.add('svc_gc_runs_total', 1);
    return { blobs: 0, bytes: 0 };
  }
  const marked = await markReachable(core);
  const removals = await findRemovals(core, marked);
  if (removals.length > 0) {
    await core.gate.exclusive(async () => {
      const changes = removals.filter((removal) => isRemovable(core, removal)).map(({ change }) => change);
      if (changes.length > 0) await core.keeper.change('content', () => core.record(changes));
    });
  }
  const garbage = await findGarbage(core, marked);
  const result =
    garbage.length === 0
      ? { blobs: 0, bytes: 0 }
      : await core.keeper.change('content', () =>
          removeFiles(core, garbage, (content) => isNeeded(core, content)),
        );
  core.report.meter.add('svc_gc_runs_total', 1);
  core.report.meter.add('svc_gc_reclaimed_bytes_total', result.bytes);
  return result;
}

/**
 * Whether the reference counts leave anything to remove. Counted content is never removed, so when everything
 * is counted the walk is skipped: in a large store it is expensive.
 */
async function hasCandidates(core: StoreCore): Promise<boolean> {
  const pacer = new Pacer();
  const { contents, repositories } = core.graph;
  for (const repository of [...repositories.values()]) {
    if (repository.hasUnreached) return true;
    for (const { at } of repository.uploads.values()) if (!core.isStanding(at)) return true;
    if (pacer.isDue()) await pacer.rest();
  }
  for (let id = 0; id < contents.end; id += 1) {
    if (contents.refs[id] === 0 && contents.uploads[id] === 0 && contents.isPresent(id)) return true;
    if (id % 4096 === 0 && pacer.isDue()) await pacer.rest();
  }
  return false;
}

/** A record to remove: a manifest of a repository that never got a root, or an expired upload. */
interface Removal {
  readonly repository: Repository;
  readonly content: Content;
  readonly change: ContentChange & { readonly op: 'drop' | 'unblob' };
}

function isRemovable(core: StoreCore, { repository, content, change }: Removal): boolean {
  if (change.op === 'unblob') {
    const upload = repository.uploads.get(content);
    return upload !== undefined && !core.isStanding(upload.at);
  }
  const membership = repository.manifests.get(content);
  return membership?.put === true && membership.refs === 0 && !core.holds.isHeld(content);
}

async function findRemovals(core: StoreCore, marked: IdSet): Promise<Removal[]> {
  const pacer = new Pacer();
  const removals: Removal[] = [];
  const add = (repository: Repository, content: Content, op: 'drop' | 'unblob'): void => {
    const removal: Removal = {
      repository,
      content,
      change: { op, repo: repository.name, digest: content.digest },
    };
    if (isRemovable(core, removal)) removals.push(removal);
  };
  for (const repository of [...core.graph.repositories.values()]) {
    for (const content of repository.manifests.keys())
      if (!marked.has(content.id)) add(repository, content, 'drop');
    for (const content of repository.uploads.keys()) add(repository, content, 'unblob');
    if (pacer.isDue()) await pacer.rest();
  }
  return removals;
}

/**
 * Lists files that neither the walk nor the reference counts reach. Also drops digests that nothing
 * references and that have no file from the catalog.
 */
async function findGarbage(core: StoreCore, marked: IdSet): Promise<Content[]> {
  const pacer = new Pacer();
  const garbage: Content[] = [];
  let kept = 0;
  const { contents } = core.graph;
  for (let id = 0; id < contents.end; id += 1) {
    if (pacer.isDue()) await pacer.rest();
    if (marked.has(id)) continue;
    const content = contents.at(id);
    if (isNeeded(core, content)) kept += 1;
    else if (content.present) garbage.push(content);
    else core.graph.forget(content);
  }
  // Expected for content added after the walk. In any other case the counts are wrong, and the content is
  // kept.
  if (kept > 0) core.report.log('debug', 'unreachable content was kept', { count: kept });
  return garbage;
}
