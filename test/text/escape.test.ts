import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escapeJson, escapeText } from '../../src/text/escape.ts';

test('text that is fit to show stays as it is', () => {
  const text = 'Été, 密码, 😀, ❤️, 👩🏽‍💻, 👨‍👩‍👧, עברית, "quotes" \\ and/or {json}: ~';
  assert.equal(escapeText(text), text);
});

test('controls, separators, direction marks and lone surrogates are written out', () => {
  const cases: Record<string, string> = {
    'a\nb\tc\r\0': 'a\\u000ab\\u0009c\\u000d\\u0000',
    '\x1b[31m': '\\u001b[31m',
    '\x7f\x80\x9b\x9f\xa0': '\\u007f\\u0080\\u009b\\u009f\xa0',
    '\u061c\u200e\u200f\u202a\u202e\u2066\u2069': '\\u061c\\u200e\\u200f\\u202a\\u202e\\u2066\\u2069',
    '\u2028\u2029\ufeff': '\\u2028\\u2029\\ufeff',
    'x\ud800y\udc00': 'x\\ud800y\\udc00',
    'a\u200bb\u00ad\u2060\u3164\u{e0041}': 'a\\u200bb\\u00ad\\u2060\\u3164\\udb40\\udc41',
    'a\u200db, a\ufe0f': 'a\\u200db, a\\ufe0f',
  };
  for (const [given, expected] of Object.entries(cases)) assert.equal(escapeText(given), expected);
});

test('a JSON text with such characters becomes the same document in characters that a terminal shows', () => {
  const value = { 'k\u202e': ['\u009b31m', '\u2028', 'é', '\x1b', '\\u0041', '\ufeff\x7f'] };
  const text = escapeJson(JSON.stringify(value, undefined, 2));
  assert.deepEqual(JSON.parse(text), value);
  assert.match(text, /^[\n\x20-\x7eé]*$/);
});
