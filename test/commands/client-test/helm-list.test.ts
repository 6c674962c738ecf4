import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatHelmList,
  readHelmList,
  toHelmListPath,
  toIndexUrl,
} from '../../../commands/client-test/helm-list.ts';
import { isSvcError } from '../../../src/text/error.ts';

const read = (text: string) => readHelmList(Buffer.from(text), 'repositories.yaml');

test('every entry of the list of helm is found, in any order of the keys and in any form of YAML', () => {
  const entry = { name: 'a', url: 'http://a.example' };
  for (const text of [
    'repositories:\n- caFile: ""\n  certFile: ""\n  name: a\n  url: http://a.example\n',
    'repositories:\n  - url: http://a.example\n    name: a\n',
    'repositories:\n-\n  name:   "a" # mine\n  url: \'http://a.example\'\n',
    'repositories: [{url: http://a.example, name: a}]\n',
    '{"repositories": [{"name": "a", "url": "http://a.example"}]}',
    'x: &u http://a.example\nrepositories:\n- name: a\n  url: *u\n',
    'Repositories:\n- Name: a\n  URL: http://a.example\n',
    'repositories:\r\n- name: a\r\n  url: >-\r\n    http://a.example\r\n',
  ])
    assert.deepEqual(
      read(text).map(({ name, url }) => ({ name, url })),
      [entry],
      text,
    );
  assert.deepEqual(
    read('repositories:\n- {name: a, url: http://a}\n- {url: http://b, name: b}\n').map(({ name }) => name),
    ['a', 'b'],
  );
  for (const text of ['repositories: []\n', 'repositories:\n', 'apiVersion: ""\n'])
    assert.deepEqual(read(text), [], text);

  const full =
    'repositories:\n- {name: a, url: "http://a", password: 12, pass_credentials_all: true, x: y}\n';
  assert.deepEqual(JSON.parse(formatHelmList(read(full))), {
    apiVersion: '',
    repositories: [{ name: 'a', url: 'http://a', password: '12', pass_credentials_all: true }],
  });
});

test('a list of helm that is not understood is refused, and never taken for an empty one', () => {
  for (const text of [
    '',
    '[]\n',
    'repositories: {}\n',
    'repositories: a\n',
    'repositories:\n- a\n',
    'repositories:\n-\n',
    'repositories:\n- name: a\n',
    'repositories:\n- url: http://a\n',
    'repositories:\n- {name: a, url: [http://a]}\n',
    'repositories:\n- {name: a, url: http://a, URL: http://b}\n',
    'repositories:\n- {name: a, url: http://a}\n- {name: a, url: http://b}\n',
    'repositories:\n- {name: --debug, url: http://a}\n',
    'repositories:\n- {name: ../a, url: http://a}\n',
    'repositories:\n- {name: a, url: http://a, insecure_skip_tls_verify: yes}\n',
    'x: &x {name: a}\nrepositories:\n- <<: *x\n  url: http://a\n  name: b\n',
    'repositories:\n- {name: a\n',
    '---\nrepositories: []\n---\nrepositories: []\n',
  ])
    assert.throws(
      () => read(text),
      (error) => isSvcError(error, 'SVC-VAL-001'),
      text,
    );
});

test('the list of helm is where its variables say', () => {
  const all = {
    HOME: '/h',
    XDG_CONFIG_HOME: '/x',
    HELM_CONFIG_HOME: '/c',
    HELM_REPOSITORY_CONFIG: '/r.yaml',
  };
  const { HELM_REPOSITORY_CONFIG: _r, ...own } = all;
  const { HELM_CONFIG_HOME: _c, ...shared } = own;
  assert.deepEqual([all, own, shared, { HOME: '/h' }, {}].map(toHelmListPath), [
    '/r.yaml',
    '/c/repositories.yaml',
    '/x/helm/repositories.yaml',
    '/h/.config/helm/repositories.yaml',
    '/root/.config/helm/repositories.yaml',
  ]);
  assert.equal(
    toIndexUrl('https://u:p@a.example/files/charts//?t=1'),
    'https://a.example/files/charts/index.yaml?t=1',
  );
});
