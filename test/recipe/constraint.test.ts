import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ConstraintError,
  compareVersions,
  isConstraint,
  parseConstraint,
  selectVersion,
} from '../../src/recipe/constraint.ts';

const matches = (constraint: string, version: string): boolean =>
  selectVersion(constraint, [version]) === version;

test('a value is a constraint by its first character, by whitespace or a comma, or by placeholders only', () => {
  for (const text of [
    '^1',
    '~1',
    '>1',
    '<1',
    '=1',
    '!=1',
    '1.2 ',
    ' 1',
    '1,2',
    '1\t2',
    '12.x',
    '1.X',
    '1.*',
    '*',
    'x',
    'X',
    '1.x.3',
    'x.1',
    '>= 1.2',
    '1.2.3.x',
  ])
    assert.equal(isConstraint(text), true, text);
  for (const text of [
    '1.2.3',
    '1.2',
    '1',
    'v1.2.3',
    'latest',
    'v1.x',
    'x86',
    '1.x-rc',
    'a.x',
    '1..x',
    '',
    '12.4.x_1',
    '1||2',
  ])
    assert.equal(isConstraint(text), false, text);
});

// constraint → versions it takes, versions it leaves
const table: readonly [string, readonly string[], readonly string[]][] = [
  ['12.x', ['12.0.0', '12.4.9', 'v12.99.1'], ['11.9.9', '13.0.0', '12.1.0-rc.1']],
  ['12.4.x', ['12.4.0', '12.4.7'], ['12.3.9', '12.5.0']],
  ['12.X', ['12.1.0'], ['13.0.0']],
  ['12.*', ['12.1.0'], ['13.0.0']],
  ['12.x.x', ['12.1.0'], ['13.0.0']],
  ['12.*.X', ['12.1.0'], ['13.0.0']],
  ['*', ['0.0.0', '0.0.1', '99.0.0'], ['1.0.0-rc.1', 'latest']],
  ['x', ['1.0.0'], ['1.0.0-0']],
  ['X', ['1.0.0'], []],
  ['x.x', ['1.0.0'], []],
  ['^1.4.0', ['1.4.0', '1.9.9'], ['1.3.9', '2.0.0', '2.0.0-rc.1', '1.5.0-rc.1']],
  ['^0.3.1', ['0.3.1', '0.3.9'], ['0.3.0', '0.4.0']],
  ['^0.0.3', ['0.0.3'], ['0.0.2', '0.0.4']],
  ['^1.2', ['1.2.0', '1.99.0'], ['1.1.9', '2.0.0']],
  ['^1', ['1.0.0', '1.99.0'], ['0.9.9', '2.0.0']],
  ['^0', ['0.0.0', '0.9.9'], ['1.0.0']],
  ['^0.0', ['0.0.0', '0.0.9'], ['0.1.0']],
  ['^0.0.0', ['0.0.0'], ['0.0.1']],
  ['^0.2', ['0.2.0', '0.2.9'], ['0.3.0', '0.1.9']],
  ['^1.0.0-rc.1', ['1.0.0-rc.1', '1.0.0-rc.2', '1.0.0', '1.5.0'], ['1.0.0-beta', '1.0.1-rc.1', '2.0.0']],
  ['^v1.4.0', ['1.4.0'], ['2.0.0']],
  ['~1.4.2', ['1.4.2', '1.4.9'], ['1.4.1', '1.5.0']],
  ['~1.2', ['1.2.0', '1.2.9'], ['1.3.0', '1.1.9']],
  ['~1', ['1.0.0', '1.9.9'], ['2.0.0', '0.9.9']],
  ['~1.4.2-rc.1', ['1.4.2-rc.1', '1.4.2', '1.4.3'], ['1.4.2-beta', '1.4.3-rc.1', '1.5.0']],
  ['=1.2.3', ['1.2.3', 'v1.2.3', '1.2.3+build.5'], ['1.2.4', '1.2.3-rc.1']],
  ['=1.2', ['1.2.0', '1.2.9'], ['1.3.0', '1.1.9']],
  ['=1', ['1.0.0', '1.9.9'], ['2.0.0', '0.9.9']],
  ['=v1.2.3', ['1.2.3'], ['1.2.4']],
  ['=1.2.3-rc.1', ['1.2.3-rc.1'], ['1.2.3', '1.2.3-rc.2']],
  ['!=1.2', ['1.1.9', '1.3.0'], ['1.2.0', '1.2.9']],
  ['!=1.2.3', ['1.2.2', '1.2.4'], ['1.2.3', 'v1.2.3']],
  ['!=1', ['0.9.0', '2.0.0'], ['1.0.0', '1.9.9']],
  ['!=2.0.0-rc.1', ['2.0.0-rc.2', '2.0.0', '1.0.0'], ['2.0.0-rc.1', '3.0.0-rc.1']],
  ['>1.2', ['1.3.0', '2.0.0'], ['1.2.0', '1.2.5']],
  ['>1', ['2.0.0'], ['1.9.9']],
  ['>1.2.3', ['1.2.4'], ['1.2.3', '1.2.3+build']],
  ['>=1.2', ['1.2.0', '1.2.5', '9.0.0'], ['1.1.9']],
  ['>=1.2.3', ['1.2.3'], ['1.2.2']],
  [
    '>=2.0.0-rc.1',
    ['2.0.0-rc.1', '2.0.0-rc.2', '2.0.0', '3.0.0'],
    ['2.0.0-beta', '2.0.1-rc.1', '3.0.0-rc.1'],
  ],
  ['<1.2', ['1.1.9', '0.0.1'], ['1.2.0', '1.2.0-rc.1']],
  ['<1.2.3', ['1.2.2'], ['1.2.3']],
  ['<1.2.3-rc.2', ['1.2.3-rc.1', '1.2.2'], ['1.2.3-rc.2', '1.2.3']],
  ['<=3', ['3.9.9', '1.0.0'], ['4.0.0']],
  ['<=3.1', ['3.1.9'], ['3.2.0']],
  ['<=3.1.0', ['3.1.0'], ['3.1.1']],
  ['>=2.0.0 <3.0.0', ['2.0.0', '2.9.9'], ['1.9.9', '3.0.0', '3.0.0-rc.1']],
  ['>=2.0.0, <3.0.0', ['2.0.0'], ['3.0.0']],
  ['>=2.0.0,<3.0.0', ['2.0.0'], ['3.0.0']],
  ['>=2.0.0 , <3.0.0  !=2.1', ['2.0.0', '2.2.0'], ['2.1.5']],
  ['2.x !=2.3.4', ['2.3.5'], ['2.3.4', '3.0.0']],
  [' >=1.2 ', ['1.2.0'], ['1.1.0']],
];

for (const [constraint, taken, left] of table) {
  test(`${constraint} takes ${taken.join(', ')} and leaves ${left.join(', ')}`, () => {
    for (const version of taken) assert.equal(matches(constraint, version), true, `${version} should match`);
    for (const version of left)
      assert.equal(matches(constraint, version), false, `${version} should not match`);
  });
}

test('what the grammar refuses is refused, with a rule', () => {
  const refused = [
    '1.x.3',
    'x.1',
    '^1 || ^2',
    '>=1||<3',
    '==1.2',
    '==',
    '>1.x',
    '^1.*',
    '=x',
    '~*',
    '!=1.X',
    '1.2.3.x',
    '^1.2.3.4',
    '>=01.2',
    '^1.02.0',
    '01.x',
    '>=1.2.3+build',
    '>=1.2-rc.1',
    '^1-rc',
    '>= 1.2',
    '>=',
    '^',
    '>=1.2,',
    ',>=1.2',
    '>=1,,<2',
    ' ',
    '\t',
    '1.2.3 <2.0.0',
    '1.2 - 2.0',
    '1.2.3 - 2.3.4',
    '=>1.2',
    '~>1.2',
    '><1',
    '!1.2',
    '>=1.2.3-',
    '>=1.2.3-rc..1',
    '>=1.2.3-01',
    '>=a',
    '>=vv1',
    '>=V1.2',
    '>=1..2',
    '>=1.',
    '>=.1',
    '^-1',
    '>=1.2.3-rc_1',
    '>=9007199254740991.0.0',
    '^99999999999999999999',
    'v1.x <2',
  ];
  for (const text of refused) {
    assert.equal(isConstraint(text) || text.includes('||'), true, text);
    assert.throws(
      () => parseConstraint(text),
      (error: unknown) => error instanceof ConstraintError && String(error.rule) !== '',
      text,
    );
  }
});

test('the length is checked before anything else, and a long hostile expression takes no time', () => {
  assert.throws(() => parseConstraint(`>=1.2.3-${'a'.repeat(1_000_000)}`), /at most 256 characters/);
  const started = performance.now();
  isConstraint(`${'1.'.repeat(2_000_000)}x`);
  for (const text of ['1.'.repeat(127), ` ${'>1 '.repeat(80)}`, `>=1.2.3-${'0a'.repeat(120)}!`]) {
    try {
      selectVersion(
        text,
        Array.from({ length: 2_000 }, (_, i) => `1.${i}.0`),
      );
    } catch (error) {
      assert.ok(error instanceof ConstraintError);
    }
  }
  assert.ok(performance.now() - started < 3_000);
});

test('the highest match wins, whatever the order of the tags', () => {
  const tags = ['1.9.0', 'latest', '1.10.0', '2.0.0', '1.2.0', 'sha256-abc', '1.11.0-rc.1', '1.10', 'v1.9.5'];
  assert.equal(selectVersion('^1.0', tags), '1.10.0');
  assert.equal(selectVersion('^1.0', tags.toReversed()), '1.10.0');
  assert.equal(selectVersion('<1.10', tags), 'v1.9.5');
  assert.equal(selectVersion('>3', tags), undefined);
  assert.equal(selectVersion('*', []), undefined);
});

test('of equal versions the tag without v wins, in either order', () => {
  assert.equal(selectVersion('^1', ['v1.2.3', '1.2.3']), '1.2.3');
  assert.equal(selectVersion('^1', ['1.2.3', 'v1.2.3']), '1.2.3');
  assert.equal(selectVersion('^1', ['v1.2.3', 'v1.2.2']), 'v1.2.3');
});

test('build metadata does not order: the choice is the same in every order', () => {
  const tags = ['1.2.3+b', '1.2.3+a', '1.2.3'];
  assert.equal(selectVersion('^1', tags), selectVersion('^1', tags.toReversed()));
});

test('numeric pre-release identifiers order as numbers', () => {
  assert.equal(selectVersion('>=1.0.0-rc.1', ['1.0.0-rc.2', '1.0.0-rc.10']), '1.0.0-rc.10');
});

test('an exact tag is taken literally', () => {
  assert.equal(selectVersion('1.2.3', ['v1.2.3', '1.2.3']), '1.2.3');
  assert.equal(selectVersion('1.2.3', ['v1.2.3']), undefined);
  assert.equal(selectVersion('latest', ['latest']), 'latest');
});

test('a tag with two leading v, or a version beyond exact integers, is no version', () => {
  assert.equal(
    selectVersion('*', ['vv1.2.3', '=1.2.3', '99999999999999999999.0.0', '01.2.3', '1.2']),
    undefined,
  );
});

test('versions compare by precedence, with or without v; what is no version comes first', () => {
  assert.ok(compareVersions('1.10.0', '1.9.0') > 0);
  assert.ok(compareVersions('1.0.0-rc.1', '1.0.0') < 0);
  assert.equal(compareVersions('v1.0.0', '1.0.0'), 0);
  assert.ok(compareVersions('latest', '0.0.1') < 0);
  assert.ok(compareVersions('0.0.1', 'latest') > 0);
  assert.ok(compareVersions('a', 'b') < 0);
  assert.equal(compareVersions('a', 'a'), 0);
});

test('pre-releases are compared exactly beyond the numbers that a double represents', () => {
  const [low, high] = ['1.0.0-a-9.9007199254740992', '1.0.0-a-9.9007199254740993'];
  assert.ok(compareVersions(`${high}.1`, `${low}.2`) > 0);
  assert.ok(compareVersions(low, high) < 0);
  assert.equal(compareVersions(`${high}+1`, `${high}+2`), 0);
});
