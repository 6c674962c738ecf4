import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findRepeatedMember } from '../../src/base/json/parse-json.ts';
import { ManifestError, parseManifest } from '../../src/oci/manifest.ts';

test('a name that stands twice in one object is found, however it is written', () => {
  for (const [text, name] of [
    ['{"a":1,"a":2}', 'a'],
    ['{"x":[{"a":{"b":1}},{"a":1,"c":"}","a":2}]}', 'a'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"a":{"q":1} , "b" : [ ] , "b" : 3 }', 'b'],
    ['{"":1,"":2}', ''],
    ['{"\\"":1,"\\"":2}', '"'],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ['{"a":1,"a":1}', 'a'],
    ['[{"1":0,"1":0}]', '1'],
  ] as const)
    assert.equal(findRepeatedMember(text, JSON.parse(text)), name, text);
});

test('names in different objects, values and text that looks like one are no repetition', () => {
  for (const text of [
    '{"a":{"a":{"a":"a"}},"b":["a","a"],"c":"a"}',
    '[{"a":1},{"a":1}]',
    '{"a":"\\",\\"a\\":","b":"{\\"b\\":"}',
    '"a"',
    '[[],[{}],{}]',
    '{"a\\\\":1,"a":2}',
    '{"b":1,"1":2.0}',
    '{\n"b":1}',
  ])
    assert.equal(findRepeatedMember(text, JSON.parse(text)), undefined, text);
});

test('a manifest that two readers could read differently is refused', () => {
  const text = '{"schemaVersion":2,"manifests":[],"manifests":[]}';
  assert.throws(() => parseManifest(Buffer.from(text)), ManifestError);
  assert.equal(parseManifest(Buffer.from('{"schemaVersion":2,"manifests":[]}')).kind, 'index');
});
