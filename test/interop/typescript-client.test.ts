import assert from 'node:assert/strict';
import { readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { startInstance } from '../kit/instance/instance.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { needs } from '../kit/program/peers.ts';
import { runProgram } from '../kit/program/run-program.ts';
import { openSyncScene } from '../kit/scene/sync-scene.ts';

const compilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  target: 'es2022',
  module: 'nodenext',
  lib: ['es2022', 'dom'],
  types: [],
  skipLibCheck: true,
};

test('a client generated from the document compiles strictly, and makes the journey of an operator', async (t) => {
  const generator = needs(t, 'openapi-typescript');
  if (!generator) return;
  await using scene = await openSyncScene();
  await using folder = await openTempFolder();
  await using instanceFolder = await openTempFolder();
  const image = scene.putImage('library/app', '1.4.2');
  scene.publish('platform', '1.0.0', [
    { name: 'app', repository: 'library/app', tag: '1.4.2', digest: image.digest },
  ]);
  await scene.setRetriever([['platform', '^1.0']]);
  await using instance = await startInstance({
    folder: instanceFolder.path,
    config: {
      mode: 'mirror',
      registries: { insecure: [scene.origin.host] },
      retriever: { source: join(scene.folder, 'retriever.yaml') },
      trust: { roots: [{ name: 'ours', key: scene.signer.publicKeyPem }] },
    },
  });

  const document = await fetch(`${instance.url}/api/v1/openapi.yaml`, {
    headers: { authorization: instance.authorization },
  });
  const at = (name: string) => join(folder.path, name);
  await writeFile(at('openapi.yaml'), await document.text());
  await writeFile(at('package.json'), '{ "type": "module", "private": true }\n');
  await writeFile(at('tsconfig.json'), JSON.stringify({ compilerOptions, files: ['client.ts'] }));
  await writeFile(
    at('client.ts'),
    await readFile(join(import.meta.dirname, 'corpus', 'typescript-client.txt'), 'utf8'),
  );
  // <modules>/openapi-typescript/bin/cli.js
  const modules = dirname(dirname(dirname(await realpath(generator))));
  await symlink(modules, at('node_modules'));

  const cwd = folder.path;
  const env = { PATH: process.env.PATH ?? '' };
  const generated = await runProgram(generator, ['openapi.yaml', '--output', 'api.d.ts'], { cwd, env });
  assert.equal(generated.exitCode, 0, generated.stdout + generated.stderr);
  const compiled = await runProgram(join(modules, '.bin', 'tsc'), ['-p', '.'], { cwd, env });
  assert.equal(compiled.exitCode, 0, compiled.stdout);
  const token = await instance.createToken('operator');
  const journey = await runProgram(process.execPath, ['client.js'], {
    cwd,
    env: { URL: instance.url, TOKEN: token },
  });
  assert.equal(journey.exitCode, 0, journey.stderr);
  assert.deepEqual(JSON.parse(journey.stdout), {
    role: 'operator',
    pending: 0,
    before: 0,
    exitCode: 5,
    ended: 'done',
    after: ['cookbook/platform', 'library/app'],
    version: image.digest,
    unknownTask: 'SVC-TSK-001',
    forbidden: 'SVC-AUTH-003',
    invalid: 'SVC-VAL-001',
  });
});
