import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import type { Task } from '../../../src/contract/task.ts';
import { runSvc } from '../../kit/program/svc.ts';
import { createRegistryDouble, type RegistryDouble } from '../../kit/result/registry-double.ts';
import { buildMedium } from '../../kit/scene/medium.ts';
import { times } from '../rig/form.ts';
import { readFaultReport, toFaultEnvironment } from '../rig/instrumented.ts';
import { type KillRig, runKills } from '../rig/run-kills.ts';

/** Every file of a medium outside `_svc`, with its digest. */
async function listMedium(root: string): Promise<readonly string[]> {
  const names = await readdir(root, { recursive: true, withFileTypes: true });
  const files = names.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  const own = files.filter((path) => !path.startsWith(join(root, '_svc')));
  return Promise.all(own.sort().map(async (path) => `${path} ${hashBytes(await readFile(path))}`));
}

/** An import of one medium into a registry of its own each round, killed at a write. */
async function openImportRig(): Promise<KillRig> {
  const medium = await buildMedium();
  const root = await medium.carry();
  const before = await listMedium(root);
  let zone: RegistryDouble | undefined;
  let folder = medium.folder;
  let config = '';
  const env = (kill: Parameters<KillRig['run']>[0]) =>
    toFaultEnvironment({
      roots: [root, join(folder, 'state')],
      report: join(folder, 'calls.json'),
      ...(kill === undefined ? {} : { kill }),
    });
  const runImport = (kill?: Parameters<KillRig['run']>[0]) =>
    runSvc(['media', 'import', '--config', config, '--output', 'json'], { env: env(kill) });
  return {
    async run(kill, round) {
      await zone?.close();
      zone = await createRegistryDouble();
      folder = join(medium.folder, `zone-${round}`);
      mkdirSync(folder);
      config = join(folder, 'config.json');
      writeFileSync(
        config,
        JSON.stringify({
          mode: 'mirror',
          zone: 'zone-b',
          storage: { root },
          state: { root: join(folder, 'state') },
          destination: { registry: zone.host },
          registries: { insecure: [zone.host] },
          trust: { roots: [{ name: 'release', key: medium.signer.publicKeyPem }] },
        }),
      );
      const result = await runImport(kill);
      const report = readFaultReport(join(folder, 'calls.json'));
      if (!report.killed) assert.equal(result.exitCode, 0, `${result.stdout}\n${result.stderr}`);
      return report;
    },
    async check() {
      assert.deepEqual(await listMedium(root), before, 'the medium is what it was');
      for (const { name, version } of medium.records) requireWhole(zone!, name, version);
    },
    async complete(round) {
      const held = new Set(zone!.repositories().flatMap((name) => heldBlobs(zone!, name)));
      zone!.requests.length = 0;
      const again = await runImport();
      assert.equal(again.exitCode, 0, `${again.stdout}\n${again.stderr}`);
      const { task } = JSON.parse(again.stdout) as { task: Task };
      assert.equal(task.status, 'done');
      assert.equal(task.counts.failed, 0);
      for (const { method, path } of zone!.requests) {
        const match = /^\/v2\/(.+)\/blobs\/uploads\/.*digest=(sha256(?::|%3A)[0-9a-f]+)/.exec(path);
        if (method === 'PUT' && match)
          assert.ok(!held.has(`${match[1]}@${decodeURIComponent(match[2]!)}`), `${path} was pushed again`);
      }
      for (const { name, version } of medium.records) {
        assert.ok(zone!.tags(`cookbook/${name}`).includes(version), `${name} has arrived`);
        requireWhole(zone!, name, version);
      }
      rmSync(join(medium.folder, `zone-${round}`), { recursive: true });
    },
    async [Symbol.asyncDispose]() {
      await zone?.close();
      await medium[Symbol.asyncDispose]();
    },
  };

  /** Where a recipe stands, everything that its ingredients reach stands too. */
  function requireWhole(at: RegistryDouble, name: string, version: string): void {
    if (!at.tags(`cookbook/${name}`).includes(version)) return;
    for (const { repository, tag, digest } of medium.records.find((one) => one.name === name)!.ingredients) {
      assert.equal(at.manifest(repository, tag)?.digest, digest);
      const todo: string[] = [digest];
      for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
        const document = JSON.parse(at.manifest(repository, next)!.bytes.toString());
        for (const child of document.manifests ?? []) todo.push(child.digest);
        for (const blob of [document.config, ...(document.layers ?? [])])
          if (blob) assert.equal(hashBytes(at.blob(repository, blob.digest)!), blob.digest);
      }
    }
  }
  function heldBlobs(at: RegistryDouble, repository: string): readonly string[] {
    const digests = at.requests
      .map(({ path }) => /digest=(sha256(?::|%3A)[0-9a-f]+)/.exec(path)?.[1])
      .filter((digest) => digest !== undefined)
      .map((digest) => decodeURIComponent(digest));
    return digests
      .filter((digest) => at.blob(repository, digest as `sha256:${string}`) !== undefined)
      .map((digest) => `${repository}@${digest}`);
  }
}

test('an import killed at any write is repeated, and pushes only what is missing', async (t) => {
  await runKills(t, 'import', openImportRig, times(3, 100));
});
