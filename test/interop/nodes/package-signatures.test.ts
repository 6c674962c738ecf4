import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildRpm, type Keyring, openKeyring } from '../../kit/content/packages.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { type ClientHome, openClientHome } from '../../kit/program/client-home.ts';
import { needs, needsPart, onPath } from '../../kit/program/peers.ts';
import { runSvc } from '../../kit/program/svc.ts';
import { testInstalled } from '../../kit/program/test-installed.ts';
import { openRehearsal } from '../../kit/scene/rehearsal.ts';

const programs = ['dnf', 'createrepo_c', 'rpmbuild', 'rpmsign', 'rpmkeys', 'gpg', 'unshare'];

/** Signs a package with a key of the keyring. */
const signRpm = (maker: ClientHome, { env }: Keyring, path: string, fingerprint: string) =>
  maker.run(
    'rpmsign',
    ['--define', `_gpg_name ${fingerprint}`, '--define', `__gpg ${onPath('gpg')}`, '--addsign', path],
    { env },
  );

test('dnf is configured, and tested, by the signatures that packages have', async (t) => {
  if (!programs.every((name) => needs(t, name) !== undefined)) return;
  if (!needsPart(t, 'dnf', ['download', '--help'])) return;
  await using folder = await openTempFolder();
  const maker = await openClientHome(folder.path, 'maker');
  await using keyring = await openKeyring(maker);
  const [key, strange] = [await keyring.create('release'), await keyring.create('strange')];
  const store = join(folder.path, 'store');
  /** Packs a folder of packages. @param signer of each package; undefined: nobody signs it */
  const pack = async (name: string, signers: readonly (string | undefined)[], ...flags: string[]) => {
    const tree = join(folder.path, name);
    await mkdir(tree);
    for (const [i, signer] of signers.entries()) {
      const path = await buildRpm(maker, tree, `${name}${i}`, '1.0');
      if (signer !== undefined) await signRpm(maker, keyring, path, signer);
    }
    if (flags.length === 0) await maker.run('createrepo_c', [tree]);
    const packed = await runSvc(
      ['fileset', 'pack', tree, `${name}:1.0.0`, ...flags, '--storage-root', store],
      { env: { HOME: maker.path, ...keyring.env } },
    );
    assert.equal(packed.exitCode, 0, packed.stderr);
    return packed;
  };
  const index = ['--index', 'rpm', '--gpg-key', key];
  assert.match(
    (await pack('plain', [undefined], ...index)).stderr,
    /signature of their own: 1 of 1\..*gpgcheck=0/,
  );
  assert.match((await pack('mixed', [undefined, key], ...index)).stderr, /signature of their own: 1 of 2\./);
  assert.doesNotMatch((await pack('signed', [key], ...index)).stderr, /signature of their own/);
  const document = JSON.parse((await pack('strange', [strange], ...index, '--output', 'json')).stdout);
  assert.deepEqual(document.rpms, { packages: 1, unsigned: 0 });
  await pack('bare', [undefined]);

  await using world = await openRehearsal();
  const names = ['bare', 'mixed', 'plain', 'signed', 'strange'];
  const filesets = names.map((name) => ({ name, ref: `localhost/filesets/${name}`, anonymous: true }));
  const instance = await world.start('zone', { storage: { root: store }, files: { filesets } });
  const keys = join(folder.path, 'keys');
  await mkdir(keys);
  for (const name of names) await keyring.exportTo(join(keys, `svc-${name}.asc`), key, true);
  const { stdout: created } = await runSvc([
    'token',
    'create',
    'nodes',
    '--role',
    'viewer',
    '--output',
    'json',
    '--config',
    instance.configPath,
  ]);
  const env = { SVC_API_TOKEN: JSON.parse(created).secret as string };
  const at = join(folder.path, 'repos');
  const configure = () =>
    runSvc(['client', 'config', 'dnf', '--directory', at, '--instance', instance.url], { env });
  const made = await configure();
  assert.equal(made.exitCode, 0, made.stderr);
  const text = await readFile(join(at, 'svc.repo'), 'utf8');
  assert.deepEqual(
    [...text.matchAll(/^\[svc-(.*)\]|^gpgcheck=(.)/gm)].map(([, name, value]) => name ?? value),
    ['bare', '1', 'mixed', '0', 'plain', '0', 'signed', '1', 'strange', '1'],
  );

  // the settings that were written are those that are tested
  const tested = await runSvc(
    [
      'client',
      'test',
      'dnf',
      '--keys',
      keys,
      '--sample',
      '9',
      '--instance',
      instance.url,
      '--output',
      'json',
    ],
    { env },
  );
  assert.equal(tested.exitCode, 1, tested.stdout);
  const checks = JSON.parse(tested.stdout).checks as {
    reference: string;
    outcome: string;
    detail?: string;
  }[];
  assert.deepEqual(
    checks.map(({ reference, outcome }) => `${reference} ${outcome}`),
    [
      'dnf makecache pulled',
      'bare0 failed',
      'mixed0 pulled',
      'mixed1 pulled',
      'plain0 pulled',
      'signed0 pulled',
      'strange0 failed',
    ],
  );
  assert.match(checks[1]!.detail!, /no signature of its own, and gpgcheck=1 of svc-bare/);
  assert.match(checks.at(-1)!.detail!, /SIGNATURES NOT OK/);

  // a node that checks more than it was configured to
  const strict = text
    .replaceAll('gpgcheck=0', 'gpgcheck=1')
    .replaceAll('/etc/pki/rpm-gpg/', `${keys}/`)
    .split('\n\n')
    .filter((section) => section.includes('[svc-plain]'))
    .join('\n\n');
  await writeFile(join(at, 'svc.repo'), `${strict}\n`);
  const installed = await testInstalled('dnf', instance.url, { 'yum.repos.d': at }, env);
  assert.equal(installed.exitCode, 1, installed.stdout + installed.stderr);
  assert.match(installed.stdout, /^failed {2}plain0 .*\n {2}.*gpgcheck=1 of svc-plain/m);

  // the next configuration says which lines of the file it changes
  await writeFile(join(at, 'svc.repo'), text.replace('gpgcheck=0', 'gpgcheck=1\nproxy=http://proxy.example'));
  const again = await configure();
  assert.equal(again.exitCode, 0, again.stderr);
  assert.equal(await readFile(join(at, 'svc.repo'), 'utf8'), text);
  assert.match(
    again.stderr,
    /svc\.repo.*\n {2}\[svc-mixed\]\n {2}- gpgcheck=1\n {2}- proxy=http:\/\/proxy\.example\n {2}\+ gpgcheck=0\n/,
  );
  assert.doesNotMatch((await configure()).stderr, /gpgcheck/);
});
