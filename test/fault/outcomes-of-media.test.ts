import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { selectTaskError, toTaskExitCode } from '../../commands/client/wait-for-task.ts';
import { renderObstacles } from '../../commands/media/render-medium.ts';
import { renderFailures } from '../../commands/render/task.ts';
import type { ConfigWith } from '../../src/config/requirements.ts';
import type { MediumReport } from '../../src/contract/medium.ts';
import { toMediumExitCode } from '../../src/engine/medium/report.ts';
import { exportLayout } from '../../src/operation/export-layout.ts';
import { openExport } from '../../src/operation/open-export.ts';
import { isSvcError } from '../../src/text/error.ts';
import type { ErrorCode } from '../../src/text/errors/registry.ts';
import { buildImage, buildIndex } from '../kit/content/content.ts';
import { createSigner } from '../kit/content/signer.ts';
import { damageFile } from '../kit/hostile/damage-file.ts';
import { createRecordingReport } from '../kit/instance/recording-report.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { createRegistryDouble, type RegistryDouble } from '../kit/result/registry-double.ts';
import { type CarriedImport, importCarried } from '../kit/scene/import-carried.ts';
import { loadSettings } from '../kit/scene/load-settings.ts';
import { type BuiltMedium, buildMedium, type MediumRecipe } from '../kit/scene/medium.ts';
import { times } from './rig/form.ts';
import { findPrincipal, type Shown, toExpectedExit, toShown } from './rig/principal.ts';
import { type Histories, runHistories } from './rig/run-histories.ts';

/** The fault of a recipe, and the code with which its verification blocks it. */
const blocking = {
  damaged: 'SVC-MED-012',
  missing: 'SVC-MED-010',
  unsigned: 'SVC-SIG-001',
  platform: 'SVC-REG-008',
} as const satisfies Record<string, ErrorCode>;
/** The reason why a recipe that passed does not reach the destination. */
const refusals = ['taken', 'denied'] as const;
type Fault = keyof typeof blocking | (typeof refusals)[number] | 'none';

const faults = [...Object.keys(blocking), ...refusals, 'none', 'none'] as readonly Fault[];
const guards = ['zoneMismatch', 'stale'] as const;

interface Draft {
  readonly name: string;
  readonly cookbook: string;
  readonly fault: Fault;
}

interface World extends AsyncDisposable {
  readonly drafts: Draft[];
  /** Guards that refuse the medium, and whether they are waived. */
  readonly guards: Map<(typeof guards)[number], boolean>;
}

const signer = createSigner();

function toRecipe({ name, cookbook, fault }: Draft): MediumRecipe {
  const seed = `${cookbook} ${name}`;
  const isSparse = fault === 'platform';
  return {
    name,
    version: '1.0.0',
    layout: 'classic',
    cookbook,
    unsigned: fault === 'unsigned',
    ingredients: [
      {
        name: 'web',
        kind: 'ContainerImage',
        ref: `origin.example:5000/${cookbook.split('/').at(-1)}/${name}`,
        tag: '1.0',
        artifact: isSparse ? buildIndex(seed, ['linux/amd64', 'linux/arm64']) : buildImage(seed),
        ...(isSparse ? { platforms: ['linux/s390x'] } : {}),
      },
    ],
  };
}

async function spoil({ root }: BuiltMedium, drafts: readonly Draft[], recipes: readonly MediumRecipe[]) {
  for (const [i, { fault }] of drafts.entries()) {
    const layer = recipes[i]!.ingredients[0]!.artifact.blobs.at(-1);
    if (layer === undefined) continue;
    const path = join(root, 'blobs', ...layer.descriptor.digest.split(':'));
    if (fault === 'damaged') await damageFile(path, 100);
    if (fault === 'missing') await rm(path);
  }
}

function resist(zone: RegistryDouble, drafts: readonly Draft[]): void {
  for (const { name, fault } of drafts)
    if (fault === 'taken') {
      const config = zone.putBlob(`cookbook/${name}`, '{}');
      zone.putManifest(
        `cookbook/${name}`,
        { schemaVersion: 2, mediaType: 'application/vnd.oci.image.manifest.v1+json', config, layers: [] },
        { tag: '1.0.0' },
      );
    }
  const denied = drafts.filter(({ fault }) => fault === 'denied').map(({ name }) => `/${name}/`);
  zone.intercept(({ path }, response) => {
    if (!denied.some((part) => path.includes(part))) return false;
    response.writeHead(403).end();
    return true;
  });
}

function listObstacles(report: MediumReport): readonly Shown[] {
  return [
    ...report.blocks.filter(({ waived }) => !waived).map(({ code }) => toShown(code)),
    ...report.recipes.flatMap(({ reason }) =>
      reason ? [{ code: reason.code, class: 'verification' as const }] : [],
    ),
  ];
}

function checkReport(report: MediumReport, drafts: readonly Draft[]): void {
  for (const { name, cookbook, fault } of drafts) {
    const verdict = report.recipes.find((one) => one.name === name && one.cookbook === cookbook);
    const expected = (blocking as Partial<Record<Fault, ErrorCode>>)[fault];
    assert.equal(verdict?.reason?.code, expected, `${cookbook}/${name}`);
  }
  const obstacles = listObstacles(report);
  assert.equal(toMediumExitCode(report), toExpectedExit(obstacles), 'exit code of verify');
  const text = renderObstacles(report, 'en');
  for (const { code } of obstacles) assert.ok(text.includes(code), text);
}

function checkImport(run: CarriedImport, medium: BuiltMedium, zone: RegistryDouble): void {
  const { task, audits } = run;
  const { report } = run.verification!;
  const obstacles = listObstacles(report);
  const errors: readonly Shown[] = [task.error, ...task.items.map(({ error }) => error)].filter(
    (error) => error !== undefined,
  );
  const isWhole = report.blocks.some(({ waived }) => !waived);
  if (isWhole) assert.deepEqual([task.error?.code, task.items], [findPrincipal(obstacles)!.code, []]);
  assert.equal(task.status, errors.length === 0 ? 'done' : 'failed');
  const principal = findPrincipal(errors);
  assert.equal(task.principalCode, principal?.code);
  assert.equal(selectTaskError(task)?.code, principal?.code, 'the error that is printed');
  assert.equal(toTaskExitCode(task), toExpectedExit([...obstacles, ...errors]), 'exit code of import');
  for (const status of ['done', 'failed', 'skipped'] as const)
    assert.equal(task.counts[status], task.items.filter((item) => item.status === status).length, status);
  for (const { name, status, error } of task.items) {
    assert.equal(status === 'failed', error !== undefined, name);
    if (error) assert.ok(renderFailures(task, 'en').includes(`${name}: ${error.code}`));
  }
  const audit = audits.find(({ action }) => action === 'media.import');
  assert.equal(audit?.outcome, task.status === 'done' ? 'success' : 'failure');

  for (const { name, version, cookbook, digest } of medium.records) {
    const isThere = zone.manifest(`cookbook/${name}`, version)?.digest === digest;
    const items = task.items.filter((item) => item.digest === digest);
    assert.equal(items.length, isWhole ? 0 : 1, `${cookbook}/${name} is one item`);
    assert.equal(items[0]?.status === 'done', isThere, `${cookbook}/${name} is done where it landed`);
    if (!isThere) assert.equal(task.status, 'failed', `${cookbook}/${name} did not land`);
  }
}

async function checkExport(medium: BuiltMedium): Promise<void> {
  // an instance writes no layout below /dev
  await using exports = await openTempFolder();
  const report = createRecordingReport();
  const config = (await loadSettings(join(exports.path, 'settings.json'), {
    zone: 'zone-b',
    mode: 'mirror',
    storage: { root: medium.root },
    state: { root: join(medium.folder, 'state') },
    preflight: { safetyMarginPercent: 0 },
    trust: { roots: [{ name: 'release', key: signer.publicKeyPem }] },
  })) as ConfigWith<'storage.root'>;
  let verified: MediumReport | undefined;
  const options = { report, version: '0.0.0-test', actor: 'test', peek: false };
  try {
    await using opened = await openExport(config, { ...options, onVerified: (found) => (verified = found) });
    const principal = findPrincipal(listObstacles(verified!));
    const { store } = opened;
    const { gate, blocked } = opened.permitOf({ recipes: [], repositories: [] });
    assert.equal(blocked?.code, principal?.code);
    assert.equal(blocked?.class, principal?.class);
    const result = await exportLayout(
      { config, report },
      {
        store,
        gate,
        blocked,
        format: 'tar',
        selection: { recipes: [], repositories: [] },
        output: join(exports.path, 'export.tar'),
        overwrite: false,
        actor: 'test',
      },
    );
    assert.equal(result.blocked?.code, principal?.code);
    const audit = report.audits.find(({ action }) => action === 'layout.export');
    assert.equal(audit?.outcome, principal ? 'failure' : 'success');
  } catch (error) {
    if (!isSvcError(error)) throw error;
    assert.equal(error.code, findPrincipal(listObstacles(verified!))?.code, 'why nothing is exported');
  }
}

const histories: Histories<World> = {
  name: 'outcomes-of-media',
  count: times(10, 2500),
  length: 4,
  checks: 'end',
  open: async () => ({ drafts: [], guards: new Map(), [Symbol.asyncDispose]: async () => {} }),
  draw: (draw) => {
    if (draw.chance(0.15)) {
      const guard = draw.pick(guards);
      const isWaived = draw.chance(0.5);
      return {
        name: `${guard} ${isWaived ? 'waived' : 'refused'}`,
        run: async (world) => void world.guards.set(guard, isWaived),
      };
    }
    const fault = draw.pick(faults);
    const number = draw.below(1000);
    // recipes of one name come from cookbooks of their own
    const name = refusals.includes(fault as never) || draw.chance(0.5) ? `${fault}-${number}` : 'app';
    const cookbook = `origin.example:5000/cookbook-${number}`;
    return {
      name: `${fault} ${name} of ${cookbook}`,
      run: async ({ drafts }) => {
        const isKnown = drafts.some((one) => one.name === name && one.cookbook === cookbook);
        if (!isKnown) drafts.push({ name, cookbook, fault });
      },
    };
  },
  check: async ({ drafts, guards: refused }) => {
    if (drafts.length === 0) return;
    const recipes = drafts.map(toRecipe);
    const zone = refused.has('zoneMismatch') ? 'zone-x' : 'zone-b';
    await using medium = await buildMedium({ signer, recipes, zone, inMemory: true });
    await using registry = await createRegistryDouble();
    await spoil(medium, drafts, recipes);
    resist(registry, drafts);
    const run = await importCarried(medium.root, [signer], registry, {
      state: join(medium.folder, 'state'),
      waive: {
        zoneMismatch: refused.get('zoneMismatch') === true,
        stale: refused.get('stale') === true,
      },
      ...(refused.has('stale')
        ? {
            freshness: {
              mediaId: 'another',
              resolvedAt: '2026-06-01T00:00:00.000Z',
              importedAt: '2026-06-02T00:00:00.000Z',
              runId: 'run',
              recipes: {},
            },
          }
        : {}),
    });
    checkReport(run.verification!.report, drafts);
    checkImport(run, medium, registry);
    await checkExport(medium);
  },
};

test('of a medium the gravest error is named everywhere, and no success is shown over a failure', async (t) => {
  await runHistories(t, histories);
});
