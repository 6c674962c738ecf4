import assert from 'node:assert/strict';
import { test } from 'node:test';
import { svcError } from '../../src/text/error.ts';
import { quote } from '../../src/text/rule.ts';
import { sayConcealed } from '../../src/text/secrets/concealed.ts';
import { withoutUrlSecrets } from '../../src/text/secrets/url-secrets.ts';

test('user information and the values of queries and fragments are removed from the URLs of a text', () => {
  const cases: Readonly<Record<string, string>> = {
    'https://olga:canary@files.example/a.iso?token=canary&x=1':
      'https://files.example/a.iso?token=REDACTED&x=REDACTED',
    'https://files.example/a?canary#part': 'https://files.example/a?REDACTED#part',
    'https://files.example/a#access_token=canary': 'https://files.example/a#access_token=REDACTED',
    'https://olga:can/ary@files.example/a': 'https://files.example/a',
    'https://olga:canary': 'https://REDACTED',
    'https://olga:canary…': 'https://REDACTED',
    'oci://canary@registry.example/x:1': 'oci://registry.example/x:1',
    "'olga:canary@registry.example/x' is not the name of an image":
      "'registry.example/x' is not the name of an image",
    'one https://a:canary@b.example/c and http://d:canary@e.example':
      'one https://b.example/c and http://e.example',
  };
  for (const [text, clean] of Object.entries(cases)) {
    assert.equal(withoutUrlSecrets(text), clean);
    assert.doesNotMatch(withoutUrlSecrets(text), /canary/);
  }
});

test('a text without a secret stays as it is', () => {
  const texts = [
    'registry.example:5000/shop/web:1.4@sha256:abc',
    'registry.example:5000/cookbook/shop@1.4.0',
    'https://registry.example:8443/@scope/charts',
    'https://[::1]:8443/charts, see there',
    'must be https://<host>[:<port>]/<path>/<chart>[:<version>]',
    'could not reach https://registry.example: it is gone (https://registry.example:443)',
    'https://docs.example/help#SVC-REG-001',
    'olga@example.org',
  ];
  for (const text of texts) assert.equal(withoutUrlSecrets(text), text);
});

test('no error has a secret of a URL, whoever made it', () => {
  const { params, detail } = svcError(
    'SVC-VAL-001',
    { file: 'https://olga:canary@a.example/x', rule: quote("'https://a:canary@b' is wrong") },
    { detail: 'GET https://a.example/?sig=canary' },
  );
  assert.doesNotMatch(JSON.stringify([params, detail]), /canary/);
});

test('a setting in place of a path that an instance conceals is named in words', () => {
  assert.equal(sayConcealed('<retriever.source>', 'en'), 'the configured source');
  assert.equal(sayConcealed('<retriever.source>', 'fr'), 'la source configurée');
  assert.equal(sayConcealed('open <storage.root>/x', 'fr'), 'open storage.root de l’instance/x');
  assert.equal(sayConcealed('must be https://<host>/<path>', 'en'), 'must be https://<host>/<path>');
});
