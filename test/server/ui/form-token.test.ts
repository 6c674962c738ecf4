import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFormTokens } from '../../../server/ui/form-token.ts';

test('a token is good for its secret alone, and no two are equal', () => {
  const tokens = createFormTokens();
  const [one, two] = [tokens.issuerFor('a')(), tokens.issuerFor('a')()];
  assert.notEqual(one, two);
  assert.ok(tokens.verify('a', one) && tokens.verify('a', two));
  assert.ok(!tokens.verify('b', one));
  assert.ok(!createFormTokens().verify('a', one), 'of another process');
});

test('no changed, shortened or foreign text is a token', () => {
  const tokens = createFormTokens();
  const token = tokens.issuerFor('a')();
  const flipped = `${token[0] === 'A' ? 'B' : 'A'}${token.slice(1)}`;
  for (const text of ['', 'A'.repeat(86), flipped, token.slice(1), `${token}A`, token.replace(/./, '!')])
    assert.equal(tokens.verify('a', text), false, text);
});
