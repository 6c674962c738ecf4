import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { toRecipeArtifact } from '../../../src/recipe/artifact.ts';
import { parseRecipe } from '../../../src/recipe/document.ts';
import { toRecipeDocument } from '../../kit/content/origin.ts';
import { pushArtifactOverHttp } from '../../kit/content/push-artifact.ts';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';

let folder: TempFolder;
let server: TestServer;

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({ folder: folder.path });
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

const web = { name: 'web', repository: 'web', version: '1', digest: `sha256:${'a'.repeat(64)}` };
const good = toRecipeDocument('registry.example', { name: 'shop', version: '1.0.0', ingredients: [web] });
/** Within all limits, and slow to read: each byte is a token. */
const slow = `${good}x: [${'a,'.repeat(100_000)}]\n`;

/** Asks for one answer, and meanwhile as another caller for others. @returns the callers in the order of their answers */
async function race(ask: () => Promise<unknown>): Promise<readonly string[]> {
  const answered: string[] = [];
  const first = ask().then(() => answered.push('slow'));
  for (let i = 0; i < 5; i += 1) {
    const { status } = await server.fetch('/api/v1/status', { headers: { authorization: server.as.viewer } });
    assert.equal(status, 200);
    answered.push('status');
  }
  await first;
  return answered;
}
const inTime = ['status', 'status', 'status', 'status', 'status', 'slow'];

test('while a pushed recipe is read for a list, others are answered', async () => {
  const { manifest, blobs } = toRecipeArtifact(
    Buffer.from(slow),
    parseRecipe(Buffer.from(good), 'good'),
    '2026-01-01T00:00:00Z',
  );
  await pushArtifactOverHttp(
    { registry: server.url, repository: 'cookbook/shop', authorization: server.as.operator },
    { manifest, blobs },
    '1.0.0',
  );
  assert.deepEqual(await race(() => server.fetch('/api/v1/recipes')), inTime);
});
