import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Digest } from '../../src/base/digest.ts';
import { openRepository } from '../../src/store/open-repository.ts';
import { recordSync } from '../../src/store/record-sync.ts';
import { buildImage, buildIndex, pushArtifact } from '../kit/content.ts';
import { damageFile } from '../kit/damage-file.ts';
import { eventually } from '../kit/eventually.ts';
import { adminPassword, type Instance } from '../kit/instance.ts';
import { openLayoutScene } from '../kit/layout-scene.ts';
import { writeOciLayout } from '../kit/oci-layout.ts';
import { putSignatures, toOrigin } from '../kit/origin.ts';
import { needs } from '../kit/peers.ts';
import { toRecipeRecord } from '../kit/recipe-record.ts';
import { openRehearsal } from '../kit/rehearsal.ts';
import { createSampleImage } from '../kit/sample-image.ts';
import { startTestServer } from '../kit/server.ts';
import { svcCommand, svcEnvironment, trackChild } from '../kit/svc.ts';
import { openTempFolder } from '../kit/temp-folder.ts';
import { openTempStore } from '../kit/temp-store.ts';

// Runs what the pages tell a reader to type. Blocks marked `sh` are run line by line; a comment `# exits N` names the
// exit code, 0 otherwise; a `svc serve` runs on until the page ends. Blocks marked `yaml` whose first line is a comment
// with a file name are written under that name. What needs another machine is marked `shell` and is not run.

const root = join(import.meta.dirname, '..', '..');

interface Block {
  readonly language: string;
  readonly text: string;
}

function parseBlocks(markdown: string): Block[] {
  return [...markdown.matchAll(/^```([a-z]*)\n(.*?)^```$/gms)].map(([, language, text]) => ({
    language: language!,
    text: text!,
  }));
}

interface PageOptions {
  /** Working folder of its commands. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Makes a file of the page fit for this machine. */
  readonly fit?: (text: string) => string;
  /** Called after each command that ended. */
  readonly after?: (command: string, stdout: string) => Promise<void>;
  /** Before a command that this fits, what serves is ended, as the page asks for. */
  readonly endsServing?: RegExp;
  /** Called when a `svc serve` of the page answers. */
  readonly onServing?: (url: string) => Promise<void>;
}

/** Does what a page says, in its order. @returns the commands that were run */
async function followPage(path: string, options: PageOptions): Promise<string[]> {
  const { folder, env, fit = (text) => text, after, endsServing, onServing } = options;
  const [command, ...first] = svcCommand();
  const quoted = [command, ...first].map((part) => `'${part.replaceAll("'", `'\\''`)}'`).join(' ');
  for (const place of ['dist', 'bin']) {
    await mkdir(join(folder, place), { recursive: true });
    await writeFile(join(folder, place, 'svc'), `#!/bin/sh\nexec ${quoted} "$@"\n`);
    await chmod(join(folder, place, 'svc'), 0o755);
  }
  const environment = svcEnvironment(env);
  environment.PATH = `${join(folder, 'bin')}:${environment.PATH}`;
  const run: string[] = [];
  const serving: ChildProcess[] = [];
  const end = async (): Promise<void> => {
    for (const child of serving.splice(0)) {
      child.kill('SIGINT');
      if (child.exitCode === null) await once(child, 'exit');
      assert.equal(child.exitCode, 0);
    }
  };
  try {
    for (const { language, text } of parseBlocks(await readFile(join(root, path), 'utf8'))) {
      const name = /^# ([a-z-]+\.yaml)$/.exec(text.split('\n')[0]!)?.[1];
      if (language === 'yaml' && name !== undefined) await writeFile(join(folder, name), fit(text));
      if (language !== 'sh') continue;
      for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
        run.push(line);
        if (endsServing?.test(line)) await end();
        // `exec`, so that a signal reaches the program and not only the shell
        const isServe = /^\S*svc serve\b/.test(line);
        const child = trackChild(
          spawn('/bin/sh', ['-c', isServe ? `exec ${line}` : line], {
            cwd: folder,
            env: environment,
            stdio: ['ignore', 'pipe', 'pipe'],
          }),
        );
        if (isServe) {
          serving.push(child);
          await onServing?.(await untilListening(child));
          continue;
        }
        const { exitCode, stdout, stderr } = await untilClosed(child);
        const expected = Number(/# exits ([0-5])\b/.exec(line)?.[1] ?? 0);
        assert.equal(exitCode, expected, `${path}: ${line}\n${stdout}\n${stderr}`);
        await after?.(line, stdout);
      }
    }
  } finally {
    await end();
  }
  return run;
}

async function untilClosed(
  child: ChildProcess,
): Promise<{ exitCode: number | null; stdout: string; stderr: string }> {
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]!.setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  }
  const [exitCode] = await once(child, 'close');
  return { exitCode, ...said };
}

/** The URL of an instance once it answers. */
async function untilListening(child: ChildProcess): Promise<string> {
  child.stdout!.resume();
  let log = '';
  return new Promise((resolve, reject) => {
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      const url = /"msg":"listening".*?"url":"([^"]+)"/.exec(log)?.[1];
      if (url !== undefined) resolve(url);
    });
    child.once('exit', () => reject(new Error(`the instance did not start:\n${log}`)));
  });
}

async function takeFreePort(): Promise<number> {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A forward proxy by which names of the documentation lead to instances on this machine. */
async function openNames(
  instances: Readonly<Record<string, Instance>>,
): Promise<{ url: string } & AsyncDisposable> {
  const { request } = await import('node:http');
  const server = createServer((raw, response) => {
    const { host, pathname, search } = new URL(raw.url!);
    const target = instances[host];
    if (target === undefined) {
      response.writeHead(502).end();
      return;
    }
    const { hostname, port } = new URL(target.url);
    const path = `${pathname}${search}`;
    const onward = request({ hostname, port, path, method: raw.method, headers: raw.headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    raw.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function createToken(url: string, password: string): Promise<string> {
  const answer = await fetch(`${url}/api/v1/tokens`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name: 'reader', role: 'operator' }),
  });
  assert.equal(answer.status, 201);
  return ((await answer.json()) as { token: { secret: string } }).token.secret;
}

test('the page about FileSets does what it says', async (t) => {
  if (needs(t, 'curl') === undefined) return;
  await using folder = await openTempFolder();
  const address = `127.0.0.1:${await takeFreePort()}`;
  const read: string[] = [];
  const run = await followPage('docs/filesets.md', {
    folder: folder.path,
    env: { SVC_SERVER_ADDR: address, SVC_INSTANCE_URL: `http://${address}` },
    after: async (command, stdout) => {
      if (command.startsWith('curl')) read.push(stdout);
    },
    onServing: async (url) => {
      assert.equal(url, `http://${address}`);
    },
  });
  assert.ok(run.length >= 10, run.join('\n'));
  const [file, list] = read;
  assert.equal(file, 'Read me first.\n');
  const { name, version, anonymous } = JSON.parse(list!).filesets[0];
  assert.deepEqual([name, version, anonymous], ['manuals', '1.0', true]);
  const { fileset } = JSON.parse(await readFile(join(folder.path, 'packed.json'), 'utf8'));
  assert.equal(await readFile(join(folder.path, 'digest'), 'utf8'), `${fileset.digest}\n`);
});

test('what the README says to type does what it says', async () => {
  await using world = await openRehearsal();
  const served: string[] = [];
  const run = await followPage('README.md', {
    folder: world.folder,
    env: { SVC_SERVER_ADDR: '127.0.0.1:0' },
    onServing: async (url) => {
      served.push((await fetch(`${url}/readyz`)).statusText);
    },
  });
  assert.deepEqual(served, ['OK']);
  assert.ok(run.length >= 4, run.join('\n'));
});

test('the journey of the documentation can be travelled as it is written', async () => {
  await using world = await openRehearsal();
  const origin = await world.start('origin');
  const zone = await world.start('zone');
  await using names = await openNames({ 'registry.example': origin, 'registry.zone-b.example': zone });
  const published = toOrigin(origin);
  const web = buildIndex('web', ['linux/amd64', 'linux/arm64', 'linux/s390x']);
  await published.put('shop/web', web, '1.4.0');
  await writeFile(world.path('release.pub'), world.signer.publicKeyPem);
  const auth = Buffer.from(`admin:${adminPassword}`).toString('base64');
  const auths = { 'registry.example': { auth }, 'registry.zone-b.example': { auth } };
  await writeFile(world.path('docker.json'), JSON.stringify({ auths }), { mode: 0o600 });

  const run = await followPage('docs/journey.md', {
    folder: world.folder,
    env: {
      SVC_SERVER_ADDR: `127.0.0.1:${await takeFreePort()}`,
      SVC_NETWORK_PROXY_URL: names.url,
      SVC_REGISTRIES_INSECURE: 'registry.example,registry.zone-b.example',
    },
    fit: (text) =>
      text.replaceAll('/etc/svc/', `${world.folder}/`).replaceAll('sha256:…', web.manifest.descriptor.digest),
    endsServing: /^cp -r medium/,
    after: async (command, stdout) => {
      if (!command.startsWith('svc recipe push')) return;
      const digest = stdout.trim() as Digest;
      const bytes = Buffer.from(
        await (
          await fetch(`${origin.url}/v2/cookbook/shop/manifests/${digest}`, {
            headers: { authorization: origin.authorization },
          })
        ).arrayBuffer(),
      );
      const mediaType = 'application/vnd.oci.image.manifest.v1+json';
      await putSignatures(published, 'cookbook/shop', { mediaType, digest, size: bytes.length }, [
        { signer: world.signer },
      ]);
    },
    onServing: async (url) => {
      await writeFile(world.path('token'), await createToken(url, 'a good password'));
    },
  });
  assert.ok(run.some((line) => line.startsWith('svc media import')));
  const arrived = await fetch(`${zone.url}/v2/registry.example/shop/web/manifests/1.4.0`, {
    headers: { authorization: zone.authorization },
  });
  assert.equal(arrived.headers.get('docker-content-digest'), web.manifest.descriptor.digest);
});

test('content is found, mapped and deleted as the documentation says', async (t) => {
  if (needs(t, 'curl') === undefined || needs(t, 'jq') === undefined) return;
  await using folder = await openTempFolder();
  await using server = await startTestServer({ folder: folder.path });
  const { store } = server;
  const imported = openRepository(store, 'docker.io/library/nginx', { owner: { provenance: 'import' } });
  await pushArtifact(imported, buildIndex('nginx'), '1.27');
  const refs = [
    ['docker.io/library/nginx', '1.27'] as const,
    ['registry.example:5000/shop/web', '1'] as const,
  ];
  const sync = { zone: 'zone', runId: 'run', resolvedAt: '2026-01-01T00:00:00.000Z' };
  await recordSync(store, sync, [toRecipeRecord('shop', '1.0.0', refs)]);
  const said = new Map<string, string>();
  const run = await followPage('docs/content.md', {
    folder: folder.path,
    env: { INSTANCE: server.url, TOKEN: server.as.admin.replace('Bearer ', '') },
    after: async (command, stdout) => void said.set(command, stdout),
  });
  assert.equal(JSON.parse(said.get(run[0]!)!).total, 1);
  assert.equal(store.index.hasRepository('docker.io/library/nginx'), false);
  const hosts = join(folder.path, 'hosts', 'registry.example_5000_', 'hosts.toml');
  assert.match(await readFile(hosts, 'utf8'), /override_path = true/);
  assert.match(await readFile(join(folder.path, 'registries.yaml'), 'utf8'), /"\^\(\.\*\)\$"/);
});

test('what the page about the store says finds, takes out and mends what is damaged', async () => {
  await using temp = await openTempStore();
  const image = buildImage('page', { layerSize: 4000 });
  const { digest } = image.blobs.at(-1)!.descriptor;
  const fill = (): Promise<void> =>
    pushArtifact(openRepository(temp.store, 'app', { owner: { provenance: 'import' } }), image, '1.0');
  await fill();
  await temp.close();
  await damageFile(join(temp.root, 'blobs', ...digest.split(':')), 1);
  const run = await followPage('docs/store.md', {
    folder: temp.folder,
    env: {},
    after: async (command, stdout) => {
      if (command.includes('--repair')) assert.match(stdout, /^repaired/m);
      if (!command.includes('--quarantine')) return;
      await temp.reopen();
      await fill();
      await temp.close();
      const ledger = join(temp.root, temp.store.ledgers.content);
      const batches = [...(await readFile(ledger, 'latin1')).matchAll(/^\{"batch":/gm)];
      await damageFile(ledger, batches[1]!.index + 300);
    },
  });
  assert.equal(run.length, 4);
});

test('an artifact is imported as the documentation says', async (t) => {
  if (needs(t, 'curl') === undefined || needs(t, 'jq') === undefined) return;
  await using world = await openRehearsal();
  const origin = await world.start('origin');
  await using names = await openNames({ 'registry.example': origin });
  const web = buildIndex('web', ['linux/amd64', 'linux/arm64']);
  await toOrigin(origin).put('shop/web', web, '1.4.0');
  const auth = Buffer.from(`admin:${adminPassword}`).toString('base64');
  const auths = { 'registry.example': { auth } };
  await writeFile(world.path('docker.json'), JSON.stringify({ auths }), { mode: 0o600 });
  const port = await takeFreePort();
  const url = `http://127.0.0.1:${port}`;
  const headers = { authorization: `Basic ${Buffer.from('admin:a good password').toString('base64')}` };
  await followPage('docs/importing.md', {
    folder: world.folder,
    env: {
      PASSWORD: 'a good password',
      SVC_INSTANCE_URL: url,
      SVC_SERVER_ADDR: `127.0.0.1:${port}`,
      SVC_NETWORK_PROXY_URL: names.url,
      SVC_REGISTRIES_INSECURE: 'registry.example',
    },
    fit: (text) => text.replaceAll('/etc/svc/', `${world.folder}/`),
    onServing: async (at) => assert.equal(at, url),
    after: async (command) => {
      if (!command.includes('task.json')) return;
      const { task } = JSON.parse(await readFile(world.path('task.json'), 'utf8'));
      const end = await eventually('the end of the import', async () => {
        const answer = await fetch(`${url}/api/v1/tasks/${task.id}`, { headers });
        const { status } = ((await answer.json()) as { task: { status: string } }).task;
        return ['done', 'failed'].includes(status) && status;
      });
      assert.equal(end, 'done');
      const arrived = await fetch(`${url}/v2/registry.example/shop/web/manifests/1.4.0`, { headers });
      assert.equal(arrived.headers.get('docker-content-digest'), web.manifest.descriptor.digest);
    },
  });
});

test('every block of commands on a page that is not followed here is marked as one for elsewhere', async () => {
  for (const name of await readdir(join(root, 'docs'))) {
    if (['journey.md', 'content.md', 'store.md', 'importing.md', 'filesets.md', 'layouts.md'].includes(name))
      continue;
    const languages = parseBlocks(await readFile(join(root, 'docs', name), 'utf8')).map(
      ({ language }) => language,
    );
    assert.ok(!languages.includes('sh') && !languages.includes('bash'), name);
  }
});

test('layouts go out and come in as the documentation says', async () => {
  await using scene = await openLayoutScene();
  await symlink(scene.path('maker'), scene.path('state'));
  await writeOciLayout(
    scene.path('tagged'),
    '3.20',
    createSampleImage({ seed: 'docs', platforms: ['linux/amd64'] }),
  );
  const run = await followPage('docs/layouts.md', { folder: scene.folder, env: {} });
  assert.ok(run.length > 8);
  const tags = await scene.read('copy', ({ index }) =>
    index.tags('docker.io/library/alpine').map(({ tag }) => tag),
  );
  assert.deepEqual(tags, ['3.20']);
});
