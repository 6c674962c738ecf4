import { digestAlgorithm } from '../../base/digest.ts';
import { hashPaced } from '../../disk/threads/hash-paced.ts';
import { blobPath, indexPath } from '../../oci/layout.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import { judgeBlob } from '../blobs/judge-blob.ts';
import type { BlobScan } from '../blobs/scan-blobs.ts';
import type { CheckProblem } from '../model.ts';
import { isNeeded } from '../reclaim.ts';
import type { StoreCore } from '../store-core.ts';
import { mediumManifestPath, readMediumManifest } from './media-manifest.ts';
import { indexLimit, parseIndex } from './read-index.ts';
import { readSmallFile } from './read-small-file.ts';
import { findRestFiles } from './rest-files.ts';

type Fail = (problem: Rule | string) => void;

/** Counts findings of one kind and reports them in one message with the first example. */
class Tally {
  readonly #format: (count: number, first: string) => Rule;
  #count = 0;
  #first = '';

  constructor(format: (count: number, first: string) => Rule) {
    this.#format = format;
  }

  add(one: string): void {
    if (this.#count === 0) this.#first = one;
    this.#count += 1;
  }

  report(fail: Fail): void {
    if (this.#count > 0) fail(this.#format(this.#count, this.#first));
  }
}

/** Checks `index.json` and `media.jsonl`, where they exist, against ledgers and blobs. */
export async function checkRest(
  core: StoreCore,
  scan: BlobScan,
  note: (problem: CheckProblem) => void,
): Promise<{ checked: number; bytes: number }> {
  const rest = await findRestFiles(core.root);
  const failAt =
    (path: string): Fail =>
    (problem) =>
      note({ kind: 'record', path, problem });
  if (rest.index) await checkIndex(core, scan, failAt(indexPath));
  if (rest.manifest) {
    const leftovers = await checkInventory(core, scan, failAt(mediumManifestPath));
    if (leftovers.files > 0)
      note({ kind: 'leftover', path: 'blobs', problem: 'left by an earlier copy', leftovers });
  }
  return { checked: Number(rest.index) + Number(rest.manifest), bytes: 0 };
}

async function checkIndex(core: StoreCore, scan: BlobScan, fail: Fail): Promise<void> {
  const { graph, root } = core;
  const entries = parseIndex((await readSmallFile(root, indexPath, indexLimit))?.toString() ?? '');
  if (entries === undefined) return fail(rule(['not readable as an index', fr`illisible comme index`]));
  const absent = new Tally((count, first) =>
    rule(
      [
        'names content that is not there: {count}, such as {first}',
        fr`nomme du contenu absent : {count}, dont {first}`,
      ],
      { count, first },
    ),
  );
  const other = new Tally((count, first) =>
    rule(
      [
        'tags differ from the ledger: {count}, such as {first}',
        fr`des étiquettes diffèrent du journal du stockage : {count}, dont {first}`,
      ],
      { count, first },
    ),
  );
  const left = new Tally((count, first) =>
    rule(
      [
        'tags are not in it: {count}, such as {first}',
        fr`des étiquettes n’y sont pas : {count}, dont {first}`,
      ],
      { count, first },
    ),
  );
  const named = new Set<string>();
  for (const { digest, reference } of entries) {
    // content that was lost since is reported as missing
    if (!scan.isFound(digest) && graph.get(digest)?.facts === undefined) absent.add(digest);
    if (reference === undefined) continue;
    named.add(reference);
    const at = reference.lastIndexOf(':');
    const tag = graph.tag(reference.slice(0, at), reference.slice(at + 1));
    if (tag?.digest !== digest) other.add(reference);
  }
  for (const { name, tags } of graph.repositories.values())
    for (const { tag, content } of tags.values())
      if (content.present && content.facts && !named.has(`${name}:${tag}`)) left.add(`${name}:${tag}`);
  for (const tally of [absent, other, left]) tally.report(fail);
}

/**
 * Compares `media.jsonl` with the blobs and the other files.
 *
 * @returns number and bytes of the blobs that neither it nor the ledgers name. A copy onto an earlier one leaves
 *   them; nothing serves or imports them.
 */
async function checkInventory(
  core: StoreCore,
  scan: BlobScan,
  fail: Fail,
): Promise<{ readonly files: number; readonly bytes: number }> {
  const { root, graph } = core;
  const leftovers = { files: 0, bytes: 0 };
  const left = new Tally((count, first) =>
    rule(
      ['blobs are not in it: {count}, such as {first}', fr`des blobs n’y sont pas : {count}, dont {first}`],
      { count, first },
    ),
  );
  try {
    const { entries } = await readMediumManifest(root);
    for (const { digest, size } of scan.files) {
      const content = scan.isFound(digest) ? graph.get(digest) : undefined;
      if (content === undefined || entries.has(blobPath(digest))) continue;
      if (isNeeded(core, content)) left.add(digest);
      else {
        leftovers.files += 1;
        leftovers.bytes += size;
      }
    }
    left.report(fail);
    for (const { path, size, digest } of entries.values()) {
      // damaged blobs have been reported by an earlier step
      if (path.startsWith('blobs/')) continue;
      const outcome = await hashPaced(root, { path, size, algorithm: digestAlgorithm(digest) });
      if (judgeBlob(digest, outcome) !== 'whole')
        fail(rule(['{path} does not match its entry', fr`{path} ne correspond pas à son entrée`], { path }));
    }
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
  }
  return leftovers;
}
