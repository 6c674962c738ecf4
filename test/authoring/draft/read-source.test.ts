import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { SourceOptions } from '../../../src/authoring/draft/model.ts';
import { readSources } from '../../../src/authoring/draft/read-source.ts';
import type { RemoteReading } from '../../../src/remote/model.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';

const options: SourceOptions = {
  variables: new Map(),
  values: [],
  render: false,
  findMore: false,
  path: '',
};

/** Reads sources of this machine: no registry is asked. */
const read = (given: string) => readSources(given, {} as RemoteReading, options);

const none = 'a list has one name on each line, and nothing else';

test('a list of images with a wrong line is refused with its number and its text, wherever it is given', async () => {
  await using folder = await openTempFolder();
  const listed = join(folder.path, 'listed');
  const list = join(listed, 'images.txt');
  await mkdir(listed);
  const both = 'x.example/shop/a:1\nx.example/shop/db 16\n';
  for (const [content, line, rule] of [
    [both, 2, `'x.example/shop/db 16' is not the name of an image: ${none}`],
    ['docker pull nginx:1\n', 1, `'docker pull nginx:1' is not the name of an image: ${none}`],
    ['# images\n- nginx:1\n', 2, `'- nginx:1' is not the name of an image: ${none}`],
    ['image: nginx:1\n', 1, `'image: nginx:1' is not the name of an image: ${none}`],
    ['a/b:1 c/d:2\n', 1, `'a/b:1 c/d:2' is not the name of an image: ${none}`],
    ['db 16\n', 1, `'db 16' is not the name of an image: ${none}`],
    ['x.example/db:16"\n', 1, `'x.example/db:16"' is not the name of an image: `],
    ['', undefined, 'is empty, or has comments only'],
    ['# none yet\n', undefined, 'is empty, or has comments only'],
    [Buffer.from('\ufeffnginx:1\n', 'utf16le'), undefined, 'is UTF-16, and must be UTF-8'],
    [Buffer.from('nginx:1\n', 'utf16le'), undefined, 'is UTF-16, and must be UTF-8'],
    [Buffer.from([0xc3, 0x28]), undefined, 'must be UTF-8'],
  ] as const) {
    await writeFile(list, content);
    for (const given of [list, listed])
      await assert.rejects(read(given), (error) => {
        assert.ok(isSvcError(error, 'SVC-VAL-001'), String(error));
        const { file, rule: said } = error.params;
        const inRule = given === listed && String(said).startsWith(`line ${line}: `);
        if (!inRule) assert.equal(file, line === undefined ? list : `${list}:${line}`);
        else assert.equal(file, list);
        assert.ok(String(said).includes(rule), `${content}: ${said}`);
        return true;
      });
  }
  // beside another source, too: its images would be missing
  await writeFile(list, both);
  await writeFile(join(listed, 'compose.yaml'), 'services: {web: {image: "nginx:1"}}\n');
  await assert.rejects(
    read(listed),
    (error) => isSvcError(error, 'SVC-VAL-001') && error.params.file === `${list}:2`,
  );
});

test('a document of svc, and a folder without anything, are called so', async () => {
  await using folder = await openTempFolder();
  const file = join(folder.path, 'x.yaml');
  const own = (kind: string) => `apiVersion: recipe.tobby.dev/v1alpha1\nkind: ${kind}\n`;
  for (const [content, rule] of [
    [own('Recipe'), `is a recipe already: svc recipe pin ${file} turns its tags into digests`],
    [own('Retriever'), 'is a Retriever, which names recipes and no images'],
    ['zone: b\nstate: {root: state}\n', 'is a configuration of svc, which names no images'],
  ] as const) {
    await writeFile(file, content);
    await assert.rejects(
      read(file),
      (error) => isSvcError(error, 'SVC-VAL-001') && error.params.rule === rule,
    );
  }
  await rm(file);
  await assert.rejects(
    read(folder.path),
    (error) => isSvcError(error, 'SVC-VAL-001') && error.params.rule === 'is an empty folder',
  );
});

test('no secret of a URL in a document of another tool is repeated', async () => {
  await using folder = await openTempFolder();
  const file = join(folder.path, 'x.yaml');
  const url = 'https://olga:canary@files.example/a?sig=canary';
  const documents = [
    `apiVersion: content.hauler.cattle.io/v1\nkind: Files\nmetadata: {name: x}\nspec: {files: [{path: "${url}"}]}\n`,
    `kind: ZarfPackageConfig\nmetadata: {name: x}\ncomponents: [{name: a, files: [{source: "${url}"}], repos: ["${url}"], import: {url: "${url}"}}]\n`,
  ];
  for (const document of documents) {
    await writeFile(file, document);
    const [source] = await read(file);
    assert.ok(source!.contents.omissions.length > 0);
    assert.doesNotMatch(JSON.stringify(source), /canary/);
    assert.match(JSON.stringify(source), /files\.example\/a/);
  }
  const list = join(folder.path, 'images.txt');
  for (const line of [
    url,
    'olga:canary@registry.example/a:1',
    `https://olga:${'canary'.repeat(30)}@b.example`,
  ]) {
    await writeFile(list, `${line}\n`);
    await assert.rejects(read(list), (error) => {
      assert.ok(isSvcError(error, 'SVC-VAL-001'));
      assert.doesNotMatch(JSON.stringify(error.params), /canary/);
      return true;
    });
  }
});
