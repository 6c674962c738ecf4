import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import type { Operations } from '../../../../server/operations.ts';
import { hashBytes } from '../../../../src/base/digest.ts';
import type { SentDelivery } from '../../../../src/contract/write-medium.ts';
import { planZoneBoard, type Wanted } from '../../../../src/engine/zone/zone-board.ts';
import { svcError } from '../../../../src/text/error.ts';
import { toReceipt } from '../../../kit/content/receipt.ts';
import { eventually } from '../../../kit/instance/eventually.ts';
import { startTestServer, type TestServer } from '../../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../../kit/instance/temp-folder.ts';
import { showcaseZoneSettings, showcaseZones } from '../../../kit/showcase/zones.ts';
import { type BrowserSession, signInAs } from '../../../kit/web/browser-session.ts';
import { toPageText } from '../../../kit/web/page-text.ts';
import { parseStrictHtml } from '../../../kit/web/strict-html.ts';

const day = 24 * 60 * 60 * 1000;
const many = Array.from({ length: 1000 }, (_, i) => ({
  name: `zone-${i}`,
  retriever: `/etc/svc/zone-${i}.yaml`,
  maxAge: 30 * day,
}));
const recipes = Array.from({ length: 450 }, (_, i) => ({
  name: `recipe-${i}`,
  requested: '^2.0.0',
  version: '2.0.0',
  digest: hashBytes(`recipe ${i}`),
}));

let folder: TempFolder;
let server: TestServer;
let viewer: BrowserSession;
let read: Operations['readZoneBoards'];

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({
    folder: folder.path,
    zones: [...showcaseZoneSettings, ...many],
    operations: { readZoneBoards: (...parts) => read(...parts) },
  });
  viewer = await signInAs(server, 'viewer', 'vera');
});
beforeEach(() => {
  read = async (_context, { zones, now }) =>
    zones.map(
      ({ name, maxAge }) =>
        showcaseZones.find((board) => board.name === name) ??
        planZoneBoard({
          name,
          wanted: { resolvedAt: new Date(now).toISOString(), recipes },
          deliveries: [],
          maxAge,
          now,
        }),
    );
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

async function show(path: string, { language = 'en', status = 200 } = {}): Promise<string> {
  const response = await viewer.get(path, { 'accept-language': language });
  const markup = await response.text();
  assert.equal(response.status, status, markup);
  parseStrictHtml(markup, path);
  assert.ok(brotliCompressSync(markup).length < 60 << 10);
  assert.ok((markup.match(/<tr>/g) ?? []).length <= 201);
  return toPageText(markup);
}

test('zones are listed with the age of what is known and everything that is wrong, in both languages', async () => {
  const text = await show('/zones');
  for (const part of [
    /Incomplete\s+1 of 25 zones on this page lacks recipes, 1 is overdue, 23 cannot be judged\s+Open zone-c/,
    /zone-c\s+1 blocked: agent\s+1 missing: manuals\s+1 with another version: shop\s+1 in transit\s+portal without a known version\s+1 current/,
    /41, \d+ \w+ ago\s+through zone-c\s+overdue/,
    /12, \d+ \w+ ago\s+two receipts of one number SVC-RCP-003/,
    /unreadable SVC-STO-001/,
    /not resolved SVC-NET-001/,
    /dlv_3f9c01ab77de, 2 disks, \d+ \w+ ago/,
  ])
    assert.match(text, part);
  const french = await show('/zones', { language: 'fr' });
  assert.match(french, /deux reçus d’un même numéro/);
  assert.match(french, /en retard/);
  assert.match(french, /à 1 zone sur 25 de cette page, 1 est en retard, l’état de 23 n’est pas connu/);
  assert.match(await show('/'), /Zones/);
});

test('a zone whose receipt is overdue is not said to have its recipes', async () => {
  const [recipe] = recipes;
  const issuedAt = new Date(Date.now() - 33 * day).toISOString();
  read = async (_context, { now }) => [
    planZoneBoard({
      name: 'zone-d',
      wanted: { resolvedAt: new Date(now).toISOString(), recipes: [recipe!] },
      receipt: toReceipt({
        zone: 'zone-d',
        issuedAt,
        recipes: [{ name: recipe!.name, version: recipe!.version, digest: recipe!.digest, state: 'present' }],
      }),
      deliveries: [],
      maxAge: 30 * day,
      now,
    }),
  ];
  assert.match(await show('/zones?q=zone-d'), /Overdue 1 of 1 zone is overdue Open zone-d/);
  assert.match(
    await show('/zones/zone-d'),
    /Overdue The last receipt of zone-d, of \d+ \w+ \d{4}, is too old to rely on Ask zone-d, or add its receipt\./,
  );
});

test('a Retriever that is being read is no failure, and its pages wait a second at most and follow it', async () => {
  const reading = { resolvedAt: new Date().toISOString(), recipes: [], code: 'SVC-SRV-006', reading: true };
  let patience: number | undefined;
  const known = toReceipt({
    zone: 'zone-c',
    issuedAt: new Date().toISOString(),
    recipes: [{ ...recipes[0]!, state: 'present' }],
  });
  read = async (_context, { zones, now, ...waits }) => {
    ({ patience } = waits);
    return zones.map(({ name, maxAge }) => {
      const receipt = name === 'zone-c' ? known : undefined;
      return planZoneBoard({ name, wanted: reading, receipt, deliveries: [], maxAge, now });
    });
  };
  const follows = async (path: string): Promise<number> => {
    const markup = await (await viewer.get(path)).text();
    return (markup.match(/hx-trigger="every 3s"/g) ?? []).length;
  };
  const failure = /cannot be read|cannot be judged|not resolved|SVC-SRV-006/;
  const list = await show('/zones?q=zone-c');
  assert.match(list, /Being read The Retriever of 1 of 1 zone is being read: this page updates by itself/);
  assert.match(list, /The Retriever of zone-c is being read\./);
  assert.doesNotMatch(list, failure);
  assert.ok(patience !== undefined && patience <= 1000, String(patience));
  assert.equal(await follows('/zones?q=zone-c'), 2);
  const one = await show('/zones/zone-c');
  assert.match(one, /Being read The Retriever of zone-c is being read/);
  assert.doesNotMatch(one, failure);
  assert.equal(await follows('/zones/zone-c'), 3);
  const french = await show('/zones?q=zone-c', { language: 'fr' });
  assert.match(french, /Lecture en cours .* en cours de lecture : la page se met à jour d’elle-même/);
  const first = planZoneBoard({
    name: 'zone-c',
    wanted: { resolvedAt: '2026-11-22T08:00:00Z', recipes: [recipes[0]!], reading: true },
    receipt: known,
    deliveries: [],
    maxAge: 30 * day,
    now: Date.now(),
  });
  read = async () => [first];
  const again = await show('/zones?q=zone-c');
  assert.match(again, /Complete 1 zone has every recipe .* ago being read/);
  assert.equal(await follows('/zones?q=zone-c'), 2);
});

test('the overview says that Retrievers are being read, counts no zone for it, and follows them', async () => {
  await using own = await openTempFolder();
  let reading = { code: 'SVC-SRV-006', reading: true } as Partial<Wanted>;
  await using fresh = await startTestServer({
    folder: own.path,
    zones: many.slice(0, 3),
    operations: {
      readZoneBoards: async (_context, { zones, now }) =>
        zones.map(({ name, maxAge }) => {
          const wanted = { resolvedAt: new Date(now).toISOString(), recipes: [], ...reading };
          return planZoneBoard({ name, wanted, deliveries: [], maxAge, now });
        }),
    },
  });
  const session = await signInAs(fresh, 'viewer', 'vera');
  const overview = async () => (await session.get('/')).text();
  const markup = await overview();
  assert.match(toPageText(markup), /To carry to zone-0 The Retriever of zone-0 is being read/);
  assert.doesNotMatch(toPageText(markup), /cannot be read/);
  assert.match(markup, /hx-trigger="every 3s"/);
  reading = { code: 'SVC-NET-001' };
  const failed = await eventually(
    'the overview follows',
    async () => {
      const now = await overview();
      return /cannot be read/.test(now) && now;
    },
    8,
  );
  assert.match(failed, /hx-trigger="every 15s"/);
});

test('a page has at most two hundred zones, and at most two hundred recipes', async () => {
  assert.match(await show('/zones?pageSize=200&page=3'), /401.600 of 1,005/);
  assert.match(await show('/zones?q=zone-99'), /zone-999/);
  assert.match(await show('/zones/zone-7?pageSize=200&page=3'), /401.450 of 450/);
});

test('a zone shows each recipe, the most urgent first, with its reason', async () => {
  const text = await show('/zones/zone-c');
  assert.match(
    text,
    /Incomplete zone-c lacks 3 recipes: agent blocked, manuals missing, shop in another version/,
  );
  const states = ['agent', 'manuals', 'shop', 'portal', 'base'].map((name) =>
    text.indexOf(name, text.indexOf('Recipe State')),
  );
  assert.deepEqual(
    states,
    states.toSorted((a, b) => a - b),
  );
  assert.match(
    text,
    /agent blocked SVC-SIG-001 The zone accepts no signature of it\. Carrying it again helps only once/,
  );
  assert.match(text, /manuals missing 3 files, 7 MiB missing/);
  assert.match(await show('/zones/zone-f'), /Two machines sign as this zone/);
  assert.match(await show('/zones/zone-cc', { status: 404 }), /SVC-REG-005/);
});

test('the recipes of a zone are filtered by name and state, ordered, and shown in chosen columns', async () => {
  const rowsOf = async (query: string): Promise<readonly string[]> => {
    const markup = await (await viewer.get(`/zones/zone-c${query}`)).text();
    return [...markup.matchAll(/<th scope="row"[^>]*>(?:<[^>]*>)*([\w-]+)/g)].map(([, name]) => name!);
  };
  const all = await rowsOf('');
  assert.deepEqual(all.slice(0, 3), ['agent', 'manuals', 'shop']);
  assert.deepEqual(await rowsOf('?sort=name'), all.toSorted());
  assert.deepEqual(await rowsOf('?sort=name&order=desc'), all.toSorted().toReversed());
  assert.deepEqual((await rowsOf('?order=desc')).at(-1), 'agent');
  assert.equal((await rowsOf('?sort=since')).length, all.length);
  assert.deepEqual(await rowsOf('?state=missing'), ['manuals']);
  assert.deepEqual(await rowsOf('?q=SHO'), ['shop']);
  assert.match(await show('/zones/zone-c?state=missing&q=agent'), /Nothing matches .*agent.*missing/);
  assert.match(await show('/zones/zone-c?state=lost', { status: 422 }), /SVC-VAL-001/);
  viewer.cookies.set('svc_columns', 'zone.present');
  const narrow = await show('/zones/zone-c');
  viewer.cookies.delete('svc_columns');
  assert.match(narrow, /1 hidden/);
  assert.match(narrow, /Recipe State Wanted As of/);
  assert.match(await show('/zones/zone-c'), /Recipe State Wanted In the zone As of/);
});

test('the first step for a zone whose receipts contradict each other is another receipt', async () => {
  const operator = await signInAs(server, 'operator', 'otto');
  const primary = async (zone: string): Promise<string | undefined> =>
    /button-primary" href="([^"]*)"/.exec(await (await operator.get(`/zones/${zone}`)).text())?.[1];
  assert.equal(await primary('zone-f'), '/receipts');
  assert.equal(await primary('zone-c'), '/deliver?zone=zone-c&amp;wanted=true');
});

test('a failure stands in the place of the zones', async () => {
  read = async () => {
    throw svcError('SVC-SRV-006', {});
  };
  assert.match(await show('/zones'), /The instance cannot handle this request now/);
});

test('the overview leads an operator to the plan of each zone, a viewer to its recipes, and names eight of them', async () => {
  const operator = await signInAs(server, 'operator', 'olga');
  for (const [visitor, path] of [
    [operator, '/deliver?zone=zone-c&amp;wanted=true'],
    [viewer, '/zones/zone-c'],
  ] as const) {
    const markup = await (await visitor.get('/')).text();
    assert.ok(markup.includes(`<a href="${path}">`), path);
    const rest = showcaseZoneSettings.length + many.length - 8;
    assert.doesNotMatch(toPageText(markup), /(zone-\w+) \1 has sent/);
    assert.match(
      toPageText(markup),
      new RegExp(
        `To carry to zone-c 2 recipes[^z]*, 1 in transit, 1 blocked zone-e The Retriever of zone-e cannot be read.* zone-d The last receipt of zone-d, of .* is too old to rely on.* and ${rest} more zones`,
      ),
    );
  }
});

test('zones are filtered by the state of their recipes, in the page and in the API, and no verdict is passed on a selection', async () => {
  const states = async (state: string): Promise<readonly string[]> => {
    const answer = await viewer.get(`/api/v1/zones?state=${state}&pageSize=200&q=zone`);
    const { zones, total } = (await answer.json()) as { zones: readonly { name: string }[]; total: number };
    assert.ok(zones.length === total || total > 200, state);
    return zones.map(({ name }) => name).filter((name) => /^zone-[a-z]$/.test(name));
  };
  const having = (isIn: (board: (typeof showcaseZones)[number]) => boolean) =>
    showcaseZones.filter(isIn).map(({ name }) => name);
  assert.deepEqual(
    await states('blocked'),
    having(({ totals }) => totals.blocked > 0),
  );
  assert.deepEqual(
    await states('missing'),
    having(({ totals }) => totals.missing > 0),
  );
  assert.deepEqual(
    await states('unknown'),
    having(({ totals, recipes }) => totals.unknown > 0 || recipes.length === 0),
  );
  assert.deepEqual(
    await states('current'),
    having(({ totals, recipes }) => recipes.length > 0 && totals.current === recipes.length),
  );
  const text = await show('/zones?state=blocked');
  assert.match(text, /1–1 of 1\b/);
  assert.match(text, /zone-c/);
  assert.doesNotMatch(text, /zone-b/);
  const none = await show('/zones?state=current&q=zone-c');
  assert.match(none, /Nothing matches zone-c · State: all current/);
  assert.doesNotMatch(`${text} ${none}`, /Incomplete|every recipe/);
});

test('what keeps a zone from being judged or delivered to stands on its page and in the list, with its remedy', async () => {
  await using own = await openTempFolder();
  const [base, shop] = recipes.map((one, i) => ({ ...one, name: ['base', 'shop'][i] ?? one.name }));
  const now = Date.now();
  const at = (days: number): string => new Date(now - days * day).toISOString();
  const wanted: Wanted = { resolvedAt: at(0), recipes: [base!, shop!] };
  const error = svcError('SVC-REG-005', { reference: 'registry.example/portal:^9' });
  const sent: SentDelivery = {
    ...{ id: 'dlv_00000000000a', zone: 'zone-k', sequence: 1, startedAt: at(6), parts: 1 },
    recipes: [base!.digest],
    written: [{ part: 1, manifest: hashBytes('disk') }],
  };
  const unproved = { ...sent, id: 'dlv_00000000000b', written: [{ ...sent.written[0]!, unproved: true }] };
  const cut = { ...sent, id: 'dlv_00000000000c', written: [] };
  const known = toReceipt({
    zone: 'zone-b',
    issuedAt: at(1),
    recipes: [{ ...base!, state: 'blocked', code: 'SVC-SIG-001' }],
  });
  const common = { wanted, deliveries: [], maxAge: 2 * day, now };
  const signed = [
    { ...base!, signature: 'verified', keyFingerprint: '1751'.repeat(16) },
    { ...shop!, signature: 'unsigned-admitted' },
  ] as const;
  const boards = [
    planZoneBoard({
      ...common,
      name: 'zone-a',
      receipt: toReceipt({
        zone: 'zone-a',
        issuedAt: at(1),
        recipes: [base!, shop!].map((one) => ({ ...one, state: 'present' })),
      }),
    }),
    planZoneBoard({
      ...common,
      name: 'zone-k',
      deliveries: [{ ...sent, recipes: [base!.digest, shop!.digest] }],
    }),
    planZoneBoard({ ...common, name: 'zone-l', unbelieved: { sequence: 2, issuedAt: at(1) } }),
    planZoneBoard({
      ...common,
      wanted: {
        ...wanted,
        recipes: [...wanted.recipes, { name: 'portal', requested: '^9', code: error.code, error }],
      },
      name: 'zone-n',
    }),
    planZoneBoard({
      ...common,
      name: 'zone-j',
      wanted: { resolvedAt: at(0), recipes: [], code: error.code, error },
    }),
    planZoneBoard({
      ...common,
      name: 'zone-b',
      receipt: known,
      deliveries: [unproved, cut],
      wanted: { resolvedAt: at(0), recipes: signed },
    }),
  ];
  await using fresh = await startTestServer({
    folder: own.path,
    zones: boards.map(({ name }) => ({ name, retriever: `/etc/${name}.yaml`, maxAge: 2 * day })),
    operations: {
      readZoneBoards: async (_context, { zones }) =>
        zones.map(({ name }) => boards.find((board) => board.name === name)!),
    },
  });
  const operator = await signInAs(fresh, 'operator', 'otto');
  const read = async (path: string, language = 'en'): Promise<string> => {
    const markup = await (await operator.get(path, { 'accept-language': language })).text();
    parseStrictHtml(markup, path);
    return markup;
  };
  const l = await read('/zones/zone-l');
  assert.match(
    toPageText(l),
    /Unknown Receipt 2 of zone-l is not believed: no configured key verifies it .*What to do Name the key of the zone under peers/,
  );
  assert.match(l, /href="\/receipts\/zone-l"/);
  assert.match(l, /href="\/help#SVC-RCP-001"/);
  assert.doesNotMatch(toPageText(l), /no receipt/);
  const k = await read('/zones/zone-k');
  assert.match(
    toPageText(k),
    /Overdue zone-k should have confirmed the delivery of \d+ \w+ \d{4} by \d+ \w+ \d{4} Ask zone-k, or add its receipt\./,
  );
  assert.match(k, /button-primary" href="\/receipts"/);
  const b = toPageText(await read('/zones/zone-b'));
  assert.match(
    b,
    /1 delivery written but not proved\. The proof .* Deliveries on their way 1 delivery written but not proved dlv_00000000000b/,
  );
  assert.match(
    b,
    /1 delivery not written whole\. The writing .* 1 delivery not written whole dlv_00000000000c/,
  );
  assert.match(
    b,
    /base blocked SVC-SIG-001 .* written, but not proved: dlv_00000000000b .*zone-b must add its key to trust\.roots: 17511751…1751/,
  );
  assert.match(b, /shop missing It carries no signature: a zone that demands one refuses it\./);
  const n = toPageText(await read('/zones/zone-n'));
  assert.match(n, /1 of 3 wanted names cannot be resolved: portal\./);
  assert.match(n, /portal \^9 .*registry\.example\/portal:\^9.*cause/);
  assert.match(toPageText(await read('/zones/zone-j')), /cannot be read .*portal:\^9.*What to do /);
  const markup = await read('/zones');
  // links in a paragraph are underlined
  assert.match(markup, /<p>(<a href="\/receipts\/zone-l">)?No\. 2/);
  const list = toPageText(markup);
  assert.match(list, /1 of 6 zones lacks recipes, 1 is overdue, 3 cannot be judged Open zone-b/);
  const [, rows = ''] = list.split('those that need attention first');
  const order = ['zone-b', 'zone-l', 'zone-k', 'zone-a'].map((name) => rows.indexOf(name));
  assert.deepEqual(
    order,
    order.toSorted((a, b) => a - b),
  );
  assert.match(rows, /zone-b 1 blocked: base 1 missing: shop shop unsigned (?!base)/);
  assert.match(rows, /zone-b .* 1 delivery not written whole dlv_00000000000c/);
  assert.doesNotMatch(list, /has sent no receipt|lacks \d/);
  assert.match(toPageText(await read('/zones', 'fr')), /1 est en retard, l’état de 3 n’est pas connu/);
  const overview = toPageText(await read('/'));
  assert.match(overview, /1 of 6 zones lacks recipes, 1 is overdue, 3 cannot be judged/);
  assert.match(
    overview,
    /zone-k zone-k should have confirmed the delivery of .* Ask zone-k, or add its receipt\./,
  );
  assert.match(overview, /zone-l Receipt 2 of zone-l is not believed/);
  assert.match(overview, /zone-b 1 recipe.*, 1 blocked, shop unsigned/);
});
