import assert from 'node:assert/strict';
import { chmod, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Artifact, buildImage } from '../kit/content/content.ts';
import { publishRecipe, toOrigin } from '../kit/content/origin.ts';
import { pushArtifactOverHttp } from '../kit/content/push-artifact.ts';
import { eventually } from '../kit/instance/eventually.ts';
import { type Instance, startInstance } from '../kit/instance/instance.ts';
import { fitCache, type NginxCache, openCache } from '../kit/program/nginx-cache.ts';
import { needs } from '../kit/program/peers.ts';
import { fitExample, runNginx } from '../kit/program/run-nginx.ts';
import { openTlsDoor } from '../kit/program/tls-door.ts';
import { openRehearsal } from '../kit/scene/rehearsal.ts';
import { followPage, type PageOptions, takeFreePort } from '../kit/web/follow-page.ts';

const root = join(import.meta.dirname, '..', '..');
const names = { instance: 'registry.zone-b.example', cache: 'cache-1.zone-b.example' };

const hasPrograms = (t: TestContext): boolean =>
  ['nginx', 'promtool', 'helm'].every((name) => needs(t, name) !== undefined);

test('a cache and a standby do what their pages say, and what these say is lost is lost', async (t) => {
  if (!hasPrograms(t)) return;
  const program = needs(t, 'nginx')!;
  await using world = await openRehearsal({ inMemory: true });
  const origin = await world.double();
  const published = toOrigin(origin);
  const publish = async (version: string): Promise<Artifact> => {
    const web = buildImage(`web ${version}`, { layerSize: 100_000 });
    await published.put('shop/web', web, version);
    const { digest } = web.manifest.descriptor;
    await publishRecipe(published, {
      name: 'shop',
      version,
      ingredients: [{ name: 'web', repository: 'shop/web', version, digest }],
      signatures: [{ signer: world.signer }],
    });
    return web;
  };
  const place = `${origin.host.replace(':', '_')}/shop/web`;
  const one = await publish('1.0.0');
  const retriever = await world.retriever('retriever', {
    cookbook: `${origin.host}/cookbook`,
    recipes: [{ name: 'shop', version: '^1' }],
  });
  const settings = {
    retriever: { source: retriever },
    registries: { insecure: [origin.host] },
    trust: world.trust,
  };
  let first: Instance = await world.start('first', settings);
  assert.equal((await world.sync(first)).result.exitCode, 0);
  await pushArtifactOverHttp(
    { registry: first.url, repository: 'pushed', authorization: first.authorization },
    buildImage('pushed'),
    '1',
  );

  const page = world.path('page');
  const standbyPort = await takeFreePort();
  const portOf = (instance: Instance): number => Number(new URL(instance.url).port);
  await using firstDoor = await openTlsDoor(portOf(first));
  await using standbyDoor = await openTlsDoor(standbyPort);
  const [nginxFolder, cachePort] = [world.path('nginx'), await takeFreePort()];
  for (const name of ['bin', 'etc/nginx/conf.d', 'etc/prometheus'])
    await mkdir(join(page, name), { recursive: true });
  await cp(join(root, 'deploy'), join(page, 'deploy'), { recursive: true });
  await writeFile(join(page, 'release.pub'), world.signer.publicKeyPem);
  await writeFile(
    join(page, 'check.conf'),
    `events {}\nhttp { include ${page}/etc/nginx/conf.d/*.conf; }\npid ${page}/pid;\n`,
  );
  await writeFile(
    join(page, 'bin', 'nginx'),
    `#!/bin/sh\nexec ${program} -e stderr -c ${page}/check.conf "$@"\n`,
  );
  await chmod(join(page, 'bin', 'nginx'), 0o755);
  const configured = join(page, 'etc/nginx/conf.d/svc-cache.conf');

  let cache: NginxCache | undefined;
  let two: Artifact | undefined;
  const said = new Map<string, string>();
  const tokenOf = async (name: string): Promise<{ authorization: string }> => ({
    authorization: `Bearer ${(await readFile(join(page, `${name}.token`), 'utf8')).trim()}`,
  });
  const manifestOf = async (repository: string, tag: string, headers: { authorization: string }) =>
    cache!.ask(`/v2/${repository}/manifests/${tag}`, { headers });
  const assertPulled = async (image: Artifact): Promise<void> => {
    const nodes = await tokenOf('nodes');
    const { digest } = image.manifest.descriptor;
    assert.equal((await manifestOf(place, digest, nodes)).headers['docker-content-digest'], digest);
    for (const { descriptor, bytes } of image.blobs) {
      const { status, body } = await cache!.ask(`/v2/${place}/blobs/${descriptor.digest}`, {
        headers: nodes,
      });
      assert.equal(status, 200);
      assert.ok(body.equals(bytes));
    }
  };
  let syncs = 0;
  const after = async (command: string, stdout: string): Promise<void> => {
    said.set(command, stdout);
    if (command.startsWith('sed -e')) {
      const upstream = firstDoor.port;
      const own = { folder: nginxFolder, port: cachePort, upstream, names };
      const made = fitExample(await fitCache(await readFile(configured, 'utf8'), own), [
        ['# server standby.example:443 backup;', `server 127.0.0.1:${standbyDoor.port} backup;`],
        // the first is asked again after a second instead of ten
        [`server 127.0.0.1:${upstream};`, `server 127.0.0.1:${upstream} fail_timeout=1s;`],
      ]);
      await writeFile(configured, made);
    }
    if (command === 'nginx -t') {
      const sites = await readFile(configured, 'utf8');
      cache = openCache(
        await runNginx({ program, folder: nginxFolder, sites, port: cachePort }),
        nginxFolder,
        cachePort,
      );
    }
    if (!command.startsWith('svc sync')) return;
    syncs += 1;
    if (syncs === 1) await loseTheFirst();
    else await fetchFromTheOrigin();
  };

  const loseTheFirst = async (): Promise<void> => {
    await assertPulled(one);
    const nodes = await tokenOf('nodes');
    assert.equal((await manifestOf('pushed', '1', nodes)).status, 200);
    // content that the standby has not followed when the first is killed
    two = await publish('1.1.0');
    assert.equal((await world.sync(first)).result.exitCode, 0);
    assert.equal((await manifestOf(place, '1.1.0', nodes)).status, 200);
    const late = await first.createToken('viewer');
    await first.kill();
    const killed = performance.now();
    await assertPulled(one);
    t.diagnostic(`the standby answered ${Math.round(performance.now() - killed)} ms after the kill`);
    assert.equal((await manifestOf(place, '1.1.0', nodes)).status, 404);
    assert.equal((await manifestOf('pushed', '1', nodes)).status, 404);
    assert.equal((await manifestOf(place, '1.0.0', { authorization: `Bearer ${late}` })).status, 401);
    const standby = `http://127.0.0.1:${standbyPort}/api/v1`;
    const answer = await fetch(`${standby}/tasks`, { headers: await tokenOf('operator') });
    const { tasks } = (await answer.json()) as { tasks: { type: string }[] };
    assert.deepEqual(
      tasks.map(({ type }) => type),
      ['sync'],
      'its own history',
    );
    // the accounts of the first, with their passwords
    const account = await fetch(`${standby}/whoami`, { headers: { authorization: first.authorization } });
    assert.equal(((await account.json()) as { role: string }).role, 'admin');
  };

  const fetchFromTheOrigin = async (): Promise<void> => {
    await assertPulled(two!);
    const nodes = await tokenOf('nodes');
    const three = await publish('1.2.0');
    // the first comes back with its disk, and the cache to it
    first = await startInstance({ folder: world.path('first'), config: settings });
    t.after(() => first[Symbol.asyncDispose]());
    firstDoor.target = portOf(first);
    await eventually(
      'the cache asks the first again',
      async () => (await manifestOf('pushed', '1', nodes)).status === 200,
    );
    await assertPulled(two!);
    assert.equal((await world.sync(first)).result.exitCode, 0);
    await assertPulled(three);
  };

  try {
    const options: PageOptions = {
      folder: page,
      env: {
        SVC_SERVER_ADDR: `127.0.0.1:${standbyPort}`,
        SVC_REGISTRIES_INSECURE: `${first.host},${origin.host}`,
        HOME: page,
      },
      fit: (text) => {
        const here = text.replaceAll(/\/etc\/(nginx|prometheus)\//g, `${page}/etc/$1/`);
        if (text.startsWith('sed -e')) return here;
        return here
          .replaceAll(`ssh ${names.instance} cat /var/lib/svc/`, `cat ${world.path('first', 'state')}/`)
          .replaceAll(`https://${names.instance}`, first.url)
          .replaceAll(names.instance, first.host)
          .replaceAll('registry.example', origin.host)
          .replaceAll('/etc/svc/config.yaml', first.configPath)
          .replaceAll('/etc/svc/retriever.yaml', retriever)
          .replaceAll(/\/(var\/lib|srv)\/svc/g, `${page}/$1/svc`);
      },
      endsServing: /^sed -i/,
      after,
    };
    const run: string[] = [];
    for (const name of ['docs/growing.md', 'docs/operating/cache.md', 'docs/operating/standby.md'])
      run.push(...(await followPage(name, options)));
    assert.ok(run.length >= 15, run.join('\n'));
    assert.equal(syncs, 2);
  } finally {
    await cache?.[Symbol.asyncDispose]();
  }
  assert.match(await readFile(join(page, 'hosts.toml'), 'utf8'), /cache-1\.zone-b\.example/);
  const rules = await readFile(join(page, 'etc/prometheus/svc-growth.yaml'), 'utf8');
  assert.match(rules, /rate5m \/ 1\.25e8$/m);
  assert.match(rules, /1\.25e9 is\n# 10 Gbit/, 'what the file explains is not changed');
  assert.match(await readFile(join(page, 'objects.yaml'), 'utf8'), /^kind: StatefulSet$/m);
  assert.match([...said].find(([command]) => command.startsWith('promtool'))![1], /SUCCESS/);
});
