import assert from 'node:assert/strict';
import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { MediumWriting } from '../../../src/contract/write-medium.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { runCommand } from '../../kit/program/run-command.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';
import { buildMedium } from '../../kit/scene/medium.ts';

/** @returns the document of a command and its errors */
async function run(args: readonly string[], exitCode = 0): Promise<any> {
  const result = await runCommand([...args, '--output', 'json']);
  assert.equal(result.exitCode, exitCode, `${args.join(' ')}\n${result.stderr}\n${result.stdout}`);
  return { ...(result.stdout === '' ? {} : JSON.parse(result.stdout)), said: result.stderr };
}

/** A source and a zone with their configurations, and what the zone loses when it is restored. */
async function openSites() {
  const medium = await buildMedium();
  const { folder, signer } = medium;
  const at = (name: string): string => join(folder, name);
  const zone = createSigner();
  await writeFile(at('zone.key'), zone.privateKeyPem, { mode: 0o600 });
  await writeFile(at('zone.pub'), zone.publicKeyPem);
  const trust = { roots: [{ name: 'release', key: signer.publicKeyPem }] };
  const peers = [{ name: 'zone-b', keyFile: at('zone.pub'), for: ['receipt'] }];
  const store = { storage: { root: medium.root }, state: { root: at('maker') } };
  await writeFile(at('source.json'), JSON.stringify({ mode: 'mirror', ...store, trust, peers }));
  let registry = await createRegistryDouble();
  const configure = () =>
    writeFile(
      at('zone.json'),
      JSON.stringify({
        ...{ mode: 'mirror', zone: 'zone-b', trust, signing: { keyFile: at('zone.key') } },
        ...{ storage: { root: at('carried') }, state: { root: at('zone-state') } },
        destination: { registry: registry.host },
        registries: { insecure: [registry.host] },
      }),
    );
  await configure();
  return {
    write: (name: string, ...flags: string[]): Promise<MediumWriting & { said: string }> =>
      run(['media', 'write', at(name), '--zone', 'zone-b', '--config', at('source.json'), ...flags]),
    import: (name: string, exitCode = 0) =>
      run(['media', 'import', at(name), '--config', at('zone.json')], exitCode),
    /** Writes receipts that nobody carries. */
    writeReceipts: async (count: number) => {
      for (let i = 0; i < count; i += 1)
        await run(['receipt', 'write', '--out', at(`lost-${i}.json`), '--config', at('zone.json')]);
    },
    /** Writes a receipt of the zone, and adds it at the source. */
    report: async (exitCode = 0, ...flags: string[]) => {
      await rm(at('receipt.json'), { force: true });
      await run(['receipt', 'write', '--out', at('receipt.json'), '--config', at('zone.json')]);
      return run(['receipt', 'add', at('receipt.json'), '--config', at('source.json'), ...flags], exitCode);
    },
    backUp: () => cp(at('zone-state'), at('backup'), { recursive: true }),
    /** The state comes back from the backup, and the registry has what this delivery brought. */
    restore: async (name: string) => {
      await rm(at('zone-state'), { recursive: true });
      await registry[Symbol.asyncDispose]();
      registry = await createRegistryDouble();
      await configure();
      await run(['media', 'import', at(name), '--config', at('zone.json')]);
      await rm(at('zone-state'), { recursive: true });
      await cp(at('backup'), at('zone-state'), { recursive: true });
    },
    [Symbol.asyncDispose]: async () => {
      await registry[Symbol.asyncDispose]();
      await medium[Symbol.asyncDispose]();
    },
  };
}

for (const [title, more, refusal] of [
  ['with the number that is known', 0, [4, /SVC-RCP-003/]],
  ['with a lower number', 2, [3, /SVC-RCP-002/]],
] as const)
  test(`after a receipt of a restored zone ${title}, no delivery leaves out what the zone lost`, async () => {
    await using sites = await openSites();
    await sites.write('first', '--recipe', 'shop');
    await sites.import('first');
    await sites.report();
    await sites.backUp();
    await sites.write('second');
    await sites.import('second');
    await sites.report();
    for (let i = 0; i < more; i += 1) await sites.report();
    await sites.restore('first');

    // nothing tells the source yet: the recipe is held, and the disk says what is missing
    const unaware = await sites.write('unaware');
    assert.ok(unaware.totals.absentBytes > 0);
    assert.match((await sites.import('unaware', 1)).said, /SVC-MED-040/);

    assert.match((await sites.report(refusal[0])).said, refusal[1]);
    const whole = await sites.write('whole');
    assert.equal(whole.totals.absentBytes, 0);
    assert.deepEqual(
      [...new Set(whole.recipes.map(({ inZone }) => inZone))],
      [undefined],
      'a receipt that does not count says nothing of a recipe',
    );
    assert.deepEqual(
      [whole.delivery.base?.fork === undefined, whole.delivery.base?.lower === undefined],
      [more > 0, more === 0],
    );
    assert.equal(/everything is written: .*SVC-RCP-002/.test(whole.said), more > 0, whole.said);
    const { task } = await sites.import('whole');
    assert.equal(task.status, 'done');

    // the numbers pass the known one, and deliveries are small again
    await sites.writeReceipts(1 + more);
    await sites.report();
    const delta = await sites.write('delta');
    assert.ok(delta.totals.absentBytes > 0);
    assert.equal((await sites.import('delta')).task.status, 'done');
  });
