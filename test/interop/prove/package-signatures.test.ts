import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import { toFilesetImage, toLayer } from '../../kit/content/fileset-image.ts';
import { openKeyring } from '../../kit/content/packages.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { toArchive } from '../../kit/content/tar-archive.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { openClientHome } from '../../kit/program/client-home.ts';
import { needs } from '../../kit/program/peers.ts';
import { runCommand } from '../../kit/program/run-command.ts';
import { buildMedium } from '../../kit/scene/medium.ts';

const sha256 = (text: string): string => hashBytes(text).slice('sha256:'.length);
const deb = 'the bytes of a package';
const packages = `Package: hello\nVersion: 1.0\nArchitecture: all\nFilename: ./hello.deb\nSize: ${deb.length}\nSHA256: ${sha256(deb)}\n`;
const release = `Suite: stable\nSHA256:\n ${sha256(packages)} ${packages.length} Packages\n`;
const primary = `<metadata packages="1"><package type="rpm"><name>hello</name><checksum type="sha256" pkgid="YES">${sha256(deb)}</checksum><size package="${deb.length}" installed="1" archive="1"/><location href="hello.rpm"/></package></metadata>`;
const repomd = `<repomd><data type="primary"><checksum type="sha256">${sha256(primary)}</checksum><location href="repodata/primary.xml"/><size>${primary.length}</size></data></repomd>`;
const apt = { 'hello.deb': deb, Packages: packages };
const rpm = { 'hello.rpm': deb, 'repodata/primary.xml': primary, 'repodata/repomd.xml': repomd };

/** Two keys of packages, and proofs of media with one FileSet. */
async function openScene(t: TestContext) {
  for (const name of ['gpg', 'gpgv']) if (needs(t, name) === undefined) return undefined;
  await using stack = new AsyncDisposableStack();
  const { path: folder } = stack.use(await openTempFolder());
  const maker = await openClientHome(folder, 'maker');
  const keyring = stack.use(await openKeyring(maker));
  const signer = createSigner();
  const root = join(folder, 'release.pub');
  await writeFile(root, signer.publicKeyPem);
  const at = (name: string): string => join(folder, name);
  const [key, other] = [await keyring.create('packages'), await keyring.create('other')];
  await keyring.exportTo(at('packages.gpg'), key);
  await keyring.exportTo(at('packages.asc'), key, true);
  await keyring.exportTo(at('other.gpg'), other);
  const all = stack.move();
  return {
    at,
    keyring,
    key,
    other,
    /** Signs a text. @param flags as of gpg */
    sign: async (text: string, by: string, ...flags: string[]) => {
      await writeFile(at('text'), text);
      const args = ['--batch', '--yes', '--armor', '--local-user', by, '--output', at('signed'), ...flags];
      await maker.run('gpg', [...args, at('text')], { env: keyring.env });
      return readFile(at('signed'), 'utf8');
    },
    /** Proves a FileSet of these files. @returns the verdict, the findings and whether signatures are a limit */
    prove: async (files: Readonly<Record<string, string>>, ...keyrings: string[]) => {
      const artifact = toFilesetImage([toLayer(toArchive(files))]);
      const ingredient = {
        name: 'tools',
        kind: 'FileSet',
        ref: 'origin.example/tools',
        tag: '1.0.0',
      } as const;
      const ingredients = [{ ...ingredient, artifact }];
      const recipes = [{ name: 'tools', version: '1.0.0', layout: 'bundle', ingredients }] as const;
      await using medium = await buildMedium({ signer, recipes });
      const flags = keyrings.flatMap((name) => ['--keyring', at(name)]);
      const run = await runCommand([
        ...['media', 'prove', medium.root, '--trust-root', root, '--output', 'json', ...flags],
      ]);
      assert.ok([0, 4].includes(run.exitCode), run.stderr);
      const { verdict, findings, limits } = JSON.parse(run.stdout);
      return [
        verdict,
        findings.map((one: any) => `${one.severity} ${one.code} ${one.params.path} ${one.params.signature}`),
        limits.some(({ name }: any) => name === 'unverified-packages'),
      ];
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

test('without a keyring the report names the signatures of packages among its limits, where there are packages', async (t) => {
  await using scene = await openScene(t);
  if (scene === undefined) return;
  const { prove } = scene;
  assert.deepEqual(await prove({ ...apt, InRelease: `${release}` }), ['proved', [], true]);
  assert.deepEqual(await prove({ 'read.me': 'text' }), ['proved', [], false]);
});

test('the index of apt must be signed by a key of the keyring', async (t) => {
  await using scene = await openScene(t);
  if (scene === undefined) return;
  const { prove, sign, key, other, keyring } = scene;
  const inRelease = await sign(release, key, '--clearsign');
  const wrong = (path: string) => ['incomplete', [`error SVC-CLO-003 ${path} wrong`], false];
  for (const name of ['packages.gpg', 'packages.asc'])
    assert.deepEqual(await prove({ ...apt, InRelease: inRelease }, name), ['proved', [], false]);
  assert.deepEqual(await prove({ ...apt, InRelease: inRelease }, 'other.gpg'), wrong('InRelease'));
  assert.deepEqual(await prove({ ...apt, InRelease: inRelease }, 'other.gpg', 'packages.asc'), [
    'proved',
    [],
    false,
  ]);
  const altered = inRelease.replace('Suite: stable', 'Suite: s-table');
  assert.deepEqual(await prove({ ...apt, InRelease: altered }, 'packages.gpg'), wrong('InRelease'));

  const detached = { ...apt, Release: release, 'Release.gpg': await sign(release, key, '--detach-sign') };
  assert.deepEqual(await prove(detached, 'packages.gpg'), ['proved', [], false]);
  const foreign = { ...detached, 'Release.gpg': 'foo' };
  assert.deepEqual(await prove(foreign, 'packages.gpg'), wrong('Release.gpg'));
  assert.deepEqual(await prove({ ...apt, Release: release }, 'packages.gpg'), [
    'incomplete',
    ['error SVC-CLO-003 Release absent'],
    false,
  ]);

  // an archive signs with several keys, and a zone knows one of them
  const both = await sign(release, key, '--local-user', other, '--clearsign');
  assert.deepEqual(await prove({ ...apt, InRelease: both }, 'packages.gpg'), ['proved', [], false]);
  const weak = await sign(release, key, '--digest-algo', 'SHA1', '--clearsign');
  assert.deepEqual(await prove({ ...apt, InRelease: weak }, 'packages.gpg'), wrong('InRelease'));
  await keyring.revoke(key);
  await keyring.exportTo(scene.at('revoked.gpg'), key);
  assert.deepEqual(await prove({ ...apt, InRelease: inRelease }, 'revoked.gpg'), wrong('InRelease'));
});

test('an index of dnf that is signed must be signed by a key of the keyring', async (t) => {
  await using scene = await openScene(t);
  if (scene === undefined) return;
  const { prove, sign, key } = scene;
  const signed = { ...rpm, 'repodata/repomd.xml.asc': await sign(repomd, key, '--detach-sign') };
  assert.deepEqual(await prove(signed, 'packages.gpg'), ['proved', [], false]);
  assert.deepEqual(await prove(signed, 'other.gpg'), [
    'incomplete',
    ['error SVC-CLO-003 repodata/repomd.xml.asc wrong'],
    false,
  ]);
  assert.deepEqual(await prove(rpm, 'packages.gpg'), [
    'proved',
    ['warning SVC-CLO-003 repodata/repomd.xml absent'],
    false,
  ]);
});

test('a keyring needs gpgv and an OpenPGP key', async (t) => {
  await using scene = await openScene(t);
  if (scene === undefined) return;
  const { at } = scene;
  await using medium = await buildMedium();
  const prove = (keyring: string, env: Readonly<Record<string, string>> = {}) =>
    runCommand(['media', 'prove', medium.root, '--trust-root', at('release.pub'), '--keyring', at(keyring)], {
      env,
    });
  const none = await prove('release.pub');
  assert.equal(none.exitCode, 1);
  assert.match(none.stderr, /SVC-VAL-001[\s\S]*not an OpenPGP public key/);
  assert.match((await prove('absent')).stderr, /SVC-FIL-005/);
  const without = await prove('packages.gpg', { PATH: at('.') });
  assert.equal(without.exitCode, 1);
  assert.match(without.stderr, /SVC-CLO-005/);
});
