import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { damageFile } from '../../kit/hostile/damage-file.ts';
import { eventually } from '../../kit/instance/eventually.ts';
import { type Instance, startInstance } from '../../kit/instance/instance.ts';
import { openMemoryFolder } from '../../kit/instance/memory-folder.ts';
import type { TempFolder } from '../../kit/instance/temp-folder.ts';
import { expectAlerts } from '../../kit/program/alerts.ts';
import { scrape } from '../../kit/program/scrape.ts';
import { type CarriedMedium, carry } from '../../kit/scene/carried-medium.ts';
import { type BuiltMedium, buildMedium } from '../../kit/scene/medium.ts';
import { untilJudged } from '../../kit/scene/until-judged.ts';

let medium: BuiltMedium;
let folder: TempFolder;
before(async () => {
  medium = await buildMedium();
  folder = await openMemoryFolder('svc-monitoring-');
});
after(async () => {
  await folder[Symbol.asyncDispose]();
  await medium[Symbol.asyncDispose]();
});

async function serve(
  { root }: Pick<CarriedMedium, 'root'>,
  zone: string | undefined,
  name: string,
): Promise<Instance> {
  const own = join(folder.path, name);
  await mkdir(own, { recursive: true });
  const trust = { roots: [{ name: 'release', key: medium.signer.publicKeyPem }] };
  return startInstance({
    folder: own,
    config: { mode: 'mirror', storage: { root }, trust, ...(zone === undefined ? {} : { zone }) },
  });
}

const readReady = async ({ url }: Instance) => {
  const response = await fetch(`${url}/readyz`);
  return { code: response.status, ...((await response.json()) as { status: string; reasons?: string[] }) };
};
const among = [
  'SvcMediumBlocked',
  'SvcGateClosed',
  'SvcVerificationFailures',
  'SvcNotReady',
  'SvcPolicyRejections',
];

test('a medium for another zone is blocked: the metrics and alerts say so, and the instance is ready', async (t) => {
  await using instance = await serve(await carry(medium), 'zone-c', 'other');
  await untilJudged(instance);
  const once = await scrape(instance);
  assert.equal(once.value('svc_media_verifications_total{verdict="blocked"}'), 1);
  assert.equal(once.value('svc_policy_rejections_total{code="SVC-MED-006"}'), 1);
  const { code, status, reasons } = await readReady(instance);
  assert.deepEqual([code, status], [200, 'ready']);
  assert.match(reasons![0]!, /^SVC-MED-032: /);
  const verified = await instance.api('POST', '/media/verify', {});
  assert.equal(verified.status, 200);
  const twice = await scrape(instance);
  assert.equal(twice.value('svc_media_verifications_total{verdict="blocked"}'), 2);
  assert.equal(twice.value('svc_condition{condition="gate-closed"}'), 1);
  await expectAlerts(
    t,
    [once, twice],
    [
      { minute: 20, firing: ['SvcMediumBlocked'], among },
      { minute: 70, firing: ['SvcGateClosed'], among },
    ],
  );
});

test('a damaged recipe of a medium is counted by its code, and so is one that is damaged later', async (t) => {
  const carried = await carry(medium);
  const { root } = carried;
  await using instance = await serve(carried, 'zone-b', 'partial');
  await untilJudged(instance);
  const sound = await scrape(instance);
  assert.equal(sound.value('svc_media_verifications_total{verdict="pushable"}'), 1);
  assert.equal(sound.value('svc_condition{condition="gate-closed"}'), 0);
  assert.deepEqual(await readReady(instance), { code: 200, status: 'ready' });

  // after it was verified: found when it is sent
  const { layer, record } = await carried.parts('shop');
  await damageFile(carried.blob(layer), 20);
  const { repository } = record.ingredients[0]!;
  const blob = await fetch(`${instance.url}/v2/${repository}/blobs/${layer}`, {
    headers: { authorization: instance.authorization },
  }).then(
    async (response) => response.arrayBuffer().catch(() => undefined),
    () => undefined,
  );
  void blob;
  const withdrawn = await eventually('the withdrawal', async () => {
    const found = await scrape(instance);
    return found.value('svc_condition{condition="recipes-withdrawn"}') === 1 && found;
  });
  assert.equal(withdrawn.value('svc_verification_failures_total{code="SVC-MED-012"}'), 1);
  assert.match((await readReady(instance)).reasons![0]!, /^SVC-MED-012: .*the others are available$/);
  await expectAlerts(
    t,
    [sound, withdrawn],
    [
      { minute: 20, firing: ['SvcVerificationFailures'], among },
      { minute: 70, firing: ['SvcGateClosed'], among },
    ],
  );

  const verified = await instance.api('POST', '/media/verify', {});
  assert.equal(verified.body.verdict, 'partial', JSON.stringify(verified.body));
  const partial = await scrape(instance);
  assert.equal(partial.value('svc_media_verifications_total{verdict="partial"}'), 1);
  assert.equal(partial.value('svc_verification_failures_total{code="SVC-MED-012"}'), 2);
  await expectAlerts(
    t,
    [sound, partial],
    [{ minute: 20, firing: ['SvcMediumBlocked', 'SvcVerificationFailures'], among }],
  );
  assert.equal(await instance.stop(), 0);

  await using unguarded = await serve({ root }, undefined, 'without-zone');
  const { code, reasons } = await readReady(unguarded);
  assert.equal(code, 200);
  assert.match(reasons!.join(), /made by another instance/);
  assert.equal((await scrape(unguarded)).value('svc_condition{condition="store-foreign"}'), 1);
});
