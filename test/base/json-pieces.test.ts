import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toIndentedPieces, toJsonPieces } from '../../src/base/json/json-pieces.ts';

const long = 'x"\n'.repeat(30_000);
const many = Array.from({ length: 50_000 }, (_, i) => ({
  name: `name ${i}`,
  left: undefined,
  of: [i, null],
}));
const values: Readonly<Record<string, unknown>> = {
  'a small value': { a: [1, 'b', null, true], b: undefined },
  nothing: null,
  'a text': long,
  'a long list': many,
  'lists in lists': [[many, long], { many, long, none: undefined }, [undefined, long]],
  'an object of many members': Object.fromEntries(many.map((one) => [one.name, one])),
};

for (const [name, value] of Object.entries(values))
  test(`makes the text of ${name} in pieces`, () => {
    const pieces = [...toJsonPieces(value)];
    assert.equal(pieces.join(''), JSON.stringify(value));
    const text = JSON.stringify(long).length;
    for (const piece of pieces) assert.ok(piece.length < 65_536 + text, `${piece.length} characters`);
  });

for (const [name, value] of Object.entries({
  ...values,
  'absent members': Object.fromEntries(many.map((one) => [one.name, undefined])),
}))
  test(`makes the indented text of ${name} in pieces`, () => {
    const pieces = [...toIndentedPieces(value)];
    assert.equal(pieces.join(''), JSON.stringify(value, null, 2));
    const text = JSON.stringify(long).length;
    for (const piece of pieces) assert.ok(piece.length < 65_536 + text, `${piece.length} characters`);
  });

test('makes one piece of a small answer', () => {
  assert.equal([...toJsonPieces({ a: many.slice(0, 100) })].length, 1);
});
