import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCompareArguments } from '../../scripts/compare/arguments.ts';
import { compareSubjects } from '../../scripts/compare/judge/compare-subjects.ts';
import { renderFindings } from '../../scripts/compare/judge/render-findings.ts';
import { groups, type Subject } from '../../scripts/compare/subject.ts';
import { UsageError } from '../../scripts/parse-flags.ts';

const toText = (body: string): Subject => ({ head: 'exit 0\n', body, form: 'text' });
const toValue = (value: unknown): Subject => ({ head: '200\n', body: JSON.stringify(value), form: 'value' });

test('differences are counted and printed once for all subjects that have them; additions are marked', () => {
  const older = new Map([
    ['svc a', toText('first\nthe word\nlast')],
    ['svc b', toText('first\nthe word\nlast')],
    ['svc c', toText('same')],
    ['svc gone', toText('')],
    ['GET /a', toValue({ a: 1 })],
  ]);
  const newer = new Map([
    ['svc a', toText('first\nanother word\nlast')],
    ['svc b', toText('first\nanother word\nlast')],
    ['svc c', toText('same')],
    ['svc new', toText('')],
    ['GET /a', toValue({ a: 1, b: 2 })],
  ]);
  assert.equal(
    renderFindings('lines', older, compareSubjects(older, newer)),
    `command lines: 5 compared, 2 differ, 1 gone, 2 with additions
- svc gone

! svc a
! svc b
@@
 exit 0
 first
-the word
+another word
 last

+ GET /a: /b
+ svc new
`,
  );
});

test('of a document with additions and other differences, the places of both are named', () => {
  const findings = compareSubjects(
    new Map([['GET /a', toValue({ a: 1 })]]),
    new Map([['GET /a', toValue({ a: 2, b: 2 })]]),
  );
  assert.equal(
    renderFindings('answers', new Map([['GET /a', toValue({ a: 1 })]]), findings),
    `answers: 1 compared, 1 differ, 0 gone, 0 with additions

! GET /a
~ /a
@@
 200
-{"a":1}
+{"a":2,"b":2}

+ GET /a: /b
`,
  );
});

test('a page in place of a document, another status, and other bytes of the same document differ', () => {
  for (const newer of [
    { ...toValue({ a: 1 }), body: '<html>' },
    { ...toValue({ a: 1 }), head: '201\n' },
    { ...toValue({ a: 1 }), body: '{ "a": 1 }' },
    { ...toValue({ a: 1 }), body: '' },
  ]) {
    const [finding] = compareSubjects(new Map([['x', toValue({ a: 1 })]]), new Map([['x', newer]]));
    assert.equal(finding?.kind, 'differs');
  }
});

test('a comparison takes one commit, and all groups unless some are named', () => {
  assert.deepEqual(parseCompareArguments(['v1.2.3']), { commit: 'v1.2.3', only: groups });
  assert.deepEqual(parseCompareArguments(['HEAD~3', '--only', 'help', '--only', 'help']), {
    commit: 'HEAD~3',
    only: ['help'],
  });
  assert.equal(parseCompareArguments(['--help']), 'help');
  for (const args of [[], ['a', 'b'], ['a', '--only', 'nothing'], ['a', '--accept', 'x']])
    assert.throws(() => parseCompareArguments(args), UsageError);
});
