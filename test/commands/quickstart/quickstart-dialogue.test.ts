import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type DialogueState,
  pressKey,
  settleAnswer,
  startDialogue,
  toAnswers,
} from '../../../commands/quickstart/dialogue/dialogue-state.ts';
import type { Question } from '../../../commands/quickstart/dialogue/question.ts';
import { type Key, toKeys, toPastedKeys } from '../../../commands/quickstart/dialogue/to-keys.ts';

const line = (key: string, initial = ''): Question => ({ key, label: key, hint: '', initial });
const choice: Question = {
  ...line('choice', 'red'),
  choices: ['green', 'red', 'blue'].map((value) => ({ value, text: value })),
};
const text = (typed: string): Key => ({ text: typed });
const press = (state: DialogueState, ...keys: Key[]): DialogueState => keys.reduce(pressKey, state);
const answer = (state: DialogueState, next: Question | undefined, ...keys: Key[]): DialogueState =>
  settleAnswer(press(state, ...keys, 'accept'), { next });
const shown = ({ entry, question }: DialogueState): string =>
  typeof entry === 'number' ? question.choices![entry]!.value : `${entry.before}|${entry.after}`;

test('an accepted answer is judged, then settled, and the next question has a field of its own', () => {
  const judged = press(startDialogue(line('one', 'x')), text('yz'), 'accept');
  assert.equal(judged.judged, 'yz');
  assert.deepEqual(judged.settled, []);
  const next = settleAnswer(judged, { next: line('two', 'b') });
  assert.deepEqual(toAnswers(next.settled), { one: 'yz' });
  assert.deepEqual([next.question.key, shown(next), next.judged], ['two', 'b|', undefined]);
});

test('keys that arrive while an answer is judged change nothing of it and are for the question that follows', () => {
  const judged = press(startDialogue(line('one')), text('a'), 'accept', text('b'), 'rub-out', text('c'));
  assert.deepEqual([judged.judged, shown(judged)], ['a', 'a|']);
  const next = settleAnswer(judged, { next: line('two', 'x') });
  assert.deepEqual([next.question.key, shown(next)], ['two', 'c|']);
});

test('several answers can be typed ahead, each for its own question', () => {
  let state = press(startDialogue(line('one')), text('a'), 'accept', text('b'), 'accept', 'down', 'accept');
  state = press(state, text('d'));
  for (const next of [line('two'), choice, line('four')]) {
    assert.notEqual(state.judged, undefined);
    state = settleAnswer(state, { next });
  }
  assert.deepEqual(toAnswers(state.settled), { one: 'a', two: 'b', choice: 'blue' });
  assert.deepEqual([state.question.key, shown(state), state.judged], ['four', 'd|', undefined]);
});

test('an answer found wrong stays in its field, and what was typed ahead is not put to it', () => {
  const judged = press(startDialogue(line('one')), text('bad'), 'accept', text('for two'), 'accept');
  const state = settleAnswer(judged, { problem: 'no' });
  assert.deepEqual([state.problem, shown(state), state.judged], ['no', 'bad|', undefined]);
  const again = press(state, 'cut-before', text('good'), 'accept');
  assert.deepEqual([again.judged, again.problem], ['good', undefined]);
});

test('the first text typed replaces a suggested answer; other keys keep it for editing', () => {
  const start = startDialogue(line('folder', './storage'));
  assert.deepEqual([start.isSuggested, shown(start)], [true, './storage|']);
  assert.equal(shown(press(start, text('/'), text('srv'))), '/srv|');
  const edited = press(start, 'end', text('/x'));
  assert.deepEqual([edited.isSuggested, shown(edited)], [false, './storage/x|']);
  assert.equal(shown(press(start, 'rub-out', text('E'))), './storagE|');
  assert.equal(press(start, 'accept').judged, './storage');
  // an answer of the user is edited, not replaced
  const back = press(answer(start, line('two'), text('/srv')), 'back', text('/x'));
  assert.equal(shown(back), '/srv/x|');
});

test('the last answer ends it, and nothing changes it any more', () => {
  const end = settleAnswer(press(startDialogue(line('one')), text('a'), 'accept', text('b')), {
    next: undefined,
  });
  assert.equal(end.end, 'answered');
  assert.deepEqual(toAnswers(end.settled), { one: 'a' });
  assert.equal(press(end, 'back', text('c'), 'interrupt'), end);
});

test('Esc goes back to the answer before, also when it was typed ahead, and no further than the first', () => {
  const second = answer(startDialogue(line('one')), line('two'), text('a'));
  const back = press(second, text('typed'), 'back');
  assert.deepEqual([back.question.key, shown(back), back.settled], ['one', 'a|', []]);
  assert.equal(press(back, 'back'), back);
  const judged = press(startDialogue(choice), 'up', 'accept', 'back');
  assert.equal(judged.question.key, 'choice');
  const ahead = settleAnswer(judged, { next: line('two') });
  assert.deepEqual([ahead.question.key, shown(ahead)], ['choice', 'green']);
});

test('Ctrl-C and Ctrl-D end it at once, even while an answer is judged', () => {
  for (const [key, end] of [
    ['interrupt', 'interrupted'],
    ['leave', 'left'],
  ] as const) {
    assert.equal(press(startDialogue(line('one')), key).end, end);
    const judged = press(startDialogue(line('one')), 'accept', key);
    assert.equal(judged.end, end);
    assert.equal(settleAnswer(judged, { next: line('two') }), judged);
  }
});

test('a line is edited at its cursor, by characters as a person counts them', () => {
  const cases: readonly [readonly Key[], string][] = [
    [['left', text('x')], 'abx|c'],
    [['home', 'delete', 'right', text('x')], 'bx|c'],
    [['home', 'right', 'cut-after'], 'a|'],
    [['left', 'cut-before'], '|c'],
    [['home', 'end', 'rub-out'], 'ab|'],
    [[text('👩‍👩‍👧e\u0301'), 'rub-out', 'rub-out'], 'abc|'],
    [[text('👩‍👩‍👧'), 'left'], 'abc|👩‍👩‍👧'],
    [['home', 'left', 'rub-out', 'end', 'right', 'delete', 'up', 'down'], 'abc|'],
  ];
  for (const [keys, expected] of cases)
    assert.equal(
      shown(press(startDialogue(line('one', 'abc')), 'end', ...keys)),
      expected,
      JSON.stringify(keys),
    );
});

test('one of a few is chosen by the arrows, round about, or by its first letter', () => {
  const cases: readonly [readonly Key[], string][] = [
    [[], 'red'],
    [['down', 'down'], 'green'],
    [['up', 'up'], 'blue'],
    [[text('b')], 'blue'],
    [[text('G')], 'green'],
    [[text('xyz')], 'red'],
    [['left', 'rub-out', text('')], 'red'],
  ];
  for (const [keys, expected] of cases)
    assert.equal(shown(press(startDialogue(choice), ...keys)), expected, JSON.stringify(keys));
  assert.equal(shown(startDialogue({ ...choice, initial: 'none of them' })), 'green');
});

const plain = {
  upArrow: false,
  downArrow: false,
  leftArrow: false,
  rightArrow: false,
  pageDown: false,
  pageUp: false,
  home: false,
  end: false,
  return: false,
  escape: false,
  ctrl: false,
  shift: false,
  tab: false,
  backspace: false,
  delete: false,
  meta: false,
  super: false,
  hyper: false,
  capsLock: false,
  numLock: false,
};

test('input that arrives in one piece is taken apart in its order', () => {
  assert.deepEqual(toKeys('one\r\u0015two\r\nthree\n\t', plain), [
    { text: 'one' },
    'accept',
    'cut-before',
    { text: 'two' },
    'accept',
    { text: 'three' },
    'accept',
    'down',
  ]);
  assert.deepEqual(toKeys('u', { ...plain, ctrl: true }), ['cut-before']);
  assert.deepEqual(toKeys('d', { ...plain, ctrl: true }), ['leave']);
  assert.deepEqual(toKeys('x', { ...plain, meta: true }), []);
  assert.deepEqual(toKeys('', { ...plain, pageUp: true }), []);
  assert.deepEqual(toKeys('a\u0007b\u009b', plain), [{ text: 'a' }, { text: 'b' }]);
});

test('a paste is its first line, without what a terminal would obey, and accepts nothing', () => {
  assert.deepEqual(toPastedKeys('a\u0015b\u0003\r\nc\r'), [{ text: 'a' }, { text: 'b' }]);
  assert.deepEqual(toPastedKeys('\r'), []);
});
