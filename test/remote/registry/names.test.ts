import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseNextLink } from '../../../src/remote/registry/link.ts';
import { toEffective } from '../../../src/remote/registry/substitution.ts';
import { isSvcError } from '../../../src/text/error.ts';

test('a substituted host is contacted below its base under its canonical name', () => {
  const of = (host: string, repository: string, substitutions: Record<string, string>) => {
    const found = toEffective({ host, repository }, substitutions);
    return `${found.host}/${found.repository}`;
  };
  const zone = { 'docker.io': 'zone1.example', 'quay.example:8443': 'zone2.example:5000/mirror/of' };
  assert.equal(of('docker.io', 'library/x', zone), 'zone1.example/docker.io/library/x');
  assert.equal(of('index.docker.io', 'library/x', zone), 'zone1.example/docker.io/library/x');
  assert.equal(of('registry-1.docker.io', 'x', zone), 'zone1.example/docker.io/x');
  assert.equal(of('quay.example:8443', 'a/b', zone), 'zone2.example:5000/mirror/of/quay.example_8443/a/b');
  assert.equal(of('quay.example', 'a/b', zone), 'quay.example/a/b');
  assert.equal(of('index.docker.io', 'x', {}), 'docker.io/x');
  assert.equal(
    of('a.example', 'x', { 'index.docker.io': 'z.example', 'a.example': 'b.example/' }),
    'b.example/a.example/x',
  );
  assert.equal(of('docker.io', 'x', { 'index.docker.io': 'z.example' }), 'z.example/docker.io/x');
});

test('a name that grows too long by its substitution is refused, not shortened', () => {
  assert.throws(
    () => toEffective({ host: 'a.example', repository: 'r'.repeat(250) }, { 'a.example': 'b.example/p' }),
    (error) => isSvcError(error, 'SVC-REG-001'),
  );
});

test('the next page is read from any form of the field', () => {
  const next = (target: string) => ({ kind: 'next', target });
  assert.deepEqual(
    parseNextLink('</v2/a/tags/list?n=2&last=b>; rel="next"'),
    next('/v2/a/tags/list?n=2&last=b'),
  );
  assert.deepEqual(parseNextLink('<a>; rel=prev, <b,c>; title="x"; rel=next'), next('b,c'));
  assert.deepEqual(parseNextLink('<a>;rel="prev next"'), next('a'));
  assert.deepEqual(parseNextLink(`<x>; rel="last"; title="a, \\"<b>", , <a> ; REL = "NEXT" ,`), next('a'));
  assert.deepEqual(parseNextLink('<a>; rel=next, garbled'), next('a'));
});

test('a list ends where the field names no next page, and not where it cannot be read', () => {
  for (const field of [
    undefined,
    '',
    ' , ',
    '<a>; rel="prev"',
    '</s.css>; rel=preload; as=style, <b>; rel=last',
  ])
    assert.deepEqual(parseNextLink(field), { kind: 'none' }, field);
  for (const field of [
    '<a; rel="next"',
    'a; rel="next"',
    '<a> rel="next"',
    '<a>',
    '<a>; rel=',
    '<a>; rel="',
    '<a>; rel=""',
    '<a>; rel="prev", <b',
    'next',
    `<${'a'.repeat(20_000)}>; rel="next"`,
  ])
    assert.deepEqual(parseNextLink(field), { kind: 'unusable' }, field);
  const started = performance.now();
  for (const part of ['; a = ', ';a=  ', '<a>;b', ' ,', '"\\"'])
    parseNextLink(`<a>${part.repeat(16_000 / part.length)}!`);
  assert.ok(performance.now() - started < 1000, 'a long field takes no long time');
});
