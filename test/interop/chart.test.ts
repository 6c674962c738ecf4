import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse, stringify } from 'yaml';
import { growthFile, rulesFile } from '../kit/program/alerts.ts';
import { needs } from '../kit/program/peers.ts';
import { runProgram } from '../kit/program/run-program.ts';
import { runSvc } from '../kit/program/svc.ts';
import { chartFolder, openHelm, type Rendered } from '../kit/scene/open-helm.ts';

test('the chart runs one writer: one replica, volumes of one node that stay, no overlap of two pods', async (t) => {
  await using helm = await openHelm(t);
  if (helm === undefined) return;
  await helm.lint();
  const rendered = await helm.render();
  assert.deepEqual(Object.keys(rendered).sort(), [
    'ConfigMap',
    'NetworkPolicy',
    'PersistentVolumeClaim-state',
    'PersistentVolumeClaim-store',
    'Service',
    'StatefulSet',
  ]);
  const { spec } = rendered.StatefulSet;
  assert.deepEqual(
    [spec.replicas, spec.updateStrategy.type, spec.podManagementPolicy],
    [1, 'RollingUpdate', 'OrderedReady'],
  );
  // a template of claims would give a second pod an empty store of its own, which no lock refuses
  assert.equal(spec.volumeClaimTemplates, undefined);
  const claimOf = (name: string) =>
    spec.template.spec.volumes.find((volume: { name: string }) => volume.name === name).persistentVolumeClaim
      .claimName;
  for (const name of ['store', 'state']) {
    const claim = rendered[`PersistentVolumeClaim-${name}`];
    assert.deepEqual(claim.spec.accessModes, ['ReadWriteOnce']);
    assert.equal(claim.metadata.annotations['helm.sh/resource-policy'], 'keep');
    assert.equal(claimOf(name), claim.metadata.name);
  }
  const restored = await helm.render({ store: { existingClaim: 'restored' } });
  assert.equal(restored['PersistentVolumeClaim-store'], undefined);
  assert.equal(
    restored.StatefulSet.spec.template.spec.volumes[0].persistentVolumeClaim.claimName,
    'restored',
  );
  for (const replicas of [0, 2, 3])
    await assert.rejects(
      helm.render({ replicas }),
      /only writer of its store.*SVC-STO-007.*standby/s,
      `${replicas}`,
    );
  for (const mistake of [
    { replicaCount: 2 },
    { replicas: 'two' },
    { store: { accessModes: ['ReadWriteMany'] } },
  ])
    await assert.rejects(
      helm.lint(mistake),
      /additional properties|got string, want integer/,
      JSON.stringify(mistake),
    );
});

test('the pod has a root that nobody writes, no privilege, probes of the scheme it speaks, and secrets as files', async (t) => {
  await using helm = await openHelm(t);
  if (helm === undefined) return;
  const { StatefulSet, Service } = await helm.render({
    config: { server: { tls: { enabled: true } } },
    secretFiles: ['registry.example'],
    configFiles: ['keys'],
    service: { type: 'NodePort' },
  });
  const pod = StatefulSet.spec.template.spec;
  const [container] = pod.containers;
  assert.deepEqual(container.securityContext, {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  assert.deepEqual(
    [pod.securityContext.runAsNonRoot, pod.automountServiceAccountToken, pod.enableServiceLinks],
    [true, false, false],
  );
  for (const [probe, path] of [
    ['startupProbe', '/healthz'],
    ['livenessProbe', '/healthz'],
    ['readinessProbe', '/readyz'],
  ] as const)
    assert.deepEqual(container[probe].httpGet, { path, port: 'http', scheme: 'HTTPS' });
  const writable = container.volumeMounts.filter((mount: any) => mount.readOnly !== true);
  assert.deepEqual(
    writable.map((mount: any) => mount.mountPath),
    ['/srv/svc', '/var/lib/svc', '/tmp'],
  );
  const mounts = [...pod.initContainers, container].flatMap(({ volumeMounts }: any) => volumeMounts);
  for (const { name } of [...mounts, ...pod.volumes])
    assert.match(name, /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);
  const secret = container.volumeMounts.find(
    (mount: any) => mount.mountPath === '/run/secrets/svc/registry.example',
  );
  assert.equal(secret.readOnly, true);
  const volume = pod.volumes.find(({ name }: any) => name === secret.name);
  assert.deepEqual(volume.secret, { secretName: 'registry.example', defaultMode: 0o440 });
  assert.equal(container.env, undefined, 'no secret in the environment');
  assert.equal(Service.spec.type, 'NodePort');
});

test('the instance accepts the configuration that the chart writes, and volumes win over values', async (t) => {
  await using helm = await openHelm(t);
  if (helm === undefined) return;
  const { ConfigMap, StatefulSet } = await helm.render({
    config: {
      storage: { root: '/elsewhere', occupancyThreshold: '80GiB' },
      shutdown: { gracePeriod: '45s' },
    },
  });
  const path = join(helm.folder, 'config.yaml');
  await writeFile(path, ConfigMap.data['config.yaml']);
  const dumped = await runSvc(['config', 'dump', '--config', path]);
  assert.deepEqual([dumped.exitCode, dumped.stderr], [0, '']);
  const config = parse(dumped.stdout);
  assert.deepEqual(
    [config.storage.root, config.state.root, config.server.addr, config.zone],
    ['/srv/svc/store', '/var/lib/svc/state', ':8080', 'zone-b'],
  );
  const { terminationGracePeriodSeconds } = StatefulSet.spec.template.spec;
  assert.ok(terminationGracePeriodSeconds > 45);
});

test('who may connect is written down, and Prometheus finds the metrics', async (t) => {
  await using helm = await openHelm(t);
  if (helm === undefined) return;
  const from = [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }];
  const tlsConfig = { ca: { secret: { name: 'zone', key: 'ca.crt' } } };
  const { NetworkPolicy, ServiceMonitor, Service } = await helm.render({
    networkPolicy: { from, egress: false },
    config: { server: { tls: { certFile: '/tls.crt', keyFile: '/tls.key' } } },
    serviceMonitor: { enabled: true, labels: { release: 'monitoring' }, tlsConfig },
  });
  assert.deepEqual(NetworkPolicy.spec.ingress, [{ ports: [{ port: 'http', protocol: 'TCP' }], from }]);
  assert.deepEqual([NetworkPolicy.spec.policyTypes, NetworkPolicy.spec.egress], [['Ingress', 'Egress'], []]);
  const [endpoint] = ServiceMonitor.spec.endpoints;
  assert.deepEqual([endpoint.path, endpoint.scheme, endpoint.tlsConfig], ['/metrics', 'https', tlsConfig]);
  assert.equal(ServiceMonitor.metadata.labels.release, 'monitoring');
  assert.equal(endpoint.port, Service.spec.ports[0].name);
  for (const [label, value] of Object.entries(ServiceMonitor.spec.selector.matchLabels))
    assert.equal(Service.metadata.labels[label], value);
  const open = await helm.render();
  assert.deepEqual(open.NetworkPolicy.spec.ingress[0].from, [{ podSelector: {} }]);
});

test('the rules of the chart are those that are delivered, with the speed of the card, under the job they expect', async (t) => {
  await using helm = await openHelm(t);
  const promtool = needs(t, 'promtool');
  if (helm === undefined || promtool === undefined) return;
  const paths: string[] = [];
  for (const [speed, written] of [
    [undefined, '/ 1.25e+09'],
    [125_000_000, '/ 1.25e+08'],
  ] as const) {
    const rendered: Rendered = await helm.render({
      serviceMonitor: { enabled: true },
      prometheusRule: {
        enabled: true,
        labels: { release: 'monitoring' },
        ...(speed && { cardBytesPerSecond: speed }),
      },
    });
    // SvcDown looks for this job
    assert.equal(rendered.Service.metadata.labels[rendered.ServiceMonitor.spec.jobLabel], 'svc');
    for (const [name, delivered] of [
      ['PrometheusRule-alerts', rulesFile],
      ['PrometheusRule-growth', growthFile],
    ] as const) {
      assert.equal(rendered[name].metadata.labels.release, 'monitoring');
      const expected = (await readFile(delivered, 'utf8')).replace('/ 1.25e9', written);
      assert.deepEqual(rendered[name].spec, parse(expected));
      paths.push(join(helm.folder, `${name}-${speed}.yaml`));
      await writeFile(paths.at(-1)!, stringify(rendered[name].spec));
    }
  }
  const { exitCode, stderr } = await runProgram(promtool, ['check', 'rules', ...paths], { env: {} });
  assert.equal(exitCode, 0, stderr);
  await assert.rejects(
    helm.lint({ prometheusRule: { cardBytesPerSecond: '10Gbit' } }),
    /cardBytesPerSecond': got string, want number/,
  );
});

test('the values that the chart documents are those that its schema knows', async () => {
  const values = parse(await readFile(join(chartFolder, 'values.yaml'), 'utf8'));
  const schema = JSON.parse(await readFile(join(chartFolder, 'values.schema.json'), 'utf8'));
  const known = (node: any): unknown =>
    node.additionalProperties === false
      ? Object.fromEntries(
          // a configuration can have more members than the chart sets
          Object.entries(node.properties).map(([name, one]) => [name, name === 'config' || known(one)]),
        )
      : true;
  const { global, ...documented } = known(schema) as Record<string, unknown>;
  assert.equal(global, true, 'helm adds it where the chart is part of another one');
  const shape = (value: any, at: any): unknown =>
    at === true
      ? true
      : Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shape(one, at[name])]));
  assert.deepEqual(shape(values, documented), documented);
});
