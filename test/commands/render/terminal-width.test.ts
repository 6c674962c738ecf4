import assert from 'node:assert/strict';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildImage } from '../../kit/content/content.ts';
import { writeRetriever } from '../../kit/content/retriever.ts';
import { damageFile } from '../../kit/hostile/damage-file.ts';
import { findEnglish, runInLanguage } from '../../kit/program/run-command.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';
import { buildMedium, type MediumRecipe } from '../../kit/scene/medium.ts';

/** A recipe of one image, which is its own. */
function recipeOf(name: string): MediumRecipe {
  const ref = `origin.example:5000/a-team-with-a-name/a-product-with-a-name/${name}`;
  const artifact = buildImage(name);
  const ingredients = [{ name: 'web', kind: 'ContainerImage', ref, tag: '1.0', artifact }] as const;
  return { name, version: '1.0.0', layout: 'classic', ingredients };
}

test('reports of stores, layouts, media and plans fit the terminal; only a word may be longer', async () => {
  const [whole, broken] = [recipeOf('whole'), recipeOf('broken')];
  await using medium = await buildMedium({ recipes: [whole, broken] });
  await using zone = await createRegistryDouble();
  const { root } = medium;
  const path = (name: string): string => join(medium.folder, name);
  const layer = broken.ingredients[0]!.artifact.blobs.at(-1)!.descriptor.digest.split(':') as [
    string,
    string,
  ];
  const roots = (state: string): string[] => ['--storage-root', root, '--state-root', path(state)];
  const layout = [...['export', '--directory', '--overwrite', path('layout')], ...roots('sender')];
  assert.equal((await runInLanguage(layout, 'en')).exitCode, 0);
  await rm(join(path('layout'), 'blobs', ...layer));
  await damageFile(join(root, 'blobs', ...layer), 100);
  await writeRetriever(
    path('retriever.yaml'),
    { cookbook: '127.0.0.1:1/cookbook', recipes: [{ name: 'whole', version: '^1.0.0' }] },
    'zone-b',
  );

  for (const [language, columns] of [
    ['en', 60],
    ['fr', 80],
  ] as const) {
    // the verdict of an import is the same each time only with a state of its own
    const state = `state-${language}`;
    const config = path(`${language}.json`);
    await mkdir(path(state));
    await writeFile(
      config,
      JSON.stringify({
        mode: 'mirror',
        zone: 'zone-b',
        storage: { root },
        state: { root: path(state) },
        destination: { registry: zone.host },
        registries: { insecure: [zone.host, '127.0.0.1:1'] },
        trust: { roots: [{ name: 'release', key: medium.signer.publicKeyPem }] },
      }),
    );
    const into = ['--storage-root', path(`store-${language}`), '--state-root', path(`other-${language}`)];
    const cases: readonly (readonly [args: readonly string[], exitCode: number, says: RegExp])[] = [
      [['store', 'check', ...roots(state)], 4, /SVC-STO-009/],
      [['export', path('out.tar'), '--dry-run', ...roots(state)], 0, /origin\.example_5000\//],
      [['export', path(`${language}.tar`), ...roots(state)], 4, /SVC-SIG-002/],
      [['import', path('layout'), ...into], 1, /SVC-/],
      [['media', 'verify', '--config', config], 4, /SVC-MED-012/],
      [['media', 'import', '--config', config], 4, /SVC-MED-012/],
      [
        [
          'sync',
          '--dry-run',
          '--retriever',
          path('retriever.yaml'),
          '--config',
          config,
          '--mode',
          'passthrough',
        ],
        1,
        /127\.0\.0\.1:1/,
      ],
    ];
    for (const [args, exitCode, says] of cases) {
      const printed = await runInLanguage(args, language, { COLUMNS: String(columns) });
      const text = printed.stdout + printed.stderr.replaceAll(/^\{.*\}\n/gm, '');
      assert.equal(printed.exitCode, exitCode, text);
      assert.match(text, says);
      const wide = text.split('\n').filter((line) => line.length > columns && line.trim().includes(' '));
      assert.deepEqual(wide, [], `${args.join(' ')}\n${text}`);
      if (language === 'fr') assert.equal(findEnglish(text), undefined, text);
    }
  }
  assert.ok((await readdir(path('state-en'))).includes('media'));
});
