import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { svcError } from '../../src/text/error.ts';
import { renderError } from '../../src/text/message.ts';
import { documentRulesFr } from '../../src/text/rules/document-rules-fr.ts';
import { networkRulesFr } from '../../src/text/rules/network-rules-fr.ts';
import { rulesFr } from '../../src/text/rules/rules-fr.ts';
import { storeRulesFr } from '../../src/text/rules/store-rules-fr.ts';
import { translateRule } from '../../src/text/rules/translate-rule.ts';

const root = join(import.meta.dirname, '..', '..');

/** Texts that are the same in both languages: names and values. */
const neutral: readonly RegExp[] = [
  /^svc [a-z ]+$/,
  /^media import$/,
  /^ledgers$/,
  /^7$/,
  /^.?7( 7)*$/,
  /^not set$/,
  /^7 pages$/,
  // the names of the rules of lint
  /^(?:format|[a-z0-9]+(?:-[a-z0-9]+)+)$/,
];

/** A literal without line breaks: the text of a rule. */
const literal = String.raw`(?:'((?:[^'\\\n]|\\.)*)'|\`((?:[^\`\\\n$]|\\.|\$\{[^{}\`\n]*\})*)\`)`;
const places: readonly RegExp[] = [
  new RegExp(String.raw`\b(?:rule|detail|limit|hint|holder): ${literal}`, 'g'),
  new RegExp(String.raw`\bdetail: '[a-z]+', rule: ${literal}`, 'g'),
  new RegExp(String.raw`\bbad\(${literal}`, 'g'),
  new RegExp(String.raw`\bnotices\.push\(\s*${literal}`, 'g'),
  new RegExp(String.raw`\bunreachable\(${literal}`, 'g'),
  new RegExp(String.raw`\bnew KeyProblemError\('[a-z-]+', ${literal}`, 'g'),
  new RegExp(String.raw`\brefuse\('[a-z-]+', ${literal}`, 'g'),
  new RegExp(String.raw`\bnew (?:ManifestError|RuleError|KeyError)\(${literal}`, 'g'),
];

test('every rule, detail, limit and hint that the sources write has a French text', () => {
  const missing = new Set<string>();
  let count = 0;
  for (const file of globSync('{src,server,commands}/**/*.ts', { cwd: root })) {
    if (/src\/(?:text|config\/keys)\/|^server\/(?:ui\/assets|api\/terms)\//.test(file)) continue;
    const text = readFileSync(join(root, file), 'utf8');
    for (const [, single, template] of places.flatMap((place) => [...text.matchAll(place)])) {
      const sample = (single ?? template ?? '').replace(/\$\{[^}]*\}/g, '7').replaceAll('\\`', '`');
      if (sample === '' || neutral.some((pattern) => pattern.test(sample))) continue;
      count += 1;
      if (translateRule(sample) === sample) missing.add(`${file}: ${sample}`);
    }
  }
  assert.ok(count > 150, `found ${count}`);
  assert.deepEqual([...missing], []);
});

test('no rule is in two tables', () => {
  const tables = [documentRulesFr, networkRulesFr, storeRulesFr];
  const keys = tables.flatMap((table) => Object.keys(table));
  assert.equal(new Set(keys).size, keys.length);
  assert.equal(new Set(Object.keys(rulesFr)).size, Object.keys(rulesFr).length);
});

test('a rule behind the name of a file or a code of the system is translated, and a foreign text is not', () => {
  assert.equal(
    translateRule('ECONNREFUSED: nothing listens at its address and port'),
    'ECONNREFUSED\u00a0: rien n’écoute à son adresse et à son port',
  );
  assert.equal(
    translateRule('ledger/content-0001.jsonl: damaged at byte 12'),
    'ledger/content-0001.jsonl\u00a0: abîmé à l’octet 12',
  );
  assert.equal(
    translateRule('sync.paralelism is not a setting; did you mean parallelism? (bad.yaml:1)'),
    'sync.paralelism n’est pas un réglage\u00a0; vouliez-vous dire parallelism\u00a0? (bad.yaml:1)',
  );
  assert.equal(translateRule('zone is not set'), 'zone n’est pas défini');
  const foreign = 'ENOENT: no such file or directory, open x';
  assert.equal(translateRule(foreign), foreign);
});

test('the holder of a lock, the step that named a host, and the kind of an artifact are in French', () => {
  const what = (error: Parameters<typeof renderError>[0]): string => renderError(error, 'fr').what;
  assert.match(
    what(svcError('SVC-STO-007', { path: 'x', holder: 'svc serve (process 7)' })),
    /svc serve \(processus 7\)/,
  );
  assert.match(
    what(svcError('SVC-POL-001', { host: 'a.example', hop: 'redirect of b.example' })),
    /redirection de b\.example/,
  );
  assert.match(
    what(svcError('SVC-SIG-003', { expected: 'exactly one layer', actual: '2 layers' })),
    /attendu exactement une couche, trouvé 2 couches/,
  );
});
