import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { toSubject, toZoneFile, writeReceipt } from '../../src/attest/receipt.ts';
import type { TaskItem } from '../../src/contract/task.ts';
import { planZoneBoard } from '../../src/engine/zone/zone-board.ts';
import { toSigner } from '../../src/signing/signer.ts';
import { openRepository } from '../../src/store/open-repository.ts';
import { recordSync } from '../../src/store/record-sync.ts';
import { svcError, toErrorRecord } from '../../src/text/error.ts';
import { buildImage, pushArtifact } from '../kit/content/content.ts';
import { toFilesetImage, toLayer } from '../kit/content/fileset-image.ts';
import { putFileset } from '../kit/content/put-fileset.ts';
import { toReceipt } from '../kit/content/receipt.ts';
import { toRecipeRecord } from '../kit/content/recipe-record.ts';
import { createSigner } from '../kit/content/signer.ts';
import { toArchive } from '../kit/content/tar-archive.ts';
import { startTestServer, type TestServer } from '../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../kit/instance/temp-folder.ts';
import { openBrowser, openPage } from '../kit/web/browser.ts';

// SVC_SCREENSHOTS=<folder> keeps pictures for review.
const pictures = process.env.SVC_SCREENSHOTS;
const longest = 'observability-platform-for-industrial-sites-with-very-long-names'.slice(0, 64);
const unbroken = 'x'.repeat(60);
const names = [
  '容器镜像服务网关控制平面组件',
  'خدمة-بوابة-الحاويات-للمواقع-الصناعية',
  longest,
  unbroken,
] as const;
const password = 'a good password';
const now = Date.parse('2026-03-05T12:00:00.000Z');

let folder: TempFolder;
let server: TestServer;
let task: string;
let browser: Browser | undefined;

/** Receipts of zones with such names, in both kinds of evidence. */
async function putReceipts(keys: readonly { name: string; signer: ReturnType<typeof createSigner> }[]) {
  for (const [i, { name: zone, signer }] of keys.entries()) {
    const receipt = toReceipt({
      zone,
      sequence: 900_000 + i,
      evidence: i % 2 === 0 ? 'head' : 'deep',
      recipes: 3,
    });
    const text = writeReceipt(receipt, [toSubject(toZoneFile(zone))], toSigner(signer.privateKey));
    const answer = await server.fetch('/api/v1/receipts', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ receipt: text.toString() }),
    });
    assert.equal(answer.status, 200, await answer.text());
  }
}

before(async () => {
  folder = await openTempFolder();
  const { path } = folder;
  const keys = names.map((name, i) => ({ name, signer: createSigner(), keyFile: join(path, `${i}.pub`) }));
  for (const { keyFile, signer } of keys) await writeFile(keyFile, signer.publicKeyPem);
  const items = names.flatMap((name, i): TaskItem[] => [
    { name: `${name}@1.${i}.0/${name}`, status: 'done', sizeBytes: 10 ** (3 * i), transferredBytes: 0 },
    {
      name: `${name}@2.${i}.0`,
      status: 'failed',
      transferredBytes: 0,
      error: toErrorRecord(svcError('SVC-REG-003', { host: `${longest}.${unbroken}.example` })),
    },
  ]);
  server = await startTestServer({
    folder: path,
    peers: keys.map(({ name, keyFile }) => ({ name, keyFile, for: ['receipt'] })),
    zones: names.map((name) => ({ name, retriever: `/etc/${name}.yaml`, maxAge: 1 })),
    operations: {
      readZoneBoards: async (_context, { zones }) =>
        zones.map(({ name, maxAge }) =>
          planZoneBoard({
            name,
            wanted: { resolvedAt: new Date(now).toISOString(), recipes: [{ name, requested: '^1' }] },
            receipt: toReceipt({ zone: name, sequence: 900_000, recipes: 3 }),
            via: longest,
            deliveries: [],
            maxAge,
            now,
          }),
        ),
    },
    run: async (_task, _request, journal) => {
      journal.setItems(items);
      await journal.settleItems(items);
    },
  });
  const { accounts, store, tasks } = server;
  await accounts.create({ name: longest, role: 'admin', password });
  await accounts.create({ name: unbroken, role: 'operator', password });
  for (const name of [longest, unbroken]) await accounts.tokens.create({ name, role: 'operator' });
  await accounts.tokens.revoke(unbroken);
  const image = buildImage('component');
  await pushArtifact(
    openRepository(store, `registry.example/${longest}`, { owner: { provenance: 'import' } }),
    image,
    '1.0.0',
  );
  const files = toFilesetImage([toLayer(toArchive({ text: 'text' }))]);
  for (const name of [`${longest}/${longest}/${longest}`, unbroken])
    for (let i = 0; i < 12; i += 1) await putFileset(store, name, files, `2026.11.${i}-rc.1-with-more`);
  const record = toRecipeRecord('platform', '1.0.0', [
    ...names.map(() => [`registry.example/${longest}`, '1.0.0'] as const),
    ...Array.from({ length: 8 }, (_, i) => [`registry.example/${unbroken}/${unbroken}/${i}`, '1'] as const),
  ]);
  const ingredients = record.ingredients.map((each, i) => ({
    ...each,
    name: names[i] ?? each.name,
    ...(i < names.length ? { digest: image.manifest.descriptor.digest } : {}),
  }));
  await recordSync(store, { zone: 'zone', runId: 'run', resolvedAt: '2026-01-01T00:00:00.000Z' }, [
    { ...record, ingredients },
  ]);
  await putReceipts(keys);
  const { id } = await tasks.submit({
    type: 'sync',
    reference: `https://${longest}.example/${unbroken}.yaml`,
    actor: longest,
  });
  await tasks.settled(id);
  task = id;
});
after(async () => {
  await browser?.close();
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

const themes = [
  { theme: 'light', scheme: 'light' },
  { theme: 'dark', scheme: 'dark' },
  { theme: 'contrast', scheme: 'light' },
] as const;

test('tables with Chinese, Arabic and the longest names have no fault in any theme and width', async (context) => {
  browser ??= await openBrowser(context);
  if (browser === undefined) return;
  const page = await browser.newContext({ reducedMotion: 'reduce' });
  const opened = await openPage(page, `${server.url}/login`);
  await opened.page.fill('#field-name', longest);
  await opened.page.fill('#field-password', password);
  await Promise.all([opened.page.waitForURL(`${server.url}/`), opened.page.keyboard.press('Enter')]);
  for (const [name, path] of [
    ['accounts', '/admin/accounts?sort=login&tokens-sort=state'],
    ['receipts', '/receipts?sort=recipes'],
    ['receipt', `/receipts/${encodeURIComponent(unbroken)}`],
    ['zones', '/zones?sort=receipt'],
    ['filesets', '/filesets?sort=versions'],
    ['task', `/tasks/${task}?sort=bytes`],
    ['recipe', '/recipes/-/platform?sort=reference'],
    ['mapping', '/recipes/-/platform/mapping?sort=nominal'],
  ] as const)
    for (const width of [390, 1280, 2560]) {
      await opened.load(`${server.url}${path}`, { look: { ...themes[0], width } });
      for (const [place, look] of themes.entries()) {
        await opened.restyle({ ...look, width });
        const what = `${name} ${width} ${look.theme}`;
        const { overflow, shift, ...lists } = await opened.faults(place === 0 ? undefined : 'colours');
        assert.deepEqual(lists, { console: [], axe: [], small: [], tiny: [], foreign: [] }, what);
        assert.ok(overflow <= 0, `${what}: ${overflow} px wider than the window`);
        assert.equal(shift, 0, `${what}: a layout shift`);
        // a table that scrolls inside hides its last columns
        const hidden = await opened.page
          .locator('.table-scroll')
          .evaluateAll((tables) =>
            (tables as unknown as { scrollWidth: number; clientWidth: number }[]).map(
              ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
            ),
          );
        assert.ok(
          hidden.every((pixels) => pixels <= 0),
          `${what}: ${hidden.join(', ')} px of a table are hidden`,
        );
        if (pictures === undefined) continue;
        mkdirSync(pictures, { recursive: true });
        const file = join(pictures, `${what.replaceAll(' ', '-')}.png`);
        await opened.page.screenshot({ path: file, fullPage: true });
      }
    }
});
