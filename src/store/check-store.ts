import { readdir } from 'node:fs/promises';
import { type Digest, digestAlgorithm } from '../base/digest.ts';
import { svcError } from '../base/error.ts';
import { openGuardedFolder } from '../disk/guarded-folder.ts';
import { openGuarded } from '../disk/guarded-open.ts';
import { hashPaced } from '../disk/hash-paced.ts';
import { blobPath, indexPath, layoutPath, layoutText } from '../oci/layout.ts';
import { ManifestError, manifestLimits } from '../oci/manifest.ts';
import { markReachable } from './collect.ts';
import { describeOutcome, judgeBlob } from './judge-blob.ts';
import { mediumManifestPath, readMediumManifest } from './media-manifest.ts';
import type { CheckOptions, CheckProblem, CheckStep } from './model.ts';
import { parseContent, toFacts } from './put-manifest.ts';
import { listQuarantine } from './quarantine-folder.ts';
import { indexLimit, parseIndex } from './read-index.ts';
import { isNeeded } from './reclaim.ts';
import { findRestFiles } from './rest-files.ts';
import { hashBlobFiles, listBlobFiles } from './scan-blobs.ts';
import type { StoreCore } from './store-core.ts';

type Note = (problem: CheckProblem) => void;
type Part = (note: Note) => Promise<{ checked: number; bytes: number }>;

async function runStep(name: CheckStep['name'], part: Part): Promise<CheckStep> {
  const problems: CheckProblem[] = [];
  const notes: CheckProblem[] = [];
  const start = performance.now();
  const { checked, bytes } = await part((one) => (one.kind === 'stray' ? notes : problems).push(one));
  return { name, checked, bytes, milliseconds: Math.round(performance.now() - start), problems, notes };
}

/** The size of every blob file, known from the folders, and whether its bytes are right. */
type Found = Map<Digest, { readonly size: number; whole: boolean }>;

const recordProblem = (path: string, problem: string): CheckProblem => ({ kind: 'record', path, problem });

/**
 * Checks a whole store: its marker, ledgers and folders, every byte of every blob, every manifest against what the
 * index knows of it, the counted references against a walk, and the files of the rest. Changes nothing.
 *
 * @throws SVC-STO-001 when a folder cannot be read; SVC-STO-007 when a file changes meanwhile; the signal's reason
 */
export async function* checkStore(core: StoreCore, options: CheckOptions): AsyncGenerator<CheckStep> {
  const found: Found = new Map();
  const steps: readonly [CheckStep['name'], Part][] = [
    ['format', (note) => checkFormat(core, note)],
    ['ledgers', (note) => checkLedgers(core, note)],
    ['folders', (note) => checkFolders(core, note)],
    ['blobs', (note) => checkBlobs(core, found, options, note)],
    ['manifests', (note) => checkManifests(core, found, note)],
    ['reachability', (note) => checkReachability(core, found, note)],
    ['rest', (note) => checkRest(core, found, note)],
  ];
  for (const [name, part] of steps) {
    options.signal?.throwIfAborted();
    yield await runStep(name, part);
  }
}

/** @returns undefined when it is not there, or larger than `limit` bytes */
async function readBytes(
  core: StoreCore,
  name: string,
  limit: number = manifestLimits.bytes,
): Promise<Buffer | undefined> {
  const file = await openGuarded(core.root, name).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    return (await file.stat()).size > limit ? undefined : await file.readFile();
  } finally {
    await file.close();
  }
}

const checkFormat = async (core: StoreCore, note: Note) => {
  const text = (await readBytes(core, layoutPath))?.toString();
  if (text === undefined) note(recordProblem(layoutPath, 'missing or unreadable'));
  else if (text !== layoutText)
    note(recordProblem(layoutPath, 'not the marker of an OCI image layout 1.0.0'));
  return { checked: 1, bytes: text?.length ?? 0 };
};

const checkLedgers = async (core: StoreCore, note: Note) => {
  let checked = 0;
  let bytes = 0;
  for (const ledger of [core.contentLedger, core.recipeLedger]) {
    checked += ledger.records;
    bytes += ledger.state().length;
    const path = ledger.path.slice(core.root.length + 1);
    if (ledger.damage) note(recordProblem(path, `damaged at byte ${ledger.damage.offset}`));
    if (ledger.unreadable > 0) note(recordProblem(path, `${ledger.unreadable} records are not understood`));
    if (ledger.truncatedTail)
      note({
        kind: 'stray',
        path,
        problem: `${ledger.truncatedTail.bytes} bytes of an interrupted write at its end do not count`,
      });
  }
  return { checked, bytes };
};

/** What belongs into the root of a store; `ingest` is where some tools keep unfinished blobs of a layout. */
const rootNames = new Set([layoutPath, indexPath, mediumManifestPath, 'blobs', 'ledger', '_svc', 'ingest']);

/** @returns nothing when there is no such folder, or a link in its place */
async function listNames(root: string, path: string): Promise<readonly string[]> {
  const folder = await openGuardedFolder(root, path).catch(() => undefined);
  if (folder === undefined) return [];
  try {
    return await readdir(folder.pathOf('.'));
  } finally {
    await folder.close();
  }
}

const checkFolders = async (core: StoreCore, note: Note) => {
  let checked = 0;
  const look = async (path: string, isKnown: (name: string) => boolean, problem: string): Promise<void> => {
    for (const name of await listNames(core.root, path)) {
      checked += 1;
      if (!isKnown(name)) note({ kind: 'stray', path: path === '' ? name : `${path}/${name}`, problem });
    }
  };
  await look('', (name) => rootNames.has(name), 'it does not belong into a store');
  await look('blobs', (name) => name === 'sha256' || name === 'sha512', 'not a folder of blobs');
  const ledgers = [core.contentLedger, core.recipeLedger].map(({ path }) => path.slice(core.root.length + 1));
  await look('ledger', (name) => ledgers.includes(`ledger/${name}`), 'not the ledger that counts');
  await look('_svc/tmp', () => false, 'left by a write that was interrupted');
  return { checked, bytes: 0 };
};

const checkBlobs = async (core: StoreCore, found: Found, options: CheckOptions, note: Note) => {
  const listing = await listBlobFiles(core.root);
  for (const { digest, size } of listing.files) found.set(digest, { size, whole: false });
  for (const path of listing.strangers) note({ kind: 'stray', path, problem: 'not the name of a blob' });
  const sizeOf = (digest: Digest): number | undefined => {
    const size = core.graph.get(digest)?.size ?? -1;
    return size < 0 ? undefined : size;
  };
  const bytes = await hashBlobFiles(core.root, listing, {
    ...options,
    sizeOf,
    onOutcome: ({ digest }, outcome) => {
      const path = blobPath(digest);
      const state = judgeBlob(digest, outcome);
      const content = core.graph.get(digest);
      switch (state) {
        case 'whole':
          found.get(digest)!.whole = true;
          options.onWhole?.(digest);
          break;
        case 'missing':
          // what a running store removes between the two looks was nobody's
          found.delete(digest);
          break;
        case 'unreadable':
          if ('problem' in outcome && outcome.problem === 'changed') throw svcError('SVC-STO-007', { path });
          throw svcError('SVC-STO-001', { path, detail: describeOutcome(outcome) });
        case 'damaged': {
          const problem = describeOutcome(outcome, sizeOf(digest));
          const kind = content !== undefined && isNeeded(core, content) ? 'damaged' : 'stray';
          const what = kind === 'stray' ? `damaged, and nothing needs it: ${problem}` : problem;
          note({ kind, path, problem: what, digest, outcome });
        }
      }
    },
  });
  return { checked: listing.files.length, bytes };
};

const checkManifests = async (core: StoreCore, found: Found, note: Note) => {
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
    const text = await readBytes(core, path);
    if (text === undefined) continue;
    bytes += text.length;
    const contradict = (problem: string) => note({ kind: 'record', path, problem, digest });
    try {
      const descriptor = { mediaType: facts.mediaType, digest, size: content.size };
      const read = { bytes: text, descriptor };
      const said = toFacts(parseContent(read), read, (one) => facts.blobs.includes(contents.find(one) ?? -1));
      const known = core.index.manifest(digest);
      const blobs = known?.blobs.flatMap((blob) => [blob.digest, blob.size]) ?? [];
      if (said.type !== facts.mediaType || said.subject !== facts.subject?.digest)
        contradict('the ledger says something else of it');
      if (JSON.stringify(said.manifests ?? []) !== JSON.stringify(facts.manifests.map((one) => one.digest)))
        contradict('the ledger names other children');
      if (JSON.stringify(said.blobs ?? []) !== JSON.stringify(blobs))
        contradict('the ledger names other blobs');
    } catch (error) {
      if (!(error instanceof ManifestError)) throw error;
      contradict(`not a manifest: ${error.message}`);
    }
  }
  return { checked, bytes };
};

const checkReachability = async (core: StoreCore, found: Found, note: Note) => {
  const marked = await markReachable(core);
  const quarantined = new Set((await listQuarantine(core.root)).map(({ digest }) => digest));
  let checked = 0;
  const { contents } = core.graph;
  const missing = new Set<Digest>();
  const need = (digest: Digest): void => {
    if (found.has(digest) || missing.has(digest)) return;
    missing.add(digest);
    const problem = quarantined.has(digest) ? 'it is in quarantine' : 'there is no file';
    note({ kind: 'missing', path: blobPath(digest), problem, digest });
  };
  for (let id = 0; id < contents.end; id += 1) {
    checked += 1;
    const isReached = contents.refs[id]! > 0;
    const path = blobPath(contents.digestOf(id));
    if (isReached && !marked.has(id)) note(recordProblem(path, 'counted as reached, but no root reaches it'));
    const content = contents.peek(id);
    if (content === undefined) continue;
    if (isReached && content.facts !== undefined) {
      // a child that an index may lack has no facts: what has them was here
      need(content.digest);
      for (const blob of content.facts.blobs) need(contents.digestOf(blob));
    }
    if ((content.links?.tags.length ?? 0) > 0) need(content.digest);
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
      note(recordProblem(blobPath(digest), 'reached by a root, but not counted'));
  }
  return { checked, bytes: 0 };
};

const checkRest = async (core: StoreCore, found: Found, note: Note) => {
  const rest = await findRestFiles(core.root);
  let checked = 0;
  if (rest.index) {
    checked += 1;
    await checkIndex(core, found, (problem) => note(recordProblem(indexPath, problem)));
  }
  if (rest.manifest) {
    checked += 1;
    await checkInventory(core, found, (problem) => note(recordProblem(mediumManifestPath, problem)));
  }
  return { checked, bytes: 0 };
};

async function checkIndex(core: StoreCore, found: Found, fail: (problem: string) => void): Promise<void> {
  const entries = parseIndex((await readBytes(core, indexPath, indexLimit))?.toString() ?? '');
  if (entries === undefined) return fail('not readable as an index');
  const named = new Set<string>();
  for (const { digest, reference } of entries) {
    // what was lost since is told as missing
    if (!found.has(digest) && core.graph.get(digest)?.facts === undefined)
      fail(`names ${digest}, which is not there`);
    if (reference === undefined) continue;
    named.add(reference);
    const at = reference.lastIndexOf(':');
    const tag = core.graph.tag(reference.slice(0, at), reference.slice(at + 1));
    if (tag?.digest !== digest) fail(`${reference} is not what the ledger says`);
  }
  for (const { name, tags } of core.graph.repositories.values())
    for (const { tag, content } of tags.values())
      if (content.present && content.facts && !named.has(`${name}:${tag}`))
        fail(`${name}:${tag} is not in it`);
}

async function checkInventory(core: StoreCore, found: Found, fail: (problem: string) => void): Promise<void> {
  try {
    const { entries } = await readMediumManifest(core.root);
    for (const digest of found.keys()) if (!entries.has(blobPath(digest))) fail(`${digest} is not in it`);
    for (const { path, size, digest } of entries.values()) {
      // what is wrong with a blob has been told already
      if (path.startsWith('blobs/')) continue;
      const outcome = await hashPaced(core.root, { path, size, algorithm: digestAlgorithm(digest) });
      if (judgeBlob(digest, outcome) !== 'whole') fail(`${path} is not as it says`);
    }
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
  }
}
