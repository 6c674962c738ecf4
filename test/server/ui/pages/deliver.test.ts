import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import type { Operations } from '../../../../server/operations.ts';
import { toSubject, toZoneFile, writeReceipt } from '../../../../src/attest/receipt.ts';
import { hashBytes } from '../../../../src/base/digest.ts';
import type { MediumWriting } from '../../../../src/contract/write-medium.ts';
import { planZoneBoard, type Wanted } from '../../../../src/engine/zone/zone-board.ts';
import { toSigner } from '../../../../src/signing/signer.ts';
import { recordSync } from '../../../../src/store/record-sync.ts';
import { svcError, toErrorRecord } from '../../../../src/text/error.ts';
import { fr } from '../../../../src/text/language.ts';
import { rule } from '../../../../src/text/rule.ts';
import { openReceipts } from '../../../../src/zone/receipts.ts';
import { toReceipt } from '../../../kit/content/receipt.ts';
import { toRecipeRecord } from '../../../kit/content/recipe-record.ts';
import { createSigner } from '../../../kit/content/signer.ts';
import { startTestServer, type TestServer } from '../../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../../kit/instance/temp-folder.ts';
import { showcaseDelivery } from '../../../kit/showcase/answers.ts';
import { type BrowserSession, openBrowserSession, signInAs } from '../../../kit/web/browser-session.ts';
import { toPageText } from '../../../kit/web/page-text.ts';
import { listPrinted } from '../../../kit/web/printed-lines.ts';
import { parseStrictHtml } from '../../../kit/web/strict-html.ts';

type Request = Parameters<Operations['planMediaWrite']>[1];

let folder: TempFolder;
let server: TestServer;
let admin: BrowserSession;
let operator: BrowserSession;
let viewer: BrowserSession;
let asked: Request[];
let answer: (request: Request) => MediumWriting;

/**
 * Adds receipts of a zone, signed by a key of its own.
 *
 * @param refused later receipts, each with the code for which it is refused
 * @returns the path of the key
 */
async function addReceipt(
  zone: string,
  sequence: number,
  ...refused: readonly (readonly [code: string, receipt: Parameters<typeof toReceipt>[0]])[]
): Promise<string> {
  const { privateKey, publicKeyPem } = createSigner();
  const signer = toSigner(privateKey);
  const keys = [{ name: zone, key: signer.publicKey, for: ['receipt'] }];
  const add = (receipt?: Parameters<typeof toReceipt>[0]) => {
    const bytes = writeReceipt(
      toReceipt({ zone, sequence, ...receipt }),
      [toSubject(toZoneFile(zone))],
      signer,
    );
    return openReceipts(join(folder.path, 'state')).add(bytes, { keys });
  };
  await add();
  for (const [code, receipt] of refused) await assert.rejects(add(receipt), { code });
  const path = join(folder.path, `${zone}.pub`);
  await writeFile(path, publicKeyPem);
  return path;
}

before(async () => {
  folder = await openTempFolder();
  const keyFile = await addReceipt('zone-c', 7);
  await addReceipt('zone-d', 41);
  const forkedKeyFile = await addReceipt('zone-forked', 12, ['SVC-RCP-003', { recipes: 1 }]);
  const lowerKeyFile = await addReceipt('zone-lower', 12, [
    'SVC-RCP-002',
    { sequence: 3, issuedAt: '2026-04-01T12:00:00.000Z' },
  ]);
  server = await startTestServer({
    folder: folder.path,
    zones: [{ name: 'zone-e', retriever: join(folder.path, 'zone-e.yaml'), maxAge: 0 }],
    peers: [
      { name: 'zone-c', keyFile, for: ['receipt'] },
      { name: 'zone-forked', keyFile: forkedKeyFile, for: ['receipt'] },
      { name: 'zone-lower', keyFile: lowerKeyFile, for: ['receipt'] },
    ],
    operations: {
      planMediaWrite: async (_instance, request) => {
        asked.push(request);
        return answer(request);
      },
    },
  });
  admin = await signInAs(server, 'admin', 'alice');
  operator = await signInAs(server, 'operator', 'olga');
  viewer = await signInAs(server, 'viewer', 'vera');
});
beforeEach(() => {
  asked = [];
  answer = () => showcaseDelivery;
});
after(async () => {
  for (const item of [server, folder]) await item[Symbol.asyncDispose]();
});

async function markupOf(response: Response, status = 200): Promise<string> {
  const markup = await response.text();
  assert.equal(response.status, status, markup);
  parseStrictHtml(markup, '/deliver');
  return markup;
}

const show = async (query = '', session = operator, language = 'en', status = 200): Promise<string> =>
  markupOf(await session.get(`/deliver${query}`, { 'accept-language': language }), status);
const textOf = async (...given: Parameters<typeof show>): Promise<string> => toPageText(await show(...given));

test('before a zone is chosen the page has the known zones, and makes no plan', async () => {
  const text = await textOf();
  assert.match(text, /zone-c, receipt 7 of 1 Mar 2026/);
  assert.match(text, /zone-d, receipt 41/);
  assert.match(text, /zone-e/);
  assert.deepEqual(asked, []);
  assert.match(await textOf('', operator, 'fr'), /Ce qu’il faut transporter vers une zone/);
});

test('a recipe that the store has lost content of is named with its file and the remedy, beside those that are carried', async () => {
  const error = svcError('SVC-STO-010', { path: 'blobs/sha256/aa', recipe: 'shop@1.3.0' });
  const lost = { name: 'shop', version: '1.3.0', digest: hashBytes('shop'), missing: [hashBytes('layer')] };
  answer = () => ({ ...showcaseDelivery, blocked: [{ ...lost, error: toErrorRecord(error) }] });
  const markup = await show('?zone=zone-c&disk=dvd');
  assert.match(markup, /stamp-warn/);
  const text = toPageText(markup);
  assert.match(
    text,
    /In part zone-c: 5 GiB on 2 disks 1 recipe is not written: the store has lost content of it/,
  );
  assert.match(text, /shop@1\.3\.0: blobs\/sha256\/aa is missing, and shop@1\.3\.0 needs it\. SVC-STO-010/);
  assert.match(text, /Synchronize, import or push the content again/);
});

test('a recipe that the registry of the zone would refuse is named with the reason and the remedy', async () => {
  const [first, ...rest] = showcaseDelivery.recipes;
  const refusal = svcError('SVC-DST-002', {
    reference: 'origin.example/shop/web:1.0.0',
    missing: ['linux/arm64'],
  });
  answer = () => ({
    ...showcaseDelivery,
    recipes: [{ ...first!, refusal: toErrorRecord(refusal) }, ...rest],
  });
  const text = toPageText(await show('?zone=zone-c'));
  assert.ok(
    text.includes(`${first!.name}@${first!.version}: The destination refuses origin.example/shop/web:1.0.0`),
    text,
  );
  assert.match(text, /these platforms are absent: linux\/arm64\..*Synchronize all platforms at the source/);
});

test('a plan has the bytes, their source, the recipes with their state, and the disks', async () => {
  const text = await textOf('?zone=zone-c&disk=dvd');
  assert.deepEqual(asked, [
    {
      ...{ zone: 'zone-c', base: 'latest', recipes: [], folders: [], wanted: undefined },
      ...{ volumeBytes: [4_700_000_000], filesystem: 'any' },
    },
  ]);
  assert.match(
    text,
    /Planned zone-c: 5 GiB on 2 disks In the zone: 1 blocked, 1 incomplete\. Show the command/,
  );
  assert.match(await show('?zone=zone-c'), /class="bar /, 'a part is there already');
  assert.match(text, /Already there 2\.5 GiB, by receipt 7 of \d+ \w+ 20\d\d, [\d:]+ UTC Delivery dlv_/);
  assert.match(text, /Recipe State in the zone Full size Already there To carry Disk agent@/);
  assert.match(text, /shop@1\.4\.2 not there 4 GiB 1\.5 GiB 2\.5 GiB 1 /);
  assert.match(text, /base@12\.4\.0 present 1 GiB 1 GiB 0 B – /);
  assert.match(text, /Together, each file once 7\.5 GiB 2\.5 GiB 5 GiB/);
  assert.match(text, /agent@2\.0\.1 blocked SVC-SIG-001 The zone accepts no signature of it\./);
  assert.match(text, /tools@1\.0\.0 incomplete /);
  assert.match(
    text,
    /Disk Size, at most Brings whole 1 3\.1 GiB shop@1\.4\.2 and tools@1\.0\.0 2 2\.1 GiB agent@2\.0\.1; 3 segments of large files/,
  );
  assert.match(text, /One recipe of the zone is unknown here/);
  assert.match(text, /zone-c · the content of its last receipt · DVD, 4\.7 GB · Change/);
  const markup = await show('?zone=zone-c&disk=dvd');
  assert.match(markup, /stamp-warn/);
  assert.match(markup, /<details class="fold"><summary>.*Change<\/summary><form class="form/);
  const french = await textOf('?zone=zone-c&disk=dvd', operator, 'fr');
  assert.match(french, /zone-c\s: 5 Gio sur 2 disques/);
  assert.match(french, /Dans la zone\s: 1 bloquée, 1 incomplète\./);
  assert.match(french, /DVD, 4,7 Go · Modifier/);
});

test('a plan for a zone whose content no receipt tells names no receipt as its base', async () => {
  const { base, ...delivery } = showcaseDelivery.delivery;
  const found = { known: hashBytes('known'), refused: hashBytes('refused') };
  const fork = { ...found, sequence: 7, foundAt: '2026-11-20T14:02:10Z' };
  for (const stated of [undefined, { ...base!, fork }]) {
    answer = () => ({
      ...showcaseDelivery,
      delivery: { ...delivery, ...(stated === undefined ? {} : { base: stated }) },
    });
    assert.match(await textOf('?zone=zone-c'), /zone-c · nothing: carry everything · one disk/);
    assert.match(await textOf('?zone=zone-c&base=sent'), /zone-c · nothing: carry everything · one disk/);
  }
});

test('the recipes of a plan are ordered by what must be carried, and the links keep the plan that was asked for', async () => {
  const markup = await show('?zone=zone-c&disk=dvd&plan-sort=carried');
  const link = /href="([^"]*)">To carry/.exec(markup)?.[1]?.replaceAll('&amp;', '&');
  assert.equal(link, '/deliver?zone=zone-c&disk=dvd&plan-sort=carried&plan-order=asc#plan');
  const namesOf = (text: string): readonly string[] =>
    [...text.matchAll(/<th scope="row" data-label="Recipe"><bdi[^>]*>([^@<]+)@/g)].map(([, name]) => name!);
  const [down, up] = [
    namesOf(markup),
    namesOf(await show('?zone=zone-c&disk=dvd&plan-sort=carried&plan-order=asc')),
  ];
  assert.equal(down[0], 'shop');
  assert.equal(up.at(-1), 'shop');
  const [first] = namesOf(await show('?zone=zone-c&disk=dvd&plan-sort=state'));
  assert.equal(first, 'agent', 'what the zone blocks comes first');
});

test('the overview and the plan that it leads to have the same recipes, without those on their way and those refused', async () => {
  await using own = await openTempFolder();
  const names = ['agent', 'shop', 'depot', 'plugin', 'base', 'ahead'];
  const [agent, shop, depot, plugin, base, ahead] = names.map((name) => {
    return { name, requested: '^2.0.0', version: '2.0.0', digest: hashBytes(name) };
  });
  const held = (one: typeof agent, state: 'present' | 'blocked') => ({ ...one!, state });
  const old = { name: 'shop', version: '1.0.0', digest: hashBytes('old shop'), state: 'present' } as const;
  let wanted: readonly NonNullable<typeof agent>[] = [agent!, shop!, depot!, plugin!, base!, ahead!];
  let failure: Partial<Wanted> = {};
  let damage = 'SVC-SIG-001';
  await using source = await startTestServer({
    folder: own.path,
    zones: [{ name: 'zone-h', retriever: join(own.path, 'zone-h.yaml'), maxAge: 1e12 }],
    operations: {
      planMediaWrite: async (_instance, request) => {
        asked.push(request);
        return showcaseDelivery;
      },
      readZoneBoards: async (_context, { zones, now }) =>
        zones.map(({ name, maxAge }) =>
          planZoneBoard({
            ...{ name, maxAge, now },
            wanted: { resolvedAt: new Date(now).toISOString(), recipes: wanted, ...failure },
            receipt: toReceipt({
              zone: name,
              recipes: [held(base, 'present'), { ...held(plugin, 'blocked'), code: damage }, old],
            }),
            deliveries: [
              {
                ...{ id: 'dlv_3f9c01ab77de', zone: name, sequence: 1, parts: 1, recipes: [depot!.digest] },
                startedAt: new Date(now).toISOString(),
                written: [{ part: 1, manifest: hashBytes('part') }],
              },
            ],
          }),
        ),
    },
  });
  const run = { zone: 'zone', runId: 'run', resolvedAt: '2026-01-01T00:00:00.000Z' };
  const stored = [
    agent!,
    shop!,
    depot!,
    plugin!,
    base!,
    { ...agent!, name: 'other', digest: hashBytes('other') },
  ];
  await recordSync(
    source.store,
    run,
    stored.map(({ name, version, digest }) => ({ ...toRecipeRecord(name, version, []), digest })),
  );
  const session = await signInAs(source, 'operator', 'olga');
  const overview = await markupOf(await session.get('/'));
  assert.match(toPageText(overview), /To carry to zone-h 3 recipes, 1 in transit, 1 blocked/);
  const [, href = ''] = /<h2>To carry to<\/h2>.*?<a href="([^"]+)">/s.exec(overview) ?? [];
  const path = href.replace('&amp;', '&');
  const plan = async (query = '', language = 'en') =>
    toPageText(await markupOf(await session.get(`${path}${query}`, { 'accept-language': language })));
  assert.match(
    await plan(),
    /The plan has the 2 recipes that zone-h lacks, by its Retriever and its last receipt\. 1 is in transit and is left out\. dlv_3f9c01ab77de plugin@2\.0\.0 is blocked and is left out\. The zone accepts no signature of it\. .*SVC-SIG-001 Not in this store: ahead@2\.0\.0\. .*All recipes of the store/,
  );
  assert.match(await plan('', 'fr'), /Le plan contient les 2 recettes qui manquent à zone-h/);
  const zone = await markupOf(await session.get('/zones/zone-h'));
  assert.ok(zone.includes(`<a class="button button-primary" href="${href}">`));
  const choices = async (from: string): Promise<string> => {
    const markup = await markupOf(await session.get(from));
    const [form = ''] = /<form class="form form-row".*?<\/form>/s.exec(markup) ?? [];
    return form;
  };
  assert.match(await choices('/deliver'), /name="wanted" value="true" checked/);
  assert.match(await choices(path), /name="wanted" value="true" checked/);
  assert.doesNotMatch(await choices('/deliver?zone=zone-h'), /name="wanted" value="true" checked/);
  await plan('&recipes=other');
  const error = svcError('SVC-REG-005', { reference: 'registry.example/portal:^9' });
  const unresolved = { name: 'portal', requested: '^9', code: error.code, error };
  failure = { recipes: [agent!, shop!, unresolved] };
  assert.match(await plan(), /In part zone-c.*1 wanted name cannot be resolved and is left out: portal\./);
  assert.match(await plan('', 'fr'), /1 nom demandé ne peut pas être résolu et n’y figure pas : portal\./);
  failure = { recipes: [base!, unresolved] };
  const nothing = await markupOf(await session.get(path));
  assert.match(toPageText(nothing), /Nothing to carry .*1 wanted name cannot be resolved .*: portal\./);
  assert.match(nothing, /stamp-warn/);
  asked.splice(-2);
  failure = { recipes: [], code: 'SVC-NET-001' };
  assert.match(
    await plan(),
    /The Retriever of zone-h cannot be read: the plan has all recipes of the store\./,
  );
  assert.deepEqual(
    asked.map(({ recipes }) => recipes),
    [
      ['agent@2.0.0', 'shop@2.0.0'],
      ['agent@2.0.0', 'shop@2.0.0'],
      ['agent@2.0.0', 'shop@2.0.0'],
      [],
      ['other'],
      [],
    ],
  );
  failure = {};
  wanted = [depot!, base!, plugin!];
  asked = [];
  assert.match(
    await plan(),
    /Nothing to carry zone-h lacks no recipe that a delivery could bring 1 is in transit and is left out\. dlv_3f9c01ab77de plugin@2\.0\.0 is blocked .*All recipes of the store/,
  );
  const refused = await markupOf(await session.get('/zones/zone-h'));
  assert.doesNotMatch(refused, /wanted=true/);
  assert.match(
    await (await session.get('/recipes/-/plugin')).text(),
    /The zone accepts no signature of it\./,
  );
  damage = 'SVC-MED-012';
  asked = [];
  assert.match(await plan(), /The plan has the 1 recipe that zone-h lacks/);
  assert.deepEqual(asked.splice(0)[0]?.recipes, ['plugin@2.0.0']);
  wanted = [base!, ahead!];
  assert.match(await plan(), /Not in this store: ahead@2\.0\.0/);
  assert.deepEqual(asked, []);
});

test('the form keeps its values, and each kind of disk is planned as it is', async () => {
  for (const [query, expected] of [
    ['', { volumeBytes: undefined, filesystem: 'any' }],
    ['&disk=bd', { volumeBytes: [25_000_000_000], filesystem: 'any' }],
    ['&disk=stick', { volumeBytes: [32_000_000_000], filesystem: 'fat32' }],
    ['&disk=own&size=64GB', { volumeBytes: [64_000_000_000], filesystem: 'any' }],
    ['&disk=own&size=4%2C7+Go', { volumeBytes: [4_700_000_000], filesystem: 'any' }],
    ['&disk=own&size=8Mo', { volumeBytes: [8_000_000], filesystem: 'any' }],
    ['&disk=own&size=1%2C5%C2%A0Gio', { volumeBytes: [1.5 * 2 ** 30], filesystem: 'any' }],
    ['&disk=own&size=2+TiB&fat32=true', { volumeBytes: [2 * 2 ** 40], filesystem: 'fat32' }],
    ['&disk=own&size=4%2C7+Go%3B+700+Mo', { volumeBytes: [4_700_000_000, 700_000_000], filesystem: 'any' }],
    // a typed size selects it
    ['&disk=any&size=64GB&fat32=true', { volumeBytes: [64_000_000_000], filesystem: 'fat32' }],
  ] as const) {
    asked = [];
    await show(`?zone=zone-c${query}`);
    assert.deepEqual(
      asked,
      [{ zone: 'zone-c', base: 'latest', recipes: [], folders: [], wanted: undefined, ...expected }],
      query,
    );
  }
  const markup = await show('?zone=zone-d&base=none&disk=own&size=64GB&recipes=shop%0D%0Abase@12.4.0');
  assert.deepEqual([asked.at(-1)!.base, asked.at(-1)!.recipes], ['none', ['shop', 'base@12.4.0']]);
  for (const selected of ['zone-d', 'none', 'own'])
    assert.match(markup, new RegExp(`<option value="${selected}" selected>`), selected);
  assert.match(markup, /name="size"[^>]*value="64GB"/);
  assert.match(markup, /shop\r?\nbase@12\.4\.0<\/textarea>/);
});

test('an operator, who does not know the path of the configuration, is told that the command needs it', async () => {
  assert.match(
    await textOf('?zone=zone-c&disk=dvd'),
    /svc media write discs .*a command needs its configuration: --config FILE, whose path an administrator knows/,
  );
  assert.match(
    await textOf('?zone=zone-c&disk=dvd', operator, 'fr'),
    /a besoin de sa configuration : --config FICHIER/,
  );
});

test('the command writes the planned media, for mounted disks and for discs to burn', async () => {
  const commandOf = async (query: string): Promise<string> =>
    listPrinted(await show(query)).find((line) => line.startsWith('svc media write'))!;
  assert.equal(
    await commandOf('?zone=zone-c&disk=dvd'),
    'svc media write discs --zone zone-c --volume-size 4.7GB',
  );
  assert.equal(
    await commandOf('?zone=zone-c&disk=stick&base=sent'),
    'svc media write /mnt/disk-1/delivery /mnt/disk-2/delivery --zone zone-c --base sent',
  );
  assert.equal(
    await commandOf('?zone=zone-c&disk=own&size=2+TB&base=none&recipes=shop%0Abase@12.4.0'),
    'svc media write discs --zone zone-c --base none --recipe shop --recipe base@12.4.0 --volume-size 2TB',
  );
});

test('mounted disks are planned by their folders, which the command and the form of the task have too', async () => {
  const folders = ['/mnt/a/delivery', '/mnt/b c/delivery'];
  const query = `?zone=zone-c&disk=mounted&mounted=${folders.map(encodeURIComponent).join('%0D%0A')}`;
  const markup = await show(query, admin);
  assert.deepEqual([asked[0]?.folders, asked[0]?.volumeBytes], [folders, undefined]);
  for (const name of ['mounted', 'folders'])
    assert.match(
      markup,
      new RegExp(`name="${name}"[^>]*>\\n/mnt/a/delivery\\n/mnt/b c/delivery</textarea>`),
      name,
    );
  const lines = listPrinted(markup).join('\n');
  assert.match(lines, /^svc media write \/mnt\/a\/delivery '\/mnt\/b c\/delivery' --zone zone-c/m);
  assert.match(lines, /folder=%2Fmnt%2Fa%2Fdelivery&folder=%2Fmnt%2Fb\+c%2Fdelivery/);
  const page = `/deliver${query}`;
  const fields = { zone: 'zone-c', base: 'latest', _disk: 'mounted', _mounted: folders.join('\r\n') };
  asked = [];
  const refused = await admin.post('/deliver/write', { ...fields, folders: server.store.root }, { page });
  assert.match(toPageText(await markupOf(refused, 403)), /SVC-FIL-003/);
  assert.deepEqual(asked[0]?.folders, folders);
  asked = [];
  assert.match(
    await textOf('?zone=zone-c&disk=mounted', operator, 'en', 422),
    /The field “Folders of the mounted disks” is missing/,
  );
  assert.match(
    await textOf('?zone=zone-c&disk=mounted', operator, 'fr', 422),
    /Le champ « Dossiers des disques montés » manque/,
  );
  assert.deepEqual(asked, []);
});

test('a plan that cannot be made is an error above the form, which stands', async () => {
  answer = ({ zone }) => {
    throw svcError('SVC-MED-046', {
      zone,
      detail: rule(['documents take 2 GiB', fr`les documents prennent 2 Gio`]),
    });
  };
  const small = await textOf('?zone=zone-c&disk=dvd', operator, 'en', 507);
  assert.match(small, /The delivery for the zone zone-c does not fit/);
  assert.match(small, /Show the plan/);
  assert.doesNotMatch(small, /Write the disks/);
  asked = [];
  assert.match(
    await textOf('?zone=zone-c&disk=own&size=huge', operator, 'en', 422),
    /The field “Other size” must be a size such as 64GB.*“huge”: must be a size such as 64GB/,
  );
  for (const [query, told] of [
    ['disk=any&size=big', /“big”: must be a size such as 64GB/],
    ['disk=dvd&size=64GB', /“64GB”: must be empty beside the disks that are selected/],
    ['disk=mounted&size=64GB&mounted=%2Fmnt', /“64GB”: must be empty beside the disks that are selected/],
  ] as const) {
    const refused = await textOf(`?zone=zone-c&${query}`, operator, 'en', 422);
    assert.match(refused, told);
    assert.match(refused, /The field “Other size”/);
  }
  assert.deepEqual(asked, []);
  answer = () => {
    throw svcError('SVC-MED-025', {});
  };
  assert.match(await textOf('?zone=zone-c'), /The store has no recipes: there is nothing to carry/);
});

test('a plan that a mistake prevents keeps the ticks of its form, and no note speaks of it', async () => {
  const query = '?zone=zone-e&wanted=true&fat32=true&disk=own&size=64+bananas';
  const markup = await show(query, operator, 'en', 422);
  for (const name of ['wanted', 'fat32'])
    assert.match(markup, new RegExp(`name="${name}" value="true" checked`), name);
  assert.match(toPageText(markup), /“64 bananas”/);
  assert.doesNotMatch(toPageText(markup), /the plan has|The plan has/);
  assert.match(await textOf('?zone=zone-e&wanted=true'), /the plan has all recipes of the store/);
  const bare = await show(query.replace('&wanted=true&fat32=true', ''), operator, 'en', 422);
  assert.doesNotMatch(bare, /value="true" checked/);
});

test('a plan has no state of the zone by a receipt that does not count', async () => {
  const { base, ...delivery } = showcaseDelivery.delivery;
  const { sequence, receipt: known, issuedAt = '' } = base!;
  const other = { sequence, known, refused: hashBytes('other'), foundAt: issuedAt, issuedAt };
  for (const doubtful of ['fork', 'lower'] as const) {
    answer = () => ({
      ...showcaseDelivery,
      delivery: { ...delivery, base: { ...base!, [doubtful]: other } },
      recipes: showcaseDelivery.recipes.map(({ inZone: _, code: __, ...one }) => one),
    });
    const text = await textOf('?zone=zone-c');
    assert.match(text, /Planned zone-c: 5 GiB on 2 disks/);
    assert.match(text, /Already there unknown: everything is carried/);
    assert.doesNotMatch(text, /State in the zone|not there|In the zone:/);
  }
});

test('a zone that would refuse the media, and a receipt that does not count, are named', async () => {
  assert.match(
    await textOf('?zone=zone-d'),
    /Receipt 41 of zone-d does not count: no configured key verifies it/,
  );
  assert.doesNotMatch(await textOf('?zone=zone-d&base=none'), /does not count/);
  assert.doesNotMatch(await textOf('?zone=zone-c'), /does not count|among the peers/);
});

test('two receipts of one number are named beside the plan, with the remedy', async () => {
  const markup = await show('?zone=zone-forked&disk=dvd&recipes=shop');
  const two =
    /Two different receipts of zone-forked have number 12\. (sha256:[0-9a-f]{64}) was refused, and (sha256:[0-9a-f]{64}) does not count .* the plan has everything/;
  const [, refused, known] = two.exec(toPageText(markup)) ?? [];
  assert.notEqual(known, refused);
  assert.match(toPageText(markup), /Ask the zone\..* until the number is above 13/);
  assert.match(await textOf('?zone=zone-forked', operator, 'fr'), /Deux reçus différents de zone-forked/);
  for (const other of ['?zone=zone-forked&base=none', '?zone=zone-c'])
    assert.doesNotMatch(await textOf(other), /different receipts/);
  const receipts = await operator.get('/receipts');
  assert.match(
    toPageText(await markupOf(receipts)),
    new RegExp(
      `zone-forked 12 .* contradicted by a receipt of the same number SVC-RCP-003 ${refused!.slice(0, 15)}…`,
    ),
  );
});

test('a refused receipt with a lower number is named beside the plan, with the remedy', async () => {
  const text = await textOf('?zone=zone-lower&disk=dvd&recipes=shop');
  assert.match(text, /Receipt 12 of zone-lower does not count: receipt 3, with a later date, was refused/);
  assert.match(text, /The plan has everything\..*svc receipt add FILE --allow-older/);
  assert.match(await textOf('?zone=zone-lower', operator, 'fr'), /Le reçu 12 de zone-lower ne compte pas/);
  for (const other of ['?zone=zone-lower&base=none', '?zone=zone-c'])
    assert.doesNotMatch(await textOf(other), /does not count/);
  const receipts = toPageText(await markupOf(await operator.get('/receipts')));
  assert.match(
    receipts,
    /zone-lower 12 .* a later receipt had the lower number 3 and was refused SVC-RCP-002/,
  );
});

test('without a base everything is carried, and the plan says why', async () => {
  const { base: _, ...delivery } = showcaseDelivery.delivery;
  answer = () => ({ ...showcaseDelivery, delivery });
  assert.match(await textOf('?zone=zone-c'), /unknown: everything is carried/);
  assert.match(await textOf('?zone=zone-c&base=none'), /not considered: everything is carried/);
  assert.doesNotMatch(await textOf('?zone=zone-c'), /Recipe In the zone/);
});

test('an administrator starts the task, and a refused folder shows the plan again', async () => {
  const path = '/deliver?zone=zone-c&disk=dvd';
  const fields = { zone: 'zone-c', base: 'latest', volumeBytes: '4700000000', _disk: 'dvd' };
  const target = join(folder.path, 'discs');
  const started = await admin.post('/deliver/write', { ...fields, folders: target }, { page: path });
  assert.equal(started.status, 303, await started.text());
  const [, id = ''] = /^\/tasks\/(tsk_[0-9a-f]+)/.exec(started.headers.get('location') ?? '') ?? [];
  const { task } = (await (await server.fetch(`/api/v1/tasks/${id}`)).json()) as {
    task: { type: string; reference: string };
  };
  assert.deepEqual([task.type, task.reference], ['media-write', target]);
  const nowhere = join(folder.path, 'nowhere', 'disk');
  const absent = await admin.post('/deliver/write', { ...fields, folders: nowhere }, { page: path });
  const told = await absent.text();
  assert.match(toPageText(told), /SVC-FIL-005/);
  assert.match(told, /name="folders"[^>]*aria-invalid="true"/);
  const refused = await admin.post(
    '/deliver/write',
    { ...fields, folders: join(server.store.root, 'x') },
    { page: path },
  );
  const text = toPageText(await markupOf(refused, 403));
  assert.match(text, /SVC-FIL-003/);
  assert.match(text, /zone-c: 5 GiB on 2 disks/);
  assert.deepEqual(asked.at(-1)!.volumeBytes, [4_700_000_000]);
});

test('an operator plans and may not write; a viewer sees none of it', async () => {
  const path = '/deliver?zone=zone-c';
  const text = await textOf('?zone=zone-c');
  assert.match(text, /only an administrator can let it write: at this address, .*\/deliver\?zone=zone-c#run/);
  assert.doesNotMatch(await show('?zone=zone-c'), /name="folders"/);
  assert.match(await show('?zone=zone-c', admin), /name="folders"/);
  assert.equal(
    (await operator.post('/deliver/write', { zone: 'zone-c', folders: '/srv/x' }, { page: path })).status,
    403,
  );
  assert.equal((await viewer.get(path)).status, 403);
  assert.doesNotMatch(await (await viewer.get('/')).text(), /href="\/deliver"/);
});

test('a plan of a thousand recipes and disks has 200 rows at most, and is a small page', async () => {
  const recipes = Array.from({ length: 1000 }, (_, i) => ({
    ...showcaseDelivery.recipes[0]!,
    name: `recipe-${i}`,
    digest: hashBytes(`${i}`),
  }));
  const volumes = Array.from({ length: 999 }, (_, i) => ({
    ...showcaseDelivery.volumes[0]!,
    part: i + 1,
    recipes: recipes.map(({ name }) => `${name}@1.0.0`),
  }));
  answer = () => ({ ...showcaseDelivery, recipes, volumes });
  const markup = await show('?zone=zone-c&disk=stick', admin);
  assert.ok([...markup.matchAll(/<tr>/g)].length <= 200);
  assert.ok(brotliCompressSync(markup).length < 60 << 10, `${brotliCompressSync(markup).length}`);
  assert.match(toPageText(markup), /The first 100 of 1,000 are listed/);
});

test('a store without receipts and recipes says what is missing', async () => {
  await using other = await openTempFolder();
  await using empty = await startTestServer({ folder: other.path });
  const session = openBrowserSession(empty);
  await session.signIn('admin', 'admin password');
  assert.match(await textOf('', session), /No receipt of another zone is known, so everything is carried/);
  assert.match(await textOf('?zone=zone-x', session), /The store has no recipes: there is nothing to carry/);
  assert.match(
    await textOf('?zone=No+Zone', session, 'en', 422),
    /The field “Zone” must be the name of a Retriever.*“No Zone”: must be the name of a Retriever/,
  );
});
