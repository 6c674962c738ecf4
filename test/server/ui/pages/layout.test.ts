import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Operations } from '../../../../server/operations.ts';
import { toReason } from '../../../../src/engine/layout/select-entries.ts';
import { svcError, toErrorRecord } from '../../../../src/text/error.ts';
import { fr } from '../../../../src/text/language.ts';
import { quote, rule } from '../../../../src/text/rule.ts';
import { startTestServer, type TestServer } from '../../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../../kit/instance/temp-folder.ts';
import { type BrowserSession, openBrowserSession } from '../../../kit/web/browser-session.ts';
import { parseStrictHtml } from '../../../kit/web/strict-html.ts';

const hostile = '<img src=x>\u202e';
const digest = `sha256:${'a'.repeat(64)}` as const;
const page = '/admin/oci-layout';
const lost = rule([
  'linux/arm64 of the index is not in the store',
  fr`linux/arm64, de l’index, n’est pas dans le stockage`,
]);

let folder: TempFolder;
let server: TestServer;
let admin: BrowserSession;
const asked: unknown[] = [];

const submit = async (type: 'layout-export' | 'layout-import', reference: string) =>
  server.tasks.submit({
    type: 'sync',
    reference: `${type} ${reference}`,
    actor: 'test',
  });

const layout: Partial<Operations> = {
  previewLayoutExport: async (_instance, request) => {
    asked.push(request);
    if (request.output === '/taken') throw svcError('SVC-LAY-003', { path: '/taken' });
    return {
      format: request.format,
      references: [`shop/web:${hostile}`],
      manifests: 2,
      blobs: 5,
      totalBytes: 4096,
      largestFileBytes: 2048,
      missing: [
        {
          repository: 'shop/db',
          tag: '1',
          digest,
          ...toReason(rule(['{hostile}', fr`{hostile}`], { hostile })),
        },
        { repository: 'shop/web', tag: '1', digest, ...toReason(lost) },
      ],
    };
  },
  previewLayoutImport: async (_instance, { input }) => ({
    input,
    format: 'tar',
    entries: [
      { reference: 'shop/web:1', digest, status: 'new' },
      { reference: 'shop/db:1', digest, status: 'outdated', replaced: digest },
      {
        reference: hostile,
        digest,
        status: 'new',
        error: toErrorRecord(
          svcError('SVC-REG-001', { reference: hostile, rule: quote('is not a reference') }),
        ),
      },
      {
        reference: 'manifests[3]',
        status: 'new',
        error: toErrorRecord(
          svcError('SVC-REG-009', { reference: 'manifests[3]', detail: 'not a descriptor' }),
        ),
      },
    ],
    newBytes: 1024,
    fingerprint: digest,
  }),
  submitLayoutExport: (_instance, { output }) => submit('layout-export', output),
  submitLayoutImport: (_instance, { input }) => submit('layout-import', input),
};

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({ folder: folder.path, operations: layout });
  admin = openBrowserSession(server);
  await server.accounts.create({ name: 'alice', role: 'admin', password: 'a good password' });
  await admin.signIn('alice', 'a good password');
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

async function proseOf(response: Response): Promise<string> {
  const text = await response.text();
  assert.doesNotMatch(text, /<img|\u202e/);
  return parseStrictHtml(text, page).prose;
}

test('the plan of an export shows what is written and left out, with the form still filled', async () => {
  const fields = { output: '/srv/out', format: 'directory', recipes: 'shop@1\r\nbase', overwrite: 'true' };
  const answer = await admin.postAndOpen(`${page}/plan`, fields, { page });
  assert.equal(answer.status, 200);
  const text = await answer.clone().text();
  const prose = await proseOf(answer);
  assert.match(prose, /2 manifests and 5 blobs/);
  assert.match(prose, /Left out[\s\S]*shop\/db:1/);
  assert.match(text, /value="\/srv\/out"/);
  assert.match(text, /value="directory" selected/);
  assert.match(text, /name="overwrite" value="true" checked/);
  assert.deepEqual(asked.at(-1), {
    output: '/srv/out',
    format: 'directory',
    recipes: ['shop@1', 'base'],
    repositories: [],
    overwrite: true,
  });
});

test('why an export leaves content out is said in the language of the page', async () => {
  const fields = { output: '/srv/out', format: 'tar' };
  for (const [language, reason] of [
    ['en', /linux\/arm64 of the index is not in the store/],
    ['fr', /linux\/arm64, de l’index, n’est pas dans le stockage/],
  ] as const) {
    const headers = { 'accept-language': language };
    assert.match(await proseOf(await admin.postAndOpen(`${page}/plan`, fields, { page, headers })), reason);
  }
});

test('a plan that is refused shows the error above the filled form', async () => {
  const answer = await admin.post(`${page}/plan`, { output: '/taken', format: 'tar' }, { page });
  const text = await answer.clone().text();
  assert.match(await proseOf(answer), /SVC-LAY-003/);
  assert.match(text, /value="\/taken"/);
});

test('the plan of an import names new, replaced and refused entries', async () => {
  const answer = await admin.postAndOpen(`${page}/import-plan`, { input: '/srv/in.tar' }, { page });
  const prose = await proseOf(answer);
  for (const part of [
    /1\sKiB/,
    /replaces other content/,
    /not imported/,
    /SVC-REG-001/,
    /manifests\[3\][\s\S]*SVC-REG-009/,
  ])
    assert.match(prose, part);
});

test('export and import lead to their tasks', async () => {
  for (const [path, fields] of [
    ['export', { output: '/srv/out.tar', format: 'tar' }],
    ['import', { input: '/srv/in.tar', fingerprint: digest }],
  ] as const) {
    const answer = await admin.post(`${page}/${path}`, fields, { page });
    const id = /^\/tasks\/(tsk_[0-9a-f]{12})$/.exec(answer.headers.get('location') ?? '')?.[1];
    assert.ok(id, await answer.text());
    assert.match((await server.tasks.get(id)).reference, /\/srv\//);
  }
});
