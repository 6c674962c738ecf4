import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Digest, digestAlgorithm, isDigest } from '../base/digest.ts';
import { openGuarded } from '../disk/guarded-open.ts';
import { hashFiles } from '../disk/hash-pool.ts';
import { blobPath, indexPath, layoutPath, layoutText } from '../oci/layout.ts';
import { ManifestError } from '../oci/manifest.ts';
import { markReachable } from './collect.ts';
import { readMediumManifest } from './media-manifest.ts';
import type { CheckStep } from './model.ts';
import { parseContent, toFacts } from './put-manifest.ts';
import { findRestFiles } from './rest-files.ts';
import type { StoreCore } from './store-core.ts';

type Problem = CheckStep['problems'][number];
type Part = (note: (path: string, problem: string) => void) => Promise<{ checked: number; bytes: number }>;

async function runStep(name: CheckStep['name'], part: Part): Promise<CheckStep> {
  const problems: Problem[] = [];
  const start = performance.now();
  const { checked, bytes } = await part((path, problem) => problems.push({ path, problem }));
  return { name, checked, bytes, milliseconds: Math.round(performance.now() - start), problems };
}

/** The size and digest of every blob file, known from the folders and from their bytes. */
type Found = Map<Digest, { readonly size: number; whole: boolean }>;

/**
 * Checks a whole store: its marker, ledgers and folders, every byte of every blob, every manifest against what the
 * index knows of it, the counted references against a walk, and the files of the rest. Changes nothing.
 */
export async function* checkStore(
  core: StoreCore,
  signal: AbortSignal | undefined,
): AsyncGenerator<CheckStep> {
  const found: Found = new Map();
  yield await runStep('format', (note) => checkFormat(core, note));
  signal?.throwIfAborted();
  yield await runStep('ledgers', (note) => checkLedgers(core, note));
  signal?.throwIfAborted();
  yield await runStep('folders', (note) => checkFolders(core, found, note));
  signal?.throwIfAborted();
  yield await runStep('blobs', (note) => checkBlobs(core, found, signal, note));
  signal?.throwIfAborted();
  yield await runStep('manifests', (note) => checkManifests(core, found, note));
  signal?.throwIfAborted();
  yield await runStep('reachability', (note) => checkReachability(core, found, note));
  signal?.throwIfAborted();
  yield await runStep('rest', (note) => checkRest(core, found, note));
}

async function readText(core: StoreCore, name: string): Promise<string | undefined> {
  const file = await openGuarded(core.root, name).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

const checkFormat = async (core: StoreCore, note: (path: string, problem: string) => void) => {
  const text = await readText(core, layoutPath);
  if (text === undefined) note(layoutPath, 'missing or unreadable');
  else if (text !== layoutText) note(layoutPath, 'not the marker of an OCI image layout 1.0.0');
  return { checked: 1, bytes: text?.length ?? 0 };
};

const checkLedgers = async (core: StoreCore, note: (path: string, problem: string) => void) => {
  let checked = 0;
  let bytes = 0;
  for (const ledger of [core.contentLedger, core.recipeLedger]) {
    checked += ledger.records;
    bytes += ledger.state().length;
    if (ledger.damage) note(ledger.damage.path, `damaged at byte ${ledger.damage.offset}`);
    if (ledger.unreadable > 0) note(ledger.path, `${ledger.unreadable} records are not understood`);
  }
  return { checked, bytes };
};

const checkFolders = async (core: StoreCore, found: Found, note: (path: string, problem: string) => void) => {
  let bytes = 0;
  let checked = 0;
  for (const algorithm of ['sha256', 'sha512'] as const) {
    const folder = join(core.root, 'blobs', algorithm);
    for (const name of await readdir(folder).catch(() => [])) {
      checked += 1;
      const path = `blobs/${algorithm}/${name}`;
      const digest = `${algorithm}:${name}`;
      const info = await lstat(join(folder, name)).catch(() => undefined);
      if (!isDigest(digest)) note(path, 'not the name of a blob');
      else if (!info?.isFile()) note(path, 'not a regular file');
      else {
        bytes += info.size;
        found.set(digest, { size: info.size, whole: false });
      }
    }
  }
  return { checked, bytes };
};

const checkBlobs = async (
  core: StoreCore,
  found: Found,
  signal: AbortSignal | undefined,
  note: (path: string, problem: string) => void,
) => {
  const jobs = [...found.keys()].map((digest) => ({
    path: blobPath(digest),
    algorithm: digestAlgorithm(digest),
    digest,
  }));
  const bytes = await hashFiles(core.root, jobs, {
    signal,
    onOutcome: ({ path, digest }, outcome) => {
      if ('digest' in outcome && outcome.digest === digest) found.get(digest)!.whole = true;
      // What a running store removes between the two steps was nobody's.
      else if ('problem' in outcome && outcome.problem === 'missing' && !core.graph.get(digest)?.present)
        return;
      else
        note(
          path,
          'digest' in outcome ? 'its bytes do not have its digest' : `cannot be read: ${outcome.problem}`,
        );
    },
  });
  return { checked: jobs.length, bytes };
};

const checkManifests = async (
  core: StoreCore,
  found: Found,
  note: (path: string, problem: string) => void,
) => {
  let checked = 0;
  let bytes = 0;
  const { contents } = core.graph;
  for (let id = 0; id < contents.end; id += 1) {
    const content = contents.peek(id);
    if (content?.facts === undefined) continue;
    const { facts, digest } = content;
    if (!found.get(digest)?.whole) continue;
    checked += 1;
    const path = blobPath(digest);
    const text = await readText(core, path);
    if (text === undefined) continue;
    bytes += text.length;
    try {
      const descriptor = { mediaType: facts.mediaType, digest, size: content.size };
      const read = { bytes: Buffer.from(text), descriptor };
      const said = toFacts(parseContent(read), read, (one) => facts.blobs.includes(contents.find(one) ?? -1));
      const known = core.index.manifest(digest);
      const blobs = known?.blobs.flatMap((blob) => [blob.digest, blob.size]) ?? [];
      if (said.type !== facts.mediaType || said.subject !== facts.subject?.digest)
        note(path, 'the ledger says something else of it');
      if (JSON.stringify(said.manifests ?? []) !== JSON.stringify(facts.manifests.map((one) => one.digest)))
        note(path, 'the ledger names other children');
      if (JSON.stringify(said.blobs ?? []) !== JSON.stringify(blobs))
        note(path, 'the ledger names other blobs');
    } catch (error) {
      if (!(error instanceof ManifestError)) throw error;
      note(path, `not a manifest: ${error.message}`);
    }
  }
  return { checked, bytes };
};

const checkReachability = async (
  core: StoreCore,
  found: Found,
  note: (path: string, problem: string) => void,
) => {
  const marked = await markReachable(core);
  let checked = 0;
  const { contents } = core.graph;
  for (let id = 0; id < contents.end; id += 1) {
    checked += 1;
    const isReached = contents.refs[id]! > 0;
    const path = blobPath(contents.digestOf(id));
    if (isReached && !marked.has(id)) note(path, 'counted as reached, but no root reaches it');
    const content = contents.peek(id);
    if (content === undefined) continue;
    if (isReached) {
      for (const blob of content.facts?.blobs ?? []) {
        const digest = contents.digestOf(blob);
        if (!found.has(digest)) note(blobPath(digest), 'missing');
      }
    }
    const isTagged = (content.links?.tags.length ?? 0) > 0;
    if (isTagged && !found.has(content.digest)) note(path, 'missing, and a tag points at it');
  }
  const below = new Set<Digest>();
  for (const id of core.holds.current())
    for (const digest of core.index.reach(contents.digestOf(id))) below.add(digest);
  for (const id of marked) {
    const digest = contents.digestOf(id);
    if (
      contents.refs[id] === 0 &&
      contents.uploads[id] === 0 &&
      !core.holds.isHeld({ id }) &&
      !below.has(digest)
    )
      note(blobPath(digest), 'reached by a root, but not counted');
  }
  return { checked, bytes: 0 };
};

const checkRest = async (core: StoreCore, found: Found, note: (path: string, problem: string) => void) => {
  const rest = await findRestFiles(core.root);
  let checked = 0;
  if (rest.index) {
    checked += 1;
    const text = await readText(core, indexPath);
    const index = JSON.parse(text ?? '{}') as {
      manifests?: { digest: Digest; annotations?: Record<string, string> }[];
    };
    const named = new Set<string>();
    for (const { digest, annotations } of index.manifests ?? []) {
      const reference = annotations?.['org.opencontainers.image.ref.name'];
      if (!found.has(digest)) note(indexPath, `names ${digest}, which is not there`);
      if (reference === undefined) continue;
      named.add(reference);
      const at = reference.lastIndexOf(':');
      const tag = core.graph.tag(reference.slice(0, at), reference.slice(at + 1));
      if (tag?.digest !== digest) note(indexPath, `${reference} is not what the ledger says`);
    }
    for (const { name, tags } of core.graph.repositories.values())
      for (const { tag, content } of tags.values())
        if (content.present && content.facts && !named.has(`${name}:${tag}`))
          note(indexPath, `${name}:${tag} is not in it`);
  }
  if (rest.manifest) {
    checked += 1;
    try {
      const { entries } = await readMediumManifest(core.root);
      for (const digest of found.keys())
        if (!entries.has(blobPath(digest))) note('media.jsonl', `${digest} is not in it`);
    } catch (error) {
      note('media.jsonl', String(error instanceof Error ? error.message : error));
    }
  }
  return { checked, bytes: 0 };
};
