// Runs what writes files of an author, one command after the other, in one process: it is recorded by the instrument.
import { join } from 'node:path';
import { runInLanguage } from '../../kit/program/run-in-language.ts';

const [folder, outside] = process.argv.slice(2) as [string, string];
const [draft, pinned, key] = ['draft.yaml', 'pinned.yaml', 'release'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
const pin = (document: string, version: string) => ['recipe', 'pin', document, '--set-version', version];

for (const [name, args] of Object.entries({
  init: ['recipe', 'init', 'shop', '--from', join(outside, 'images.txt'), '--out', draft],
  pin: [...pin(join(outside, 'cooked.yaml'), '2.0.0'), '--out', pinned],
  'pin in place': pin(pinned, '3.0.0'),
  key: ['key', 'new', key],
})) {
  const { exitCode, stderr } = await runInLanguage(args, 'en', { SVC_SIGNING_PASSWORD: 'a password' });
  if (exitCode !== 0) throw new Error(`${name}: ${stderr}`);
  process.stdout.write(`${name}\t${Number(process.hrtime.bigint() / 1000n)}\n`);
}
