import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { adminPassword, startInstance } from '../kit/instance/instance.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { openClientHome } from '../kit/program/client-home.ts';
import { needs } from '../kit/program/peers.ts';

// Cancelling an upload entered the specification after 1.1: at that version the program does not ask for it.
const optional: readonly string[] = [
  'OCI Conformance Test/sha256 blobs/post cancel/blob-post-cancel',
  'OCI Conformance Test/sha512 blobs/post cancel/blob-post-cancel',
];

interface Result {
  readonly name: string;
  readonly status: string;
}

/** The leaves of the report: one line per test, `<indent><name>: <status>`, children below their parent. */
function parseReport(report: string): Result[] {
  const lines = report
    .split('\n')
    .map((line) => /^( *)(OCI Conformance Test.*): (Pass|Skip|Disabled|FAIL|Error|Unknown)$/.exec(line))
    .filter((match) => match !== null)
    .map(([, indent, name, status]) => ({ depth: indent!.length, name: name!, status: status! }));
  return lines.filter(({ depth }, i) => (lines[i + 1]?.depth ?? 0) <= depth);
}

/** Runs the program against an instance of its own, with authentication on; fails on anything but a pass or a skip. */
async function runConformance(
  program: string,
  settings: Readonly<Record<string, string>>,
): Promise<{ readonly passed: readonly string[]; readonly notRun: readonly string[] }> {
  await using folder = await openTempFolder();
  await using instance = await startInstance({ folder: folder.path });
  const home = await openClientHome(folder.path);
  const { exitCode, stdout, stderr } = await home.try(program, [], {
    timeout: 120_000,
    env: {
      OCI_VERSION: '1.1',
      OCI_REGISTRY: instance.host,
      OCI_TLS: 'disabled',
      OCI_USERNAME: 'admin',
      OCI_PASSWORD: adminPassword,
      OCI_RESULTS_DIR: join(folder.path, 'results'),
      ...settings,
    },
  });
  const results = parseReport(stdout);
  const named = (...statuses: string[]) =>
    results.filter(({ status }) => statuses.includes(status)).map(({ name }) => name);
  assert.deepEqual(named('FAIL', 'Error', 'Unknown'), [], stdout);
  assert.equal(exitCode, 0, stderr);
  return { passed: named('Pass'), notRun: named('Skip', 'Disabled') };
}

test('the OCI conformance program finds no failure with authentication on', async (t) => {
  const program = needs(t, 'oci-conformance');
  if (program === undefined) return;
  const { passed, notRun } = await runConformance(program, {});
  assert.deepEqual(notRun, optional);
  assert.ok(passed.length > 500, `only ${passed.length} tests ran`);
});

test('the same program finds no failure in what it asks only of those who ask for it', async (t) => {
  const program = needs(t, 'oci-conformance');
  if (program === undefined) return;
  const { notRun } = await runConformance(program, {
    OCI_API_BLOBS_UPLOAD_CANCEL: 'true',
    OCI_API_BLOBS_DIGEST_HEADER: 'true',
    OCI_API_MANIFESTS_DIGEST_HEADER: 'true',
  });
  assert.deepEqual(notRun, []);
});
