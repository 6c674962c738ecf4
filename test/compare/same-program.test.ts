import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { compareGroups } from '../../scripts/compare/compare-groups.ts';
import { compareLines } from '../../scripts/compare/compare-lines.ts';
import { compareSubjects, type Finding } from '../../scripts/compare/judge/compare-subjects.ts';
import { openSide } from '../../scripts/compare/open-sides.ts';
import type { Side } from '../../scripts/compare/side.ts';
import { groups } from '../../scripts/compare/subject.ts';
import { openTempFolder, type TempFolder } from '../kit/instance/temp-folder.ts';

const sources = join(import.meta.dirname, '..', '..');
const stop = new AbortController().signal;
let folder: TempFolder;

before(async () => {
  folder = await openTempFolder();
  execFileSync(process.execPath, [join(sources, 'scripts', 'build.ts'), join(folder.path, 'dist')], {
    stdio: 'ignore',
  });
});
after(() => folder[Symbol.asyncDispose]());

/** @param run name of a folder of its own @param dist the built program of the newer side */
function openPair(run: string, dist = 'dist'): Promise<[Side, Side]> {
  const open = (name: Side['name'], built: string): Promise<Side> =>
    openSide({
      name,
      sources,
      program: join(folder.path, built, 'svc'),
      folder: join(folder.path, run, name),
    });
  return Promise.all([open('older', 'dist'), open('newer', dist)]);
}

async function findDifferences(sides: readonly [Side, Side], command: string): Promise<readonly Finding[]> {
  const [older, newer] = await compareLines(sides, stop, (path) => path === command);
  assert.ok(older.size > 15, `${older.size} lines`);
  assert.ok([...older.values()].every(({ head }) => /^exit \d/.test(head)));
  return compareSubjects(older, newer);
}

test('the program differs in no command line from itself', async () => {
  assert.deepEqual(await findDifferences(await openPair('same'), 'explain'), []);
});

test('a changed word of a message is reported, with the command lines that print it', async () => {
  cpSync(join(folder.path, 'dist'), join(folder.path, 'changed'), { recursive: true });
  const lib = join(folder.path, 'changed', 'lib');
  const word = /unknown error code/g;
  for (const name of readdirSync(lib).filter((one) => one.endsWith('.cjs'))) {
    const text = readFileSync(join(lib, name), 'utf8');
    writeFileSync(join(lib, name), text.replace(word, 'was changed'));
  }
  const findings = await findDifferences(await openPair('word', 'changed'), 'explain');
  assert.ok(findings.length > 0);
  for (const { name, kind, difference } of findings) {
    assert.equal(kind, 'differs', name);
    assert.match(difference, /^\+.*was changed/m, name);
  }
});

test('the program differs in nothing from itself', async (t) => {
  if (process.env.SVC_COMPARE !== 'full') return t.skip('not run: takes minutes; SVC_COMPARE=full runs it');
  let printed = '';
  const isSame = await compareGroups(await openPair('full'), groups, {
    stop,
    say: () => {},
    print: (text) => {
      printed += text;
    },
  });
  assert.ok(isSame, printed);
});
