import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseListenAddress } from '../../src/config/listen-address.ts';
import { isSvcError } from '../../src/text/error.ts';

test('an address names host and port; without host it is every interface', () => {
  assert.deepEqual(parseListenAddress(':8080'), { port: 8080 });
  assert.deepEqual(parseListenAddress('127.0.0.1:0'), { host: '127.0.0.1', port: 0 });
  assert.deepEqual(parseListenAddress('svc.example:443'), { host: 'svc.example', port: 443 });
  assert.deepEqual(parseListenAddress('[::1]:8080'), { host: '::1', port: 8080 });
});

test('anything else is refused, naming the setting', () => {
  for (const text of [
    '',
    '8080',
    'host',
    'host:',
    'host:65536',
    '::1:80',
    '[x]:80',
    'a b:80',
    'http://x:80',
  ]) {
    assert.throws(
      () => parseListenAddress(text),
      (error) => isSvcError(error, 'SVC-CFG-001') && error.params.setting === 'server.addr',
      text,
    );
  }
});
