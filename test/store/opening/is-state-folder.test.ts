import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { runInLanguage } from '../../kit/program/run-command.ts';

test('a state folder in the place of a store or a medium is called so, and not a disk that is not there', async () => {
  await using folder = await openTempFolder();
  const at = (name: string): string => join(folder.path, name);
  await mkdir(at('instance'));
  await mkdir(at('tree'));
  await writeFile(at('instance/store.key'), 'key\n');
  // a zone without an instance has the records of its imports only
  await mkdir(at('zone/media'), { recursive: true });
  await writeFile(at('zone/media/freshness.json'), '{}');
  for (const state of [at('instance'), at('zone')]) {
    const own = ['--storage-root', state, '--state-root', at('other')];
    const cases: readonly (readonly [args: readonly string[], code: number, told: RegExp])[] = [
      [
        ['media', 'verify', '--zone', 'zone-b', ...own],
        4,
        /SVC-MED-001[\s\S]*is the state folder of an instance/,
      ],
      [['media', 'show', state], 4, /SVC-MED-001[\s\S]*is the state folder of an instance/],
      [
        ['fileset', 'pack', at('tree'), 'some:1.0.0', ...own],
        1,
        /SVC-STO-013[\s\S]*is the state folder of an instance/,
      ],
      [
        ['quickstart', '--mode', 'mirror', '--password-stdin', '--config', at('svc.yaml'), ...own],
        2,
        /is the state folder of an instance/,
      ],
    ];
    for (const [args, code, told] of cases) {
      const { exitCode, stdout, stderr } = await runInLanguage(args, 'en');
      const text = (stdout + stderr).replace(/\s+/g, ' ');
      assert.equal(exitCode, code, text);
      assert.match(text, told);
      assert.doesNotMatch(text, /findmnt|disk is not/);
    }
  }
});
