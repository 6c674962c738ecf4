import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { packChart } from '../../scripts/release/chart.ts';
import { runSvc, svcCommand, svcEnvironment, trackChild } from '../kit/program/svc.ts';
import { listening, watchOutput } from '../kit/program/watch-output.ts';
import { chartFolder, type Helm, openHelm, type Rendered } from '../kit/scene/open-helm.ts';
import { parseBlocks } from '../kit/web/follow-page.ts';

const podOf = ({ StatefulSet }: Rendered) => StatefulSet.spec.template.spec;
const firstAccountOf = (rendered: Rendered) =>
  podOf(rendered).initContainers?.find(({ name }: { name: string }) => name === 'first-account');

test('a pod starts at the first try: it makes the first account from a Secret, once, and then the instance', async (t) => {
  await using helm = await openHelm(t);
  if (helm === undefined) return;
  const rendered = await helm.render();
  const pod = podOf(rendered);
  const [container] = pod.containers;
  const first = firstAccountOf(rendered);
  for (const same of ['image', 'securityContext', 'resources'])
    assert.deepEqual(first[same], container[same], same);
  const mounts = new Map<string, string>(first.volumeMounts.map((one: any) => [one.mountPath, one.name]));
  for (const shared of ['/var/lib/svc', '/etc/svc/config.yaml', '/tmp'])
    assert.ok(
      container.volumeMounts.some(({ mountPath }: any) => mountPath === shared && mounts.has(shared)),
    );
  const secret = pod.volumes.find(
    ({ name }: any) => name === mounts.get('/run/secrets/svc/first-account'),
  ).secret;
  assert.deepEqual([secret.secretName, secret.optional], ['svc-first-account', true]);

  // the paths of the pod, below a folder of this machine
  const root = join(helm.folder, 'pod');
  const toHere = (text: string): string =>
    text.replaceAll(/\/(?=(srv|var\/lib|etc|run\/secrets)\/svc)/g, `${root}/`);
  for (const path of ['/srv/svc', '/var/lib/svc', '/etc/svc', '/run/secrets/svc/first-account'])
    await mkdir(toHere(path), { recursive: true });
  const config = rendered.ConfigMap.data['config.yaml'];
  await writeFile(toHere('/etc/svc/config.yaml'), toHere(config).replace('addr: :8080', 'addr: 127.0.0.1:0'));
  const start = () => runSvc(first.args.map(toHere));
  const early = await start();
  assert.equal(early.exitCode, 1);
  assert.match(early.stderr, /SVC-FIL-005.*first-account\/password/);
  await writeFile(toHere('/run/secrets/svc/first-account/password'), 'a good password\n', { mode: 0o440 });
  const made = await start();
  assert.deepEqual([made.exitCode, made.stdout], [0, 'admin (admin)\n'], made.stderr);
  const [command, ...words] = svcCommand();
  const child = trackChild(
    spawn(command, [...words, ...container.args.map(toHere)], {
      env: svcEnvironment(),
      stdio: ['ignore', 'ignore', 'pipe'],
    }),
  );
  const ended = new Promise((resolve) => child.on('close', resolve));
  const url = (await watchOutput(child, listening).found)[1]!;
  const authorization = `Basic ${Buffer.from('admin:a good password').toString('base64')}`;
  const { status } = await fetch(`${url}/api/v1/tokens`, { headers: { authorization } });
  assert.equal(status, 200);
  for (const { httpGet } of [container.startupProbe, container.livenessProbe, container.readinessProbe])
    assert.equal((await fetch(`${url}${httpGet.path}`)).status, 200);
  // the next start of the pod, after the Secret was removed
  await rm(toHere('/run/secrets/svc/first-account'), { recursive: true });
  const again = await start();
  assert.deepEqual([again.exitCode, again.stdout], [0, ''], again.stderr);
  child.kill('SIGTERM');
  assert.equal(await ended, 0);
});

test('no account is made where none is wanted, and the notes say what is to be done', async (t) => {
  await using helm = await openHelm(t);
  if (helm === undefined) return;
  for (const values of [
    { firstAccount: { secret: null } },
    { firstAccount: null },
    { config: { auth: { disabled: 'true' } } },
  ])
    assert.equal(firstAccountOf(await helm.render(values)), undefined, JSON.stringify(values));
  const named = await helm.render({ firstAccount: { name: 'ines@zone', secret: 'first.admin' } });
  assert.ok(firstAccountOf(named).args.includes('ines@zone'));
  // helm shows notes only with a cluster: here they are text of an object
  const shown = join(helm.folder, 'shown');
  await cp(chartFolder, shown, { recursive: true });
  await rename(join(shown, 'templates', 'NOTES.txt'), join(shown, 'notes.txt'));
  const object =
    'kind: Notes\nmetadata: { name: notes }\ntext: {{ tpl (.Files.Get "notes.txt") . | toJson }}\n';
  await writeFile(join(shown, 'templates', 'notes.yaml'), object);
  const notesOf = async (values: object): Promise<string> =>
    (await helm.render(values, { chart: shown })).Notesnotes.text;
  const notes = await notesOf({});
  const { name } = named.StatefulSet.metadata;
  for (const line of [
    'kubectl --namespace delivery create secret generic svc-first-account --from-file=password=password-file',
    `kubectl --namespace delivery rollout status statefulset/${name}`,
    `kubectl --namespace delivery port-forward service/${name} 8080:8080`,
  ])
    assert.ok(notes.includes(line), line);
  const without = await notesOf({ firstAccount: null, config: { server: { tls: { enabled: true } } } });
  assert.doesNotMatch(without, /create secret|svc-first-account/);
  assert.match(without, /SVC-AUTH-001/);
  assert.match(without, /https:\/\/127\.0\.0\.1:8080/);
  assert.doesNotMatch(await notesOf({ config: { auth: { disabled: true } } }), /account/);
});

const digestOf = (letter: string): string => `sha256:${letter.repeat(64)}`;

/** Packs the chart as a release does. */
async function release(helm: Helm, version: string, digest: string): Promise<string> {
  const source = { root: join(chartFolder, '..', '..'), version, seconds: 1_767_323_045 };
  const path = join(helm.folder, `svc-${version}.tgz`);
  await writeFile(path, packChart(source, { repository: 'registry.example/svc/svc', digest }));
  return path;
}

test('an upgrade starts the image of its chart, whatever values are reused, and a tag has no digest of another', async (t) => {
  await using helm = await openHelm(t);
  if (helm === undefined) return;
  const chart = await release(helm, '0.2.0', digestOf('b'));
  const imageOf = async (image: object, own = chart): Promise<string> =>
    podOf(await helm.render({ image }, { chart: own })).containers[0].image;
  const pinned = `registry.example/svc/svc:0.2.0@${digestOf('b')}`;
  assert.equal(await imageOf({}), pinned);
  assert.equal(await imageOf({ tag: '0.2.0' }), pinned);
  assert.equal(
    await imageOf({ repository: 'registry.zone-b.example:5000/svc/svc' }),
    pinned.replace('registry.example', 'registry.zone-b.example:5000'),
  );
  assert.equal(await imageOf({ tag: '0.3.0' }), 'registry.example/svc/svc:0.3.0');
  assert.equal(
    await imageOf({ tag: '0.1.0', digest: digestOf('c') }),
    `registry.example/svc/svc:0.1.0@${digestOf('c')}`,
  );
  // the version label of an instance is the running version
  const { StatefulSet } = await helm.render({ image: { tag: '0.3.0' } }, { chart });
  assert.equal(StatefulSet.spec.template.metadata.labels['app.kubernetes.io/version'], '0.3.0');

  // --reuse-values puts the values of the installed chart in the place of those of the new one
  const before = await release(helm, '0.1.0', digestOf('a'));
  const reusing = join(helm.folder, 'reusing');
  await cp(chartFolder, reusing, { recursive: true });
  await writeFile(join(reusing, 'Chart.yaml'), await helm.run('show', 'chart', chart));
  await writeFile(join(reusing, 'values.yaml'), await helm.run('show', 'values', before));
  assert.equal(await imageOf({}, reusing), pinned);
  // those of a chart that had its digest among the values
  await assert.rejects(
    imageOf({ digest: digestOf('a') }, reusing),
    /image\.digest is refused without image\.tag.*--reset-then-reuse-values/s,
  );
});

/** Values that would make objects which a cluster refuses, or a pod that does not start. */
const refused: readonly (readonly [values: object, message: RegExp])[] = [
  [{ config: { mode: null } }, /config\.mode is not set.*mirror or passthrough/],
  [{ config: null }, /config\.mode is not set/],
  [{ config: { server: 'plain' } }, /\/config\/server': got string/],
  // values that the instance would refuse when it starts
  [{ config: { zonee: 'b' } }, /\/config': additional properties 'zonee' not allowed/],
  [{ config: { sync: { interval: 'often' } } }, /\/config\/sync\/interval': 'often' does not match/],
  [
    { config: { shutdown: { gracePeriod: '10m' } } },
    /gracePeriod: 10m is refused.*terminationGracePeriodSeconds: 60/,
  ],
  [{ config: { shutdown: { gracePeriod: '1m0.5s' } } }, /gracePeriod: 1m0\.5s is refused/],
  [{ config: { shutdown: { gracePeriod: '30' } } }, /gracePeriod': '30' does not match/],
  [{ config: { shutdown: { gracePeriod: 30 } } }, /gracePeriod': maximum/],
  [{ terminationGracePeriodSeconds: 30 }, /gracePeriod: 30s is refused/],
  [{ terminationGracePeriodSeconds: null }, /missing property 'terminationGracePeriodSeconds'/],
  [
    { config: { mode: 'passthrough' }, networkPolicy: { egress: false } },
    /egress: false is refused: mode passthrough/,
  ],
  [
    { config: { destination: { registry: 'r.example' } }, networkPolicy: { egress: false } },
    /egress: false is refused.*networkPolicy\.to/,
  ],
  [{ networkPolicy: { egress: false, to: [{ ipBlock: {} }] } }, /set one of them/],
  [{ networkPolicy: null }, /missing property 'networkPolicy'/],
  [{ secretFiles: ['a..b'] }, /secretFiles\/0' does not match|secretFiles\/0': 'a\.\.b' does not match/],
  [{ configFiles: ['a.-b'] }, /configFiles\/0': 'a\.-b' does not match/],
  [{ firstAccount: { secret: 'First' } }, /firstAccount\/secret': 'First' does not match/],
  [{ firstAccount: { name: '-admin' } }, /firstAccount\/name': '-admin' does not match/],
  [{ imagePullSecrets: [{}] }, /imagePullSecrets\/0': missing property 'name'/],
  [{ image: { repository: 'registry.example/svc:1' } }, /image\/repository': .* does not match/],
  [{ image: { tag: 'a b' } }, /image\/tag': 'a b' does not match/],
  [{ image: { pullPolicy: null } }, /missing property 'pullPolicy'/],
  [{ store: { size: '100K' } }, /store\/size': '100K' does not match/],
  [{ state: { size: '0' } }, /state\/size': '0' does not match/],
  [{ state: { existingClaim: 'my_claim' } }, /existingClaim': 'my_claim' does not match/],
  [{ store: { storageClassName: 'Fast' } }, /storageClassName': 'Fast' does not match/],
  [{ temporary: { sizeLimit: 'much' } }, /sizeLimit': 'much' does not match/],
  [{ service: { port: null } }, /service': missing property 'port'/],
  [{ service: { port: 65536 } }, /service\/port': maximum/],
  [{ serviceMonitor: { interval: '0s' } }, /interval': '0s' does not match/],
  [{ serviceMonitor: { labels: { release: 'a b' } } }, /labels\/release': 'a b' does not match/],
  [{ nodeSelector: { disk: '-' } }, /nodeSelector\/disk': '-' does not match/],
];

test('values that no cluster and no instance takes are refused with the value and what is wanted', async (t) => {
  await using helm = await openHelm(t);
  if (helm === undefined) return;
  for (const [values, message] of refused)
    await assert.rejects(helm.render(values), message, JSON.stringify(values));
  for (const release of ['my.zone', '9zone'])
    await assert.rejects(
      helm.render({}, { release }),
      /the name of the release, .*, is refused: .*begins with a letter and has no dots/,
    );
});

test('the probes follow the listener, however the configuration says what it speaks', async (t) => {
  await using helm = await openHelm(t);
  if (helm === undefined) return;
  for (const [tls, scheme] of [
    [null, 'HTTP'],
    [{ enabled: 'false' }, 'HTTP'],
    [{ enabled: 1 }, 'HTTPS'],
    [{ certFile: '/run/secrets/svc/tls/tls.crt', keyFile: '/run/secrets/svc/tls/tls.key' }, 'HTTPS'],
  ] as const) {
    const rendered: Rendered = await helm.render({ config: { server: { tls } } });
    const container: any = podOf(rendered).containers[0];
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
      assert.equal(container[probe].httpGet.scheme, scheme, JSON.stringify(tls));
  }
});

test('names, sizes and times that look like something else arrive as what they are', async (t) => {
  await using helm = await openHelm(t);
  if (helm === undefined) return;
  const rendered = await helm.render(
    {
      config: { shutdown: { gracePeriod: '10m' }, server: null, destination: null },
      terminationGracePeriodSeconds: 1_000_000,
      store: { size: '1000', storageClassName: '' },
      state: { existingClaim: '1e3' },
      secretFiles: ['1'],
    },
    { release: 'true' },
  );
  const pod = podOf(rendered);
  assert.equal(pod.terminationGracePeriodSeconds, 1_000_000);
  assert.equal(pod.volumes.find(({ name }: any) => name === 'secret-0').secret.secretName, '1');
  assert.equal(pod.volumes.find(({ name }: any) => name === 'state').persistentVolumeClaim.claimName, '1e3');
  const long = await helm.render({}, { release: 'a'.repeat(53) });
  for (const one of Object.values(long)) assert.ok(one.metadata.name.length <= 63, one.metadata.name);
});

test('the values of the pages are taken, and no page has a command that starts an old image', async (t) => {
  const docs = join(chartFolder, '..', '..', 'docs');
  const read = (name: string) => readFile(join(docs, `${name}.md`), 'utf8');
  for (const page of ['installing', 'monitoring', 'upgrading', 'growing'])
    for (const line of (await read(page)).split('\n'))
      if (/^ *helm /.test(line)) assert.doesNotMatch(line, /--reuse-values/, `${page}: ${line}`);
  await using helm = await openHelm(t);
  if (helm === undefined) return;
  for (const page of ['installing', 'monitoring']) {
    const block = parseBlocks(await read(page)).find(({ text }) => text.startsWith('# zone.yaml\n'));
    const { ConfigMap } = await helm.render(parse(block!.text));
    assert.match(ConfigMap.data['config.yaml'], /^zone: zone-b$/m);
  }
  // the Secret and the objects that the page names are those of the chart
  const { StatefulSet } = await helm.render();
  const page = await read('installing');
  assert.ok(page.includes(`kubectl rollout status statefulset/${StatefulSet.metadata.name}\n`));
  assert.ok(
    page.includes('kubectl create secret generic svc-first-account --from-file=password=password-file\n'),
  );
});
