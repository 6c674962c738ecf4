import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { openAccounts } from '../../src/account/accounts.ts';
import { isSvcError } from '../../src/text/error.ts';
import { exhaustDescriptors } from '../kit/hostile/exhaust-descriptors.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

const hashing = { timeCost: 1, memoryCost: 64, parallelism: 1 };
const open = (folder: { readonly path: string }) =>
  openAccounts({ stateRoot: join(folder.path, 'state'), hashing });
const root = { name: 'root', password: 'the first one' };

test('a state root without accounts is empty, and reading creates no file', async () => {
  await using folder = await openTempFolder();
  const accounts = open(folder);
  assert.equal(await accounts.isEmpty(), true);
  assert.deepEqual(await accounts.list(), []);
  assert.deepEqual(await readdir(folder.path), []);
});

test('the first account is admin in any case, later ones are viewers by default', async () => {
  await using folder = await openTempFolder();
  const accounts = open(folder);
  const first = await accounts.create({ ...root, role: 'viewer' });
  assert.equal(first.first, true);
  assert.equal(first.account.role, 'admin');
  const second = await accounts.create({ name: 'ana', password: 'password of p' });
  assert.equal(second.first, false);
  assert.equal(second.account.role, 'viewer');
  assert.equal(
    (await accounts.create({ name: 'bo', password: 'password of p', role: 'operator' })).account.role,
    'operator',
  );
  assert.deepEqual(
    (await accounts.list()).map((account) => account.name),
    ['ana', 'bo', 'root'],
  );
  assert.equal(await accounts.isEmpty(), false);
});

test('the file is readable by its owner only and holds no password', async () => {
  await using folder = await openTempFolder();
  const accounts = open(folder);
  await accounts.create(root);
  const { secret } = await accounts.tokens.create({ name: 'ci', role: 'operator' });
  const path = join(folder.path, 'state/accounts');
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  const text = await readFile(path, 'utf8');
  assert.ok(!text.includes(root.password));
  assert.ok(!text.includes(secret));
  assert.match(text, /\$argon2id\$/);
});

test('records show no hash', async () => {
  await using folder = await openTempFolder();
  const accounts = open(folder);
  const { account } = await accounts.create(root);
  await accounts.tokens.create({ name: 'ci', role: 'operator' });
  assert.deepEqual(Object.keys(account).sort(), ['createdAt', 'name', 'role']);
  assert.deepEqual(Object.keys((await accounts.tokens.list())[0]!).sort(), ['createdAt', 'name', 'role']);
});

test('invalid input changes nothing', async () => {
  await using folder = await openTempFolder();
  const accounts = open(folder);
  await assert.rejects(accounts.create({ name: 'a b', password: 'password of p' }), { code: 'SVC-AUTH-008' });
  await assert.rejects(accounts.create({ name: 'a', password: 'password of p', role: 'root' }), {
    code: 'SVC-AUTH-008',
  });
  await assert.rejects(accounts.create({ name: 'a', password: '' }), { code: 'SVC-AUTH-007' });
  await assert.rejects(accounts.create({ name: 'a', password: 'svc_x' }), { code: 'SVC-AUTH-007' });
  await assert.rejects(accounts.tokens.create({ name: '', role: 'viewer' }), { code: 'SVC-AUTH-008' });
  await assert.rejects(accounts.tokens.create({ name: 't', role: '' }), { code: 'SVC-AUTH-008' });
  assert.equal(await accounts.isEmpty(), true);
});

test('a name is given once', async () => {
  await using folder = await openTempFolder();
  const accounts = open(folder);
  await accounts.create(root);
  await assert.rejects(accounts.create(root), { code: 'SVC-AUTH-009', params: { name: 'root' } });
  const rivals = await Promise.allSettled(
    [1, 2, 3].map((n) => accounts.create({ name: 'ana', password: `password of ${n}` })),
  );
  assert.equal(rivals.filter((result) => result.status === 'fulfilled').length, 1);
  assert.equal((await accounts.list()).length, 2);
});

test('absent content is not found', async () => {
  await using folder = await openTempFolder();
  const accounts = open(folder);
  await accounts.create(root);
  const missing = { code: 'SVC-AUTH-010', params: { name: 'nobody' } };
  await assert.rejects(accounts.get('nobody'), missing);
  await assert.rejects(accounts.update('nobody', { role: 'viewer' }), missing);
  await assert.rejects(accounts.delete('nobody'), missing);
  await assert.rejects(accounts.changePassword('nobody', 'a', 'b'), missing);
  await assert.rejects(accounts.tokens.revoke('nobody'), missing);
});

test('the last administrator is neither deleted nor demoted', async () => {
  await using folder = await openTempFolder();
  const accounts = open(folder);
  await accounts.create(root);
  await accounts.create({ name: 'ana', password: 'password of p', role: 'operator' });
  await assert.rejects(accounts.delete('root'), { code: 'SVC-AUTH-011', params: { name: 'root' } });
  await assert.rejects(accounts.update('root', { role: 'operator' }), { code: 'SVC-AUTH-011' });
  assert.equal(
    (await accounts.update('root', { role: 'admin', password: 'password of q' })).account.role,
    'admin',
  );
  await accounts.update('ana', { role: 'admin' });
  await accounts.delete('root');
  await assert.rejects(accounts.delete('ana'), { code: 'SVC-AUTH-011' });
  assert.deepEqual(
    (await accounts.list()).map((account) => account.name),
    ['ana'],
  );
});

test('two processes that remove two administrators at once leave one', async () => {
  await using folder = await openTempFolder();
  const accounts = open(folder);
  await accounts.create(root);
  await accounts.create({ name: 'ana', password: 'password of p', role: 'admin' });
  const program = `
    import { openAccounts } from ${JSON.stringify(new URL('../../src/account/accounts.ts', import.meta.url).href)};
    const accounts = openAccounts({ stateRoot: ${JSON.stringify(join(folder.path, 'state'))} });
    await accounts.delete(process.argv[1]).then(() => console.log('gone'), (error) => console.log(error.code));
  `;
  const run = async (name: string) =>
    (await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, name])).stdout.trim();
  assert.deepEqual((await Promise.all([run('root'), run('ana')])).sort(), ['SVC-AUTH-011', 'gone']);
  assert.equal((await accounts.list()).length, 1);
});

test('changes made at the same time by several holders of the file are all kept', async () => {
  await using folder = await openTempFolder();
  await open(folder).create(root);
  const names = Array.from({ length: 8 }, (_, i) => `user${i}`);
  await Promise.all(names.map((name) => open(folder).create({ name, password: 'password of p' })));
  assert.deepEqual(
    (await open(folder).list()).map((account) => account.name),
    ['root', ...names],
  );
});

test('a change by another process is visible at the next read', async () => {
  await using folder = await openTempFolder();
  const [here, there] = [open(folder), open(folder)];
  await here.create(root);
  const before = there.find('root');
  await here.update('root', { password: 'another secret' });
  assert.notEqual(there.find('root')?.hash, before?.hash);
  const { secret } = await there.tokens.create({ name: 'ci', role: 'viewer' });
  assert.equal(here.findToken(secret)?.name, 'ci');
  await there.tokens.revoke('ci');
  assert.equal(here.findToken(secret), undefined);
});

test('an account changes its own password with the present one only', async () => {
  await using folder = await openTempFolder();
  const accounts = open(folder);
  await accounts.create(root);
  await assert.rejects(accounts.changePassword('root', 'wrong', 'the next secret'), { code: 'SVC-AUTH-006' });
  await assert.rejects(accounts.changePassword('root', root.password, 'svc_'), { code: 'SVC-AUTH-007' });
  await accounts.changePassword('root', root.password, 'the next secret');
  assert.equal(await accounts.verifyPassword(accounts.find('root')!, 'the next secret'), true);
  assert.equal(await accounts.verifyPassword(accounts.find('root')!, root.password), false);
});

test('a token is svc_ and 43 characters, found by its secret only, and gone once revoked', async () => {
  await using folder = await openTempFolder();
  const accounts = open(folder);
  const token = await accounts.tokens.create({ name: 'ci', role: 'operator' });
  assert.match(token.secret, /^svc_[A-Za-z0-9_-]{43}$/);
  assert.equal(accounts.findToken(token.secret)?.role, 'operator');
  assert.equal(accounts.findToken(`${token.secret}x`), undefined);
  assert.equal(accounts.findToken('ci'), undefined);
  await assert.rejects(accounts.tokens.create({ name: 'ci', role: 'viewer' }), { code: 'SVC-AUTH-009' });
  await accounts.tokens.revoke('ci');
  await accounts.tokens.revoke('ci');
  assert.equal(accounts.findToken(token.secret), undefined);
  assert.equal(typeof (await accounts.tokens.list())[0]?.revokedAt, 'string');
});

test('the name of a revoked token cannot be used again, so that audit records are unambiguous', async () => {
  await using folder = await openTempFolder();
  const accounts = open(folder);
  await accounts.tokens.create({ name: 'ci', role: 'operator' });
  await accounts.tokens.revoke('ci');
  const [revoked] = await accounts.tokens.list();
  await assert.rejects(accounts.tokens.create({ name: 'ci', role: 'viewer' }), { code: 'SVC-AUTH-009' });
  assert.deepEqual(await accounts.tokens.list(), [revoked]);
});

test('a damaged file is never taken for an empty one, and is not written over', async () => {
  await using folder = await openTempFolder();
  const path = join(folder.path, 'state/accounts');
  await mkdir(join(folder.path, 'state'));
  const toHash = (cost: string): string => `$argon2id$v=19$${cost}$c2FsdHNhbHQ$aGFzaGhhc2g`;
  const good = { name: 'a', role: 'admin', hash: toHash('m=65536,t=3,p=2'), createdAt: 'now' };
  const toText = (account: object): string => JSON.stringify({ format: 1, accounts: [account], tokens: [] });
  await writeFile(path, toText(good));
  assert.equal(await open(folder).isEmpty(), false);
  const damaged = [
    ...['$argon2id$x', toHash('m=65536'), toHash('m=99999999,t=3,p=2'), toHash('m=65536,t=99999,p=2')].map(
      (hash) => toText({ ...good, hash }),
    ),
    ...[toHash('m=65536,t=3,p=999'), toHash('m=0,t=3,p=2')].map((hash) => toText({ ...good, hash })),
    '',
    '{',
    '[]',
    '{}',
    '{"format":2,"accounts":[],"tokens":[]}',
    '{"format":1,"accounts":[]}',
    JSON.stringify({ format: 1, accounts: [{ ...good, role: 'root' }], tokens: [] }),
    JSON.stringify({ format: 1, accounts: [{ ...good, hash: 'plain' }], tokens: [] }),
    JSON.stringify({ format: 1, accounts: [good, good], tokens: [] }),
    JSON.stringify({
      format: 1,
      accounts: [good],
      tokens: [{ name: 't', role: 'viewer', sha256: 'x', createdAt: '' }],
    }),
  ];
  for (const text of damaged) {
    await writeFile(path, text);
    const accounts = open(folder);
    await assert.rejects(accounts.isEmpty(), { code: 'SVC-STO-001' }, text);
    assert.throws(() => accounts.find('a'), { code: 'SVC-STO-001' });
    await assert.rejects(accounts.create(root), { code: 'SVC-STO-001' });
    assert.equal(await readFile(path, 'utf8'), text);
  }
});

test('the error of a damaged file contains none of its text', async () => {
  await using folder = await openTempFolder();
  await mkdir(join(folder.path, 'state'));
  await writeFile(join(folder.path, 'state/accounts'), '{"format":1,"accounts":[{"hash":$argon2id$SECRET');
  const error = await open(folder)
    .list()
    .catch((thrown: unknown) => thrown);
  const { message, params, detail } = error as { message: string; params: unknown; detail: string };
  assert.ok(!JSON.stringify([message, params, detail]).includes('SECRET'));
});

test('an oversized file is refused before it is read', async () => {
  await using folder = await openTempFolder();
  await mkdir(join(folder.path, 'state'));
  await writeFile(join(folder.path, 'state/accounts'), Buffer.alloc((16 << 20) + 1, 0x20));
  await assert.rejects(open(folder).list(), { code: 'SVC-STO-001' });
});

test('sign-ins are remembered across processes without touching the accounts', async () => {
  await using folder = await openTempFolder();
  const accounts = open(folder);
  await accounts.create(root);
  const before = await readFile(join(folder.path, 'state/accounts'), 'utf8');
  for (let i = 0; i < 100; i += 1) accounts.recordLogin('root');
  assert.deepEqual((await readdir(join(folder.path, 'state'))).includes('logins'), false);
  const { lastLoginAt } = await accounts.get('root');
  assert.equal(typeof lastLoginAt, 'string');
  await accounts[Symbol.asyncDispose]();
  assert.equal((await open(folder).get('root')).lastLoginAt, lastLoginAt);
  assert.equal(await readFile(join(folder.path, 'state/accounts'), 'utf8'), before);
});

test('an account does not inherit the sign-ins of an earlier one of its name', async () => {
  await using folder = await openTempFolder();
  const accounts = open(folder);
  await accounts.create(root);
  await accounts.create({ name: 'ana', password: 'password of p' });
  await writeFile(join(folder.path, 'state/logins'), JSON.stringify({ ana: '2001-01-01T00:00:00.000Z' }));
  assert.equal((await accounts.get('ana')).lastLoginAt, undefined);
});

test('a change that fails for want of descriptors is transient, however many are left, and changes nothing', async (t) => {
  await using folder = await openTempFolder();
  const accounts = open(folder);
  await accounts.create(root);
  const codes: string[] = [];
  for (let spared = 0; spared <= 8; spared += 1) {
    const before = (await accounts.tokens.list()).length;
    let failed = false;
    {
      using short = exhaustDescriptors(t);
      if (short === undefined) return;
      short.spare(spared);
      await accounts.tokens.create({ name: `ci-${spared}`, role: 'operator' }).catch(({ code }) => {
        failed = true;
        codes.push(code);
      });
    }
    assert.equal((await accounts.tokens.list()).length, before + (failed ? 0 : 1), `${spared} descriptors`);
  }
  assert.deepEqual([...new Set(codes)], ['SVC-STO-014']);
});

test('accounts in a folder that was put in place of the state are not those of this instance', async () => {
  await using folder = await openTempFolder();
  const accounts = open(folder);
  await accounts.create({ name: 'alice', password: 'password of p' });
  const state = join(folder.path, 'state');
  await rename(state, `${state}.away`);
  await open(folder).create({ name: 'mallory', password: 'password of p' });
  await assert.rejects(accounts.list(), (error) => isSvcError(error, 'SVC-STO-014'));
  await assert.rejects(accounts.create({ name: 'bob', password: 'password of p' }), (error) =>
    isSvcError(error, 'SVC-STO-014'),
  );
  await rm(state, { recursive: true });
  await rename(`${state}.away`, state);
  assert.deepEqual(
    (await accounts.list()).map(({ name }) => name),
    ['alice'],
  );
});

test('a new name that differs from another one only in case is refused; such names of before go on', async () => {
  await using folder = await openTempFolder();
  const accounts = open(folder);
  await accounts.create({ name: 'admin', password: 'the first one' });
  await accounts.tokens.create({ name: 'ci', role: 'viewer' });
  const alike = (error: unknown): boolean =>
    isSvcError(error, 'SVC-AUTH-008') && /only in upper and lower case/.test(String(error.params.rule));
  await assert.rejects(accounts.create({ name: 'Admin', password: 'password of p' }), alike);
  await assert.rejects(accounts.tokens.create({ name: 'CI', role: 'viewer' }), alike);
  await assert.rejects(accounts.create({ name: 'admin', password: 'password of p' }), (error) =>
    isSvcError(error, 'SVC-AUTH-009'),
  );
  assert.equal((await accounts.list()).length, 1);
  // an account that an earlier version made
  const path = join(folder.path, 'state/accounts');
  const document = JSON.parse(await readFile(path, 'utf8'));
  document.accounts.push({ ...document.accounts[0], name: 'ADMIN' });
  await writeFile(path, JSON.stringify(document));
  assert.deepEqual(
    (await accounts.list()).map(({ name }) => name),
    ['ADMIN', 'admin'],
  );
  await accounts.update('ADMIN', { role: 'viewer', password: 'yet another one' });
  assert.equal(await accounts.verifyPassword(accounts.find('ADMIN')!, 'yet another one'), true);
  assert.equal(await accounts.verifyPassword(accounts.find('admin')!, 'the first one'), true);
});
