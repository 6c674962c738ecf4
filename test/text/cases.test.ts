import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCases } from '../../src/text/cases.ts';
import { errorCodes } from '../../src/text/errors/codes.ts';
import { getMessage } from '../../src/text/message.ts';

test('parts of a cause and of a remedy that depend on one value are a case, and other sentences hold for all', () => {
  const cause = '[{problem=a}It is a.][{problem!}It is another.][ A limit of {limit} was met.]';
  const action =
    'Look at it. [{problem!}Guess.][{problem=a}Mend {name} a.][ Raise {limit}.] Nothing was done.[ {hint}]';
  assert.deepEqual(toCases({ cause, action }, 'en'), {
    cases: [
      { cause: 'It is a.', actions: ['Mend {name} a.'] },
      { cause: 'It is another.', actions: ['Guess.'] },
      { cause: 'A limit of {limit} was met.', actions: ['Raise {limit}.'] },
    ],
    cause: '',
    action: 'Look at it. Nothing was done.',
  });
  const one = toCases({ cause: 'It is.', action: 'Mend[ {name}].' }, 'en');
  assert.deepEqual([one.cases, one.cause], [[], 'It is.']);
});

test('every sentence of every code is in its cases, in both languages', () => {
  for (const language of ['en', 'fr'] as const)
    for (const code of errorCodes) {
      const message = getMessage(code, language);
      const { cases, ...rest } = toCases(message, language);
      const shown = [rest.cause, rest.action, ...cases.flatMap((each) => [each.cause, ...each.actions])].join(
        ' ',
      );
      assert.doesNotMatch(shown, /[[\]|]|\?\?/, code);
      // FILE in a command is replaced by the name of the parameter
      for (const text of [message.cause, message.action])
        for (const word of text.replaceAll(/\{[^}]*\}|\|[A-Z]+\]/g, ' ').match(/\p{L}{7,}/gu) ?? [])
          assert.ok(shown.includes(word), `${code} (${language}): ${word}`);
    }
});
