import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { toRecipeDocument } from '../../kit/content/origin.ts';
import { adminPassword } from '../../kit/instance/instance.ts';
import { openClientHome } from '../../kit/program/client-home.ts';
import { openNames } from '../../kit/program/open-names.ts';
import { needs } from '../../kit/program/peers.ts';
import { openRehearsal } from '../../kit/scene/rehearsal.ts';
import { followPage } from '../../kit/web/follow-page.ts';

const pkcs11 = '/usr/lib/softhsm/libsofthsm2.so';

test('the page about signing does what it says, with a key in a PKCS #11 module', async (t) => {
  for (const program of ['openssl', 'pkcs11-tool', 'softhsm2-util'])
    if (needs(t, program) === undefined) return;
  if (!existsSync(pkcs11)) return t.skip(`not run: needs ${pkcs11}`);
  await using world = await openRehearsal();
  const origin = await world.start('origin');
  await using names = await openNames({ 'registry.example': origin });
  const home = await openClientHome(world.folder);
  const auth = Buffer.from(`admin:${adminPassword}`).toString('base64');
  const auths = { 'registry.example': { auth } };
  await writeFile(world.path('docker.json'), JSON.stringify({ auths }), { mode: 0o600 });
  await writeFile(world.path('publisher.yaml'), 'registries: { credentialsFile: ./docker.json }\n');
  const digest = `sha256:${'0'.repeat(64)}`;
  const ingredients = [{ name: 'web', repository: 'shop/web', version: '1.4.0', digest }];
  await writeFile(
    world.path('shop.yaml'),
    toRecipeDocument('registry.example', { name: 'shop', version: '1.4.0', ingredients }),
  );
  // a module in software, with a token of its own
  await mkdir(world.path('tokens'));
  await writeFile(world.path('softhsm2.conf'), `directories.tokendir = ${world.path('tokens')}\n`);
  const module = { SOFTHSM2_CONF: world.path('softhsm2.conf') };
  const token = ['--init-token', '--free', '--label', 'svc', '--so-pin', '1234', '--pin', '5678'];
  await home.run('softhsm2-util', token, { env: module });

  const env = {
    SVC_NETWORK_PROXY_URL: names.url,
    SVC_REGISTRIES_INSECURE: 'registry.example',
  };
  const run = await followPage('docs/signing.md', {
    folder: world.folder,
    env: { ...env, ...module, MODULE: pkcs11, PIN: '5678' },
  });
  assert.ok(run.some((line) => line.startsWith('pkcs11-tool') && line.includes('--sign')));

  const retriever = await world.retriever('zone', {
    cookbook: 'registry.example/cookbook',
    recipes: [{ name: 'shop', version: '1.4.0' }],
  });
  const fingerprints = new Set<string>();
  for (const name of ['release', 'hardware']) {
    const key = await readFile(world.path(`${name}.pub`), 'utf8');
    const config = await world.configure(`zone-${name}`, {
      registries: { credentialsFile: world.path('docker.json') },
      trust: { roots: [{ name, key }] },
    });
    const resolved = await world.svc(
      ['retriever', 'resolve', retriever, '--config', config, '--output', 'json'],
      { env },
    );
    assert.equal(resolved.exitCode, 0, `${name}: ${resolved.stdout}${resolved.stderr}`);
    fingerprints.add(JSON.parse(resolved.stdout).recipes[0].keyFingerprint);
  }
  assert.equal(fingerprints.size, 2);
});
