import assert from 'node:assert/strict';
import { appendFile, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import { lookAtCopy } from '../../../src/engine/medium/copy-state.ts';
import { carry } from '../../kit/scene/carried-medium.ts';
import { type BuiltMedium, buildMedium } from '../../kit/scene/medium.ts';
import { trust, verifyCarried } from '../../kit/scene/verify-carried.ts';

let medium: BuiltMedium;
before(async () => {
  medium = await buildMedium();
});
after(() => medium[Symbol.asyncDispose]());

const files = {
  'program/SHA256SUMS': 'list',
  'program/oci/blobs/one': 'blob',
  'program/svc-linux-x64': 'svc',
};

/** A medium that brings a program, which its manifest lists. */
async function carryProgram() {
  const carried = await carry(medium);
  const put = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(carried.root, path)), { recursive: true });
    await writeFile(join(carried.root, path), text);
  };
  for (const [path, text] of Object.entries(files)) await put(path, text);
  await carried.editManifest((header, lines) => {
    header.program = { version: '1.2.3', files: 3, bytes: 11 };
    const own = Object.entries(files).map(([path, text]) => ({
      path,
      size: text.length,
      digest: hashBytes(text),
    }));
    return [...lines, ...own].sort((a, b) => (a.path < b.path ? -1 : 1));
  });
  const judge = async () => {
    const { report } = await verifyCarried(carried.root, trust(medium.signer));
    const findings = report.findings.map(({ code, path }) => `${code} ${path}`);
    return { verdict: report.verdict, findings, program: report.medium?.program };
  };
  return { ...carried, put, judge };
}

test('a listed program is content of the medium like any other', async () => {
  const carried = await carryProgram();
  assert.deepEqual(await carried.judge(), {
    verdict: 'pushable',
    findings: [],
    program: { version: '1.2.3', files: 3, bytes: 11 },
  });
});

test('an altered, a missing and an unlisted file of a program are reported, and block no recipe', async () => {
  const carried = await carryProgram();
  await writeFile(join(carried.root, 'program', 'svc-linux-x64'), 'SVC');
  await rm(join(carried.root, 'program', 'SHA256SUMS'));
  await carried.put('program/evil', 'x');
  await carried.put('program/oci/evil', 'x');
  await carried.put('program/more/evil', 'x');
  await mkdir(join(carried.root, 'program', 'empty'));
  const { verdict, findings } = await carried.judge();
  assert.equal(verdict, 'pushable');
  assert.deepEqual(findings, [
    'SVC-MED-010 program/SHA256SUMS',
    'SVC-MED-012 program/svc-linux-x64',
    'SVC-MED-020 program/empty',
    'SVC-MED-020 program/evil',
    'SVC-MED-020 program/more',
    'SVC-MED-020 program/oci/evil',
  ]);
});

test('a link in the place of the program is not followed', async () => {
  const carried = await carryProgram();
  await rm(join(carried.root, 'program'), { recursive: true });
  await symlink('/etc', join(carried.root, 'program'));
  const { findings } = await carried.judge();
  assert.deepEqual(findings, [
    ...Object.keys(files).map((path) => `SVC-MED-010 ${path}`),
    'SVC-MED-020 program',
  ]);
});

test('a program that no manifest lists is one unlisted folder, and an unusable claim of it blocks the medium', async () => {
  const carried = await carry(medium);
  await mkdir(join(carried.root, 'program'));
  for (const name of ['svc', 'SHA256SUMS']) await writeFile(join(carried.root, 'program', name), 'x');
  const { report } = await verifyCarried(carried.root, trust(medium.signer));
  assert.deepEqual(
    report.findings.map(({ code, path }) => `${code} ${path}`),
    ['SVC-MED-020 program'],
  );
  await carried.editManifest((header) => {
    header.program = { version: '1.2.3', files: -1, bytes: 11 };
    return undefined;
  });
  const spoiled = await verifyCarried(carried.root, trust(medium.signer));
  assert.deepEqual([spoiled.report.verdict, spoiled.report.blocks[0]?.code], ['blocked', 'SVC-MED-002']);
});

test('the copy of a medium with a program has ended when the whole program is there', async () => {
  const carried = await carryProgram();
  const { signal } = new AbortController();
  const look = async (): Promise<boolean> => {
    const first = await lookAtCopy(carried.root, undefined, signal);
    return (await lookAtCopy(carried.root, first, signal)).isComplete;
  };
  assert.equal(await look(), true);
  await appendFile(join(carried.root, 'program', 'oci', 'blobs', 'one'), 'more');
  assert.equal(await look(), false);
});
