import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Task } from '../../../src/contract/task.ts';
import { runSvc } from '../../kit/program/svc.ts';
import { createRegistryDouble, type RegistryDouble } from '../../kit/result/registry-double.ts';
import { openSplitDelivery } from '../../kit/scene/split-delivery.ts';
import { times } from '../rig/form.ts';
import { readFaultReport, toFaultEnvironment } from '../rig/instrumented.ts';
import { type KillRig, runKills } from '../rig/run-kills.ts';

/** Everything of a registry but the blob `{}`, which holding manifests leave. */
const listContent = (double: RegistryDouble): readonly string[] =>
  double.content().filter((line) => !line.includes('blob sha256:44136fa355b3678a1146ad16f7e8649e94'));

/** Imports of both parts of a delivery into a zone of its own each round, of which one is killed at a write. */
async function openPartsRig(): Promise<KillRig> {
  const delivery = await openSplitDelivery();
  const { folder, signer } = delivery.medium;
  const roots = [(await delivery.carry(1)).root, (await delivery.carry(2)).root] as const;
  let zone: RegistryDouble | undefined;
  let place = folder;
  let whole: readonly string[] | undefined;

  const runImport = async (root: string, env?: Readonly<Record<string, string>>) =>
    runSvc(
      ['media', 'import', root, '--config', join(place, 'config.json'), '--output', 'json'],
      env ? { env } : {},
    );
  const finish = async (root: string): Promise<Task> => {
    const run = await runImport(root);
    assert.equal(run.exitCode, 0, `${run.stdout}\n${run.stderr}`);
    return (JSON.parse(run.stdout) as { task: Task }).task;
  };
  return {
    async run(kill, round) {
      await zone?.close();
      zone = await createRegistryDouble();
      delivery.putBase(zone);
      place = join(folder, `zone-${round}`);
      mkdirSync(place);
      writeFileSync(
        join(place, 'config.json'),
        JSON.stringify({
          mode: 'mirror',
          zone: 'zone-b',
          state: { root: join(place, 'state') },
          destination: { registry: zone.host },
          registries: { insecure: [zone.host] },
          trust: { roots: [{ name: 'release', key: signer.publicKeyPem }] },
        }),
      );
      // the first or the second import of the two, in either order
      const [first, second] = round % 2 === 0 ? roots : [roots[1], roots[0]];
      const isSecond = round % 4 > 1;
      if (isSecond) await finish(first);
      const killed = isSecond ? second : first;
      const env = toFaultEnvironment({
        roots: [killed, join(place, 'state')],
        report: join(place, 'calls.json'),
        ...(kill === undefined ? {} : { kill }),
      });
      const result = await runImport(killed, env);
      const report = readFaultReport(join(place, 'calls.json'));
      if (!report.killed) assert.equal(result.exitCode, 0, `${result.stdout}\n${result.stderr}`);
      return report;
    },
    async check() {
      for (const name of ['shop', 'depot', 'yard'] as const) {
        if (!zone!.tags(`cookbook/${name}`).includes('1.0.0')) continue;
        const repository = `origin.example/${name}/image`;
        assert.ok(zone!.manifest(repository, '1.0.0'), name);
        for (const digest of delivery.layers[name])
          assert.ok(zone!.blob(repository, digest), `${name} ${digest}`);
      }
    },
    async complete(round) {
      const order = round % 3 === 0 ? roots : [roots[1], roots[0]];
      await finish(order[0]!);
      const { delivery: state } = await finish(order[1]!);
      assert.deepEqual([state?.complete, state?.needed], [true, []]);
      whole ??= listContent(zone!);
      assert.deepEqual(listContent(zone!), whole);
      const left = (await readdir(place, { recursive: true })).filter(
        (name) => name.endsWith('.tmp') || /media\/segments\/./.test(name),
      );
      assert.deepEqual(left, []);
      for (const root of roots)
        assert.deepEqual(
          (await readdir(root, { recursive: true })).filter((name) => name.endsWith('.tmp')),
          [],
        );
      rmSync(place, { recursive: true });
    },
    async [Symbol.asyncDispose]() {
      await zone?.close();
      await delivery[Symbol.asyncDispose]();
    },
  };
}

test('an import of parts killed at any write is repeated, in any order, and ends as one without kills', async (t) => {
  await runKills(t, 'parts', openPartsRig, times(4, 120));
});
