import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderCheck } from '../../../commands/custody/render-custody.ts';
import { renderProof } from '../../../commands/media/render-proof.ts';
import { renderReceipt } from '../../../commands/receipt/render-receipt.ts';
import { toReceiptFacts } from '../../../src/attest/receipt.ts';
import { hashBytes } from '../../../src/base/digest.ts';
import { suggestDuration } from '../../../src/base/duration.ts';
import { describeReceipt } from '../../../src/engine/evidence/describe-receipt.ts';
import { fr } from '../../../src/text/language.ts';
import { rule } from '../../../src/text/rule.ts';
import { toReceiptSummary } from '../../../src/view/receipts.ts';
import { toReceipt } from '../../kit/content/receipt.ts';

const digest = hashBytes('line');

test('a check of a ledger names each statement in the language of the reader', () => {
  const fromRule = rule(['receipt {n} of zone b', fr`le reçu {n} de la zone b`], { n: '13' });
  const check = {
    ...{ files: ['2026.jsonl'], lines: 9, last: { site: 'a', seq: 9, head: digest }, open: [] },
    known: [{ site: 'a', seq: 7, head: digest, from: String(fromRule), fromRule }],
  };
  assert.match(renderCheck(check, 'fr'), /la ligne 7 est nommée par le reçu 13 de la zone b\n/);
  assert.match(renderCheck(check, 'en'), /line 7 is named by receipt 13 of zone b\n/);
});

test('a receipt has no English word and no English colon in French', () => {
  const receipt = toReceipt({ recipes: 1, lastDelivery: { id: 'dlv_0123456789ab', part: 4 } as never });
  const summary = toReceiptSummary({ digest, receipt }, { own: true, verified: true, now: 0 });
  const text = renderReceipt(summary, { receipt, subjects: [] }, { language: 'fr', width: 100 });
  assert.match(text, /livraison +dlv_0123456789ab, partie 4\n/);
  assert.match(text, /index partiels +inconnu\n/);
  assert.match(text, /recipe-0 1\.0\.0\s: présente\n/);
});

test('a present recipe of which a tag has other content is told with the version of that content', () => {
  const old = hashBytes('old');
  const next = hashBytes('next');
  const unknown = hashBytes('unknown');
  const receipt = toReceipt({
    recipes: [
      { name: 'shop', version: '1.0.0', digest: old, state: 'present', displacedBy: next },
      { name: 'shop', version: '2.0.0', digest: next, state: 'present' },
      { digest, state: 'present', displacedBy: unknown },
    ],
  });
  const summary = toReceiptSummary({ digest, receipt }, { own: true, verified: true, now: 0 });
  const show = (language: 'en' | 'fr') =>
    renderReceipt(summary, { receipt, subjects: [] }, { language, width: 400 });
  assert.match(show('en'), /shop 1\.0\.0: present \(one of its tags has the content of shop 2\.0\.0\)\n/);
  assert.match(show('en'), /shop 2\.0\.0: present\n/);
  assert.ok(show('en').includes(`${digest}: present (one of its tags has the content of ${unknown})\n`));
  assert.match(show('fr'), /présente \(l’une de ses étiquettes a le contenu de shop 2\.0\.0\)\n/);
  const facts = toReceiptFacts({ receipt, subjects: [] }, new Set([old, next]));
  assert.deepEqual(describeReceipt(facts, 'en').recipes.slice(0, 2), [
    'shop@1.0.0: present, one of its tags has the content of shop@2.0.0',
    'shop@2.0.0: present',
  ]);
});

test('the last lines of a proof stand below each other', () => {
  const proof = {
    steps: [],
    findings: [],
    limits: [],
    against: { kind: 'empty' },
    verdict: 'proved',
  } as never;
  for (const language of ['en', 'fr'] as const) {
    const lines = renderProof(proof, { language, width: 100 }).trimEnd().split('\n').slice(-2);
    const columns = lines.map((line) => /^\S+ +/.exec(line)![0].length);
    assert.equal(columns[0], columns[1], lines.join('\n'));
  }
});

test('a duration of another language is written as this program reads it', () => {
  assert.deepEqual(['30j', '2 jours', '15 min', '1h 30min', '30d', 'soon'].map(suggestDuration), [
    '30d',
    '2d',
    '15m',
    '1h30m',
    undefined,
    undefined,
  ]);
});
