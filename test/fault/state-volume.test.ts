import assert from 'node:assert/strict';
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { openAccounts } from '../../src/account/accounts.ts';
import { hashBytes } from '../../src/base/digest.ts';
import { silentReport } from '../../src/base/report.ts';
import { openListenerCertificate } from '../../src/certificate/listener-certificate.ts';
import { openCustody } from '../../src/custody/custody.ts';
import { makeStateFolder } from '../../src/disk/make-folder.ts';
import { readHeaderOf } from '../../src/engine/medium/find-medium.ts';
import { openFreshness } from '../../src/engine/medium/freshness.ts';
import { openSegmentSpool } from '../../src/engine/medium/parts/segment-spool.ts';
import { openSignatureRounds } from '../../src/engine/sync/signature-rounds.ts';
import { writeOverrides } from '../../src/link/overrides.ts';
import { createSpool } from '../../src/remote/spool/spool.ts';
import { emptyLedgerState, rememberLedgers } from '../../src/store/opening/remembered-ledgers.ts';
import { openStoreKey } from '../../src/store/opening/store-key.ts';
import { segmentPath } from '../../src/store/rest/absent-list.ts';
import { openCommandFiles } from '../../src/task/command-files.ts';
import { listCommandRecords, toCommandFolder } from '../../src/task/command-record.ts';
import { newTask } from '../../src/task/new-task.ts';
import type { TaskRequest } from '../../src/task/request.ts';
import { createSchedule } from '../../src/task/schedule.ts';
import type { TaskStorage } from '../../src/task/storage.ts';
import { openTaskFiles } from '../../src/task/task-files.ts';
import { isSvcError } from '../../src/text/error.ts';
import { createKeyCache } from '../../src/trust/key-cache.ts';
import { buildImage } from '../kit/content/content.ts';
import { createSigner } from '../kit/content/signer.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { runSvc } from '../kit/program/svc.ts';
import { createRegistryDouble } from '../kit/result/registry-double.ts';
import { importCarried } from '../kit/scene/import-carried.ts';
import { buildMedium } from '../kit/scene/medium.ts';
import { mountImage, mountMemory, needsMount, needsVolume, type SmallVolume } from './rig/small-volume.ts';

const mib = 1 << 20;
const request: TaskRequest = { type: 'sync', reference: 'zone.yaml', actor: 'alice' };
const record = () => ({ sequence: 1, request, task: newTask(request, () => false) });
/** More than the last block of a file has room for. */
const entry = {
  items: Array.from({ length: 200 }, (_, n) => ({
    name: `one@1.0.${n}`,
    status: 'running' as const,
    transferredBytes: 0,
  })),
};

/** Prepares a durable write on a volume that has room, and returns it. */
type Prepare = (stateRoot: string) => Promise<() => Promise<unknown>>;

const journalOf =
  (open: (stateRoot: string) => Promise<TaskStorage>): Prepare =>
  async (stateRoot) => {
    const storage = await open(stateRoot);
    const made = record();
    await storage.create(made);
    await storage.note(made.task.id, { startedAt: '2026-01-01T00:00:00Z' }, true);
    return async () => {
      await using _ = storage;
      await storage.note(made.task.id, entry, true);
    };
  };

const openRecord = (stateRoot: string): Promise<TaskStorage> =>
  openCommandFiles(stateRoot, { keep: 5, onUnkept: () => {} });
const openFiles = (stateRoot: string): Promise<TaskStorage> =>
  openTaskFiles(join(stateRoot, 'tasks'), silentReport);

const key = createSigner().publicKeyPem;
const blob = Buffer.alloc(64 << 10, 'x');
const freshness = {
  mediaId: 'one',
  resolvedAt: '2026-01-01T00:00:00Z',
  importedAt: '2026-01-01T00:00:00Z',
  runId: 'one',
  recipes: {},
};

const writes: Readonly<Record<string, Prepare>> = {
  'the record of a task of a command': async (stateRoot) => async () => {
    await using storage = await openRecord(stateRoot);
    await storage.create(record());
  },
  'the journal of a task of a command': journalOf(openRecord),
  'the record of a task': async (stateRoot) => async () => {
    await using storage = await openFiles(stateRoot);
    await storage.create(record());
  },
  'the journal of a task': journalOf(openFiles),
  'the log of a task': async (stateRoot) => {
    const storage = await openFiles(stateRoot);
    return async () => {
      await using _ = storage;
      await storage.appendLog(record().task.id, 'x'.repeat(8192));
    };
  },
  'the date of the last import': async (stateRoot) => () =>
    openFreshness(stateRoot).update('zone-b', () => freshness),
  'the limits of the link': async (stateRoot) => () => writeOverrides(stateRoot, { rateLimit: 100_000 }),
  'the interval of synchronizations': async (stateRoot) => {
    const schedule = await createSchedule({
      stateRoot,
      configured: 0,
      report: silentReport,
      isPending: () => false,
      trigger: async () => ({}) as never,
    });
    return async () => {
      try {
        await schedule.override('1h');
      } finally {
        await schedule.stop();
      }
    };
  },
  'the last query for signatures': async (stateRoot) => () =>
    openSignatureRounds(stateRoot).write({ askedAt: 0, left: [] }),
  'the copy of a trust root': async (stateRoot) => () =>
    createKeyCache({ stateRoot, report: silentReport }).refresh(
      { name: 'one', keyURL: 'https://keys.example/one.pub' },
      async () => Buffer.from(key),
    ),
  'the certificate of the listener': async (stateRoot) => () =>
    openListenerCertificate({ stateRoot, hosts: [], report: silentReport }),
  'an account': async (stateRoot) => async () => {
    await using accounts = openAccounts({ stateRoot });
    await accounts.create({ name: 'one', password: 'correct horse battery', role: 'viewer' });
  },
  'a line of the custody ledger': async (stateRoot) => async () => {
    const attempt = { type: 'imported', actor: 'one', details: { text: 'x'.repeat(4096) } } as const;
    await openCustody({ stateRoot, site: 'one' }).during(attempt, () => assert.fail('it began'));
  },
  'the key of the store': async (stateRoot) => () => openStoreKey(stateRoot),
  'the remembered ledgers': async (stateRoot) => () =>
    rememberLedgers(stateRoot, 'one', { content: emptyLedgerState, recipe: emptyLedgerState }),
  'a download under way': async (stateRoot) => async () => {
    const spool = createSpool({ root: join(stateRoot, 'downloads'), threshold: 1, report: silentReport });
    await spool.fetch(
      { mediaType: 'application/octet-stream', digest: hashBytes(blob), size: blob.length },
      async () => ({ from: 0, body: Readable.from([blob]) as AsyncIterable<Buffer> }) as never,
    );
  },
};

/** Writes until the volume takes no more. */
function fill(folder: string): void {
  const file = openSync(join(folder, 'ballast'), 'w');
  try {
    for (let size = mib; size >= 1; size >>= 1)
      for (;;)
        try {
          writeSync(file, Buffer.alloc(size, 'x'));
          fsyncSync(file);
        } catch {
          break;
        }
  } finally {
    closeSync(file);
  }
}

async function requireCoded(
  name: string,
  prepare: Prepare,
  volume: SmallVolume,
  spoil: () => void,
  expected: RegExp,
): Promise<void> {
  const stateRoot = join(volume.path, 'state');
  await makeStateFolder(stateRoot);
  const work = await prepare(stateRoot);
  spoil();
  await assert.rejects(work, (error: unknown) => {
    assert.ok(isSvcError(error), `${name}: not a coded error: ${String(error)}`);
    assert.match(error.code, expected, `${name}: ${String(error.cause)}`);
    return true;
  });
}

for (const [name, prepare] of Object.entries(writes))
  test(`a state volume that is full or read-only is named as the reason when ${name} cannot be written`, async (t) => {
    await using folder = await openTempFolder('svc-state-');
    if (!needsMount(t, folder.path)) return;
    {
      await using volume = mountMemory(join(folder.path, 'full'), '2m');
      await requireCoded(name, prepare, volume, () => fill(volume.path), /^SVC-STO-004$/);
    }
    await using volume = mountMemory(join(folder.path, 'read-only'), '2m');
    // a file that is open for writing keeps a volume from becoming read-only
    if (/journal/.test(name)) return;
    await requireCoded(name, prepare, volume, () => volume.remount('ro'), /^SVC-STO-00[23]$/);
  });

for (const name of ['the journal of a task of a command', 'the journal of a task'])
  test(`a disk of the state that fails is named as the reason when ${name} cannot be written`, async (t) => {
    await using folder = await openTempFolder('svc-state-');
    if (!needsVolume(t, 'ext4', folder.path)) return;
    await using volume = mountImage(join(folder.path, 'failing'), 'ext4', 24 * mib, { backing: 8 * mib });
    await requireCoded(name, writes[name]!, volume, () => fill(volume.path), /^SVC-STO-00[24]$/);
  });

test('an export goes on while the volume of the state is full or read-only, and says that no record is kept', async (t) => {
  await using folder = await openTempFolder('svc-state-');
  if (!needsMount(t, folder.path)) return;
  const at = (name: string): string => join(folder.path, name);
  const store = ['--storage-root', at('store')];
  await mkdir(at('tree'));
  await writeFile(at('tree/file'), 'some text');
  const packed = await runSvc(['fileset', 'pack', at('tree'), 'some:1.0.0', ...store]);
  assert.equal(packed.exitCode, 0, packed.stderr);
  await using volume = mountMemory(at('volume'), '2m');
  const state = join(volume.path, 'state');
  await makeStateFolder(state);
  const cases: readonly (readonly [name: string, spoil: () => void])[] = [
    ['full', () => fill(volume.path)],
    ['read-only', () => volume.remount('ro')],
  ];
  for (const [name, spoil] of cases) {
    spoil();
    const { exitCode, stderr } = await runSvc(['export', at(`${name}.tar`), ...store, '--state-root', state]);
    assert.equal(exitCode, 0, `${name}: ${stderr}`);
    assert.equal(stderr.match(/no record of this run is kept/g)?.length, 1, `${name}: ${stderr}`);
    assert.deepEqual(await listCommandRecords(toCommandFolder(state)), []);
  }
});

test('a segment that the volume of the state cannot hold is told by the room that it lacks', async (t) => {
  await using folder = await openTempFolder('svc-state-');
  if (!needsMount(t, folder.path)) return;
  await using volume = mountMemory(join(folder.path, 'volume'), '8m');
  const bytes = Buffer.alloc(12 * mib);
  const segment = { digest: hashBytes('blob'), offset: 0, size: bytes.length, listed: hashBytes(bytes) };
  const medium = join(folder.path, 'medium');
  await mkdir(dirname(join(medium, segmentPath(segment))), { recursive: true });
  await writeFile(join(medium, segmentPath(segment)), bytes);
  const spool = openSegmentSpool(volume.path);
  await assert.rejects(
    spool.keep(medium, [segment], { digest: segment.digest, size: 2 * bytes.length }),
    (error) => {
      assert.ok(isSvcError(error, 'SVC-STO-004'), String(error));
      assert.deepEqual([error.params.needed, error.params.place], [bytes.length, 'state']);
      return true;
    },
  );
  assert.deepEqual(await spool.list(segment.digest), []);
});

test('an import is refused before it pushes while the state has no room for its records, and lands with room again', async (t) => {
  await using medium = await buildMedium({
    recipes: [
      {
        ...{ name: 'shop', version: '1.0.0', layout: 'bundle' },
        ingredients: [
          {
            ...{ name: 'web', kind: 'ContainerImage', tag: '1.0.0', artifact: buildImage('web') },
            ref: 'origin.example/shop/web',
          },
        ],
      },
    ],
  });
  if (!needsMount(t, medium.folder)) return;
  await using volume = mountMemory(join(medium.folder, 'volume'), '2m');
  await using registry = await createRegistryDouble();
  const state = join(volume.path, 'state');
  await makeStateFolder(state);
  const bring = () => importCarried(medium.root, [medium.signer], registry, { state });
  const { bavail, bsize } = await statfs(volume.path);
  const ballast = join(volume.path, 'ballast');
  await writeFile(ballast, Buffer.alloc(bavail * bsize - (256 << 10)));
  const { error } = await bring();
  assert.equal(error?.code, 'SVC-STO-004');
  assert.deepEqual([error.params.path, error.params.place], [state, 'state']);
  assert.ok(Number(error.params.needed) > Number(error.params.free));
  assert.deepEqual(
    registry.requests.filter(({ method }) => method !== 'GET' && method !== 'HEAD'),
    [],
  );
  await rm(ballast);
  const again = await bring();
  assert.equal(again.error, undefined);
  assert.deepEqual(
    again.items.map(({ status }) => status),
    ['done', 'done'],
  );
});

test('an empty folder is no disk that is mounted, and a blank disk is told as one', async (t) => {
  await using folder = await openTempFolder('svc-blank-');
  if (!needsMount(t, folder.path)) return;
  const found = (root: string) => readHeaderOf(root).catch((error) => error.params.found);
  const path = join(folder.path, 'disk');
  await mkdir(path);
  assert.equal(await found(path), 'empty');
  await using volume = mountMemory(path, '64k');
  assert.equal(await found(volume.path), 'blank');
});
