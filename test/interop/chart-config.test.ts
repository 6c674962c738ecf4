import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { toChartAnnotations, toChartConfig } from '../../src/chart/chart-config.ts';
import { readChartDependencies } from '../../src/chart/embedded-dependencies.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { openClientHome } from '../kit/program/client-home.ts';
import { startPeerRegistry } from '../kit/program/peer-registry.ts';
import { needs } from '../kit/program/peers.ts';
import { readHeldManifest } from '../kit/result/held-content.ts';

const child = { 'charts/child/Chart.yaml': 'apiVersion: v2\nname: child\nversion: 0.1.0\n' };

const charts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  plain: { 'Chart.yaml': 'apiVersion: v2\nname: plain\nversion: 1.0.0\n' },
  full: {
    ...child,
    'Chart.yaml': `apiVersion: v2
name: full
version: 1.2.3
appVersion: 1.16
kubeVersion: ">=1.20.0-0"
description: >-
  Folded text
  of "two" lines with <b>&amp;</b>
type: library
home: https://full.example
icon: https://full.example/<icon>.png
sources: [https://git.example/a, https://git.example/b]
keywords: [one, "a & b"]
tags: some,tags
condition: a.b
deprecated: true
maintainers:
- {name: Zoé, email: zoe@full.example, url: "https://x"}
- name: Bob
dependencies:
- name: child
  version: ">=0.1.0"
  repository: "file://charts/child"
  alias: kid
  condition: child.enabled
  tags: [a, b]
  enabled: true
  import-values:
  - data
  - {child: x.y, parent: z, fraction: 1.50, flag: true, nothing: null}
annotations:
  zed: "1"
  alpha: "2"
  number: 12
  flag: true
  nothing:
  org.opencontainers.image.url: https://theirs
  org.opencontainers.image.title: not this
  org.opencontainers.image.created: "2020-01-01T00:00:00Z"
`,
  },
  old: {
    ...child,
    'Chart.yaml': 'name: old\nversion: 0.1.0\ndescription: of the second helm\nengine: gotpl\n',
    'requirements.yaml':
      'dependencies:\n- name: child\n  version: 0.1.0\n  repository: https://charts.example\n',
  },
};

test('config and annotations of a chart are what helm itself pushes, whatever the chart says of itself', async (t) => {
  const [helm, registry] = ['helm', 'registry'].map((name) => needs(t, name));
  if (!helm || !registry) return;
  await using folder = await openTempFolder();
  await using peer = await startPeerRegistry({ program: registry, folder: join(folder.path, 'peer') });
  const home = await openClientHome(folder.path);
  for (const [name, files] of Object.entries(charts)) {
    for (const [path, text] of Object.entries({ ...files, 'templates/notes.yaml': '' })) {
      await mkdir(dirname(join(home.path, name, path)), { recursive: true });
      await writeFile(join(home.path, name, path), text);
    }
    const packed = await home.run(helm, ['package', name]);
    const archive = packed.slice(packed.lastIndexOf('/') + 1);
    const version = archive.slice(name.length + 1, -'.tgz'.length);
    await home.run(helm, ['push', '--plain-http', archive, `oci://${peer.host}/charts`]);
    const { document } = await readHeldManifest(peer, `charts/${name}`, version);
    const answer = await fetch(`${peer.url}/v2/charts/${name}/blobs/${document.config.digest}`);
    const contents = await readChartDependencies(createReadStream(join(home.path, archive)), name);
    const config = toChartConfig(contents, name);
    assert.equal(config.toString(), await answer.text());
    const { 'org.opencontainers.image.created': created, ...annotations } = document.annotations;
    const { 'org.opencontainers.image.created': said, ...ours } = toChartAnnotations(config);
    assert.deepEqual(ours, annotations);
    assert.equal(
      said,
      name === 'full' ? created : undefined,
      'the time of a push is left out, an own time stays',
    );
  }
});
