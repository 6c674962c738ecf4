import assert from 'node:assert/strict';
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { parse } from 'yaml';
import { toHostsFiles, toRegistriesYaml } from '../../src/client/node-mirrors.ts';
import { localRepository } from '../../src/recipe/relocation.ts';
import { needs } from '../kit/program/peers.ts';

const base = { scheme: 'http', host: 'zone1.example:8080' } as const;
const prefixes = ['', 'zone/one'];
const nominal = [
  { host: 'docker.io', repository: 'library/nginx' },
  { host: 'docker.io', repository: 'x' },
  { host: 'registry.example:5000', repository: 'team/app/worker' },
  { host: 'localhost', repository: 'v2/v2' },
];

const toRedirections = (prefix: string) =>
  [...new Set(nominal.map(({ host }) => host))].map((host) => ({
    host,
    prefix: localRepository({ host, repository: 'x' }, prefix).slice(0, -2),
  }));

/**
 * The request of K3s and RKE2: the mirror of the reference's host, its repository put through every pattern that matches.
 * It is below `/v2/` of the endpoint, which has no path of its own here.
 */
function applyRegistriesYaml(text: string, { host, repository }: (typeof nominal)[number]): string {
  const mirror = parse(text).mirrors[host];
  let rewritten = repository;
  for (const [pattern, replacement] of Object.entries<string>(mirror.rewrite)) {
    const expression = new RegExp(pattern);
    if (expression.test(rewritten)) rewritten = rewritten.replaceAll(new RegExp(pattern, 'g'), replacement);
  }
  assert.equal(new URL(mirror.endpoint[0]).pathname, '/');
  return new URL(`/v2/${rewritten}/manifests/1`, mirror.endpoint[0]).href;
}

/** The request of containerd: with `override_path`, the path of the URL and then the repository of the reference. */
function applyHostsFile(document: any, { repository }: (typeof nominal)[number]): string[] {
  const hosts = [...Object.entries<any>(document.host), [document.server, document] as const];
  return hosts.map(([url, { override_path, capabilities }]) => {
    assert.equal(override_path, true);
    assert.deepEqual(capabilities, ['pull', 'resolve']);
    return `${url}/${repository}/manifests/1`;
  });
}

test('registries.yaml leads every nominal reference to its relocated name', () => {
  for (const prefix of prefixes) {
    const text = toRegistriesYaml(base, toRedirections(prefix));
    for (const reference of nominal)
      assert.equal(
        applyRegistriesYaml(text, reference),
        `http://zone1.example:8080/v2/${localRepository(reference, prefix)}/manifests/1`,
      );
  }
  assert.deepEqual(parse(toRegistriesYaml(base, [])), { mirrors: {} });
});

test('hosts.toml leads there and nowhere else, by the rules of a TOML parser', (t) => {
  const python = needs(t, 'python3');
  if (python === undefined) return;
  for (const prefix of prefixes) {
    const files = toHostsFiles(base, toRedirections(prefix));
    for (const reference of nominal) {
      const { content } = files.find(({ host }) => host === reference.host)!;
      const code = 'import json,sys,tomllib; print(json.dumps(tomllib.loads(sys.stdin.read())))';
      const parsed: SpawnSyncReturns<string> = spawnSync(python, ['-c', code], {
        input: content,
        encoding: 'utf8',
      });
      if (/No module named/.test(parsed.stderr)) return t.skip('not run: needs python3 3.11');
      const expected = `http://zone1.example:8080/v2/${localRepository(reference, prefix)}/manifests/1`;
      assert.deepEqual(applyHostsFile(JSON.parse(parsed.stdout), reference), [expected, expected]);
    }
  }
});

test('each nominal host has a folder of its own, named as containerd looks for it on every system', () => {
  assert.deepEqual(
    toHostsFiles(base, toRedirections('')).map(({ directory }) => directory),
    ['docker.io', 'registry.example_5000_', 'localhost'],
  );
});
