import { forEachBounded } from '../../base/concurrency.ts';
import type { Digest } from '../../base/digest.ts';
import type { Content, Facts } from '../../catalog/content.ts';
import { IdSet } from '../../catalog/id-set.ts';
import { openGuardedFolder } from '../../disk/guarded-folder.ts';
import { toNothing } from '../../disk/read-error.ts';
import { blobPath, indexPath, layoutPath, layoutText } from '../../oci/layout.ts';
import { ManifestError, manifestLimits } from '../../oci/manifest.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import { countCorrected } from '../adoption/correct-facts.ts';
import { describeOutcome, judgeBlob } from '../blobs/judge-blob.ts';
import { listQuarantine } from '../blobs/quarantine-folder.ts';
import { type BlobScan, hashBlobFiles, listBlobFiles } from '../blobs/scan-blobs.ts';
import { markReachable } from '../collect.ts';
import type { CheckOptions, CheckProblem, CheckStep, Store } from '../model.ts';
import { parseContent, toFacts } from '../put-manifest.ts';
import { isNeeded } from '../reclaim.ts';
import { checkRest } from '../rest/check-rest.ts';
import { mediumManifestPath } from '../rest/media-manifest.ts';
import { readSmallFile } from '../rest/read-small-file.ts';
import type { StoreCore } from '../store-core.ts';

type Note = (problem: CheckProblem) => void;
type Part = (note: Note) => Promise<{ checked: number; bytes: number }>;

/** Kinds of findings that affect neither content nor records. */
const withoutEffect: ReadonlySet<CheckProblem['kind']> = new Set(['stray', 'leftover']);

async function runStep(name: CheckStep['name'], part: Part): Promise<CheckStep> {
  const problems: CheckProblem[] = [];
  const notes: CheckProblem[] = [];
  const start = performance.now();
  const { checked, bytes } = await part((one) => (withoutEffect.has(one.kind) ? notes : problems).push(one));
  return { name, checked, bytes, milliseconds: Math.round(performance.now() - start), problems, notes };
}

const recordProblem = (path: string, problem: Rule): CheckProblem => ({ kind: 'record', path, problem });

/**
 * Checks all parts of a store: its marker, ledgers and folders, and every byte of every blob. Then every manifest
 * against its record, the reference counts against a walk, and `index.json` and `media.jsonl`. Changes nothing.
 *
 * @throws SVC-STO-001 when a folder cannot be read; SVC-STO-007 when a file changes during the check; the
 *   signal's reason
 */
export async function* checkContent({ core }: Store, options: CheckOptions = {}): AsyncGenerator<CheckStep> {
  let scan: BlobScan = {
    files: [],
    isFound: () => false,
    isWhole: () => false,
    bytesOf: () => undefined,
  };
  const steps: readonly [CheckStep['name'], Part][] = [
    ['format', (note) => checkFormat(core, note)],
    ['ledgers', (note) => checkLedgers(core, note)],
    ['folders', (note) => checkFolders(core, note)],
    [
      'blobs',
      async (note) => {
        const read = await checkBlobs(core, options, note);
        scan = read.scan;
        return read;
      },
    ],
    ['manifests', (note) => checkManifests(core, scan, note)],
    ['reachability', (note) => checkReachability(core, scan, note)],
    ['rest', (note) => checkRest(core, scan, note)],
  ];
  for (const [name, part] of steps) {
    options.signal?.throwIfAborted();
    yield await runStep(name, part);
  }
}

const checkFormat = async (core: StoreCore, note: Note) => {
  const text = (await readSmallFile(core.root, layoutPath, manifestLimits.bytes))?.toString();
  if (text === undefined)
    note(recordProblem(layoutPath, rule(['missing or unreadable', fr`manque ou illisible`])));
  else if (text !== layoutText)
    note(
      recordProblem(
        layoutPath,
        rule([
          'not the marker of an OCI image layout 1.0.0',
          fr`pas le marqueur d’une disposition d’images OCI 1.0.0`,
        ]),
      ),
    );
  return { checked: 1, bytes: text?.length ?? 0 };
};

const checkLedgers = async (core: StoreCore, note: Note) => {
  let checked = 0;
  let bytes = 0;
  const contradicted = countCorrected(core.state.corrections);
  if (contradicted > 0) {
    const path = core.contentLedger.path.slice(core.root.length + 1);
    note(
      recordProblem(
        path,
        rule(
          [
            'it contradicts the bytes of {contradicted} manifests',
            fr`il contredit les octets de {contradicted} manifestes`,
          ],
          { contradicted },
        ),
      ),
    );
  }
  for (const ledger of [core.contentLedger, core.recipeLedger]) {
    checked += ledger.records;
    bytes += ledger.state().length;
    const path = ledger.path.slice(core.root.length + 1);
    if (ledger.damage)
      note(
        recordProblem(
          path,
          rule(['damaged at byte {offset}', fr`abîmé à l’octet {offset}`], { offset: ledger.damage.offset }),
        ),
      );
    if (ledger.unreadable > 0)
      note(
        recordProblem(
          path,
          rule(
            ['{unreadable} records are not understood', fr`{unreadable} enregistrements ne sont pas compris`],
            { unreadable: ledger.unreadable },
          ),
        ),
      );
    if (ledger.truncatedTail)
      note({
        kind: 'stray',
        path,
        problem: rule(
          [
            '{bytes} bytes of an interrupted write at its end do not count',
            fr`{bytes} octets d’une écriture interrompue à la fin ne comptent pas`,
          ],
          { bytes: ledger.truncatedTail.bytes },
        ),
      });
  }
  return { checked, bytes };
};

/** Names in the root of a store; `ingest` is where some tools keep unfinished blobs of a layout. */
const rootNames = new Set([layoutPath, indexPath, mediumManifestPath, 'blobs', 'ledger', '_svc', 'ingest']);

/** @returns an empty list when there is no such folder, or a link in its place */
async function listNames(root: string, path: string): Promise<readonly string[]> {
  const folder = await openGuardedFolder(root, path).catch(toNothing);
  if (folder === undefined) return [];
  try {
    return await folder.list();
  } finally {
    await folder.close();
  }
}

const checkFolders = async (core: StoreCore, note: Note) => {
  let checked = 0;
  const look = async (path: string, isKnown: (name: string) => boolean, problem: Rule): Promise<void> => {
    for (const name of await listNames(core.root, path)) {
      checked += 1;
      if (!isKnown(name)) note({ kind: 'stray', path: path === '' ? name : `${path}/${name}`, problem });
    }
  };
  await look(
    '',
    (name) => rootNames.has(name),
    rule(['it is not part of a store', fr`il ne fait pas partie d’un stockage`]),
  );
  await look(
    'blobs',
    (name) => name === 'sha256' || name === 'sha512',
    rule(['not a folder of blobs', fr`pas un dossier de blobs`]),
  );
  const ledgers = [core.contentLedger, core.recipeLedger].map(({ path }) => path.slice(core.root.length + 1));
  await look(
    'ledger',
    (name) => ledgers.includes(`ledger/${name}`),
    rule(['not the current ledger', fr`pas le journal en cours`]),
  );
  await look(
    '_svc/tmp',
    () => false,
    rule(['left by a write that was interrupted', fr`reste d’une écriture interrompue`]),
  );
  return { checked, bytes: 0 };
};

/**
 * Limits for manifests that are kept in memory, to compare the same bytes that were hashed; larger ones are
 * read again.
 */
const kept = { fileBytes: 64 << 10, bytes: 16 << 20 } as const;

const checkBlobs = async (core: StoreCore, options: CheckOptions, note: Note) => {
  const { contents } = core.graph;
  const manifests = new Map<number, Buffer>();
  let room: number = kept.bytes;
  const listing = await listBlobFiles(core.root);
  for (const path of listing.strangers)
    note({ kind: 'stray', path, problem: rule(['not the name of a blob', fr`pas un nom de blob`]) });
  const [found, whole] = [new IdSet(), new IdSet()];
  const sizeOf = (digest: Digest): number | undefined => {
    const size = contents.sizes[contents.find(digest) ?? -1] ?? -1;
    return size < 0 ? undefined : size;
  };
  const bytes = await hashBlobFiles(core.root, listing, {
    ...options,
    sizeOf,
    keeps: ({ digest, size }) => {
      const keep =
        size <= Math.min(kept.fileBytes, room) &&
        contents.peek(contents.find(digest) ?? -1)?.facts !== undefined;
      if (keep) room -= size;
      return keep;
    },
    onOutcome: ({ digest }, outcome) => {
      const path = blobPath(digest);
      const state = judgeBlob(digest, outcome);
      // a blob that was removed by a running store between listing and reading was not needed
      if (state === 'missing') return;
      if (state === 'unreadable') {
        if ('problem' in outcome && outcome.problem === 'changed')
          throw svcError('SVC-STO-007', { path, problem: 'changed' });
        throw svcError('SVC-STO-001', { path, detail: describeOutcome(outcome) });
      }
      // a file that was added after the store was opened has no record
      const id = contents.find(digest);
      if (id !== undefined) found.add(id);
      if (state === 'whole') {
        if (id !== undefined) whole.add(id);
        if (id !== undefined && 'digest' in outcome && outcome.bytes)
          manifests.set(id, Buffer.from(outcome.bytes.buffer));
        options.onWhole?.(digest);
        return;
      }
      const problem = describeOutcome(outcome, sizeOf(digest));
      const kind = id !== undefined && isNeeded(core, contents.at(id)) ? 'damaged' : 'stray';
      const what =
        kind === 'stray'
          ? rule(['damaged, and nothing needs it: {problem}', fr`abîmé, et rien n’en a besoin : {problem}`], {
              problem,
            })
          : problem;
      note({ kind, path, problem: what, digest, outcome });
    },
  });
  const scan: BlobScan = {
    files: listing.files,
    isFound: (digest) => {
      const id = contents.find(digest);
      return id !== undefined && found.has(id);
    },
    isWhole: (id) => whole.has(id),
    bytesOf: (id) => manifests.get(id),
  };
  return { checked: listing.files.length, bytes, scan };
};

/** Manifests that are read concurrently. */
const readsAtOnce = 8;

const checkManifests = async (core: StoreCore, scan: BlobScan, note: Note) => {
  let checked = 0;
  let bytes = 0;
  await forEachBounded(knownManifests(core, scan), readsAtOnce, async ({ id, content, facts }) => {
    checked += 1;
    const { digest } = content;
    const path = blobPath(digest);
    const text = scan.bytesOf(id) ?? (await readSmallFile(core.root, path, manifestLimits.bytes));
    bytes += text?.length ?? 0;
    const contradict = (problem: Rule) => note({ kind: 'record', path, problem, digest });
    try {
      if (text !== undefined) await compareManifest(core, content, facts, text, contradict);
    } catch (error) {
      if (!(error instanceof ManifestError)) throw error;
      contradict(rule(['not a manifest: {why}', fr`pas un manifeste : {why}`], { why: error.rule }));
    }
  });
  return { checked, bytes };
};

/** Lists the intact manifests with their recorded facts. */
function* knownManifests(
  { graph: { contents } }: StoreCore,
  scan: BlobScan,
): Generator<{ readonly id: number; readonly content: Content; readonly facts: Facts }> {
  for (let id = 0; id < contents.end; id += 1) {
    const content = contents.peek(id);
    if (content?.facts !== undefined && scan.isWhole(id)) yield { id, content, facts: content.facts };
  }
}

/** Compares the bytes of a manifest with its recorded facts. @throws ManifestError */
async function compareManifest(
  { graph: { contents } }: StoreCore,
  { digest, size }: Content,
  facts: Facts,
  bytes: Buffer,
  contradict: (problem: Rule) => void,
): Promise<void> {
  const read = { bytes, descriptor: { mediaType: facts.mediaType, digest, size } };
  const manifest = await parseContent(read);
  const actual = toFacts(manifest, read, (one) => facts.blobs.includes(contents.find(one) ?? -1));
  const blobs = facts.blobs.flatMap((id) => [contents.digestOf(id), contents.sizes[id]]);
  if (actual.type !== facts.mediaType || actual.subject !== facts.subject?.digest)
    contradict(
      rule(['the ledger records other facts', fr`le journal du stockage enregistre d’autres données`]),
    );
  if (JSON.stringify(actual.manifests ?? []) !== JSON.stringify(facts.manifests.map((one) => one.digest)))
    contradict(rule(['the ledger names other children', fr`le journal du stockage nomme d’autres enfants`]));
  if (JSON.stringify(actual.blobs ?? []) !== JSON.stringify(blobs))
    contradict(rule(['the ledger names other blobs', fr`le journal du stockage nomme d’autres blobs`]));
}

const checkReachability = async (core: StoreCore, scan: BlobScan, note: Note) => {
  const marked = await markReachable(core);
  const quarantined = new Set((await listQuarantine(core.root)).map(({ digest }) => digest));
  let checked = 0;
  const { contents } = core.graph;
  const missing = new Set<Digest>();
  const need = (digest: Digest): void => {
    if (scan.isFound(digest) || missing.has(digest)) return;
    missing.add(digest);
    const problem = quarantined.has(digest)
      ? rule(['it is in quarantine', fr`il est en quarantaine`])
      : rule(['there is no file', fr`il n’y a pas de fichier`]);
    note({ kind: 'missing', path: blobPath(digest), problem, digest });
  };
  for (let id = 0; id < contents.end; id += 1) {
    checked += 1;
    const isReached = contents.refs[id]! > 0;
    const path = blobPath(contents.digestOf(id));
    if (isReached && !marked.has(id))
      note(
        recordProblem(
          path,
          rule([
            'counted as reached, but no root reaches it',
            fr`compté comme atteint, mais aucune racine ne l’atteint`,
          ]),
        ),
      );
    const content = contents.peek(id);
    if (content === undefined) continue;
    if (isReached && content.facts !== undefined) {
      // a child that is absent from a sparse index has no facts: content with facts was present
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
      note(
        recordProblem(
          blobPath(digest),
          rule(['reached by a root, but not counted', fr`atteint par une racine, mais non compté`]),
        ),
      );
  }
  return { checked, bytes: 0 };
};
