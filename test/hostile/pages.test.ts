import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { uiRoutes } from '../../server/ui/routes.ts';
import { isPage } from '../../server/ui/ui-route.ts';
import { toReason } from '../../src/engine/layout/select-entries.ts';
import { openRepository } from '../../src/store/open-repository.ts';
import { recordSync } from '../../src/store/record-sync.ts';
import { svcError, toErrorRecord } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { rule } from '../../src/text/rule.ts';
import { buildImage } from '../kit/content/content.ts';
import { toRecipeRecord } from '../kit/content/recipe-record.ts';
import { startTestServer, type TestServer } from '../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../kit/instance/temp-folder.ts';
import { mediumReport, recipeVerdict, scriptMedia } from '../kit/scene/media-state.ts';
import { plan, plannedRecipe } from '../kit/scene/plan-document.ts';
import { type BrowserSession, openBrowserSession } from '../kit/web/browser-session.ts';
import { parseStrictHtml } from '../kit/web/strict-html.ts';

const digest = `sha256:${'a'.repeat(64)}` as const;
/** In every hostile text, and nowhere else. */
const mark = 'zq7mark';
const markup = `${mark}<img src=x onerror=alert(1)></bdi></textarea><script>alert(1)</script>"' onfocus=x \u202e\u2066\u200f\u001b[31m`;
const long = `${mark}<b>${'L'.repeat(10_000)}`;
const texts = { markup, long } as const;

/** Bytes that a page may have, with any content. */
const most = 4 << 20;

let folder: TempFolder;
let server: TestServer;
let admin: BrowserSession;
let text: string;
let task: string;

/** Everything in the parts of an instance that others choose. */
function hostileError() {
  return toErrorRecord(svcError('SVC-REG-007', { reference: text, detail: text }));
}

before(async () => {
  folder = await openTempFolder();
  text = markup;
  const media = scriptMedia(() => Promise.reject(svcError('SVC-REG-007', { reference: text, detail: text })));
  media.current = {
    guarded: true,
    serving: 'closed',
    mediaId: text,
    report: mediumReport({
      verdict: 'partial',
      zone: { expected: 'zone-b', found: text, match: false },
      blocks: [
        { code: 'SVC-MED-006', params: { expected: 'zone-b', found: text }, waivable: true, waived: false },
      ],
      recipes: [
        recipeVerdict({ name: text, version: text, cookbook: text, repository: text }),
        recipeVerdict({
          name: text,
          pushable: false,
          reason: { code: 'SVC-MED-012', path: text, params: { path: text } },
        }),
      ],
    }),
  };
  media.record = { zone: 'zone-b', root: `/media/${text}`, mediaId: text };
  server = await startTestServer({
    folder: folder.path,
    media,
    run: async (_task, _request, journal) => {
      journal.setItems([
        { name: text, status: 'pending', transferredBytes: 0 },
        { name: `other ${text}`, digest, status: 'pending', transferredBytes: 0 },
      ]);
      journal.line(text);
      await journal.updateItem(text, { status: 'failed', error: hostileError() });
      throw svcError('SVC-REG-007', { reference: text, detail: text });
    },
    packRoots: ['/srv'],
    retriever: () => ({
      mode: 'passthrough',
      source: `https://registry.example/${text}`,
      zone: text,
      destination: text,
      cookbook: text,
      substitutions: [{ host: 'docker.io', base: `zone-a.example/${text}` }],
      relaxedScopes: [{ name: text, repositories: [text], allowUnsigned: true, roots: [text] }],
      anonymousFilesets: [text],
      prune: true,
      lastSync: { zone: text, runId: 'run', resolvedAt: '2026-01-01T00:00:00.000Z', outcome: 'partial' },
    }),
    operations: {
      pinRecipe: () => Promise.reject(svcError('SVC-REG-007', { reference: text, detail: text })),
      diffSides: () => Promise.reject(svcError('SVC-REG-007', { reference: text, detail: text })),
      inspectArtifact: async () => ({
        reference: text,
        repository: text,
        tag: text,
        digest,
        mediaType: text,
        kind: 'ContainerImage',
        multiPlatform: true,
        platforms: [{ name: text, digest, sizeBytes: 1, status: 'new' }],
        signatures: [],
      }),
      planSync: async () => ({
        plan: plan({
          source: text,
          zone: text,
          recipes: [
            plannedRecipe({
              name: text,
              requested: text,
              resolved: text,
              trustScope: text,
              ingredients: [{ ...plannedRecipe().ingredients[0]!, name: text, ref: text, version: text }],
            }),
          ],
          policy: { allowlistDeclared: true, hosts: [{ host: text, role: 'ingredient', allowed: false }] },
          problems: [{ ...hostileError(), subject: text }],
          prune: {
            evaluated: true,
            items: [{ repository: text, tag: text, digest, recipe: text, sizeBytes: 1 }],
            totalBytes: 1,
          },
        } as never),
        exit_code: 4,
      }),
      previewPrune: async () => ({
        items: [{ repository: text, tag: text, digest, recipe: text, sizeBytes: 1 }],
        count: 1,
        totalBytes: 1,
        fingerprint: digest,
      }),
      previewLayoutExport: async () => ({
        format: 'tar',
        references: [text],
        manifests: 1,
        blobs: 1,
        totalBytes: 1,
        largestFileBytes: 1,
        missing: [
          { repository: text, tag: text, digest, ...toReason(rule(['{text}', fr`{text}`], { text })) },
        ],
        blocked: hostileError(),
      }),
      previewLayoutImport: async () => ({
        input: '/srv/in',
        format: 'tar',
        entries: [{ reference: text, digest, status: 'new', error: hostileError() }],
        newBytes: 1,
        fingerprint: digest,
      }),
      submitLayoutExport: () => Promise.reject(svcError('SVC-REG-007', { reference: text, detail: text })),
      submitLayoutImport: () => Promise.reject(svcError('SVC-REG-007', { reference: text, detail: text })),
    },
  });
  admin = openBrowserSession(server);
  await admin.signIn('admin', 'admin password');
  const image = buildImage('m');
  const manifest = JSON.parse(image.manifest.bytes.toString());
  const annotations = { [markup]: markup, [long]: long, 'org.opencontainers.image.title': markup };
  const bytes = Buffer.from(JSON.stringify({ ...manifest, annotations }));
  const { hashBytes } = await import('../../src/base/digest.ts');
  const own = {
    bytes,
    descriptor: { ...image.manifest.descriptor, digest: hashBytes(bytes), size: bytes.length },
  };
  const target = openRepository(server.store, 'm', { owner: { provenance: 'import' } });
  const { pushArtifact } = await import('../kit/content/content.ts');
  await pushArtifact(target, { ...image, manifest: own }, '1');
  await recordSync(server.store, { zone: markup, runId: 'run', resolvedAt: '2026-06-01T00:00:00.000Z' }, [
    toRecipeRecord(markup, '1.0.0', [[`quay.io/x/${mark}`, '2']]),
    toRecipeRecord(long.slice(0, 200), '1.0.0', [['docker.io/library/big', '1']]),
  ]);
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

function requireText(html: string, name: string): void {
  assert.ok(Buffer.byteLength(html) < most, `${name}: ${Buffer.byteLength(html)} bytes`);
  const { elements, beside } = parseStrictHtml(html, name);
  const stray = beside.find((piece) => piece.includes(mark));
  assert.equal(stray?.slice(0, 200), undefined, `${name}: a text of others that does not stand apart`);
  // typed text is in the field again, unchanged
  const shown = html.replace(/<textarea[\s\S]*?<\/textarea>/g, '').replace(/<[^>]+>/g, ' ');
  const turned = /.{0,40}[\u202a-\u202e\u2066-\u2069\u200f\u001b]/.exec(shown)?.[0];
  assert.equal(turned, undefined, `${name}: a mark of direction`);
  for (const { name: element, attributes } of elements) {
    assert.ok(!['img', 'b', 'iframe'].includes(element), `${name}: an element of the data: ${element}`);
    if (element === 'script')
      assert.match(attributes.get('src') ?? '', /^\/static\//, `${name}: a script that is not ours`);
    for (const [key, value] of attributes) {
      assert.doesNotMatch(key, /^on|^style$/, `${name}: ${element} ${key}`);
      if (['href', 'src', 'action', 'formaction', 'hx-get', 'hx-post'].includes(key))
        assert.match(value, /^(?:$|[?#]|\/(?![/\\]))/, `${name}: ${element} leads to ${value}`);
    }
  }
  const title = /<title>([\s\S]*?)<\/title>/.exec(html)?.[1] ?? '';
  const { length } = title.replace(/&[a-z0-9#]+;/g, '.');
  assert.ok(length > 0 && length <= 200, `${name}: a title of ${length} characters`);
}

/** Fills the parameters of a path with existing names, so that the page shows them. */
function fill(path: string): string {
  return path
    .replace('{repo}', 'm')
    .replace('{tag}', '1')
    .replace('{id}', task)
    .replace('/recipes/-/{name}', `/recipes/-/${encodeURIComponent(text.slice(0, 300))}`)
    .replace(/\{[a-z]+\}/g, () => encodeURIComponent(text.slice(0, 200)));
}

/** Faults of all pages, so that one run names them all. */
let faults: string[] = [];

function look(check: () => void): void {
  try {
    check();
  } catch (error) {
    faults.push((error as Error).message);
  }
}

async function runTask(): Promise<void> {
  const made = await server.tasks.submit({ type: 'sync', reference: text, actor: text });
  task = made.id;
  await server.tasks.settled(task);
}

for (const [kind, value] of Object.entries(texts)) {
  test(`names, annotations, log lines and reasons stay text on every page: ${kind}`, async () => {
    text = value;
    await runTask();
    faults = [];
    const query = `?q=${encodeURIComponent(text.slice(0, 200))}`;
    for (const { path } of uiRoutes.filter(isPage))
      for (const search of ['', query, `?next=${encodeURIComponent(text.slice(0, 200))}`]) {
        const answer = await admin.get(`${fill(path)}${search}`);
        const html = await answer.text();
        assert.ok(answer.status < 500, `${path}${search}: ${answer.status}`);
        look(() => requireText(html, `${path}${search === '' ? '' : search.slice(0, 5)}`));
      }
    assert.deepEqual(faults, []);
  });

  test(`what is typed and what comes back of a form stays text: ${kind}`, async () => {
    text = value;
    await runTask();
    faults = [];
    for (const route of uiRoutes) {
      if (route.method !== 'POST' || ['/login', '/logout', '/admin/store/reset'].includes(route.path))
        continue;
      const names = [
        'reference',
        'document',
        'name',
        'input',
        'output',
        'source',
        'interval',
        'certificate',
        'key',
      ];
      for (const fields of [{}, ...names.map((name) => ({ [name]: `/${text}` }))]) {
        const page = fill(route.page);
        const answer = await admin.post(fill(route.path), fields, { page });
        const html = await answer.text();
        assert.ok(
          answer.status < 500 || answer.status === 502,
          `${route.path}: ${answer.status} ${html.slice(0, 300)}`,
        );
        if (answer.status === 303) continue;
        look(() => requireText(html, `POST ${route.path} ${Object.keys(fields)}`));
      }
    }
    assert.deepEqual(faults, []);
  });
}
