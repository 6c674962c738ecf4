import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { detailNames } from '../../../../../src/base/details.ts';
import { actionGroups } from '../../../../../src/contract/history.ts';
import { detailWords } from '../../../../../src/text/words/history.ts';
import { startTestServer, type TestServer } from '../../../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../../../kit/instance/temp-folder.ts';
import { type BrowserSession, signInAs } from '../../../../kit/web/browser-session.ts';
import { toPageText } from '../../../../kit/web/page-text.ts';
import { parseStrictHtml } from '../../../../kit/web/strict-html.ts';

let folder: TempFolder;
let server: TestServer;
let admin: BrowserSession;

before(async () => {
  folder = await openTempFolder();
  await mkdir(join(folder.path, 'state', 'audit'), { recursive: true });
  server = await startTestServer({ folder: folder.path });
  admin = await signInAs(server, 'admin', 'alice');
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

/** Writes one record for each list of details, and gets a page of the history. */
async function pageOf(
  records: readonly Readonly<Record<string, unknown>>[],
  { path = '/history?subject=probe', language = 'en' } = {},
): Promise<string> {
  const lines = records.map((details, i) =>
    JSON.stringify({
      ts: new Date(Date.UTC(2026, 6, 1, 0, 0, i)).toISOString(),
      logType: 'audit',
      actor: 'ana',
      action: 'prune',
      target: `probe ${i}`,
      outcome: 'success',
      ...details,
    }),
  );
  await writeFile(join(folder.path, 'state', 'audit', '00000001.jsonl'), `${lines.join('\n')}\n`);
  const markup = await (await admin.get(path, { 'accept-language': language })).text();
  parseStrictHtml(markup, path);
  return markup;
}

test('no record of any kind shows the name of a member as it is in JSON, in both languages', async () => {
  const actions = Object.values(actionGroups).flat();
  // members of the record itself, and values that its page has elsewhere
  const ofRecord: readonly string[] = ['origin', 'taskId', 'runId', 'site', 'line'];
  const names = detailNames.filter((name) => !ofRecord.includes(name));
  // each kind of record, and each detail at least once
  const records = actions.map((action, i) => {
    const some = names.filter((_, n) => n % actions.length === i);
    return { action, ...Object.fromEntries(some.map((name) => [name, 'value'])) };
  });
  for (const name of names) records.push({ action: 'content.push', [name]: 'value' } as never);
  for (const [path, language] of [
    ['/history/-/print?actor=ana', 'en'],
    ['/history/-/print?actor=ana', 'fr'],
    ['/history?actor=ana&pageSize=200', 'en'],
    ['/history?actor=ana&pageSize=200', 'fr'],
  ] as const) {
    const markup = await pageOf(records, { path, language });
    const text = toPageText(markup).slice(toPageText(markup).search(/Client address|Adresse du client/));
    for (const name of names) {
      const word = detailWords[name][language === 'en' ? 0 : 1];
      assert.ok(text.includes(`${word} value`), `${name}: ${word}`);
      if (/[A-Z]/.test(name)) assert.ok(!text.includes(name), `${path} ${language} ${name}`);
    }
  }
});

test('the members of a value have words too, and those of an error their values alone', async () => {
  const now = { version: '1.1', digest: `sha256:${'cd'.repeat(32)}`, provenance: 'recipe' };
  const markup = await pageOf([
    { action: 'fileset.change', before: { ...now, version: '1.0' }, now },
    { action: 'preflight.override', params: { neededBytes: 12, path: '/srv' }, code: 'SVC-STO-004' },
  ]);
  assert.match(toPageText(markup), /Now Version 1\.1, Digest sha256:(?:cd)+, Provenance recipe/);
  assert.match(toPageText(markup), /Values 12 B, \/srv/);
  assert.doesNotMatch(markup.slice(markup.indexOf('<tbody')), /neededBytes|&quot;version/);
});

test('a list is one detail, in the list and on the page of the record', async () => {
  const digests = ['ab', 'cd', 'ef'].map((hex) => `sha256:${hex.repeat(32)}`);
  const list = await pageOf([{ action: 'import.create', digests, blocks: [] }]);
  assert.equal(list.match(/<dt>Digests<\/dt>/g)?.length, 1);
  assert.equal(/<dt>Digests<\/dt>.*?<\/div>/s.exec(list)?.[0].match(/<dd>/g)?.length, 3);
  assert.doesNotMatch(list, /<dt>Blocked by/);
  const [, path = ''] = /href="(\/history\/a[0-9]+-[0-9]+)"/.exec(list) ?? [];
  const page = await (await admin.get(path)).text();
  parseStrictHtml(page, path);
  assert.equal(page.match(/<dt>Digests<\/dt>/g)?.length, 1);
  for (const digest of digests) assert.ok(toPageText(page).includes(digest));
});

test('a list that is cut says the number of the values left, which are on paper', async () => {
  const blocks = Array.from({ length: 9 }, (_, i) => `SVC-MED-00${i}`);
  const list = await pageOf([{ action: 'media.verify', blocks }]);
  assert.match(toPageText(list), /5 more details/);
  assert.match(list, /<div class="print-only"><dt>Blocked by<\/dt><dd>.*SVC-MED-004.*SVC-MED-008/);
});

test('a medium is short and leads to its records, and is left out where the delivery or the subject says it', async () => {
  const medium = '5d15700c-1111-4222-8333-444455556666';
  const list = await pageOf([
    { action: 'media.verify', target: '/mnt/probe', mediaId: medium },
    { action: 'content.push', target: 'probe:2', mediaId: medium },
    {
      action: 'media.import',
      target: 'probe 3',
      mediaId: 'dlv-0123456789ab-2',
      delivery: 'dlv_0123456789ab',
    },
  ]);
  assert.match(
    list,
    new RegExp(`<div><dt>Medium</dt><dd><a href="/history\\?subject=${medium}">.*>5d15700c…<`),
  );
  assert.equal(list.match(/<div><dt>Medium<\/dt>/g)?.length, 1);
  assert.equal(list.match(/<bdi class="print-only long"[^>]*>Medium [^<]+<\/bdi>/g)?.length, 1);
  const [, path = ''] = [...list.matchAll(/href="(\/history\/a[0-9]+-[0-9]+)"/g)].at(-1) ?? [];
  assert.match(await (await admin.get(path)).text(), new RegExp(`<dt>Medium</dt><dd>.*>${medium}<`));
});

test('the store of the instance stands once on paper, and beside no action that is about no medium', async () => {
  const { mediaId } = server.store;
  const records = ['session.login', 'content.push', 'media.write'].map((action) => ({ action, mediaId }));
  for (const path of ['/history?subject=probe', '/history/-/print?subject=probe']) {
    const text = toPageText(await pageOf(records, { path }));
    assert.ok(text.includes(`Store of the instance ${mediaId}`), path);
    assert.equal(text.split(mediaId).length, 2, path);
  }
  const [, path = ''] = /href="(\/history\/a[0-9]+-[0-9]+)"/.exec(await pageOf(records)) ?? [];
  const page = await (await admin.get(path)).text();
  assert.doesNotMatch(page, /<dt>Medium<\/dt>/);
  // and in the line itself
  assert.equal(page.slice(0, page.indexOf('id="proof"')).split(mediaId).length, 2);
});

test('a record of an earlier version, without a target, is about what its details name', async () => {
  const target = undefined;
  const list = await pageOf(
    [
      { action: 'receipt.accept', target, zone: 'zone-b', sequence: 8, digest: `sha256:${'ab'.repeat(32)}` },
      { action: 'evidence.pack', target, delivery: 'dlv_0123456789ab' },
      { action: 'layout.export', target, outcome: 'failure', code: 'SVC-VAL-001' },
      { action: 'content.delete', target, outcome: 'denied', reference: 'shop/web:1.4.0' },
    ],
    { path: '/history?actor=ana' },
  );
  const text = toPageText(list);
  assert.match(text, /receipt added receipt 8 of zone-b/);
  assert.match(text, /evidence packed dlv_0123456789ab/);
  assert.match(text, /layout exported not recorded Code SVC-VAL-001/);
  assert.match(text, /content deleted shop\/web:1\.4\.0 /);
});

test('the reason of a waiver is shown as it was written, in the list and on paper', async () => {
  const records = [
    { action: 'media.waiver', target: 'probe', reason: 'refused' },
    { reason: '<i>\u202ex</i>' },
  ];
  for (const path of ['/history?subject=probe', '/history/-/print?subject=probe']) {
    const markup = await pageOf(records, { path, language: 'fr' });
    assert.match(toPageText(markup), /Raison refused/);
    assert.ok(markup.includes('&lt;i&gt;\\u202ex&lt;/i&gt;'));
  }
});

test('a record that counts events says how many and when, and where they differ', async () => {
  const [firstAt, lastAt] = ['2026-07-01T08:00:01.000Z', '2026-07-01T08:00:31.000Z'];
  const sum = { action: 'session.login', outcome: 'denied', firstAt, lastAt };
  const records = [
    { ...sum, target: 'probe', origin: '192.0.2.7', further: 3, code: 'SVC-AUTH-002' },
    { ...sum, target: '(several)', text: 'probe', further: 250, targets: 4, addresses: 100 },
    { ...sum, target: 'probe', further: 1, firstAt: lastAt },
    { action: 'session.login', target: 'probe', further: 2 },
  ];
  const times = 'between 1 Jul 2026, 08:00:01 UTC and 1 Jul 2026, 08:00:31 UTC';
  const sentences = [
    `3 equal events ${times} are counted in this record.`,
    `250 events ${times} are counted in this record, about 4 subjects, from 100 or more client addresses.`,
    '1 event at 1 Jul 2026, 08:00:31 UTC is counted in this record.',
    '2 events of the minute before are counted in this record.',
  ];
  for (const path of ['/history?subject=probe', '/history/-/print?subject=probe']) {
    const text = toPageText(await pageOf(records, { path }));
    for (const sentence of sentences) assert.ok(text.includes(sentence), `${path} ${sentence}\n${text}`);
    assert.doesNotMatch(text, /Further ones|First time|Last time|Subjects/);
  }
  const french = toPageText(await pageOf(records, { language: 'fr' }));
  assert.match(
    french,
    /250 événements entre le 1 juil\. 2026, 08:00:01 UTC et le 1 juil\. 2026, 08:00:31 UTC sont comptés dans cet enregistrement, à propos de 4 objets, depuis au moins 100 adresses de clients\./,
  );
  const [, path = ''] =
    [...(await pageOf(records)).matchAll(/href="(\/history\/a[0-9]+-[0-9]+)"/g)].at(-1) ?? [];
  const page = toPageText(await (await admin.get(path)).text());
  assert.ok(page.includes(sentences[0]!), page);
  assert.doesNotMatch(page, /Further ones|First time/);
});

test('a form that was refused for its input is an attempt, and nothing to look at', async () => {
  const refused = { action: 'media.write', target: 'POST /deliver/write', outcome: 'failure' };
  const path = '/history?actor=ana';
  const quiet = toPageText(await pageOf([{ ...refused, code: 'SVC-VAL-001' }], { path }));
  assert.match(quiet, /attempt: delivery written/);
  assert.match(quiet, /refused input/);
  assert.doesNotMatch(quiet, /To look at/);
  const failed = toPageText(await pageOf([{ ...refused, code: 'SVC-STO-004' }], { path }));
  assert.match(failed, /To look at/);
});

test('a failed proof names its codes first, and the start of an import is no import', async () => {
  const path = '/history?actor=ana';
  const mediaId = 'dlv-d5cc4fa832d2-1';
  const text = toPageText(
    await pageOf(
      [
        { action: 'media.import', target: mediaId, mediaId, runId: 'r' },
        {
          action: 'media.import',
          target: '/mnt/1',
          mediaId,
          runId: 'r',
          outcome: 'failure',
          landed: ['a@1'],
        },
        {
          action: 'media.prove',
          target: '/mnt/1',
          outcome: 'failure',
          findings: ['SVC-CLO-001', 'SVC-CLO-004'],
        },
        { action: 'media.prove', target: '/mnt/2', outcome: 'failure' },
      ],
      { path },
    ),
  );
  assert.match(text, /import of a medium started dlv_d5cc4fa832d2 .*success/);
  assert.match(text, /import of a medium dlv_d5cc4fa832d2 .*in part/);
  assert.match(
    text,
    /proof of a medium \/mnt\/1 Findings of the proof \( SVC-CLO-001 , SVC-CLO-004 \) not proved/,
  );
  assert.match(text, /proof of a medium \/mnt\/2 The reason was not recorded\. not proved/);
});
