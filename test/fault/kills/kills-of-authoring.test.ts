import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeDocument } from '../../../commands/recipe/write-document.ts';
import { openMemoryFolder } from '../../kit/instance/memory-folder.ts';
import { svcEnvironment } from '../../kit/program/svc.ts';
import { readDiskRecord } from '../rig/disk-record.ts';
import { seed } from '../rig/form.ts';
import { toFaultEnvironment } from '../rig/instrumented.ts';
import { toRandom } from '../rig/random.ts';
import { fates, replayDisk } from '../rig/replay-disk.ts';

const program = join(import.meta.dirname, '..', 'rig', 'author-program.ts');
const digest = `sha256:${'0'.repeat(64)}`;
const cooked = `apiVersion: recipe.tobby.dev/v1alpha1
kind: Recipe
metadata: {name: shop, version: 1.0.0}
spec:
  ingredients:
    - {name: web, kind: ContainerImage, ref: registry.example/web, version: 1.0.0, digest: "${digest}"}
`;

test('a kill or a power cut at any write of recipe init, recipe pin and key new leaves the old file or the new one, never half', async (t) => {
  await using folder = await openMemoryFolder('svc-author-');
  const [root, outside] = [join(folder.path, 'work'), join(folder.path, 'outside')];
  for (const path of [root, outside]) await mkdir(path);
  await writeFile(join(outside, 'images.txt'), 'docker.io/library/nginx:1.27.3\n');
  await writeFile(join(outside, 'cooked.yaml'), cooked);
  const path = join(folder.path, 'record.jsonl');
  const plan = { roots: [root], record: path, report: join(folder.path, 'calls.json') };
  const run = spawnSync(process.execPath, [program, root, outside], {
    env: svcEnvironment(toFaultEnvironment(plan)),
    encoding: 'utf8',
    timeout: 60_000,
  });
  assert.equal(run.status, 0, run.stderr);
  const record = readDiskRecord(path, root);
  const ends = new Map(
    run.stdout
      .trim()
      .split('\n')
      .map((line) => line.split('\t'))
      .map(([name, moment]) => [name, record.lineAfter(Number(moment))] as const),
  );
  assert.equal(ends.size, 4);
  const now = (name: string): string => readFileSync(join(root, name), 'utf8');
  /** The content that a file had after each command, in order. */
  const versions: Readonly<Record<string, readonly (readonly [command: string, content: string])[]>> = {
    'draft.yaml': [['init', now('draft.yaml')]],
    'pinned.yaml': [
      ['pin', now('pinned.yaml').replace('3.0.0', '2.0.0')],
      ['pin in place', now('pinned.yaml')],
    ],
    'release.pub': [['key', now('release.pub')]],
    'release.key': [['key', now('release.key')]],
  };
  let [looks, leftovers] = [0, 0];
  for (let cut = 0; cut <= record.lines; cut += 1)
    for (const fate of fates) {
      const target = join(folder.path, `after-${cut}-${fate}`);
      replayDisk(record, cut, fate, toRandom(`${seed} author ${cut} ${fate}`), root, target);
      const at = `${fate} at ${cut} of ${record.lines}`;
      for (const [name, known] of Object.entries(versions)) {
        const file = join(target, name);
        const found = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
        const position = known.findIndex(([, content]) => withoutTime(content) === withoutTime(found));
        assert.ok(found === undefined || position >= 0, `${name} is half, ${at}: ${found}`);
        const ended = known.findLastIndex(([command]) => cut >= ends.get(command)!);
        assert.ok(position >= ended, `${name} was promised, ${at}`);
      }
      const isPair = !existsSync(join(target, 'release.key')) || existsSync(join(target, 'release.pub'));
      assert.ok(isPair, `a private key without its public one, ${at}`);
      // the next pin removes the remains of this one beside the file, and nothing that is not its own
      if (listLeftovers(target).length > 0 && existsSync(join(target, 'pinned.yaml'))) {
        leftovers += 1;
        const [file, others] = [
          join(target, 'pinned.yaml'),
          ['pinned.yaml.old.tmp', 'other.yaml.0123456789ab.tmp'],
        ];
        for (const name of others) await writeFile(join(target, name), 'mine\n');
        await writeDocument(file, Buffer.from(cooked), readFileSync(file));
        assert.deepEqual([listLeftovers(target), readFileSync(file, 'utf8')], [[], cooked], at);
        for (const name of others) assert.ok(existsSync(join(target, name)), `${name}, ${at}`);
      }
      await rm(target, { recursive: true });
      looks += 1;
    }
  t.diagnostic(`${looks} looks at ${record.lines} lines, lost: none, leftovers of a pin: ${leftovers}`);
  assert.ok(leftovers > 0);
});

/** Temporary files of a pin in place. */
const listLeftovers = (folder: string): readonly string[] =>
  readdirSync(folder).filter((name) => /^pinned\.yaml\.[0-9a-f]{12}\.tmp$/.test(name));

/** A document without the time at which it was pinned. */
const withoutTime = (text: string | undefined): string | undefined =>
  text?.replace(/cooked-at: .*/, 'cooked-at');
