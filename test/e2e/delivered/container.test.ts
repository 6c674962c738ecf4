import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { runSvc, svcCommand, svcEnvironment, trackChild } from '../../kit/program/svc.ts';
import { listening, watchOutput } from '../../kit/program/watch-output.ts';
import { parseBlocks } from '../../kit/web/follow-page.ts';

const page = await readFile(join(import.meta.dirname, '..', '..', '..', 'docs', 'installing.md'), 'utf8');
const section = /^## In a container$.*?(?=^## )/ms.exec(page)![0];

/** A `podman run` of the page: where volumes and files are mounted, and the arguments of the program. */
function parseRun(line: string) {
  const [before, after = ''] = line.split(/ registry\.example\/svc\/svc:<version>/);
  const mounts = [...before!.matchAll(/-v (\S+?):(\S+?)(?::ro)?(?= |$)/g)];
  return {
    mounts: new Map(mounts.map(([, from, to]) => [to!, from!])),
    hasStdin: / -i /.test(before!),
    args: after
      .replace(/ < \S+$/, '')
      .split(' ')
      .filter((word) => word !== ''),
  };
}

test('the first account is made by the image, and then it serves, as the page says', async () => {
  const blocks = parseBlocks(section);
  const config = blocks.find(({ text }) => text.startsWith('# config.yaml\n'))!.text;
  const lines = blocks
    .filter(({ language }) => language === 'shell')
    .flatMap(({ text }) => text.replaceAll(/\\\n\s*/g, '').split('\n'))
    .filter((line) => line.startsWith('podman run'));
  const [add, serve] = lines.map(parseRun) as [ReturnType<typeof parseRun>, ReturnType<typeof parseRun>];
  assert.equal(lines.length, 2);
  assert.ok(lines.every((line) => line.includes('--read-only --tmpfs /tmp:exec')));
  assert.deepEqual([add.hasStdin, add.args], [true, ['user', 'add', 'admin', '--password-stdin']]);
  assert.deepEqual(serve.args, [], 'what the image does without a command');
  assert.equal(add.mounts.get('/var/lib/svc'), serve.mounts.get('/var/lib/svc'), 'the same state');

  await using folder = await openTempFolder();
  /** Writes the configuration as this container sees it: a folder of its own for paths that are not mounted. */
  const enter = async (name: string, { mounts }: typeof add): Promise<string> => {
    let text = config.replace(/^state:/m, 'server: { addr: 127.0.0.1:0 }\nstate:');
    for (const path of ['/srv/svc', '/var/lib/svc']) {
      const here = join(folder.path, mounts.get(path) ?? `${name}-${path.replaceAll('/', '-')}`);
      await mkdir(here, { recursive: true });
      text = text.replaceAll(path, here);
    }
    const file = join(folder.path, `${name}.yaml`);
    await writeFile(file, text);
    assert.equal(mounts.get('/etc/svc/config.yaml'), './config.yaml');
    return file;
  };
  const env = { SVC_CONFIG: await enter('add', add) };
  const made = await runSvc(add.args, { input: 'a good password\n', env });
  assert.deepEqual([made.exitCode, made.stdout], [0, 'admin (admin)\n'], made.stderr);
  const [command, ...words] = svcCommand();
  const args = [...words, 'serve', '--config', await enter('serve', serve)];
  const child = trackChild(
    spawn(command, args, { env: svcEnvironment(), stdio: ['ignore', 'ignore', 'pipe'] }),
  );
  const ended = new Promise((resolve) => child.on('close', resolve));
  const url = (await watchOutput(child, listening).found)[1]!;
  const authorization = `Basic ${Buffer.from('admin:a good password').toString('base64')}`;
  assert.equal((await fetch(`${url}/v2/`, { headers: { authorization } })).status, 200);
  child.kill('SIGTERM');
  assert.equal(await ended, 0);
});
