// Runs the commands that write files of an author, one after the other, in one process: the instrument records it.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildImage } from '../../kit/content/content.ts';
import { toOrigin } from '../../kit/content/origin.ts';
import { runInLanguage } from '../../kit/program/run-command.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';

const [folder, outside] = process.argv.slice(2) as [string, string];
const [draft, pinned, key] = ['draft.yaml', 'pinned.yaml', 'release'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
const [cooked, config] = [join(outside, 'cooked.yaml'), join(outside, 'svc.yaml')];
const pin = (document: string, version: string) => [
  ...['recipe', 'pin', document, '--set-version', version],
  ...['--config', config],
];

// pinned ingredients must be at their registry
await using registry = await createRegistryDouble();
const image = buildImage('author');
await toOrigin(registry).put('web', image, '1.0.0');
const published = (await readFile(cooked, 'utf8'))
  .replace('registry.example', registry.host)
  .replace(/sha256:0{64}/, image.manifest.descriptor.digest);
await writeFile(cooked, published);
await writeFile(config, JSON.stringify({ registries: { insecure: [registry.host] } }));

for (const [name, args] of Object.entries({
  init: ['recipe', 'init', 'shop', '--from', join(outside, 'images.txt'), '--out', draft],
  pin: [...pin(cooked, '2.0.0'), '--out', pinned],
  'pin in place': pin(pinned, '3.0.0'),
  key: ['key', 'new', key],
})) {
  const { exitCode, stderr } = await runInLanguage(args, 'en', { SVC_SIGNING_PASSWORD: 'a good password' });
  if (exitCode !== 0) throw new Error(`${name}: ${stderr}`);
  process.stdout.write(`${name}\t${Number(process.hrtime.bigint() / 1000n)}\n`);
}
