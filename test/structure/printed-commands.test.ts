import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { findIncomplete } from '../kit/result/printed-commands.ts';

const root = join(import.meta.dirname, '..', '..');

test('a command that is only named is no advice, and one to be run has its arguments and known flags', async () => {
  for (const [text, count] of [
    ['svc recipe pin turns its tags into digests', 0],
    ['Pin it again: svc recipe pin --update={name}.', 1],
    ['Pin it again: svc recipe pin {file} --update={name}.', 0],
    ['Run svc key new.', 1],
    ['Run svc key new release.', 1],
    ['Run svc key new <name>, and keep it.', 0],
    ['svc token create NAME --role ROLE', 0],
    ['svc sync --wat', 1],
    ['svc sync --token-file', 1],
    ['see svc recipe pin --help', 0],
    ['Lancez svc user passwd.', 1],
    ['write it again: svc media write DIR --base none.', 1],
    ['write it again: svc media write DIR --zone ZONE --base none.', 0],
    ['import it with svc media import --allow-stale', 1],
    ['import it with svc media import DIR --allow-stale', 0],
  ] as const)
    assert.equal((await findIncomplete(text)).length, count, text);
});

test('every command in the texts of the program runs as it is written', async () => {
  const incomplete: string[] = [];
  for (const folder of ['src', 'commands', 'server']) {
    const names = await readdir(join(root, folder), { recursive: true });
    for (const name of names.filter((each) => each.endsWith('.ts'))) {
      const file = join(root, folder, name);
      const text = await readFile(file, 'utf8');
      if (!text.includes('svc ')) continue;
      for (const line of text.split('\n')) {
        if (!line.includes('svc ') || /^\s*(?:\/\/|\/?\*)/.test(line)) continue;
        for (const why of await findIncomplete(line)) incomplete.push(`${relative(root, file)}: ${why}`);
      }
    }
  }
  assert.deepEqual(incomplete, []);
});
