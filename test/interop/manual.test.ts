import assert from 'node:assert/strict';
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commandIndex } from '../../commands/command-index.ts';
import { needs } from '../kit/program/peers.ts';

const folder = join(import.meta.dirname, '..', '..', 'man');
const pages = readdirSync(folder);
const env: NodeJS.ProcessEnv = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', MANWIDTH: '100', TERM: 'dumb' };

test('there is a page for the program and for every command', () => {
  const expected = ['svc.1', ...commandIndex.map(({ path }) => `svc-${path.join('-')}.1`)];
  assert.deepEqual([...pages].sort(), expected.sort());
});

test('mandoc finds nothing to complain about', (t) => {
  const mandoc = needs(t, 'mandoc');
  if (!mandoc) return;
  for (const page of pages) {
    const { stdout, stderr }: SpawnSyncReturns<string> = spawnSync(
      mandoc,
      ['-Tlint', '-Wwarning', join(folder, page)],
      {
        env,
        encoding: 'utf8',
      },
    );
    assert.equal(stdout + stderr, '', page);
  }
});

test('man shows every page without a warning, and flags as they are typed', (t) => {
  const man = needs(t, 'man');
  if (!man || !needs(t, 'groff')) return;
  for (const page of pages) {
    const { stdout, stderr, status }: SpawnSyncReturns<string> = spawnSync(
      man,
      ['--warnings', '-P', 'cat', '-l', join(folder, page)],
      {
        env,
        encoding: 'utf8',
      },
    );
    assert.deepEqual([status, stderr], [0, ''], page);
    assert.match(stdout, /EXIT STATUS/);
    if (page === 'svc-sync.1') {
      assert.match(stdout, /--dry-run/);
      assert.match(stdout, /^ +svc sync --dry-run --output json$/m);
    }
  }
});
