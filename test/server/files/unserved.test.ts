import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { GateRefusal } from '../../../src/base/gate-refusal.ts';
import type { ServedFilesets } from '../../../src/engine/fileset/served-model.ts';
import { mediaTypes } from '../../../src/oci/media-types.ts';
import { createServedFilesets } from '../../../src/operation/filesets.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { type Artifact, toManifest } from '../../kit/content/content.ts';
import { toFilesetImage, toLayer } from '../../kit/content/fileset-image.ts';
import { putFileset } from '../../kit/content/put-fileset.ts';
import { toArchive } from '../../kit/content/tar-archive.ts';
import { eventually } from '../../kit/instance/eventually.ts';
import { createOpenGate } from '../../kit/instance/open-gate.ts';
import { createRecordingReport } from '../../kit/instance/recording-report.ts';
import { startTestServer } from '../../kit/instance/server.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { findEnglish, runInLanguage } from '../../kit/program/run-command.ts';
import { assertCliDocument } from '../../kit/result/cli-schema.ts';
import { signInAs } from '../../kit/web/browser-session.ts';

const fileset = (name: string, version?: string) => ({
  name,
  ref: `localhost/filesets/${name}`,
  anonymous: false,
  ...(version === undefined ? {} : { version }),
});

const image = (text: string, platform?: string) => toFilesetImage([toLayer(toArchive({ text }))], platform);

/** An index of two platforms, of which none is configured. */
function toAmbiguous() {
  const children = ['linux/amd64', 'linux/arm64'].map((platform) => ({
    platform,
    artifact: image(platform, platform),
  }));
  const manifest = toManifest({
    schemaVersion: 2,
    mediaType: mediaTypes.ociIndex,
    manifests: children.map(({ platform, artifact }) => {
      const [os, architecture] = platform.split('/');
      return { ...artifact.manifest.descriptor, platform: { os, architecture } };
    }),
  });
  return { manifest, children, blobs: [] };
}

test('a FileSet that is configured and cannot be served is a notice, changes the exit code of the status, and is logged whenever that changes', async () => {
  await using folder = await openTempFolder();
  let refusal: GateRefusal | undefined = { code: 'SVC-MED-030' };
  await using server = await startTestServer({
    folder: folder.path,
    filesets: [fileset('absent'), fileset('many'), fileset('pinned', '2.0.0'), fileset('right')],
    gate: () => ({ ...createOpenGate({ rehash: false }), refusal: () => refusal }),
  });
  const put = (name: string, tag: string, artifact: Artifact) =>
    putFileset(server.store, name, artifact, tag);
  for (const name of ['pinned', 'right']) await put(name, '1.0.0', image(name));
  await put('many', '1.0.0', toAmbiguous());
  const status = async () => (await server.fetch('/api/v1/status')).json() as Promise<any>;
  const until = (names: readonly string[]) =>
    eventually(`not served: ${names.join(', ')}`, async () => {
      const { unservedFilesets = [] } = await status();
      const found = unservedFilesets.map(({ name }: { name: string }) => name).sort();
      return JSON.stringify(found) === JSON.stringify(names);
    });
  const logged = () =>
    server.report.records
      .filter(({ message }) => /^FileSet can/.test(message))
      .map(({ level, message, fields }) =>
        `${level} ${message} ${fields?.fileset} ${fields?.code ?? ''}`.trim(),
      )
      .sort();

  // while nothing is served, the notice of the gate says so
  assert.deepEqual((await status()).notices, ['gate-closed']);
  refusal = undefined;
  await until(['absent', 'many', 'pinned']);
  const shown = await status();
  assert.deepEqual(shown.notices, ['filesets-unserved']);
  assert.deepEqual(
    shown.unservedFilesets.map(({ name, code }: Record<string, string>) => `${name} ${code}`).sort(),
    ['absent SVC-REG-005', 'many SVC-CFG-001', 'pinned SVC-REG-005'],
  );
  const first = [
    'warn FileSet cannot be served absent SVC-REG-005',
    'warn FileSet cannot be served many SVC-CFG-001',
    'warn FileSet cannot be served pinned SVC-REG-005',
  ];
  assert.deepEqual(logged(), first);
  // as often as it is asked for
  assert.equal((await server.fetch('/files/absent/text')).status, 404);
  assert.deepEqual(logged(), first);

  const viewer = await signInAs(server, 'viewer', 'vera');
  const page = await (await viewer.get('/filesets')).text();
  assert.match(page, /id="find-right"/);
  assert.doesNotMatch(page, /id="find-many"/, 'files of one that is not served are not looked for');

  const env = { SVC_INSTANCE_URL: server.url, SVC_API_TOKEN: server.as.viewer.replace('Bearer ', '') };
  const said = await runInLanguage(['status'], 'en', env);
  assert.equal(said.exitCode, 5, said.stdout);
  assert.match(said.stdout, /FileSets that are configured cannot be served: .*absent SVC-REG-005/);
  const french = await runInLanguage(['status'], 'fr', env);
  assert.match(french.stdout, /des FileSets configurés ne peuvent pas être servis\s: absent /);
  assert.equal(findEnglish(french.stdout), undefined);

  // the same of the store, without an instance
  const config = join(folder.path, 'svc.yaml');
  await writeFile(
    config,
    JSON.stringify({
      mode: 'mirror',
      storage: { root: server.store.root },
      files: { filesets: [fileset('many'), fileset('pinned', '2.0.0'), fileset('right')] },
    }),
  );
  const ofStore = await runInLanguage(['status', '--config', config, '--output', 'json'], 'en');
  assert.equal(ofStore.exitCode, 5, ofStore.stderr);
  assertCliDocument('svc status', ofStore.stdout);
  const { unservedFilesets, notices } = JSON.parse(ofStore.stdout);
  assert.deepEqual(notices, ['filesets-unserved']);
  assert.deepEqual(unservedFilesets, [
    { name: 'many', code: 'SVC-CFG-001' },
    { name: 'pinned', code: 'SVC-REG-005' },
  ]);

  await put('absent', '1.0.0', image('absent'));
  await put('pinned', '2.0.0', image('pinned'));
  await until(['many']);
  assert.deepEqual(logged(), [
    'info FileSet can be served again absent',
    'info FileSet can be served again pinned',
    ...first,
  ]);
});

test('the verdict on an image that cannot be served outlives the time after which it is read again', async () => {
  await using folder = await openTempFolder();
  await using server = await startTestServer({ folder: folder.path });
  await putFileset(server.store, 'outside', toFilesetImage([toLayer(toArchive({ '../x': 'x' }))]), '1.0.0');
  const setting = fileset('outside');
  let time = 0;
  const stopping = new AbortController();
  const open = (state: string) =>
    createServedFilesets({
      config: {
        files: { filesets: [setting], views: [], packRoots: [] },
        storage: { root: server.store.root, basePrefix: '' },
        state: { root: join(folder.path, state) },
        preflight: { safetyMarginPercent: 0, disabled: true },
      } as unknown as Parameters<typeof createServedFilesets>[0]['config'],
      store: server.store,
      gate: createOpenGate({ rehash: false }),
      report: createRecordingReport(),
      signal: stopping.signal,
      now: () => time,
    });
  const isRefused = (error: unknown) => isSvcError(error, 'SVC-FIL-004');
  const named = (filesets: ServedFilesets) => filesets.unserved().map(({ name }) => name);
  {
    await using filesets = open('served');
    await filesets.prepare();
    assert.deepEqual(named(filesets), ['outside']);
    await assert.rejects(filesets.requireServable(setting), isRefused);
    time += 3_600_000;
    await assert.rejects(filesets.requireServable(setting), isRefused);
    // a client has it read again: the earlier verdict stands meanwhile
    const again = assert.rejects(filesets.find(setting, 'x'), isRefused);
    await assert.rejects(filesets.requireServable(setting), isRefused);
    await again;
    assert.deepEqual(named(filesets), ['outside']);
  }
  // somebody who looks at its files finds the same, and every page says so
  await using filesets = open('looked');
  const { repository, tag, digest } = filesets.select(setting);
  await assert.rejects(
    filesets.browse({ repository, tag, digest }, () => undefined),
    isRefused,
  );
  assert.deepEqual(named(filesets), ['outside']);
  await assert.rejects(filesets.requireServable(setting), isRefused);
});
