import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRemoteRegistry } from '../kit/instance/remote-registry.ts';
import { createRegistryDouble } from '../kit/result/registry-double.ts';

test('the repositories of a registry are listed over all pages', async (t) => {
  await using double = await createRegistryDouble({ pageSize: 2 });
  const names = ['a/one', 'a/two', 'b', 'c/d/e', 'f'];
  for (const name of names) double.putBlob(name, name);
  const registry = openRemoteRegistry(t, [double.host]);
  assert.deepEqual(await registry.listRepositories(double.host), names);
  assert.equal(double.count(/_catalog/), 3);
});

test('a list that a registry refuses, or that cannot be used, counts as absent', async (t) => {
  await using double = await createRegistryDouble({ pageSize: 1 });
  for (const name of ['a', 'b', 'c']) double.putBlob(name, name);
  const registry = openRemoteRegistry(t, [double.host], { retries: 0 });
  for (const status of [401, 403, 404, 405, 500]) {
    double.failNext(/_catalog/, status);
    assert.equal(await registry.listRepositories(double.host), undefined, `${status}`);
  }
  const answers: readonly [body: string, link?: string][] = [
    ['<html>'],
    ['{}'],
    ['{"repositories": 7}'],
    ['{"repositories": ["a"]}', '</v2/_catalog?n=1>; rel="next"'],
    ['{"repositories": ["a"]}', '<http://elsewhere.example/v2/_catalog>; rel="next"'],
    ['{"repositories": ["a"]}', 'nonsense'],
  ];
  for (const [body, link] of answers) {
    const stop = double.intercept(({ path }, response) => {
      if (!path.startsWith('/v2/_catalog')) return false;
      response.writeHead(200, { 'content-type': 'application/json', ...(link ? { link } : {}) });
      response.end(body);
      return true;
    });
    assert.equal(await registry.listRepositories(double.host), undefined, `${body} ${link}`);
    stop();
  }
  assert.deepEqual(await registry.listRepositories(double.host), ['a', 'b', 'c']);
  await double.close();
  assert.equal(await registry.listRepositories(double.host), undefined);
});
