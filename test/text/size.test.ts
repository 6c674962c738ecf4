import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseByteRate } from '../../src/base/link/byte-rate.ts';
import { size } from '../../src/config/value-type.ts';
import { fr } from '../../src/text/language.ts';
import { type Rule, sayRule } from '../../src/text/rule.ts';
import { formatByteSize, parseByteSize, suggestSize, toPlainSize } from '../../src/text/size.ts';
import { createFormat } from '../../src/text/words/format.ts';

test('a size as French pages write it is no size of a command, and its error says how it is written', () => {
  for (const [given, plain] of [
    ['4,7Go', '4.7GB'],
    ['4,7 Go', '4.7GB'],
    ['700Mo', '700MB'],
    ['1,5\u00a0Gio', '1.5GiB'],
    ['512ko', '512kB'],
    ['64 o', '64B'],
    ['4,7GB', '4.7GB'],
    ['4.7Gio', '4812MiB'],
    ['4,7 Gio', '4812MiB'],
    ['4.7GiB', '4812MiB'],
    ['25Gio', '25GiB'],
  ] as const) {
    assert.equal(parseByteSize(given), undefined, given);
    assert.equal(suggestSize(given), plain);
    const { problems } = size.parseText!(given, '');
    assert.match(sayRule(problems[0]!.rule, 'en'), new RegExp(`such as 64MiB .*; .* is written ${plain}$`));
    assert.ok(sayRule(problems[0]!.rule, 'fr').endsWith(fr` s’écrit ${plain}`));
    const rate = parseByteRate(`${given}/s`) as { readonly rule: Rule };
    assert.match(sayRule(rate.rule, 'en'), new RegExp(`such as 2MiB .*is written ${plain}$`));
  }
  for (const given of ['huge', '4.7GB', '', '4,7,1Go', '5Zo'])
    assert.equal(suggestSize(given), undefined, given);
});

test('every size that a page shows in French has a plain form of the same bytes', () => {
  for (const bytes of [1, 1023, 1024, 1536, 3 * 2 ** 30, 2.5 * 2 ** 40])
    assert.equal(parseByteSize(toPlainSize(formatByteSize(bytes, 'fr'))), bytes);
});

test('no size is 1024 of a unit: at each boundary what rounds up to it is 1 of the next', () => {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  const [pages, pagesFr] = [createFormat('en'), createFormat('fr')];
  for (const [power, next] of units.slice(1).entries()) {
    const whole = 1024 ** (power + 1);
    // the last size that rounds to 1023 of the smaller unit, and the first that does not
    const half = power === 0 ? 1 : 1024 ** power / 2;
    const last = power === 0 ? whole - 1 : whole - half - 1;
    const unit = units[power]!;
    assert.equal(formatByteSize(last), `1023 ${unit}`);
    assert.equal(pages.size(last), `1,023\u00a0${unit}`);
    for (const bytes of [power === 0 ? whole : whole - half, whole]) {
      assert.equal(formatByteSize(bytes), `1 ${next}`);
      assert.equal(pages.size(bytes), `1\u00a0${next}`);
      assert.equal(pagesFr.size(bytes), `1\u00a0${next.replace('B', 'o')}`);
    }
  }
  assert.equal(formatByteSize(99.96 * 1024), '100 KiB');
  assert.equal(formatByteSize(1024 ** 6), '1024 PiB');
});
