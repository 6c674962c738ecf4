import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { nameDisk } from '../../src/engine/medium/parts/name-disk.ts';
import { fromErrorRecord, type Message, svcError, toErrorRecord } from '../../src/text/error.ts';
import { errorCodes } from '../../src/text/errors/codes.ts';
import { type ErrorCode, errorRegistry } from '../../src/text/errors/registry.ts';
import { listPlaceholders, toGeneralSentence, toHeading } from '../../src/text/fill.ts';
import { fr } from '../../src/text/language.ts';
import {
  getMessage,
  type Language,
  renderError,
  sayDetail,
  selectAcceptLanguage,
  selectLanguage,
} from '../../src/text/message.ts';
import { quote, rule } from '../../src/text/rule.ts';

const messagesOf = (language: Language): Readonly<Record<ErrorCode, Message>> =>
  Object.fromEntries(errorCodes.map((code) => [code, getMessage(code, language)])) as Record<
    ErrorCode,
    Message
  >;
const [messagesEn, messagesFr] = [messagesOf('en'), messagesOf('fr')];
const texts = { en: messagesEn, fr: messagesFr };

for (const [language, messages] of Object.entries(texts)) {
  test(`every code has its three parts in ${language}, and none besides`, () => {
    assert.deepEqual(Object.keys(messages).sort(), [...errorCodes].sort());
    for (const [code, message] of Object.entries(messages)) {
      for (const part of [message.what, message.cause, message.action]) {
        assert.ok(part.length > 10, code);
        assert.match(part, /[.!\]]$/, `${code}: ${part}`);
      }
    }
  });

  test(`the ${language} texts name every parameter of their code, and only those`, () => {
    for (const code of errorCodes) {
      const { what, cause, action } = messages[code];
      const named = listPlaceholders(`${what} ${cause} ${action}`);
      const declared = Object.keys(errorRegistry[code].params).map((name) => name.replace('?', ''));
      assert.deepEqual([...named].sort(), [...declared].sort(), code);
    }
  });

  test(`the ${language} texts stay whole when optional parameters are absent`, () => {
    for (const code of errorCodes) {
      const params = Object.fromEntries(
        Object.keys(errorRegistry[code].params)
          .filter((name) => !name.endsWith('?'))
          .map((name) => [name, `<${name}>`]),
      );
      const { what, cause, action } = renderError(
        { code, class: errorRegistry[code].class, params },
        language as 'en' | 'fr',
      );
      for (const part of [what, cause, action]) {
        assert.doesNotMatch(part, /[{}]|\[ |\[,|\?\)|undefined/, `${code}: ${part}`);
        assert.doesNotMatch(part, / \?(?![a-z])/, `${code}: ${part}`);
      }
      const selects = (name: string) => messages[code].what.includes(`{${name}=`);
      for (const name of Object.keys(params))
        assert.ok(selects(name) || `${what}${cause}${action}`.includes(`<${name}>`), code);
    }
  });
}

test('the cause and the action of a refused signature are those of its reason', () => {
  const reasons = ['none', 'untrusted', 'malformed', 'no-roots'];
  for (const language of ['en', 'fr'] as const) {
    const rendered = reasons.map((reason) =>
      renderError(svcError('SVC-SIG-001', { subject: 'shop', reason }), language),
    );
    for (const part of ['cause', 'action'] as const) {
      assert.equal(new Set(rendered.map((message) => message[part])).size, 4);
      for (const message of rendered) assert.doesNotMatch(message[part], /malformed|no-roots|=|[{[]/);
    }
  }
});

test('no sentence is the same in both languages', () => {
  for (const code of errorCodes) {
    for (const part of ['what', 'cause', 'action'] as const) {
      assert.notEqual(messagesEn[code][part], messagesFr[code][part], `${code} ${part}`);
    }
  }
});

test('an optional part has one alternative, and none is inside another', () => {
  for (const messages of [messagesEn, messagesFr])
    for (const code of errorCodes) {
      for (const text of Object.values(messages[code])) {
        const left = text.replaceAll(/\[[^[\]|]*\{[^[\]|]*(?:\|[^[\]|]*)?\]/g, '');
        assert.doesNotMatch(left, /[|]|\{[a-zA-Z]+[=!]/, `${code}: ${text}`);
      }
    }
});

test('a parameter that selects a text is no text itself', () => {
  for (const messages of [messagesEn, messagesFr])
    for (const code of errorCodes)
      for (const text of Object.values(messages[code]))
        assert.doesNotMatch(text, /\{problem\}/, `${code}: ${text}`);
});

test('sizes are written for people in their language', () => {
  const error = svcError('SVC-STO-004', {
    path: '/store',
    needed: 3 * 2 ** 30,
    usable: 1.5 * 2 ** 30,
    free: 2 ** 31,
    margin: 10,
    shortfall: 1.5 * 2 ** 30,
  });
  assert.match(renderError(error, 'en').what, /3 GiB needed, 1\.5 GiB usable/);
  assert.match(renderError(error, 'fr').what, /3 Gio nécessaires, 1,5 Gio utilisables/);
});

test('a remedy names the command of a waiver, as most commands and pages lack its flag', () => {
  for (const [code, { action }] of Object.entries(errorRegistry))
    for (const text of action) {
      const flags = text.match(/--allow-[a-z-]+/g) ?? [];
      const named =
        text.match(
          /svc (?:media import|receipt add) (?:[A-Z]+|\[?\{[a-z]+:word\}(?:\|[A-Z]+\])?) --allow-[a-z-]+/g,
        ) ?? [];
      assert.equal(named.length, flags.length, `${code}: ${text}`);
    }
});

test('of many cases within a sentence, the general sentence has the one for an unknown case', () => {
  assert.match(
    toGeneralSentence(getMessage('SVC-SIG-001', 'en').what, 'en'),
    /^\{subject\} carries no acceptable signature \(key \{fingerprints\}\)\. Found: an attestation/,
  );
  assert.equal(
    toGeneralSentence('It [{a!}is off][{a=b}is red][{a=c}is blue].'),
    'It is off or is red or is blue.',
  );
});

test('a number has its noun, and so has a list, in the general sentence too', () => {
  const say = (parts: readonly string[], files: number, language: Language): string =>
    renderError(svcError('SVC-MED-041', { recipe: 'r@1', parts, files, bytes: 2048 }), language).what;
  assert.equal(say(['2'], 1, 'en'), 'Recipe r@1 waits for part 2, for 1 file (2 KiB).');
  const advise = (parts: readonly string[]): string =>
    renderError(svcError('SVC-MED-041', { recipe: 'r@1', parts, files: 1, bytes: 2048 }), 'en').action;
  assert.match(advise(['4']), /^Import the disk with part 4\. /);
  assert.match(advise(['3', '4']), /^Import the disks with parts 3 and 4, in any order\. /);
  assert.equal(say(['2', '4'], 3, 'en'), 'Recipe r@1 waits for parts 2 and 4, for 3 files (2 KiB).');
  assert.equal(
    say(['2', '3', '4'], 3, 'fr'),
    'La recette r@1 attend les parties 2, 3 et 4, pour 3 fichiers (2 Kio).',
  );
  assert.match(
    toGeneralSentence(getMessage('SVC-MED-041', 'en').what, 'en'),
    /for parts \{parts\} .*, for \{files\} files \(\{bytes\}\)/,
  );
});

test('a full volume of the state has advice of its own, and so has a store that was never made', () => {
  const figures = { path: '/v', needed: 2, usable: 1, free: 1, shortfall: 1 };
  const store = renderError(svcError('SVC-STO-004', figures), 'en').action;
  assert.match(store, /^Free 1 B at \/v, or use a larger volume\. In a store, a prune/);
  const state = renderError(svcError('SVC-STO-004', { ...figures, place: 'state' }), 'en').action;
  assert.match(state, /^Free 1 B at \/v, or use a larger volume\. It is the volume of the state/);
  assert.doesNotMatch(state, /Retriever/);
  const unmade = renderError(svcError('SVC-STO-001', { path: '/v', problem: 'unmade' }), 'en');
  assert.match(unmade.action, /^Start the instance with svc serve/);
  assert.doesNotMatch(unmade.action, /kernel log/);
});

test('optional parameters appear when they are there', () => {
  const error = svcError('SVC-POL-001', { host: 'a.example', hop: 'redirect' });
  assert.match(renderError(error, 'en').what, /a\.example .*redirect/);
});

test('what is not found is a file of this machine or a name in a registry, and the advice fits', () => {
  const file = svcError('SVC-REG-005', { reference: '/etc/zone.yaml', file: '/etc/zone.yaml' });
  const name = svcError('SVC-REG-005', { reference: 'registry.example/app:1', hint: 'It may be Hub.' });
  for (const language of ['en', 'fr'] as const) {
    const local = renderError(file, language);
    assert.match(local.action, /\/etc\/zone\.yaml/);
    assert.doesNotMatch(`${local.cause}${local.action}`, /credentials|identifiants|[[\]|{}]/);
    const remote = renderError(name, language);
    assert.match(remote.cause, /credentials|identifiants/);
    assert.match(remote.cause, /It may be Hub\.$/);
    assert.doesNotMatch(`${remote.cause}${remote.action}`, /[[\]|{}]/);
  }
});

test('hostile parameters cannot reach the terminal, and long ones are shortened', () => {
  const hostile = svcError('SVC-AUTH-010', { name: '\u001b[2J\u202eevil\n' });
  assert.doesNotMatch(renderError(hostile, 'en').what, /[\u001b\u202e\n]/);
  const long = svcError('SVC-AUTH-010', { name: 'x'.repeat(100_000) });
  assert.ok(renderError(long, 'en').what.length < 2000);
  const many = svcError('SVC-REG-006', {
    reference: 'a',
    constraint: '^1',
    candidates: Array.from({ length: 1000 }, (_, i) => `1.0.${i}`),
  });
  assert.match(renderError(many, 'en').what, /1\.0\.19, … \(\+980\)/);
});

test('a repository without tags is called so, and not said to have shown none', () => {
  const error = svcError('SVC-REG-006', { reference: 'a', constraint: '^1', candidates: [], empty: 'yes' });
  assert.equal(renderError(error, 'en').what, 'No version of a satisfies ^1. The repository has no tags.');
  assert.match(renderError(error, 'fr').what, /Le dépôt n’a aucune étiquette\.$/);
});

test('parameters are text, never templates', () => {
  const error = svcError('SVC-VAL-001', { file: '{rule}', path: '[x {file}]', rule: quote('$&') });
  assert.equal(renderError(error, 'en').what, '{rule} is not valid at [x {file}]: $&.');
});

test('a code of a newer version still says something', () => {
  const record = { code: 'SVC-NEW-999' as 'SVC-SRV-001', class: 'failure' as const, params: {} };
  assert.ok(renderError(record, 'en').what.length > 0);
});

test('LC_ALL decides alone when it is set and not empty, else LANG', () => {
  assert.equal(selectLanguage({ LC_ALL: 'fr_FR.UTF-8', LANG: 'en_US' }), 'fr');
  assert.equal(selectLanguage({ LC_ALL: 'C', LANG: 'fr_FR' }), 'en');
  assert.equal(selectLanguage({ LC_ALL: '', LANG: 'fr_CH.UTF-8' }), 'fr');
  assert.equal(selectLanguage({}), 'en');
});

test('Accept-Language takes the language with the greatest weight', () => {
  for (const [header, language] of [
    [undefined, 'en'],
    ['fr', 'fr'],
    ['fr-CH, fr;q=0.9, en;q=0.8', 'fr'],
    ['en;q=0.5, fr;q=0.8', 'fr'],
    ['fr;q=0', 'en'],
    ['de, fr;q=0.3', 'fr'],
    ['*, fr;q=0.5', 'en'],
    ['fr;q=zz', 'en'],
    ['FR', 'fr'],
    [`fr,${'x,'.repeat(2000)}`, 'en'],
  ] as const) {
    assert.equal(selectAcceptLanguage(header), language, String(header));
  }
});

test('a rule is said in the language of the reader, and a stored error keeps it in English with its values', () => {
  const error = svcError(
    'SVC-VAL-001',
    {
      file: 'zone.yaml',
      path: 'spec.name',
      rule: rule(['must be at most {n:byte/bytes}: {why}', fr`doit avoir au plus {n:octet/octets} : {why}`], {
        n: 1,
        why: rule(['it is <long>', fr`il est <long>`]),
      }),
    },
    { detail: [rule(['first', fr`un`]), rule(['second', fr`deux`])] },
  );
  const record = JSON.parse(JSON.stringify(toErrorRecord(error)));
  assert.equal(record.params.rule, 'must be at most 1 byte: it is <long>');
  assert.equal(record.detail, 'first\nsecond');
  assert.deepEqual(record.rules.rule.values, {
    n: 1,
    why: { rule: ['it is <long>', 'il est <long>'], values: {} },
  });
  for (const one of [error, record, fromErrorRecord(record)]) {
    assert.match(renderError(one, 'en').what, /must be at most 1 byte: it is <long>\./);
    assert.match(renderError(one, 'fr').what, /doit avoir au plus 1 octet\u00a0: il est <long>\./);
    assert.equal(sayDetail(one, 'fr'), 'un\ndeux');
    assert.equal(sayDetail(one, 'en'), 'first\nsecond');
  }
});

test('what is no rule in the record of another process is left out, and the English text is shown', () => {
  const params = { file: 'f', rule: 'is a bird' };
  let deep: unknown = rule(['deep', fr`profond`]);
  for (let i = 0; i < 10; i += 1) deep = { rule: ['{x}', '{x}'], values: { x: deep } };
  const wrong: readonly unknown[] = [
    null,
    7,
    'must be',
    [],
    { rule: ['one'], values: {} },
    { rule: ['a', 7], values: {} },
    { rule: ['a', 'b'] },
    { rule: ['a', 'b'], values: { x: [] } },
    { rule: ['a', 'x'.repeat(3000)], values: {} },
    { rule: ['a', 'b'], values: Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`v${i}`, i])) },
    deep,
  ];
  for (const rules of [...wrong.map((one) => ({ rule: one })), ...wrong])
    assert.match(
      renderError({ code: 'SVC-VAL-001', class: 'failure', params, rules: rules as never }, 'fr').what,
      /is a bird/,
    );
});

test('a secret of a URL in the values of a rule is removed as it is from a parameter', () => {
  const why = rule(
    [
      '{url} is refused by https://eve:pw@other.example',
      fr`{url} est refusé par https://eve:pw@other.example`,
    ],
    { url: 'https://ann:pw@host.example/x' },
  );
  const error = svcError('SVC-VAL-001', { file: 'f', rule: why }, { detail: why });
  for (const language of ['en', 'fr'] as const)
    assert.doesNotMatch(`${renderError(error, language).what}${sayDetail(error, language)}`, /pw/);
});

test('every code is reported by something', () => {
  const root = join(import.meta.dirname, '..', '..');
  const sources = globSync('{src,server,commands,scripts/binary}/**/*.{ts,tsx}', { cwd: root })
    .filter((file) => !file.startsWith('src/text/errors/'))
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n');
  const made = new Set([...sources.matchAll(/'(SVC-[A-Z]+-\d{3})'/g)].map(([, code]) => code));
  assert.deepEqual(
    errorCodes.filter((code) => !made.has(code)),
    [],
  );
});

test('rules within rules of another process are said in bounded time and length', () => {
  const params = { file: 'f', rule: 'is a bird' };
  const render = (deep: unknown): string =>
    renderError({ code: 'SVC-VAL-001', class: 'failure', params, rules: { rule: deep } as never }, 'fr').what;
  const nest = (times: number, levels: number): unknown => {
    let deep: unknown = 'x'.repeat(1_000_000);
    const text = '{x}'.repeat(times);
    for (let i = 0; i < levels; i += 1) deep = { rule: [text, text], values: { x: deep } };
    return deep;
  };
  const began = process.cpuUsage();
  assert.ok(render(nest(30, 6)).length < 2000);
  assert.match(render(nest(600, 3)), /is a bird/);
  const { user } = process.cpuUsage(began);
  assert.ok(user < 1_000_000, `${user} µs`);
});

test('words for several values of one parameter are joined in a general sentence', () => {
  const general = (code: ErrorCode, language: Language): string =>
    toGeneralSentence(getMessage(code, language).what, language);
  assert.match(general('SVC-STO-020', 'en'), /: the disk is not there or it is a state folder\.$/);
  assert.match(general('SVC-MED-032', 'fr'), /pas passé la vérification ou le support est vérifié, et /);
});

test('the heading of a code has neither parameters nor alternatives', () => {
  const heading = (code: ErrorCode): string => toHeading(getMessage(code, 'en').what);
  assert.equal(heading('SVC-STO-002'), 'Writing … failed. Content written earlier is unchanged.');
  assert.equal(heading('SVC-MED-012'), 'A file on the medium does not match its digest.');
  assert.equal(heading('SVC-REG-006'), 'No version of … satisfies …');
  for (const language of ['en', 'fr'] as const)
    for (const code of errorCodes) {
      const text = toHeading(getMessage(code, language).what);
      assert.match(text, /^[^{}[\]|]{10,}[.…?]$/, code);
      assert.doesNotMatch(text, /Or:|Ou bien|: *…$/, code);
    }
});

test('the remedies of a disk are commands that name its folder, its zone and its recipe', () => {
  const folder = '/media/usb 1';
  const actionOf = (...of: Parameters<typeof svcError>) => renderError(svcError(...of), 'en').action;
  const resolvedAt = '2026-01-01';
  for (const action of [
    actionOf('SVC-MED-007', { zone: 'zone-b', resolvedAt, recordedAt: resolvedAt, folder }),
    actionOf('SVC-MED-043', { expiresAt: resolvedAt, now: resolvedAt, folder }),
  ])
    assert.match(action, / svc media import '\/media\/usb 1' --allow-stale/);
  assert.match(
    actionOf('SVC-MED-006', { expected: 'zone-b', found: 'zone-c', folder }),
    / svc media import '\/media\/usb 1' --allow-zone-mismatch;/,
  );
  const medium = { delivery: { id: 'dlv_1', part: 1, parts: 2 }, zone: 'zone-b' };
  const lost = (path: string, recipe?: string) =>
    renderError(
      {
        code: 'SVC-MED-010',
        class: 'verification',
        params: nameDisk('SVC-MED-010', { path, ...(recipe && { recipe }) }, medium),
      },
      'en',
    ).action;
  assert.match(
    lost('blobs/x', 'shop@1.0.0'),
    / svc media write DIR --zone zone-b --recipe shop@1\.0\.0 --base none\.$/,
  );
  assert.doesNotMatch(lost('blobs/x'), /svc media write/);
  assert.match(lost('program/svc'), /repairs this one\. Do not install this program\./);
  assert.doesNotMatch(lost('program/svc'), /--recipe/);
  assert.match(
    actionOf('SVC-MED-040', { recipe: 'shop', files: 1, bytes: 1, zone: 'zone-b' }),
    /svc media write DIR --zone zone-b --base none\./,
  );
});
