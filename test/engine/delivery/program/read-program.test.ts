import assert from 'node:assert/strict';
import { appendFile, copyFile, mkdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashBytes } from '../../../../src/base/digest.ts';
import { readProgram } from '../../../../src/engine/delivery/program/read-program.ts';
import { isSvcError } from '../../../../src/text/error.ts';
import { createSigner } from '../../../kit/content/signer.ts';
import { openTempFolder } from '../../../kit/instance/temp-folder.ts';
import { makeSmallRelease, type SmallRelease } from '../../../release/small-release.ts';

async function refuse(release: SmallRelease, detail: RegExp, key = release.signer.publicKey): Promise<void> {
  await assert.rejects(readProgram(release.root, key), (error) => {
    assert.ok(isSvcError(error, 'SVC-MED-048'), String(error));
    assert.match(String(error.params.detail), detail);
    return true;
  });
}

test('a release has the files of its list, the list and its signatures', async () => {
  await using folder = await openTempFolder();
  for (const type of ['p256', 'p384', 'rsa'] as const) {
    const release = await makeSmallRelease(join(folder.path, type), { signer: createSigner(type) });
    const program = await readProgram(release.root, release.signer.publicKey);
    assert.equal(program.version, '1.2.3');
    assert.deepEqual(program.programs, ['svc-linux-arm64', 'svc-linux-x64']);
    assert.deepEqual(
      program.files.map(({ path }) => path),
      [
        'SHA256SUMS',
        'SHA256SUMS.sig',
        'SHA256SUMS.sigstore.json',
        'oci/blobs/sha256/0123',
        'oci/oci-layout',
        'svc-1.2.3.recipe.yaml',
        'svc-linux-arm64',
        'svc-linux-x64',
        'svc.pub',
      ],
    );
    let bytes = 0;
    for (const { path, size, digest } of program.files) {
      const content = await readFile(release.at(path));
      assert.deepEqual([size, digest], [content.length, hashBytes(content)]);
      bytes += size;
    }
    assert.equal(program.bytes, bytes);
  }
});

test('a file of any size without content is refused before it is read', { timeout: 20_000 }, async () => {
  await using folder = await openTempFolder();
  const release = await makeSmallRelease(folder.path);
  await truncate(release.at('svc-linux-x64'), 2 ** 40);
  await refuse(release, /^svc-linux-x64 has 4 GiB or more$/);
});

test('the FileSet of the programs is carried too, and a release without the bundle of its list', async () => {
  await using folder = await openTempFolder();
  const release = await makeSmallRelease(folder.path);
  await rm(release.at('svc-1.2.3.recipe.yaml'));
  await release.sign((sums) => `# svc-files 1.2.4-rc.1: the single files, as a zone serves them\n${sums}`);
  await rm(release.at('SHA256SUMS.sigstore.json'));
  const program = await readProgram(release.root, release.signer.publicKey);
  assert.deepEqual([program.version, program.files.length], ['1.2.4-rc.1', 7]);
});

test('an altered, a missing or an added file is named', async () => {
  const cases: Readonly<Record<string, readonly [(release: SmallRelease) => Promise<unknown>, RegExp]>> = {
    altered: [
      ({ at }) => writeFile(at('svc-linux-x64'), "#!/bin/sh\n# x64\necho 'svc 1.2.4'\n"),
      /^svc-linux-x64 is not the file of the signed list$/,
    ],
    longer: [({ at }) => appendFile(at('oci/oci-layout'), ' '), /^oci\/oci-layout is not the file/],
    missing: [({ at }) => rm(at('oci/blobs/sha256/0123')), /^oci\/blobs\/sha256\/0123 is missing$/],
    'missing beside others': [({ at }) => rm(at('svc.pub')), /^svc\.pub is missing$/],
    added: [({ at }) => writeFile(at('oci/more'), ''), /does not name oci\/more$/],
    'added beside the list': [
      ({ at }) => writeFile(at('SHA256SUMS.asc'), ''),
      /does not name SHA256SUMS\.asc$/,
    ],
    'an empty folder': [({ at }) => mkdir(at('oci/empty')), /does not name oci\/empty$/],
    'a link to the same bytes': [
      async ({ at, root }) => {
        await copyFile(at('svc.pub'), `${root}-svc.pub`);
        await rm(at('svc.pub'));
        await symlink(`${root}-svc.pub`, at('svc.pub'));
      },
      /^svc\.pub is not a regular file$/,
    ],
    'a folder in its place': [
      async ({ at }) => {
        await rm(at('svc.pub'));
        await mkdir(at('svc.pub'));
        await writeFile(at('svc.pub/more'), '');
      },
      /does not name svc\.pub\/more$/,
    ],
    'no list': [({ at }) => rm(at('SHA256SUMS')), /^SHA256SUMS is missing$/],
    'no signature': [({ at }) => rm(at('SHA256SUMS.sig')), /^SHA256SUMS\.sig is missing$/],
    'an altered list': [
      ({ at }) => appendFile(at('SHA256SUMS'), '\n'),
      /signature of its SHA256SUMS does not/,
    ],
    'a cut signature': [
      ({ at }) => truncate(at('SHA256SUMS.sig'), 20),
      /signature of its SHA256SUMS does not/,
    ],
    'an altered bundle': [
      ({ at }) => writeFile(at('SHA256SUMS.sigstore.json'), '{}'),
      /^SHA256SUMS\.sigstore\.json is not a signature/,
    ],
  };
  for (const [name, [spoil, detail]] of Object.entries(cases)) {
    await using folder = await openTempFolder();
    const release = await makeSmallRelease(folder.path);
    await spoil(release);
    await refuse(release, detail).catch((error: unknown) => assert.fail(`${name}: ${String(error)}`));
  }
});

test('the bundle of another release, another key and a key of a type that openssl dgst cannot use are refused', async () => {
  await using folder = await openTempFolder();
  const release = await makeSmallRelease(folder.path);
  await refuse(release, /does not verify with this key$/, createSigner().publicKey);
  await refuse(release, /Ed25519/, createSigner('ed25519').publicKey);
  const bundle = await readFile(release.at('SHA256SUMS.sigstore.json'));
  await writeFile(release.at('svc.pub'), 'another');
  await release.sign();
  await writeFile(release.at('SHA256SUMS.sigstore.json'), bundle);
  await refuse(release, /^SHA256SUMS\.sigstore\.json is not a signature/);
});

test('a signed list that is not that of a release, or has a path that no medium can have, is refused', async () => {
  const hex = 'a'.repeat(64);
  const lines = [
    '../evil',
    '/etc/evil',
    'a//b',
    'a/./b',
    'a:b',
    'a\\b',
    'SHA256SUMS',
    'sha256sums.SIG',
    'SVC.PUB',
    'x'.repeat(901),
  ].map((path) => `${hex}  ${path}\n`);
  for (const line of [...lines, '\n', `${hex} *binary\n`, `${hex.toUpperCase()}  upper\n`, 'no end']) {
    await using folder = await openTempFolder();
    const release = await makeSmallRelease(folder.path);
    await release.sign((sums) => sums + line);
    await refuse(release, /^line 7 of its SHA256SUMS is not/);
  }
  for (const change of [
    (sums: string) => sums.replace(/^.*recipe\.yaml\n/m, ''),
    (sums: string) => sums.replace(/^.*svc-linux-.*\n/gm, ''),
    (sums: string) => `${sums}${hex}  svc-1.2.4.recipe.yaml\n`,
    () => '',
  ]) {
    await using folder = await openTempFolder();
    const release = await makeSmallRelease(folder.path);
    await release.sign(change);
    await refuse(release, /^its SHA256SUMS is not the list of a release of svc$/);
  }
});
