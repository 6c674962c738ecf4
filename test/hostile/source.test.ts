import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { stringify } from 'yaml';
import type { Task } from '../../src/contract/task.ts';
import type { Descriptor } from '../../src/oci/descriptor.ts';
import { toRecipeArtifact } from '../../src/recipe/artifact.ts';
import { parseRecipe } from '../../src/recipe/document.ts';
import { cpuSeconds } from '../bench/process-usage.ts';
import { toRecipeDocument } from '../kit/content/origin.ts';
import { type Attack, imageType, putImage, repository } from '../kit/hostile/hostile-source/attack.ts';
import { toAttacks } from '../kit/hostile/hostile-source/attacks.ts';
import { eventually } from '../kit/instance/eventually.ts';
import type { Instance } from '../kit/instance/instance.ts';
import { tlsPair } from '../kit/program/tls-pair.ts';
import { processFootprint } from '../kit/result/process-footprint.ts';
import type { RegistryDouble } from '../kit/result/registry-double.ts';
import { openRehearsal, type Rehearsal } from '../kit/scene/rehearsal.ts';

/**
 * Mebibytes that the process may ever hold under all these attacks. They are its need when run from its sources (160), 64
 * for the signatures of one subject, and 45 for their texts. The rest is room for garbage that is not collected yet.
 * Seen: 345 to 415.
 */
const memoryLimit = 450;

/** The machine's memory decides by default how much V8 lets lie before it looks; a machine of 4 GiB has this. */
const youngGeneration = { NODE_OPTIONS: '--max-semi-space-size=16' };

let world: Rehearsal;
let origin: RegistryDouble;
let trap: { readonly host: string; connections(): number; close(): Promise<void> };

const neighbours = ['aaa-neighbour', 'mmm-neighbour', 'zzz-neighbour'];

before(async () => {
  world = await openRehearsal();
  origin = await world.double();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  trap = {
    host: `127.0.0.1:${(server.address() as { port: number }).port}`,
    connections: () => connections,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
});
after(async () => {
  await trap.close();
  await world[Symbol.asyncDispose]();
});

/** Publishes a signed recipe of one ingredient. */
function publish(name: string, host: string, digest: string, document?: Attack['document']): Descriptor {
  const spec = { name, version: '1.0.0', ingredients: [{ name: 'app', repository, version: '1.0', digest }] };
  const good = Buffer.from(toRecipeDocument(host, spec));
  const artifact = toRecipeArtifact(good, parseRecipe(good, 'recipe'), '2026-01-01T00:00:00Z');
  const path = `cookbook/${name}`;
  for (const { descriptor, bytes } of artifact.blobs) origin.putBlob(path, bytes, descriptor.mediaType);
  let manifest = artifact.manifest.bytes;
  if (document !== undefined) {
    const parsed = JSON.parse(manifest.toString()) as { layers: Descriptor[] };
    const bytes = origin.putBlob(path, `${good}${document(host, digest)}`, parsed.layers[0]!.mediaType);
    manifest = Buffer.from(JSON.stringify({ ...parsed, layers: [bytes] }));
  }
  const descriptor = origin.putManifest(path, manifest, {
    tag: '1.0.0',
    mediaType: artifact.manifest.descriptor.mediaType,
  });
  const signature = world.signer.sign(descriptor, 'classic');
  for (const { bytes } of signature.blobs) origin.putBlob(path, bytes);
  origin.putManifest(path, signature.manifest.bytes, { mediaType: imageType, tag: signature.tag! });
  return descriptor;
}

async function runToEnd(instance: Instance): Promise<Task> {
  const submitted = await instance.api('POST', '/sync', {});
  assert.equal(submitted.status, 201, JSON.stringify(submitted.body));
  const { id } = submitted.body.task;
  return eventually(
    'the end of the run',
    async () => {
      const { task } = (await instance.api('GET', `/tasks/${id}`)).body as { task: Task };
      return task.status === 'pending' || task.status === 'running' ? undefined : task;
    },
    140,
  );
}

test('each hostile answer is a coded error of its own item, the neighbours are complete, memory and time are bounded', async (t) => {
  const insecure = [origin.host, trap.host];
  const allowlist = [origin.host];
  const entries: { name: string; version: string }[] = [];
  for (const name of neighbours) {
    publish(name, origin.host, putImage(origin, name).root.digest);
    entries.push({ name, version: '1.0.0' });
  }
  const attacks = toAttacks({ origin, trap });
  for (const attack of attacks) {
    const host = await world.double(attack.tls ? { tls: tlsPair } : {});
    allowlist.push(host.host);
    if (!attack.tls) insecure.push(host.host);
    const image = putImage(host, attack.name);
    const planted = attack.host?.(host, image);
    const digest = typeof planted === 'string' ? planted : image.root.digest;
    const subject = publish(attack.name, host.host, digest, attack.document);
    attack.cookbook?.(`cookbook/${attack.name}`, subject, origin);
    entries.push({ name: attack.name, version: attack.version ?? '1.0.0' });
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const retriever = await world.retriever('zone', { cookbook: `${origin.host}/cookbook`, recipes: entries });
  const instance = await world.start(
    'mirror',
    {
      mode: 'mirror',
      auth: { disabled: true },
      retriever: { source: retriever },
      network: { tls: { ca: tlsPair.ca } },
      registries: { insecure, allowlist },
      trust: world.trust,
      sync: { interval: '0', retries: 1 },
    },
    youngGeneration,
  );
  const pid = instance.process.pid!;
  const before = await processFootprint.descriptors(pid);
  await processFootprint.resetPeak(pid);
  const started = performance.now();
  let silence = 0;
  const task = await (async () => {
    let running = true;
    const probing = (async () => {
      while (running) {
        const asked = performance.now();
        const worked = cpuSeconds(pid);
        const { status } = await fetch(`${instance.url}/healthz`);
        assert.equal(status, 200);
        // on a busy machine it also waits for processors
        silence = Math.max(silence, Math.min(performance.now() - asked, (cpuSeconds(pid) - worked) * 1000));
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();
    try {
      return await runToEnd(instance);
    } finally {
      running = false;
      await probing;
    }
  })();
  const seconds = (performance.now() - started) / 1000;
  const peak = await processFootprint.peakMebibytes(pid);
  t.diagnostic(
    `${attacks.length} attacks, ${seconds.toFixed(1)} s, peak ${peak.toFixed(0)} MiB, longest silence ${silence.toFixed(0)} ms`,
  );

  const errorOf = (name: string) =>
    task.items.find((item) => item.name.startsWith(`${name}@`) && item.error !== undefined)?.error;
  const wrong = attacks.flatMap(({ name, code }) => {
    const error = errorOf(name);
    return error?.code === code ? [] : [`${name}: ${error?.code} ${stringify(error?.params)} not ${code}`];
  });
  assert.deepEqual(wrong, []);
  for (const name of neighbours) {
    const items = task.items.filter((item) => item.name.startsWith(`${name}@`));
    assert.ok(items.length === 2 && items.every(({ status }) => status === 'done'), name);
  }
  assert.equal(trap.connections(), 0, 'a host off the list was spoken to');
  assert.ok(peak < memoryLimit, `the process held ${peak.toFixed(0)} MiB`);
  assert.ok(seconds < 120, `the run took ${seconds.toFixed(0)} s`);
  assert.ok(silence < 3000, `the instance was silent for ${silence.toFixed(0)} ms`);

  await t.test('what failed left nothing open', async () => {
    await eventually(
      'connections are closed',
      async () => {
        const now = await processFootprint.descriptors(pid);
        return now <= before + 8;
      },
      40,
    );
  });
});
