import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { exampleRetriever } from '../../../src/contract/operations/example-documents.ts';
import { buildImage } from '../../kit/content/content.ts';
import { writeOciLayout } from '../../kit/content/oci-layout.ts';
import { publishRecipe, toOrigin } from '../../kit/content/origin.ts';
import { createSampleImage } from '../../kit/content/sample-image.ts';
import { eventually } from '../../kit/instance/eventually.ts';
import type { Instance } from '../../kit/instance/instance.ts';
import { listUnfinished, runTask } from '../../kit/instance/settle-task.ts';
import { openApi, requireDocumented } from '../../kit/result/documented.ts';
import type { RegistryDouble } from '../../kit/result/registry-double.ts';
import { openRehearsal, type Rehearsal } from '../../kit/scene/rehearsal.ts';

/** Examples that are refused, with the code: their values exist only on an instance. */
const refused: Readonly<Record<string, string>> = {
  // every request of these names a FileSet, and the instance has none of this name
  getFilesetFile: 'SVC-SRV-002',
  listFilesetFiles: 'SVC-SRV-002',
  'deleteContent previewed': 'SVC-STO-015',
  'resetRateLimit shown': 'SVC-SRV-007',
  'resetSyncInterval shown': 'SVC-SRV-007',
  'resetWindows shown': 'SVC-SRV-007',
  'deleteAccount shown': 'SVC-SRV-007',
  'revokeToken shown': 'SVC-SRV-007',
  'planMedia ?folder': 'SVC-FIL-005',
  'packEvidence delivery': 'SVC-CUS-002',
  'packEvidence recipe': 'SVC-CUS-002',
  // no disk has arrived, and none was written
  getKnownDelivery: 'SVC-REG-005',
  'forgetDelivery forget': 'SVC-REG-005',
  'forgetDelivery shown': 'SVC-REG-005',
  // the signed statement of a zone
  'addReceipt receipt': 'SVC-RCP-001',
  // the instance trusts no key
  'proveMedium disk': 'SVC-CFG-001',
  'proveMedium begin': 'SVC-CFG-001',
  'proveMedium parts': 'SVC-CFG-001',
  // a listener without TLS has no certificate
  'replaceCertificate pair': 'SVC-CFG-001',
};

/** Operations that others prepare come first, those that take away last. */
const first = [
  'startSync',
  'createAccount',
  'createToken',
  'planLayoutExport',
  'exportLayout',
  'importLayout',
];
const last = ['deleteContent', 'deleteAccount', 'revokeToken', 'verifyMedium', 'importMedium', 'resetStore'];

interface Documented {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly entry: any;
}

const order = ({ id }: Documented): number =>
  first.includes(id) ? first.indexOf(id) - first.length : last.indexOf(id) + 1;
const operations: readonly Documented[] = Object.entries<any>(openApi.paths)
  .flatMap(([path, item]) =>
    Object.entries<any>(item).map(([method, entry]) => ({
      id: entry.operationId as string,
      method: method.toUpperCase(),
      path,
      entry,
    })),
  )
  .sort((a, b) => order(a) - order(b));

let world: Rehearsal;
let instance: Instance;
let double: RegistryDouble;
/** A task that waits for a registry that is silent. */
let running = '';
let unsilence = (): void => {};

before(async () => {
  world = await openRehearsal();
  double = await world.double();
  const destination = await world.double();
  // the examples name this registry; it is reached through a substitution
  const origin = toOrigin(double);
  const image = buildImage('documented');
  await origin.put('registry.example/library/app', image, '1.4.2');
  await publishRecipe(
    {
      ...origin,
      host: 'registry.example',
      put: (at, ...rest) => origin.put(`registry.example/${at}`, ...rest),
    },
    {
      name: 'platform',
      version: '1.0.0',
      ingredients: [
        {
          name: 'app',
          repository: 'library/app',
          version: '1.4.2',
          digest: image.manifest.descriptor.digest,
        },
      ],
    },
  );
  await writeFile(world.path('retriever.yaml'), exampleRetriever);
  for (const folder of ['srv/transfer', 'srv/usb', 'srv/packages/debian', 'layout'])
    await mkdir(world.path(folder), { recursive: true });
  await writeFile(world.path('srv/packages/debian/Release'), 'Suite: stable\n');
  await writeOciLayout(
    world.path('layout'),
    '1.4.2',
    createSampleImage({ seed: 'documented', platforms: ['linux/amd64'] }),
  );
  instance = await world.start('instance', {
    zone: 'zone-b',
    server: { addr: '127.0.0.1:0', publicURL: 'https://registry.example' },
    retriever: { source: world.path('retriever.yaml') },
    zones: [{ name: 'zone-b', retriever: world.path('retriever.yaml') }],
    registries: {
      insecure: [double.host, destination.host],
      substitutions: { 'registry.example': double.host },
    },
    destination: { registry: destination.host },
    trust: { scopes: [{ name: 'examples', repositories: ['registry.example/**'], allowUnsigned: true }] },
    files: { packRoots: [world.path('srv/packages')] },
  });
  await instance.api('POST', '/tokens', { name: 'ana', role: 'viewer' });
});
after(() => world[Symbol.asyncDispose]());

/** Puts unit-imported content where the examples name some. */
async function importApp(): Promise<void> {
  if ((await instance.api('GET', '/content/team/app')).status === 200) return;
  const body = { input: world.path('layout'), repository: 'team/app:1.4.2' };
  const task = await runTask(instance, '/oci-layout/import', body);
  assert.equal(task.status, 'done', JSON.stringify(task));
}

const untilIdle = (): Promise<unknown> =>
  eventually('the end of all work', async () => {
    const { body } = await instance.api('GET', '/media/verification');
    return body.running === undefined && (await listUnfinished(instance)).length === 0;
  });

const ana = { name: 'ana', role: 'operator', password: 'a password of today' };
async function createAna(): Promise<void> {
  await instance.api('DELETE', '/accounts/ana');
  assert.equal((await instance.api('POST', '/accounts', ana)).status, 201);
}

/** The state before each example of an operation. */
const prepare: Readonly<Record<string, () => Promise<unknown>>> = {
  createAccount: () => instance.api('DELETE', '/accounts/ana'),
  updateAccount: createAna,
  deleteAccount: createAna,
  changePassword: createAna,
  exportLayout: importApp,
  deleteContent: importApp,
  planLayoutExport: importApp,
  previewContentDeletion: importApp,
  getRepository: importApp,
  getVersion: importApp,
  getRecipeMapping: untilIdle,
  listClients: untilIdle,
  getClientConfig: untilIdle,
  importLayout: untilIdle,
  planLayoutImport: untilIdle,
  resetStore: untilIdle,
  importMedium: untilIdle,
  forgetDelivery: untilIdle,
  verifyMedium: untilIdle,
  cancelTask: async () => {
    unsilence = double.intercept(({ path }) => path.includes('/library/app/'));
    const example =
      openApi.paths['/api/v1/import'].post.requestBody.content['application/json'].examples.image;
    running = (await instance.api('POST', '/import', example.value)).body.task.id;
  },
};

interface Sent {
  readonly name: string;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Every request that the examples of an operation make: each optional parameter alone, and each body. */
function* toRequests({ id, entry }: Documented): Generator<Sent> {
  const parameters = (entry.parameters ?? []).filter((one: any) => one.in !== 'path');
  const required = Object.fromEntries(
    parameters.filter((one: any) => one.required).map((one: any) => [one.name, one.example]),
  );
  const bodies = Object.entries<any>(entry.requestBody?.content['application/json'].examples ?? {});
  for (const [title, { value }] of bodies) yield { name: `${id} ${title}`, query: required, body: value };
  if (bodies.length === 0) yield { name: id, query: required };
  for (const { name, in: place, required: isRequired, example } of parameters) {
    if (isRequired) continue;
    const body = bodies[0]?.[1].value;
    if (place === 'query') yield { name: `${id} ?${name}`, query: { ...required, [name]: example }, body };
    else yield { name: `${id} ${name}`, query: required, header: { [name]: example }, body };
  }
}

function toTarget({ path, entry }: Documented, { query = {} }: Sent): string {
  const examples = Object.fromEntries((entry.parameters ?? []).map((one: any) => [one.name, one.example]));
  const filled = path.replaceAll(/\{([a-z]+)\}/g, (_, name) => (name === 'id' ? running : examples[name]));
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  );
  return pairs.length === 0 ? filled : `${filled}?${new URLSearchParams(pairs)}`;
}

test('every example of the document is answered as the document says', async () => {
  const used = new Set<string>();
  let sent = 0;
  for (const operation of operations) {
    const { id, method, entry } = operation;
    for (const request of toRequests(operation)) {
      await prepare[id]?.();
      const target = toTarget(operation, request);
      const authorization =
        id === 'changePassword'
          ? `Basic ${Buffer.from(`ana:${ana.password}`).toString('base64')}`
          : instance.authorization;
      const response = await fetch(`${instance.url}${target}`, {
        method,
        headers: {
          authorization,
          ...request.header,
          ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        // paths of the examples stand below the folder of the test
        ...(request.body === undefined
          ? {}
          : { body: JSON.stringify(request.body).replaceAll('"/srv/', `"${world.folder}/srv/`) }),
      });
      unsilence();
      await requireDocumented(method, target, response);
      const text = await response.text();
      const key = refused[request.name] === undefined ? id : request.name;
      const code = refused[key];
      if (code === undefined) {
        const success = Number(Object.keys(entry.responses).find((one) => one < '300'));
        assert.equal(response.status, success, `${request.name}: ${text}`);
      } else {
        used.add(key);
        assert.equal(/"code":"([^"]+)"/.exec(text)?.[1], code, `${request.name}: ${text}`);
      }
      if (id === 'startSync' || id === 'importArtifact') running = JSON.parse(text).task.id;
      sent += 1;
    }
  }
  assert.deepEqual([...used].sort(), Object.keys(refused).sort(), 'every refusal of the table was seen');
  assert.ok(sent > 80, `${sent} examples`);
});
