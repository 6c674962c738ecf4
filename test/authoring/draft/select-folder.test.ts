import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FolderFile, selectFolder } from '../../../src/authoring/draft/select-folder.ts';

const file = (path: string, form: FolderFile['form']): FolderFile => ({ path, form });
const compose = file('compose.yaml', 'compose');
const pod = file('deploy/pod.yaml', 'manifests');

test('a folder in which several files say what it is is refused with their names', () => {
  for (const [files, ambiguous] of [
    [
      [compose, file('docker-compose.yml', 'compose')],
      ['compose.yaml', 'docker-compose.yml'],
    ],
    [
      [file('zarf.yaml', 'zarf'), file('h.yaml', 'hauler'), pod],
      ['zarf.yaml', 'h.yaml'],
    ],
    [
      [file('.imgpkg/images.yml', 'imgpkg'), file('zarf.yaml', 'zarf')],
      ['.imgpkg/images.yml', 'zarf.yaml'],
    ],
  ] as const)
    assert.deepEqual(selectFolder(files, []), { ambiguous });
});

test('a chart and the definition of a package stand for the folder; the rest is left out and named', () => {
  const files = [compose, pod, file('other.yaml', 'no-known-form')];
  assert.deepEqual(selectFolder(files, ['']), {
    charts: [''],
    documents: [],
    manifests: [],
    leftOut: [
      { path: 'compose.yaml', reason: 'beside-chart' },
      { path: 'deploy/pod.yaml', reason: 'beside-chart' },
      { path: 'other.yaml', reason: 'no-known-form' },
    ],
  });
  const zarf = file('zarf.yaml', 'zarf');
  assert.deepEqual(selectFolder([...files, zarf], ['charts/web']), {
    charts: [],
    documents: [zarf],
    manifests: [],
    leftOut: [
      { path: 'charts/web/Chart.yaml', reason: 'beside-definition' },
      { path: 'compose.yaml', reason: 'beside-definition' },
      { path: 'deploy/pod.yaml', reason: 'beside-definition' },
      { path: 'other.yaml', reason: 'no-known-form' },
    ],
  });
});

test('a definition or a compose file below the folder, or under another name, is left out', () => {
  const names = ['sub/zarf.yaml', 'sub/compose.yaml', 'compose.prod.yaml', 'sub/images.txt', 'notes.txt'];
  const forms = ['zarf', 'compose', 'compose', 'images', 'images'] as const;
  const files = names.map((path, i) => file(path, forms[i]!));
  assert.deepEqual(selectFolder([...files, compose], []), {
    charts: [],
    documents: [compose],
    manifests: [],
    leftOut: names.map((path) => ({ path, reason: 'not-named-so' })),
  });
});
