import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html, renderHtml } from '../../../server/ui/html.ts';
import { shortenPath } from '../../../server/ui/parts/short-name.ts';
import { toShares } from '../../../server/ui/pictures/composition.ts';
import { versionLine } from '../../../server/ui/pictures/version-line.ts';
import { toPullCommands } from '../../../src/view/pull-commands.ts';

test('shares of sizes add up to one, and nothing has no share', () => {
  assert.deepEqual(toShares([{ bytes: 3 }, { bytes: 1 }]), [0.75, 0.25]);
  assert.deepEqual(toShares([{ bytes: 0 }, { bytes: 0 }]), [0, 0]);
});

test('each mark of a time line stands over its text', () => {
  const marks = (['landed', 'failed'] as const).map((kind) => ({
    at: '2026-01-01T00:00:00Z',
    kind,
    text: html`${kind} on 1 Jan`,
  }));
  const drawn = renderHtml(versionLine('Versions', marks), (text) => text);
  for (const kind of ['landed', 'failed'])
    assert.match(
      drawn,
      new RegExp(
        `<li[^>]*><svg[^>]*><circle class="version-mark-${kind}"[^>]*></svg><span>${kind} on 1 Jan</span></li>`,
      ),
    );
});

test('a long name is cut in the middle, at segments where it can', () => {
  assert.equal(shortenPath('a/b/c', 10), 'a/b/c');
  assert.equal(shortenPath('team/deeply/nested/group/proxy', 20), 'team/…/group/proxy');
  const single = shortenPath('x'.repeat(30), 11);
  assert.equal(single, `${'x'.repeat(5)}…${'x'.repeat(5)}`);
});

test('commands name a version as the client wants it, with the flag that plain HTTP needs', () => {
  const target = {
    repository: 'charts.example/shop',
    tag: '1.0.0_b',
    digest: 'sha256:aa',
    kind: 'HelmChart',
  } as const;
  const commandOf = (client: string, scheme: 'http' | 'https', by: 'digest' | 'tag') =>
    toPullCommands({ ...target, base: { scheme, host: 'zone' }, by }).find((each) => each.client === client)
      ?.command;
  assert.equal(
    commandOf('helm', 'https', 'tag'),
    'helm pull oci://zone/charts.example/shop --version 1.0.0+b',
  );
  assert.equal(
    commandOf('helm', 'http', 'digest'),
    'helm pull --plain-http oci://zone/charts.example/shop@sha256:aa',
  );
  assert.equal(commandOf('docker', 'https', 'tag'), undefined);
});

test('of an image carried in part, clients that take all platforms are given each that is here', () => {
  const commands = toPullCommands({
    base: { scheme: 'https', host: 'zone' },
    repository: 'shop/web',
    tag: '1.4.2',
    digest: 'sha256:index',
    kind: 'ContainerImage',
    by: 'tag',
    carried: [
      { platform: 'linux/amd64', digest: 'sha256:aa' },
      { platform: 'linux/arm64', digest: 'sha256:bb', isDocker: true },
    ],
  });
  const of = (client: string): readonly string[] =>
    commands.flatMap((each) => (each.client === client ? [each.command] : []));
  assert.deepEqual(of('docker'), ['docker pull zone/shop/web:1.4.2'], 'it chooses its own platform');
  assert.deepEqual(of('skopeo'), [
    'skopeo copy --all --preserve-digests docker://zone/shop/web@sha256:aa oci:web:1.4.2-linux-amd64',
    'skopeo copy --all --preserve-digests docker://zone/shop/web@sha256:bb dir:web-1.4.2-linux-arm64',
  ]);
  assert.deepEqual(of('crane'), [
    'crane pull --format=oci zone/shop/web@sha256:aa web-1.4.2-linux-amd64',
    'crane pull --format=oci zone/shop/web@sha256:bb web-1.4.2-linux-arm64',
  ]);
  assert.ok(
    commands.every(
      ({ client, command }) => client === 'docker' || client === 'podman' || !command.includes('index'),
    ),
  );
});
