import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { stringify } from 'yaml';
import { exampleRetriever } from '../../src/contract/operations/example-documents.ts';
import { buildImage } from '../kit/content/content.ts';
import { pushArtifactOverHttp } from '../kit/content/push-artifact.ts';
import { type Instance, startInstance } from '../kit/instance/instance.ts';
import { openTempFolder, type TempFolder } from '../kit/instance/temp-folder.ts';
import { type ForwardingRelay, openForwardingRelay } from '../kit/program/forwarding-relay.ts';
import { needs, onPath } from '../kit/program/peers.ts';
import { runProgram } from '../kit/program/run-program.ts';
import { openApi } from '../kit/result/documented.ts';

/**
 * Seconds for each identity, in which all phases run: examples, coverage, fuzzing, and sequences along the links of the
 * document. Without it, the short form: the administrator sends every example and every limit of every schema, the others
 * send the examples.
 */
const long = Number(process.env.SVC_API_FUZZ_SECONDS ?? 0);

let folder: TempFolder;
let instance: Instance;
let relay: ForwardingRelay;

before(async () => {
  if (onPath('st') === undefined) return;
  folder = await openTempFolder();
  await mkdir(join(folder.path, 'packed'));
  await writeFile(join(folder.path, 'packed', 'file'), 'content');
  await writeFile(join(folder.path, 'retriever.yaml'), exampleRetriever);
  await writeFile(join(folder.path, 'openapi.yaml'), stringify(openApi));
  instance = await startInstance({
    folder: folder.path,
    config: {
      server: { addr: '127.0.0.1:0', trustedProxies: ['127.0.0.1'] },
      // generated references name hosts of other people
      registries: { allowlist: [] },
      retriever: { source: join(folder.path, 'retriever.yaml') },
      files: { packRoots: [join(folder.path, 'packed')] },
    },
  });
  relay = await openForwardingRelay(instance.url);
  // the content that the examples name
  await pushArtifactOverHttp(
    { registry: instance.url, repository: 'team/app', authorization: instance.authorization },
    buildImage('schemathesis'),
    '1.4.2',
  );
  await instance.api('POST', '/accounts', { name: 'ana', role: 'viewer', password: 'a password of ana' });
});
after(async () => {
  for (const item of [relay, instance, folder]) await item?.[Symbol.asyncDispose]();
});

/**
 * Operations that judge more than a schema can say, with the reason. Such a request is valid by its schema and refused
 * with 400, 413 or 422.
 */
const judged: Readonly<Record<string, string>> = {
  addReceipt: 'a receipt is a signed statement',
  changePassword: 'a token has no password',
  diffRecipes: 'a side is a document or a reference',
  getRecipeMapping: 'the parts of a host have a length',
  importArtifact: 'the parts of a host have a length',
  importLayout: 'the layout is a file of the host',
  inspectArtifact: 'the parts of a host have a length',
  listClients: 'the parts of a host have a length',
  packEvidence: 'a scope is one member of three',
  packFileset: 'the folder is one of the host',
  planMedia: 'a store without recipes has no plan',
  planLayoutExport: 'the path is one of the host',
  planLayoutImport: 'the layout is a file of the host',
  pinRecipe: 'the document has a format of its own',
  proveMedium: 'the trust roots are parsed',
  publishRecipe: 'the document has a format of its own',
  replaceCertificate: 'the certificate is parsed',
  setRateLimit: 'a rate has a form and a minimum',
  setSyncInterval: 'an interval has a minimum',
  setWindows: 'windows have a form and do not overlap',
};

function toConfig(): string {
  const relaxed = Object.keys(judged).map(
    (id) => `[[operations]]
include-operation-id = "${id}"
checks.positive_data_acceptance.expected-statuses = ["2xx", "3xx", "400", "401", "403", "404", "409", "413", "422", "429", "5xx"]
`,
  );
  return relaxed.join('\n');
}

/** Operations that are tested for each identity: all, or those with examples. */
const tested = { admin: 45, operator: 35, viewer: 35, anonymous: 35 } as const;
const identities = Object.keys(tested) as readonly (keyof typeof tested)[];

async function run(st: string, identity: keyof typeof tested): Promise<void> {
  const cwd = join(folder.path, identity);
  await mkdir(cwd);
  await writeFile(join(cwd, 'schemathesis.toml'), toConfig());
  const header =
    identity === 'anonymous' ? [] : ['-H', `Authorization: Bearer ${await instance.createToken(identity)}`];
  const phases = identity === 'admin' ? 'examples,coverage' : 'examples';
  const { exitCode, stdout, stderr } = await runProgram(
    st,
    [
      'run',
      join(folder.path, 'openapi.yaml'),
      ...['--url', relay.url],
      ...header,
      ...['--checks', 'all'],
      ...(long > 0
        ? ['--max-time', String(long), '--continue-on-failure']
        : // more workers than one, and the parser of Python 3.11 confuses their depths (python/cpython#106905)
          ['--phases', phases, '--workers', '1', '--no-shrink', '--seed', '1']),
      // they would write to any path of this machine
      ...(identity === 'admin' ? ['--exclude-operation-id-regex', '^(exportLayout|writeMedia)$'] : []),
      ...['--generation-database', 'none', '--request-timeout', '30', '--no-color', '--warnings', 'off'],
    ],
    { cwd, env: { PATH: process.env.PATH ?? '', HOME: cwd }, timeout: (long + 300) * 1000 },
  );
  assert.equal(exitCode, 0, `${stdout}${stderr}`);
  const count = Number(/Tested: (\d+)/.exec(stdout)?.[1]);
  assert.ok(count >= tested[identity], stdout);
}

// in the long form, one test changes content that another reads
test('requests that schemathesis makes up are answered as the document says', {
  concurrency: long === 0,
}, async (t) => {
  const st = needs(t, 'st');
  if (!st) return;
  await Promise.all(identities.map((identity) => t.test(`as ${identity}`, () => run(st, identity))));
  assert.doesNotMatch(instance.log(), /SVC-SRV-001/);
});
