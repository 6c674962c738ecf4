import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Delivery } from '../../../src/contract/delivery.ts';
import { runCommand } from '../../kit/program/run-command.ts';
import { svcCommand, svcEnvironment, trackChild } from '../../kit/program/svc.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';
import { openSplitDelivery, splitId } from '../../kit/scene/split-delivery.ts';

test('a delivery whose import was killed at its first tag is incomplete, and overtaken by a newer one', async () => {
  await using delivery = await openSplitDelivery({ resolvedAt: '2026-01-02T03:04:05.000Z' });
  const { folder, signer } = delivery.medium;
  await using newer = await openSplitDelivery({ signer, resolvedAt: '2026-02-02T03:04:05.000Z' });
  await using zone = await createRegistryDouble();
  delivery.putBase(zone);
  const config = join(folder, 'zone.json');
  await writeFile(
    config,
    JSON.stringify({
      zone: 'zone-b',
      state: { root: join(folder, 'zone-state') },
      destination: { registry: zone.host },
      registries: { insecure: [zone.host] },
      trust: { roots: [{ name: 'release', key: signer.publicKeyPem }] },
    }),
  );
  const { root } = await delivery.carry(1);
  const [program, ...before] = svcCommand();
  const child = trackChild(
    spawn(program, [...before, 'media', 'import', root, '--config', config], {
      env: svcEnvironment(),
      stdio: 'ignore',
    }),
  );
  const ended = once(child, 'exit');
  zone.intercept(({ method, path }) => {
    if (method === 'PUT' && path.includes('/cookbook/depot/manifests/1.0.0')) child.kill('SIGKILL');
    return false;
  });
  assert.deepEqual(await ended, [null, 'SIGKILL']);
  assert.ok(zone.tags('cookbook/depot').includes('1.0.0'));
  const status = async (): Promise<readonly [number, Delivery | undefined]> => {
    const { exitCode, stdout } = await runCommand([
      ...['media', 'status', '--config', config, '--output', 'json'],
    ]);
    return [exitCode, JSON.parse(stdout).deliveries[0]];
  };
  const [exitCode, killed] = await status();
  assert.deepEqual([exitCode, killed?.id, killed?.complete], [5, splitId, false]);
  assert.deepEqual([killed?.landed, killed?.needed], [[], [1, 2]]);
  const last = await runCommand(['media', 'import', await newer.medium.carry(), '--config', config]);
  assert.equal(last.exitCode, 0, last.stderr);
  const [ofNewer, overtaken] = await status();
  assert.equal(ofNewer, 0);
  assert.ok(overtaken?.overtakenBy);
});

test('a medium that is refused as a whole is no arrival of its delivery', async () => {
  await using delivery = await openSplitDelivery();
  const { folder, signer } = delivery.medium;
  await using zone = await createRegistryDouble();
  const config = join(folder, 'zone.json');
  await writeFile(
    config,
    JSON.stringify({
      zone: 'zone-c',
      state: { root: join(folder, 'zone-state') },
      destination: { registry: zone.host },
      registries: { insecure: [zone.host] },
      trust: { roots: [{ name: 'release', key: signer.publicKeyPem }] },
    }),
  );
  const { root } = await delivery.carry(1);
  assert.equal((await runCommand(['media', 'import', root, '--config', config])).exitCode, 3);
  const { exitCode, stdout } = await runCommand(['media', 'status', '--config', config]);
  assert.deepEqual([exitCode, stdout], [0, 'no delivery is recorded here\n']);
});
