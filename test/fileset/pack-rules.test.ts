import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkMode, checkName, checkTarget } from '../../src/fileset/pack-rules.ts';

test('names that mean something else elsewhere are refused, all others are packed', () => {
  for (const name of [
    '.wh.file',
    '.wh..wh..opq',
    '.wh.',
    'a\\b',
    '\\',
    'C:',
    'c:file',
    'Z:\\file',
    'bad\ufffdname',
  ])
    assert.notEqual(checkName(name), undefined, name);
  for (const name of [
    'file',
    '.hidden',
    '..file',
    '...',
    '.w',
    'wh.file',
    'ab:c',
    'libfoo_1%3a2.deb',
    '1:2',
    ' ',
    'new\nline',
    'Grüße',
    '日本',
    '-rf',
    '*',
    'CON',
  ])
    assert.equal(checkName(name), undefined, name);
});

test('a link may lead anywhere inside, however it is written, and nowhere else', () => {
  const inside: readonly (readonly [string, number])[] = [
    ['file', 0],
    ['./file', 0],
    ['folder/file', 0],
    ['.', 0],
    ['missing/by/now', 0],
    ['..', 1],
    ['../file', 1],
    ['../../a/b', 2],
    ['.././../a', 2],
    ['../..', 2],
    ['..file', 0],
    ['a/..b', 0],
    ['a//b/', 0],
  ];
  for (const [target, depth] of inside) assert.equal(checkTarget(target, depth), undefined, target);
  const outside: readonly (readonly [string, number])[] = [
    ['/', 3],
    ['/etc/passwd', 3],
    ['//host/share', 3],
    ['..', 0],
    ['../file', 0],
    ['./../file', 0],
    ['../../file', 1],
    ['.././../file', 1],
    // through another link this would lead outside
    ['a/../../file', 0],
    ['a/../file', 3],
    ['../a/..', 3],
    ['a/./../b', 3],
    ['C:/file', 3],
    ['..\\file', 3],
    ['bad\ufffd', 3],
  ];
  for (const [target, depth] of outside) assert.notEqual(checkTarget(target, depth), undefined, target);
});

test('special files and files that lend their owner are refused', () => {
  const file = 0o100000;
  const folder = 0o040000;
  const link = 0o120000;
  for (const mode of [
    file | 0o644,
    file | 0o1755,
    folder | 0o755,
    folder | 0o2775,
    folder | 0o1777,
    link | 0o777,
  ])
    assert.equal(checkMode(mode), undefined, mode.toString(8));
  for (const mode of [
    file | 0o4755,
    file | 0o2755,
    file | 0o6755,
    folder | 0o4755,
    0o010644,
    0o020600,
    0o060600,
    0o140755,
  ])
    assert.notEqual(checkMode(mode), undefined, mode.toString(8));
});
