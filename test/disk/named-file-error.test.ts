import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { toNamedFileError } from '../../src/disk/named-file-error.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { runCommand } from '../kit/program/run-command.ts';

test('a path that the user named is refused in words, in both languages, not with a code of the system', async () => {
  await using temp = await openTempFolder();
  const path = (name: string): string => join(temp.path, name);
  await mkdir(path('folder'));
  await writeFile(path('file'), 'no: [json');
  await writeFile(path('config.yaml'), 'registries: { credentialsFile: ./folder }\n');
  await writeFile(path('bad.yaml'), 'registries: { credentialsFile: ./file }\n');
  const store = ['--storage-root', path('store'), '--state-root', path('state')];
  const push = (config: string) => [
    ...['recipe', 'push', path('recipe.yaml'), '127.0.0.1:1/cookbook/app:1.0.0', '--config', path(config)],
  ];
  await writeFile(
    path('recipe.yaml'),
    JSON.stringify({
      apiVersion: 'recipe.tobby.dev/v1alpha1',
      kind: 'Recipe',
      metadata: { name: 'app', version: '1.0.0' },
      spec: {
        ingredients: [
          {
            name: 'web',
            kind: 'ContainerImage',
            ref: 'registry.example/web',
            version: '1.0.0',
            digest: `sha256:${'0'.repeat(64)}`,
          },
        ],
      },
    }),
  );
  const cases: readonly [readonly string[], RegExp, RegExp][] = [
    [
      ['config', 'dump', '--config', path('folder')],
      /is a folder, not a file/,
      /est un dossier, pas un fichier/,
    ],
    [['fileset', 'pack', path('none'), 'a:1', ...store], /it does not exist/, /il n’existe pas/],
    [['fileset', 'pack', path('file'), 'a:1', ...store], /it is not a folder/, /ce n’est pas un dossier/],
    [['import', path('none'), ...store], /image layout: it does not exist/, /il n’existe pas/],
    [
      push('config.yaml'),
      /names \S+folder, which is a folder, not a file/,
      /qui est un dossier, pas un fichier/,
    ],
    [
      push('bad.yaml'),
      /file is not valid: must be JSON.*\n.*\n.*Correct \S+file and try/,
      /n’est pas valide\u00a0: /,
    ],
  ];
  for (const [args, english, french] of cases) {
    const result = await runCommand(args, { cwd: temp.path });
    assert.notEqual(result.exitCode, 0);
    assert.match(result.stderr, english);
    const [what] = result.stderr.split('\n');
    assert.doesNotMatch(what!, /\bE[A-Z]{3,}\b|\?|\(document\)/);
    const other = await runCommand(args, { cwd: temp.path, env: { LC_ALL: 'fr_FR.UTF-8' } });
    assert.match(other.stderr, french);
  }
});

test('a name that is too long for every filesystem is told, and is no failure of the machine', async () => {
  const path = `/${'x'.repeat(4000)}`;
  const error: unknown = await readFile(path).catch((thrown: unknown) => thrown);
  assert.equal((error as NodeJS.ErrnoException).code, 'ENAMETOOLONG');
  const { code, params } = toNamedFileError(error, path);
  assert.deepEqual([code, params], ['SVC-FIL-005', { path, long: path }]);
});
