import assert from 'node:assert/strict';
import { chmod, cp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { startInstance } from '../kit/instance/instance.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { runInLanguage } from '../kit/program/run-command.ts';
import { folderPrint } from '../kit/result/folder-print.ts';

const kept = join(import.meta.dirname, '..', 'fixtures', 'kept', 'zone-1');
const token = 'svc_-e1-KYVUDOUAnZsUznm9bSQRT71ILsWcO5xGoIXnAZ0';
const [small, large] = ['tsk_344a8abf54ed', 'tsk_f20000000002'] as const;
/** The task of `svc media import`, which ran without an instance. */
const imported = 'tsk_1ba0acac7a96';

/** A copy of the zone that was kept; the permissions of the state are those that the program gives. */
async function openKept() {
  const folder = await openTempFolder();
  await cp(kept, folder.path, { recursive: true });
  const path = (...parts: string[]): string => join(folder.path, ...parts);
  for (const name of await readdir(path('state'), { recursive: true })) {
    const isFolder = (await stat(path('state', name))).isDirectory();
    await chmod(path('state', name), isFolder ? 0o700 : 0o600);
  }
  await chmod(path('state'), 0o700);
  const config = {
    mode: 'mirror',
    zone: 'zone-b',
    storage: { root: path('medium') },
    state: { root: path('state') },
    destination: { registry: 'registry.example' },
    trust: { roots: [{ name: 'release', keyFile: path('release.pub') }] },
  };
  await writeFile(path('zone.yaml'), JSON.stringify(config));
  const svc = (...args: string[]) => runInLanguage([...args, '--config', path('zone.yaml')], 'en');
  return { path, svc, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

test('this version verifies a kept medium, and knows from the kept state that it was imported', async () => {
  await using zone = await openKept();
  const verified = await zone.svc('media', 'verify', '--output', 'json');
  assert.equal(verified.exitCode, 0, verified.stdout + verified.stderr);
  const { verdict, freshness, recipes } = JSON.parse(verified.stdout);
  assert.deepEqual([verdict, freshness.stale, recipes[0].name], ['pushable', false, 'shop']);
  assert.equal(freshness.recordedAt, '2026-01-02T03:04:05.000Z');
  assert.match((await zone.svc('user', 'list')).stdout, /^admin +admin +23 Nov 2026/m);
  assert.match((await zone.svc('token', 'list')).stdout, / operator +23 Nov 2026.* valid$/m);
});

test('an instance of this version has the tasks, the token and the interval of a kept state', async () => {
  await using zone = await openKept();
  const { path } = zone;
  // a later version writes members that this one does not know
  const later = 'tsk_0000000000ff';
  const text = (await readFile(path('state', 'tasks', `${small}.json`), 'utf8'))
    .replace('"format":1', '"format":3')
    .replaceAll(small, later);
  await writeFile(path('state', 'tasks', `${later}.json`), text, { mode: 0o600 });
  await writeFile(path('state', 'tasks', `${later}.log`), 'a line\n', { mode: 0o600 });
  await using instance = await startInstance({ folder: path(), password: 'a good password' });
  const bearer = { headers: { authorization: `Bearer ${token}` } };
  const whoami = await fetch(`${instance.url}/api/v1/whoami`, bearer);
  assert.equal(((await whoami.json()) as { role: string }).role, 'operator');
  assert.equal((await instance.api('GET', '/retriever')).body.interval.effective, '45m');
  const { tasks } = (await instance.api('GET', '/tasks')).body;
  const ids = tasks.map(({ id }: { id: string }) => id);
  assert.deepEqual(ids, [large, small, imported], 'the import of the command is one of them');
  for (const [id, names] of [
    [small, ['shop@^1']],
    [large, ['shop@^1', 'depot@^2']],
  ] as const) {
    const { task } = (await instance.api('GET', `/tasks/${id}`)).body;
    assert.deepEqual([task.status, task.items.map(({ name }: { name: string }) => name)], ['failed', names]);
  }
  // it is left out, reported, and left unchanged
  assert.equal((await instance.api('GET', `/tasks/${later}`)).status, 404);
  assert.match(
    instance.log(),
    new RegExp(`"level":"error".*${later}\\.json","reason":"format 3 is not one of 1, 2"`),
  );
  assert.equal(await instance.stop(), 0, instance.log());
  assert.equal(await readFile(path('state', 'tasks', `${later}.json`), 'utf8'), text);
  assert.equal(await readFile(path('state', 'tasks', `${later}.log`), 'utf8'), 'a line\n');
});

test('a medium, remembered ledgers and a configuration of a later version are refused with their codes', async () => {
  await using zone = await openKept();
  const { path } = zone;
  const cases: readonly [file: string, from: string, to: string, exitCode: number, says: RegExp][] = [
    ['medium/media.jsonl', '"mediaFormat":1', '"mediaFormat":3', 4, /SVC-MED-003/],
    [
      'state/ledgers',
      '"format": 1',
      '"format": 2',
      1,
      /SVC-STO-001.*\/ledgers .*it has format 2[\s\S]*Install the version that wrote it/,
    ],
    [
      'state/accounts',
      '"format": 1',
      '"format": 2',
      1,
      /SVC-STO-001.*\/accounts .*it has format 2[\s\S]*Install the version that wrote it/,
    ],
    ['zone.yaml', '"mode"', '"later":{"key":1},"mode"', 1, /SVC-CFG-001.*later/],
  ];
  // the audit record of the refusal is kept
  const printBesidesAudit = () => folderPrint(path(), (name) => name === 'state/audit');
  for (const [file, from, to, exitCode, says] of cases) {
    const before = await readFile(path(file), 'utf8');
    assert.ok(before.includes(from), file);
    await writeFile(path(file), before.replace(from, to));
    const print = printBesidesAudit();
    const command = file.endsWith('accounts') ? ['user', 'list'] : ['media', 'verify'];
    const refused = await zone.svc(...command);
    assert.equal(refused.exitCode, exitCode, `${file}\n${refused.stdout}${refused.stderr}`);
    assert.match(refused.stdout + refused.stderr, says, file);
    assert.deepEqual(printBesidesAudit(), print, `${file}: nothing is changed`);
    await writeFile(path(file), before);
  }
});
