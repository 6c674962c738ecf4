import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { stringify } from 'yaml';
import { exampleRetriever } from '../../server/api/openapi/example-documents.ts';
import { openApi } from '../kit/documented.ts';
import { type ForwardingRelay, openForwardingRelay } from '../kit/forwarding-relay.ts';
import { type Instance, startInstance } from '../kit/instance.ts';
import { needs, onPath } from '../kit/peers.ts';
import { runProgram } from '../kit/run-program.ts';
import { openTempFolder, type TempFolder } from '../kit/temp-folder.ts';

/** Seconds for each identity; without it, the short form: what is documented as an example and a few values beyond. */
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
});
after(async () => {
  for (const item of [relay, instance, folder]) await item?.[Symbol.asyncDispose]();
});

/**
 * Operations that judge more than a schema can say, with the reason. Such a request is valid by its schema and refused
 * with 400, 413 or 422.
 */
const judged: Readonly<Record<string, string>> = {
  changePassword: 'a token has no password',
  getRecipeMapping: 'the parts of a host have a length',
  importArtifact: 'the parts of a host have a length',
  importLayout: 'the layout is a file of the host',
  inspectArtifact: 'the parts of a host have a length',
  packFileset: 'the folder is one of the host',
  planLayoutExport: 'the path is one of the host',
  planLayoutImport: 'the layout is a file of the host',
  publishRecipe: 'the document has a format of its own',
  replaceCertificate: 'the certificate is parsed',
  setSyncInterval: 'an interval has a minimum',
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

const identities = ['admin', 'operator', 'viewer', 'anonymous'] as const;

for (const identity of identities) {
  test(`requests that schemathesis makes up as ${identity} are answered as the document says`, async (t) => {
    const st = needs(t, 'st');
    if (!st) return;
    const cwd = join(folder.path, identity);
    await mkdir(cwd);
    await writeFile(join(cwd, 'schemathesis.toml'), toConfig());
    const header =
      identity === 'anonymous' ? [] : ['-H', `Authorization: Bearer ${await instance.createToken(identity)}`];
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
          : ['--phases', 'examples,fuzzing', '--max-examples', '2', '--no-shrink', '--seed', '1']),
        // it would write to any path of this machine
        ...(identity === 'admin' ? ['--exclude-operation-id', 'exportLayout'] : []),
        ...['--generation-database', 'none', '--request-timeout', '30', '--no-color', '--warnings', 'off'],
      ],
      { cwd, env: { PATH: process.env.PATH ?? '', HOME: cwd }, timeout: (long + 300) * 1000 },
    );
    assert.equal(exitCode, 0, `${stdout}${stderr}`);
    assert.match(stdout, identity === 'admin' ? /Tested: 45/ : /Tested: 46/);
    assert.doesNotMatch(instance.log(), /SVC-SRV-001/);
  });
}
