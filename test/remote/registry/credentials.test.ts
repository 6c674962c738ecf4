import assert from 'node:assert/strict';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { silentReport } from '../../../src/base/report.ts';
import { loadCredentials } from '../../../src/remote/registry/credentials.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { createRecordingReport } from '../../kit/instance/recording-report.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';

const encode = (text: string) => Buffer.from(text).toString('base64');
const basic = (username: string, password: string) => ({ kind: 'basic', username, password });

async function write(t: TestContext, content: unknown): Promise<string> {
  const folder = await openTempFolder();
  t.after(() => folder[Symbol.asyncDispose]());
  const path = join(folder.path, 'config.json');
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o600 });
  return path;
}

test('every form of a docker config is read, each under the host and port it names', async (t) => {
  const path = await write(t, {
    auths: {
      'a.example': { auth: encode('user:pass:with:colons') },
      'b.example:5000': { username: 'u', password: 'p' },
      'c.example': { identitytoken: 'refresh', auth: encode('<token>:') },
      'd.example': { registrytoken: 'bearer' },
      'https://e.example/v1/': { auth: encode('e:1') },
      'https://index.docker.io/v1/': { auth: encode('hub:2') },
      'F.Example': { auth: encode('f:\0') },
      'empty.example': {},
    },
  });
  const credentials = await loadCredentials(path, silentReport);
  assert.deepEqual(credentials.lookup('a.example'), basic('user', 'pass:with:colons'));
  assert.equal(credentials.lookup('a.example:443'), undefined);
  assert.deepEqual(credentials.lookup('b.example:5000'), basic('u', 'p'));
  assert.equal(credentials.lookup('b.example'), undefined);
  assert.deepEqual(credentials.lookup('c.example'), { kind: 'identity', token: 'refresh' });
  assert.deepEqual(credentials.lookup('d.example'), { kind: 'registry', token: 'bearer' });
  assert.deepEqual(credentials.lookup('e.example'), basic('e', '1'));
  for (const name of ['docker.io', 'index.docker.io', 'registry-1.docker.io'])
    assert.deepEqual(credentials.lookup(name), basic('hub', '2'));
  assert.deepEqual(credentials.lookup('f.example'), basic('f', ''));
  assert.equal(credentials.lookup('empty.example'), undefined);
});

test('a file that other users can read or change is used with a warning, as a key would be refused', async (t) => {
  const path = await write(t, { auths: {} });
  for (const [mode, warned] of [
    [0o600, []],
    [0o640, []],
    [0o644, ['0644']],
    [0o660, ['0660']],
  ] as const) {
    await chmod(path, mode);
    const report = createRecordingReport();
    await loadCredentials(path, report);
    const modes = report.records.map(({ level, fields }) => level === 'warn' && fields?.mode);
    assert.deepEqual(modes, warned);
  }
});

test('helpers are ignored with a warning, and so is a key that is no host', async (t) => {
  const path = await write(t, {
    credsStore: 'desktop',
    credHelpers: { 'a.example': 'touch-a-file' },
    auths: { 'a.example/team': { auth: encode('a:secret-of-a') } },
  });
  const report = createRecordingReport();
  const { records } = report;
  const credentials = await loadCredentials(path, report);
  assert.equal(credentials.lookup('a.example'), undefined);
  const warnings = records.filter(({ level }) => level === 'warn');
  assert.equal(warnings.length, 3);
  assert.ok(!JSON.stringify(records).includes('secret-of-a'));
});

test('the bare key counts where a host is named twice', async (t) => {
  const entries = {
    'https://a.example/v1/': { auth: encode('url:1') },
    'a.example': { auth: encode('bare:2') },
  };
  for (const auths of [entries, Object.fromEntries(Object.entries(entries).reverse())]) {
    const credentials = await loadCredentials(await write(t, { auths }), silentReport);
    assert.deepEqual(credentials.lookup('a.example'), basic('bare', '2'));
  }
});

test('a file that is no such document is refused without being quoted', async (t) => {
  const bad = ['{"auths": hunter2', '[]', '{"auths": []}', '{"auths": {"a.example": "hunter2"}}'];
  for (const text of [...bad, JSON.stringify({ auths: { 'a.example': { auth: encode('hunter2') } } })]) {
    const path = await write(t, text);
    await assert.rejects(loadCredentials(path, silentReport), (error) => {
      assert.ok(isSvcError(error, 'SVC-VAL-001'));
      assert.ok(!JSON.stringify({ ...error.params, detail: error.detail }).includes('hunter2'));
      return true;
    });
  }
});

test('a file that is not there is a wrong setting; no file is no credentials', async () => {
  await assert.rejects(loadCredentials('/nonexistent/config.json', silentReport), (error) =>
    isSvcError(error, 'SVC-CFG-001'),
  );
  assert.equal((await loadCredentials(undefined, silentReport)).lookup('a.example'), undefined);
});
