import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { runCommand } from '../../kit/program/run-command.ts';
import { assertCliDocument } from '../../kit/result/cli-schema.ts';

const toRecipe = (ingredient: string) => `apiVersion: recipe.tobby.dev/v1alpha1
kind: Recipe
metadata: {name: shop, version: 1.0.0}
spec:
  ingredients:
    - ${ingredient}
`;

test('documents are checked in the form of compilers, and the exit code counts errors, or warnings too', async () => {
  await using folder = await openTempFolder();
  const put = async (name: string, ingredient: string) => {
    await writeFile(join(folder.path, name), toRecipe(ingredient));
  };
  await put('clean.yaml', '{name: a, kind: ContainerImage, ref: registry.example/a, version: ^1}');
  await put('warned.yaml', '{name: a, kind: ContainerImage, ref: registry.example/a, version: latest}');
  await put('broken.yaml', '{name: a, kind: ContainerImage, ref: a, version: ^1}');
  const lint = (args: readonly string[], env = {}) =>
    runCommand(['recipe', 'lint', ...args], { cwd: folder.path, env });

  const clean = await lint(['clean.yaml', '--strict']);
  assert.deepEqual([clean.exitCode, clean.stdout], [0, 'clean.yaml: nothing to change\n']);
  const warned = await lint(['warned.yaml']);
  assert.equal(warned.exitCode, 0);
  assert.equal(
    warned.stdout,
    `warned.yaml:6: warning: a has the tag latest, which usually moves: the tag does not tell which release the digest pins. [moving-tag]
    Name the tag of one release, or a constraint.
`,
  );
  assert.equal((await lint(['warned.yaml', '--strict'])).exitCode, 1);
  const french = await lint(['broken.yaml'], { LC_ALL: 'fr_FR.UTF-8' });
  assert.equal(french.exitCode, 1);
  assert.match(french.stdout, /^broken\.yaml:6: erreur\u00a0: Le document ne respecte pas le format/);

  const all = await lint(['clean.yaml', 'warned.yaml', 'broken.yaml', '--output', 'json'], {
    LC_ALL: 'fr_FR.UTF-8',
  });
  assert.equal(all.exitCode, 1);
  assertCliDocument('svc recipe lint', all.stdout);
  const { files, errors, warnings } = JSON.parse(all.stdout);
  assert.deepEqual([errors, warnings], [1, 1]);
  assert.deepEqual(
    files.map(({ findings }: { findings: { rule: string }[] }) => findings.map(({ rule }) => rule)),
    [[], ['moving-tag'], ['format']],
  );
  assert.match(files[1].findings[0].message, /usually moves/);

  // the member, and a question that ends the sentence
  await put('typed.yaml', '{name: a, kind: ContainerImage, ref: registry.example/a, versoin: ^1}');
  const typed = await lint(['typed.yaml']);
  assert.match(
    typed.stdout,
    /^typed\.yaml:6: error: .*: spec\.ingredients\[0\]\.version is required\. \[format\]$/m,
  );
  assert.match(typed.stdout, /: spec\.ingredients\[0\]\.versoin .*version\? \[format\]$/m);
});

test('a file that cannot be read does not hide the findings of the others', async () => {
  await using folder = await openTempFolder();
  await writeFile(
    join(folder.path, 'broken.yaml'),
    toRecipe('{name: a, kind: ContainerImage, ref: a, version: ^1}'),
  );
  for (const command of ['recipe', 'retriever']) {
    const lint = (...more: string[]) =>
      runCommand([command, 'lint', 'absent.yaml', 'broken.yaml', 'gone.yaml', ...more], { cwd: folder.path });
    const text = await lint();
    assert.equal(text.exitCode, 1);
    assert.match(text.stdout, /^broken\.yaml:\d+: error/m);
    for (const name of ['absent', 'gone'])
      assert.match(text.stderr, new RegExp(`SVC-FIL-005: ${name}\\.yaml cannot be read`));
    const json = await lint('--output', 'json');
    assert.equal(json.exitCode, 1);
    assertCliDocument(`svc ${command} lint`, json.stdout);
    const { files, unread } = JSON.parse(json.stdout);
    assert.deepEqual(
      [files.map(({ file }: { file: string }) => file), unread.map(({ file }: { file: string }) => file)],
      [['broken.yaml'], ['absent.yaml', 'gone.yaml']],
    );
    assert.equal(unread[0].error.code, 'SVC-FIL-005');
    assert.ok(files[0].findings.length > 0);
  }
});

test('a finding about a file of two documents names the line where the second one begins', async () => {
  await using folder = await openTempFolder();
  const first = toRecipe('{name: a, kind: ContainerImage, ref: registry.example/a, version: ^1}');
  await writeFile(join(folder.path, 'two.yaml'), `${first}---\n${first}`);
  const { exitCode, stdout } = await runCommand(['recipe', 'lint', 'two.yaml'], { cwd: folder.path });
  assert.equal(exitCode, 1);
  assert.match(stdout, /^two\.yaml:7: error: .*must be one document: this file contains several/);
});
