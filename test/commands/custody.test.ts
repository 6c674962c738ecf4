import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, cp, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { renderLines } from '../../commands/custody/render-custody.ts';
import { hashBytes } from '../../src/base/digest.ts';
import { openCustody } from '../../src/custody/custody.ts';
import { showCustody } from '../../src/view/custody.ts';
import { runSvc } from '../kit/program/svc.ts';
import { assertCliDocument } from '../kit/result/cli-schema.ts';
import { type CustodySites, openCustodySites, readCustody } from '../kit/scene/custody-sites.ts';

/** Runs a command that prints text. */
async function say(sites: CustodySites, args: readonly string[], exitCode = 0): Promise<string> {
  const { stdout, stderr, exitCode: code } = await runSvc([...args, '--config', sites.source]);
  assert.equal(code, exitCode, stderr);
  return stdout + stderr;
}

/** Runs a command, whose document must have its schema. */
async function ask(sites: CustodySites, args: readonly string[], exitCode = 0): Promise<any> {
  const document = await sites.run([...args, '--config', sites.source], exitCode);
  assertCliDocument(`svc ${args.slice(0, 2).join(' ')}`, JSON.stringify(document));
  return document;
}

test('a note and an approval become lines, which are listed and verified', async () => {
  await using sites = await openCustodySites();
  const { delivery } = await sites.run([
    'media',
    'write',
    sites.path('first'),
    '--zone',
    'zone-b',
    '--config',
    sites.source,
  ]);
  const note = await ask(sites, [
    'custody',
    'note',
    '--delivery',
    delivery.id,
    '--text',
    'courier 12, seal 4711',
  ]);
  const approved = await ask(sites, ['custody', 'approve', 'shop@1.4.0']);
  const lines = await readCustody(sites.sourceState);
  const noted = lines.find(({ seq }) => seq === note.seq);
  assert.deepEqual(noted?.details, { delivery: delivery.id, text: 'courier 12, seal 4711' });
  assert.equal(noted?.subjects[0]?.digest, lines.find(({ type }) => type === 'proved')?.subjects[0]?.digest);
  const shop = sites.medium.records.find(({ name }) => name === 'shop')!;
  assert.equal(approved.digest, shop.digest);
  assert.deepEqual(
    lines
      .at(-2)
      ?.subjects.map(({ digest }) => digest)
      .slice(0, 1),
    [shop.digest],
  );
  const statement = JSON.parse(await readFile(approved.statement, 'utf8'));
  const payload = JSON.parse(Buffer.from(statement.dsseEnvelope.payload, 'base64').toString());
  assert.equal(payload.predicateType, 'urn:svc:approval:v1');
  assert.equal(`sha256:${payload.subject[0].digest.sha256}`, shop.documentDigest);
  const listed = await ask(sites, ['custody', 'list', '--page-size', '3']);
  assert.deepEqual(
    listed.lines.map(({ type, step }: any) => `${type} ${step}`),
    ['approved outcome', 'approved intent', 'handed-over event'],
  );
  const older = await ask(sites, ['custody', 'list', '--cursor', listed.next]);
  assert.deepEqual([older.lines.length, older.next], [lines.length - 3, undefined]);
  assert.match(await say(sites, ['custody', 'list', '--type', 'handed-over']), /courier 12, seal 4711/);
  const checked = await ask(sites, ['custody', 'verify']);
  assert.deepEqual([checked.lines, checked.open, checked.error], [lines.length, [], undefined]);
  assert.match(await say(sites, ['custody', 'verify']), /zone-a .*: whole, \d+ lines/);
});

test('a line is found behind many others of another kind', async () => {
  await using sites = await openCustodySites();
  await ask(sites, ['custody', 'approve', 'shop@1.4.0']);
  const custody = openCustody({ stateRoot: sites.sourceState, site: 'zone-a' });
  const subjects = Array.from({ length: 30_000 }, (_, i) => ({
    name: `${i}`.padEnd(1000, 'x'),
    digest: hashBytes('a'),
  }));
  await custody.record({ type: 'pruned', actor: 'ana', subjects });
  const { lines, next } = await ask(sites, ['custody', 'list', '--type', 'approved']);
  assert.deepEqual([lines.map(({ seq }: any) => seq), next], [[2, 1], undefined]);
  assert.match(await say(sites, ['custody', 'list', '--type', 'approved']), /shop@1\.4\.0/);
  // the API looks at a part, and says where the next page continues
  const part = await showCustody({ state: { root: sites.sourceState } }, { type: 'approved' });
  assert.deepEqual(part.lines, []);
  assert.match(renderLines(part, { language: 'en', width: 80 } as never), /older lines: --cursor [0-9]/);
});

test('a zone notes that a delivery arrived as soon as a medium of it was verified', async () => {
  await using sites = await openCustodySites();
  const { run, path, source, zone, zoneState } = sites;
  const { delivery } = await run(['media', 'write', path('first'), '--zone', 'zone-b', '--config', source]);
  const note = ['custody', 'note', '--delivery', delivery.id, '--type', 'received', '--text', 'seal 4711'];
  const refused = await runSvc([...note, '--config', zone]);
  assert.match(refused.stderr, /SVC-REG-005/);
  await run(['media', 'verify', '--storage-root', path('first'), '--config', zone]);
  await run([...note, '--config', zone]);
  const lines = await readCustody(zoneState);
  const { details, subjects } = lines.at(-1)!;
  assert.deepEqual(details, { delivery: delivery.id, text: 'seal 4711' });
  const [medium] = lines.find(({ type, step }) => type === 'verified' && step === 'outcome')!.subjects;
  assert.deepEqual(subjects, [medium]);
});

test('a note about an unknown delivery, and one without a text, are refused', async () => {
  await using sites = await openCustodySites();
  assert.match(
    await say(sites, ['custody', 'note', '--delivery', 'dlv_000000000001', '--text', 'x'], 1),
    /SVC-REG-005.*written, imported or verified here.*svc custody list names/s,
  );
  assert.match(await say(sites, ['custody', 'note', '--delivery', 'dlv_000000000001'], 2), /--text/);
  assert.match(await say(sites, ['custody', 'approve', 'shop@9'], 1), /SVC-REG-005/);
  await using silent = await openCustodySites(false);
  assert.match(
    await say(silent, ['custody', 'note', '--delivery', 'dlv_000000000001', '--text', 'x'], 1),
    /custody.enabled/,
  );
  assert.deepEqual((await ask(silent, ['custody', 'verify'])).lines, 0);
  assert.deepEqual((await ask(silent, ['custody', 'list'])).lines, []);
});

test('a broken line is named, and an operation without an outcome is listed', async () => {
  await using sites = await openCustodySites();
  await ask(sites, ['custody', 'approve', 'shop@1.4.0']);
  await ask(sites, ['custody', 'approve', 'depot@2.0.0']);
  const folder = join(sites.sourceState, 'custody');
  const [name] = (await readdir(folder)).filter((one) => one.endsWith('.jsonl'));
  const path = join(folder, name!);
  const bytes = await readFile(path);
  // what sha256sum makes of a line is what the next one names
  const [, second, third] = bytes.toString().split('\n');
  const sum = execFileSync('sh', ['-c', `sed -n 2p '${path}' | sha256sum`], { encoding: 'utf8' });
  assert.equal(JSON.parse(third!).prev, `sha256:${sum.slice(0, 64)}`);
  const spoiled = bytes.toString().replace(second!, second!.replace('approved', 'prunedxx'));
  await writeFile(path, spoiled);
  const broken = await ask(sites, ['custody', 'verify'], 4);
  assert.deepEqual([broken.lines, broken.error.code, broken.error.params.line], [1, 'SVC-CUS-001', 2]);
  assert.match(await say(sites, ['custody', 'verify'], 4), /SVC-CUS-001/);
  assert.equal((await ask(sites, ['custody', 'list'])).broken, 1);
  await writeFile(path, bytes);
  const [fourth] = bytes.toString().split('\n').slice(3);
  await truncate(path, bytes.length - fourth!.length + 8);
  const cut = await ask(sites, ['custody', 'verify']);
  assert.deepEqual(
    [cut.lines, cut.open.map(({ seq, type }: any) => [seq, type]), cut.unfinished],
    [3, [[3, 'approved']], 9],
  );
});

test('the ledger of another site is checked from files and from a folder', async () => {
  await using sites = await openCustodySites();
  await ask(sites, ['custody', 'approve', 'shop@1.4.0']);
  const copy = sites.path('copy');
  await cp(join(sites.sourceState, 'custody'), copy, { recursive: true });
  const whole = await ask(sites, ['custody', 'verify', '--peer-ledger', copy, '--peer-site', 'zone-a']);
  assert.deepEqual([whole.peer.lines, whole.peer.error], [2, undefined]);
  const [file] = whole.peer.files;
  const text = await readFile(file, 'utf8');
  // a part of a ledger begins anywhere
  await writeFile(file, text.slice(text.indexOf('\n') + 1));
  assert.equal(
    (await ask(sites, ['custody', 'verify', '--peer-ledger', file, '--peer-site', 'zone-a'])).peer.lines,
    1,
  );
  await writeFile(file, `${text.slice(0, 100)}\n`);
  const broken = await ask(sites, ['custody', 'verify', '--peer-ledger', file], 4);
  assert.deepEqual([broken.error, broken.peer.error.code], [undefined, 'SVC-CUS-001']);
  assert.match(
    await say(sites, ['custody', 'verify', '--peer-ledger', sites.path('no')], 1),
    /SVC-FIL-005[\s\S]*no does not exist/,
  );
});

test('what root notes and approves belongs to the owner of the state', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('not run: needs root');
  await using sites = await openCustodySites();
  const [uid, gid] = [54_321, 54_322];
  await chmod(sites.medium.folder, 0o755);
  execFileSync('chown', ['-R', `${uid}:${gid}`, sites.sourceState, sites.medium.root]);
  await ask(sites, ['custody', 'approve', 'shop@1.4.0']);
  const folder = join(sites.sourceState, 'custody');
  const names = await readdir(folder, { recursive: true });
  assert.ok(names.some((name) => name.endsWith('.sigstore.json')));
  for (const name of names) assert.equal((await stat(join(folder, name))).uid, uid, name);
});
