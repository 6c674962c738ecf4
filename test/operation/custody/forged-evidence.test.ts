import assert from 'node:assert/strict';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import type { Evidence } from '../../../src/contract/evidence.ts';
import { openCustody } from '../../../src/custody/custody.ts';
import { writeLine } from '../../../src/custody/line.ts';
import { renderGuide } from '../../../src/engine/evidence/render-guide.ts';
import { renderPage } from '../../../src/engine/evidence/render-page.ts';
import { toSigner } from '../../../src/signing/signer.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { runCommand } from '../../kit/program/run-command.ts';
import { assertCliDocument } from '../../kit/result/cli-schema.ts';
import { listFiles, openForger, sha256 } from '../../kit/result/evidence-forger.ts';
import { delivery, openEvidenceSite, openSignedEvidence } from '../../kit/scene/evidence-site.ts';
import { defaultRecipes } from '../../kit/scene/medium.ts';

const rejected = 'https://example.com/rejected/v1';

let site: Awaited<ReturnType<typeof openSignedEvidence>>;
let pack: string;
let forged: string;

before(async () => {
  site = await openSignedEvidence();
  pack = await site.packDelivery();
  forged = site.path('forged');
});
after(() => site[Symbol.asyncDispose]());

const forger = openForger(() => forged);

/** Name, what the forger does, the findings that are expected, and the given keys if not all. */
const forgeries: readonly (readonly [
  name: string,
  change: () => Promise<unknown>,
  finding: RegExp,
  keys?: readonly string[],
])[] = [
  [
    'a receipt that nobody signed, for which the document names no key',
    async () => forger.forgetKeys([await forger.restateReceipt()]),
    /receipt-zone-b-9\.sig - no given key verifies it: it names the key with SHA-256 [0-9a-f]{64}/,
  ],
  [
    'a receipt whose signature is destroyed, for which the document names no key',
    async () => {
      const path = await forger.pathOf('receipt');
      await forger.restate(path, (text) => text, {
        ...site.signers['zone-a']!,
        sign: () => Buffer.alloc(70, 1),
      });
      await forger.forgetKeys([path]);
    },
    /receipt-zone-b-1\.sig - no given key verifies it/,
  ],
  [
    'an approval that nobody signed',
    async () =>
      forger.restate(await forger.pathOf('approval'), (text) => text.replace('"actor":"', '"actor":"not ')),
    /approval-shop-1\.4\.0-[0-9a-f]+\.signed - it is not as evidence\.json states/,
  ],
  [
    'no private key at all: nothing that is signed is given',
    () => forger.forgetKeys(),
    /the pack has no statement that a given key signed: it proves nothing/,
    [],
  ],
  [
    'no statement at all',
    async () => {
      await forger.remove((name) => /^(?:statements|keys|recipes)\/|^ledger\/zone-b/.test(name));
      await forger.edit((evidence) => {
        evidence.signatures = [];
        evidence.keys = [];
        evidence.ledgers.length = 1;
        evidence.recipes = evidence.recipes.map(({ name, version, digest }: any) => ({
          ...{ name, version, digest, missing: 'SVC-REG-005' },
        }));
      });
    },
    /the pack has no statement that a given key signed: it proves nothing/,
  ],
  [
    'a receipt of the other site, signed with the key of the maker of the pack',
    async () => {
      const signer = site.signers['zone-a']!;
      await forger.nameKey(await forger.restateReceipt(signer), 'zone-b', signer);
    },
    /the key of site zone-a signed it, and it is a statement of zone-b/,
  ],
  [
    'the key of one site under the name of the other',
    async () => {
      const signer = site.signers['zone-a']!;
      await forger.nameKey(await forger.restateReceipt(signer), 'zone-b', signer);
    },
    /it is the key of site zone-a, and evidence\.json names it zone-b/,
  ],
  [
    'the signature of a recipe by the key of a site',
    async () => {
      const signer = site.signers['zone-b']!;
      const path = 'recipes/depot@2.0.0/signature-1';
      await forger.restate(path, (text) => text, signer);
      await forger.nameKey(path, 'zone-b', signer);
    },
    /the key of site zone-b signed it, which signs no recipe/,
  ],
  [
    'a rejection of the release key in the place of its signature',
    async () => {
      const path = 'recipes/depot@2.0.0/signature-1';
      await forger.restate(
        path,
        (text) => text.replace('https://sigstore.dev/cosign/sign/v1', rejected),
        toSigner(site.medium.signer.privateKey),
      );
      await forger.edit((evidence) => {
        const one = evidence.signatures.find((stated: any) => stated.path === path);
        one.predicateType = rejected;
      });
    },
    /depot@2\.0\.0\/signature-1\.signed - it is a statement of type https:\/\/example\.com\/rejected\/v1, which approves nothing/,
  ],
  [
    'the signature of a recipe by an approver',
    async () => {
      const signer = site.signers.board!;
      const path = 'recipes/depot@2.0.0/signature-1';
      await forger.restate(path, (text) => text, signer);
      await forger.nameKey(path, 'board', signer);
    },
    /its key was given for approvals: where it signs recipes too, give it as --key \S+board\.pub/,
  ],
  [
    'an approval by a key that was given for recipes',
    async () => undefined,
    /its key was given for recipes: where it approves too, give it as --approver \S+board\.pub/,
    ['release.pub', 'board.pub', 'zone-a=zone-a.pub', 'zone-b=zone-b.pub'],
  ],
  [
    'the signature of another recipe',
    async () => {
      const [from, to] = ['recipes/depot@2.0.0/signature-1', 'recipes/shop@1.4.0/signature-1'];
      for (const end of ['.signed', '.sig'])
        await writeFile(forger.at(to + end), await readFile(forger.at(from + end)));
    },
    /shop@1\.4\.0\/signature-1\.signed - it is not as evidence\.json states/,
  ],
  [
    'a script in the page',
    () => forger.editText('index.html', '</body>', '<script>alert(1)</script></body>'),
    /index\.html - it is not what svc [0-9.]+ makes of evidence\.json/,
  ],
  [
    'hidden rows of the page',
    () => forger.editText('index.html', '</style>', 'tr { display: none }</style>'),
    /index\.html - it is not what svc/,
  ],
  [
    'another text on the page',
    () => forger.editText('index.html', 'zone-b', 'zone-c'),
    /index\.html - it is not what svc/,
  ],
  [
    'a command in the guide',
    () => forger.editText('VERIFY.md', 'set -e', 'set -e\ntouch owned'),
    /VERIFY\.md - it is not what svc/,
  ],
  [
    'a guide without a block',
    () => forger.editText('VERIFY.md', /## 2[\s\S]*## 3/, '## 3'),
    /VERIFY\.md - it is not what svc/,
  ],
  [
    'a guide in another language than the page',
    async () =>
      writeFile(forger.at('VERIFY.md'), renderGuide((await forger.readDocument()) as Evidence, 'fr')),
    /VERIFY\.md - it is not what svc/,
  ],
  ['no guide', () => rm(forger.at('VERIFY.md')), /VERIFY\.md - evidence\.json names it, and it is absent/],
  ...['a.txt', '-rf', 'ledger/2025.jsonl', 'statements/receipt-zone-b-9.sigstore.json', 'keys/x.pub'].map(
    (name) =>
      [
        `the file ${name} more`,
        async () => writeFile(forger.at(name), 'x'),
        new RegExp(`${name.replaceAll('.', '\\.')} - evidence\\.json does not account for it`),
      ] as const,
  ),
  [
    'a key more',
    async () => {
      const { fingerprint, publicKey } = site.signers.board!;
      const path = `keys/board-${fingerprint.slice(0, 12)}.pub`;
      await writeFile(forger.at(path), publicKey.export({ type: 'spki', format: 'pem' }));
      await forger.edit((evidence) => evidence.keys.push({ path, name: 'board', fingerprint }));
    },
    /evidence\.json - its lists do not follow from the lines of the pack|it is not as evidence\.json states/,
  ],
  [
    'a text before a key',
    async () => {
      const [name] = (await listFiles(forged)).filter((one) => one.startsWith('keys/'));
      await forger.editText(name!, '-----BEGIN', 'the key of the minister\n-----BEGIN');
    },
    /it is not the key that evidence\.json states/,
  ],
  [
    'an unknown member of the document',
    () => forger.edit((evidence) => Object.assign(evidence, { note: 'all is well' })),
    /evidence\.json - \/note/,
  ],
  [
    'a member of the document twice',
    () => forger.editText('evidence.json', '"site": "zone-a",', '"site": "zone-x", "site": "zone-a",'),
    /evidence\.json - names site twice in one object/,
  ],
  [
    'a statement twice',
    () =>
      forger.edit((evidence) =>
        evidence.signatures.push(evidence.signatures.find(({ kind }: any) => kind === 'receipt')),
      ),
    /evidence\.json - its lists do not follow/,
  ],
  [
    'a receipt as another kind',
    () =>
      forger.edit((evidence) => {
        const one = evidence.signatures.find(({ kind }: any) => kind === 'receipt');
        Object.assign(one, { kind: 'checkpoint' });
      }),
    /receipt-zone-b-1\.signed - it is not as evidence\.json states/,
  ],
  [
    'a line of the ledger that a receipt names, written anew',
    async () => {
      const [name] = (await forger.readDocument()).ledgers[0].files;
      const lines = (await readFile(forger.at(name), 'utf8')).split(/(?<=\n)/);
      await writeFile(forger.at(name), lines.slice(0, 1).join(''));
      await forger.edit((evidence) => {
        const [own] = evidence.ledgers;
        own.lines = own.lines.slice(0, 1);
        Object.assign(own, { count: 1, head: `sha256:${sha256(Buffer.from(lines[0]!))}` });
        evidence.deliveries = [];
      });
    },
    /it does not have line [0-9]+, which statements\/receipt-zone-b-1 names/,
  ],
  [
    'an approval that the maker of the pack signed anew',
    () =>
      forger.renameStatement('approval', site.signers['zone-a']!, (text) =>
        text.replace(/"actor":"[^"]+"/, '"actor":"user:ciso"'),
      ),
    /approval-shop-1\.4\.0-[0-9a-f]+\.signed - no line of the pack names it/,
  ],
  ...(
    [
      ['zone', '"zone":"zone-b"', '"zone":"zone-c"', /line [0-9]+ of zone-[ab] contradicts its zone/],
      ['number of parts', '"parts":1', '"parts":3', /contradicts its parts/],
      ['delivery', delivery, 'dlv_ffffffffffff', /contradicts its delivery/],
      ['date', /"issuedAt":"[0-9]+/, '"issuedAt":"2020', /contradicts its issuedAt/],
      ['recipe', /("version":"[^"]+","digest":"sha256:)[0-9a-f]{4}/, '$1aaaa', /contradicts its recipes/],
      ['medium', /("sha256":")[0-9a-f]{4}/, '$1aaaa', /no line of the pack names it/],
    ] as const
  ).map(
    ([about, from, to, finding]) =>
      [
        `a passport with another ${about}, which the site signed anew`,
        () => forger.renameStatement('passport', site.signers['zone-a']!, (text) => text.replace(from, to)),
        finding,
      ] as const,
  ),
  ...['approval', 'passport', 'receipt'].map(
    (kind) =>
      [
        `a pack without the ${kind} that a line names`,
        () => forger.dropStatement(kind),
        /evidence\.json - it does not state the statements that lines name/,
      ] as const,
  ),
  [
    'a pack that says that it has no approval',
    async () => forger.dropStatement('approval', await forger.readAbsent('approval')),
    /evidence\.json - line [0-9]+ of zone-a names a statement that the pack does not have/,
  ],
  [
    'a pack that says that it does not have a receipt which it has',
    async () => {
      const absent = await forger.readAbsent('receipt');
      await forger.edit((evidence) => evidence.absent.push(absent));
    },
    /evidence\.json - it does not state the statements that lines name/,
  ],
  [
    'a pack without the checkpoint that a line names',
    async () => {
      const [name] = (await forger.readDocument()).ledgers[0].files;
      const lines = (await readFile(forger.at(name), 'utf8')).split(/(?<=\n)/).filter((line) => line !== '');
      const { seq, ts } = JSON.parse(lines.at(-1)!);
      const head = hashBytes(lines.at(-1)!);
      const { bytes, digest } = writeLine(
        {
          ...{ ts, site: 'zone-a', type: 'received', step: 'event', actor: 'alice', subjects: [] },
          details: { delivery, peerSite: 'zone-b', peerSeq: 77, peerHead: head, peerLines: 1 },
        },
        { seq, digest: head },
      );
      await writeFile(forger.at(name), lines.join('') + bytes);
      await forger.edit((evidence) => {
        const [own] = evidence.ledgers;
        const { sum: _, prev: __, ...shown } = JSON.parse(String(bytes));
        own.lines.push(shown);
        Object.assign(own, { count: seq + 1, head: digest });
        evidence.absent.push({ site: 'zone-a', seq: seq + 1, kind: 'checkpoint', digest: head });
      });
    },
    /evidence\.json - line [0-9]+ of zone-a names a statement that the pack does not have/,
  ],
  [
    'a receipt that its site signed anew, where the line has another digest',
    async () => {
      await forger.renameStatement('receipt', site.signers['zone-b']!, (text) =>
        text.replace(/"issuedAt":"[0-9]+/, '"issuedAt":"2020'),
      );
    },
    /evidence\.json - it does not state the statements that lines name/,
  ],
  [
    'a recipe under another name and version than its signed document has',
    () => forger.renameRecipe(true),
    /line [0-9]+ of zone-a names recipe sha256:[0-9a-f]{64} depot@9\.9\.9, and its document is depot@2\.0\.0/,
  ],
  [
    'a recipe under another name, without its document below that name',
    () => forger.renameRecipe(false),
    /names recipe sha256:[0-9a-f]{64} depot@9\.9\.9, and its document is depot@2\.0\.0/,
  ],
  [
    'a recipe without a document under two names',
    async () => {
      const { recipes } = await forger.readDocument();
      const { digest } = recipes.find(({ name }: any) => name === 'gone');
      await forger.appendLine([{ name: 'gone@2.0.0', digest }]);
      await forger.edit((evidence) =>
        evidence.recipes.splice(evidence.recipes.findIndex(({ name }: any) => name === 'gone') + 1, 0, {
          ...{ name: 'gone', version: '2.0.0', digest, missing: 'SVC-REG-005' },
        }),
      );
    },
    /names recipe sha256:[0-9a-f]{64} gone@2\.0\.0, and another statement gone@1\.0\.0/,
  ],
  ...['', '0.1.0 ', '1', 'latest', '0.1.0-\u0000'].map(
    (version) =>
      [
        `the version ${JSON.stringify(version)}`,
        () => forger.edit((evidence) => Object.assign(evidence, { version })),
        /evidence\.json - \/version/,
      ] as const,
  ),
];

for (const [name, change, finding, keys] of forgeries)
  test(`forged: ${name}`, async () => {
    await cp(pack, forged, { recursive: true });
    try {
      await change();
      await forger.reseal();
      const { exitCode, stderr, stdout } = await site.verify(forged, keys, '--output', 'json');
      assert.equal(exitCode, 4, stderr);
      const { ok, findings } = JSON.parse(stdout);
      assert.equal(ok, false);
      assert.ok(
        findings.some(({ code, detail }: any) => code === 'SVC-CUS-003' && finding.test(detail)),
        JSON.stringify(findings),
      );
    } finally {
      await rm(forged, { recursive: true });
    }
  });

test('a ledger that names a recipe falsely gives a pack that does not hold, also without a line that others name', async () => {
  await using unwitnessed = await openEvidenceSite();
  const { records } = unwitnessed.medium;
  const { digest } = records.find(({ name }) => name === 'depot')!;
  const custody = openCustody({ stateRoot: unwitnessed.path('state'), site: 'zone-a' });
  await custody.record({ type: 'fetched', actor: 'alice', subjects: [{ name: 'bank-core@9.0.0', digest }] });
  const out = unwitnessed.path('named-falsely');
  const packed = await unwitnessed.pack('--recipe', 'bank-core@9.0.0', '--out', out);
  assert.equal(packed.exitCode, 0, packed.stderr);
  const { exitCode, stderr } = await unwitnessed.verify(out);
  assert.equal(exitCode, 4);
  assert.match(stderr.replaceAll(/\s+/g, ' '), /bank-core@9\.0\.0, and its document is depot@2\.0\.0/);
});

test('a statement of another type counts as a signature under a root that lists it, and for who says so', async () => {
  const gate = createSigner();
  await using attested = await openEvidenceSite({
    recipes: defaultRecipes().map((recipe) => ({
      ...recipe,
      sign: (signer, subject) => [
        signer.sign(subject, 'bundle'),
        gate.sign(subject, 'bundle', { predicateType: rejected }),
        signer.sign(subject, 'bundle', { predicateType: rejected }),
      ],
    })),
  });
  const settings = JSON.parse(await readFile(attested.path('svc.json'), 'utf8'));
  const packUnder = async (name: string, predicates?: readonly string[]): Promise<string> => {
    const root = { name: 'gate', key: gate.publicKeyPem, ...(predicates && { predicates }) };
    const trust = { roots: [...settings.trust.roots, root] };
    await writeFile(attested.path('svc.json'), JSON.stringify({ ...settings, trust }));
    return attested.packDelivery(name);
  };
  await writeFile(attested.path('gate.pub'), gate.publicKeyPem);
  const keys = ['--key', attested.path('gate.pub')];

  const plain = await packUnder('plain');
  const { signatures } = JSON.parse(await readFile(join(plain, 'evidence.json'), 'utf8'));
  assert.deepEqual(
    signatures.map(({ path }: any) => path),
    ['recipes/depot@2.0.0/signature-1', 'recipes/shop@1.4.0/signature-1'],
  );
  assert.doesNotMatch(await readFile(join(plain, 'index.html'), 'utf8'), /rejected|gate/);

  const gated = await packUnder('gated', [rejected]);
  assert.match(
    await readFile(join(gated, 'index.html'), 'utf8'),
    /gate<\/bdi> <code>recipes\/depot@2\.0\.0\/signature-[12]<\/code> in a statement of type <bdi>https:\/\/example\.com\/rejected\/v1/,
  );
  assert.match(
    await readFile(join(gated, 'VERIFY.md'), 'utf8'),
    /signature-[12]\.sigstore\.json`: `https:\/\/example/,
  );
  const { exitCode, stderr } = await attested.verify(gated, ...keys);
  assert.equal(exitCode, 4);
  assert.match(stderr.replaceAll(/\s+/g, ' '), /rejected\/v1, which approves nothing/);
  const said = await attested.verify(gated, ...keys, '--predicate', rejected);
  assert.equal(said.exitCode, 0, said.stderr);
  assert.match(
    said.stdout,
    /gate\.pub \(signs recipes\) [0-9a-f]{64} https:\/\/example\.com\/rejected\/v1\n/,
  );
});

test('a recipe without a verified signature, or without its document, has a warning of its own', async () => {
  const { stderr } = await site.verify(pack);
  assert.match(stderr.replaceAll(/\s+/g, ' '), /the pack does not have recipe gone@1\.0\.0 \(SVC-REG-005\)/);
  await using unsigned = await openEvidenceSite({
    recipes: defaultRecipes().map((recipe) => ({ ...recipe, unsigned: recipe.name === 'depot' })),
  });
  const { exitCode, stderr: warned } = await unsigned.verify(await unsigned.packDelivery());
  assert.equal(exitCode, 0, warned);
  assert.match(
    warned.replaceAll(/\s+/g, ' '),
    /recipe depot@2\.0\.0 has no signature that a given key verifies/,
  );
  const json = await unsigned.verify(unsigned.path('evidence'), '--output', 'json');
  assertCliDocument('svc evidence verify', json.stdout);
  assert.deepEqual(
    JSON.parse(json.stdout).unsigned.map(({ name, missing }: any) => [name, missing]),
    [
      ['depot', undefined],
      ['gone', 'SVC-REG-005'],
    ],
  );
});

test('a whole pack holds under its keys, each in its role, and each statement is listed with its key', async () => {
  const { exitCode, stdout, stderr } = await site.verify(pack, site.keys, '--output', 'json');
  assert.equal(exitCode, 0, stderr);
  assertCliDocument('svc evidence verify', stdout);
  const { ok, page, witnessed, signatures } = JSON.parse(stdout);
  assert.deepEqual([ok, page, witnessed], [true, 'same', { others: [{ site: 'zone-b', seq: 2 }] }]);
  const file = (name: string): string => site.path(`${name}.pub`);
  assert.deepEqual(
    signatures.map(({ kind, keyFile, role, site: of }: any) => [kind, keyFile, role, of]),
    [
      ['recipe', file('release'), 'signer', undefined],
      ['recipe', file('release'), 'signer', undefined],
      ['receipt', file('zone-b'), 'site', 'zone-b'],
      ['passport', file('zone-a'), 'site', 'zone-a'],
      ['approval', file('board'), 'approver', undefined],
      ['checkpoint', file('zone-b'), 'site', 'zone-b'],
    ],
  );
  const html = await readFile(join(pack, 'index.html'), 'utf8');
  for (const shown of [/2026-03-01 12:00:00/, /keys\/approver-/, /An actor such as local:0 is the user/])
    assert.match(html, shown);
  const text = await site.verify(pack);
  assert.equal(text.exitCode, 0);
  assert.match(text.stdout, /shop@1\.4\.0\/signature-1: \S+release\.pub \(signs recipes\) [0-9a-f]{64}\n/);
  assert.match(text.stdout, /approval-shop-1\.4\.0-[0-9a-f]+: \S+board\.pub \(approves recipes\)/);
  assert.match(text.stdout, /zone-a: [0-9]+ lines, named by another site \(zone-b\) up to line 2\n/);
  assert.doesNotMatch(text.stdout, /own key/);
  assert.match(html, /by another site \(zone-b\) up to line 2/);
  assert.match(text.stdout, /receipt-zone-b-1: \S+zone-b\.pub \(zone-b\) [0-9a-f]{64}\n/);
  assert.match(text.stderr, /^svc: warning: the pack does not have recipe gone@1\.0\.0 .*\n$/);
});

test('the page shows the signers of each recipe by its folder, and marks one without any', async () => {
  const evidence = JSON.parse(await readFile(join(pack, 'evidence.json'), 'utf8'));
  const shop = evidence.recipes.find(({ name }: any) => name === 'shop');
  const folder = 'recipes/shop@1.4.0-0123456789ab';
  evidence.recipes.push({ ...shop, digest: hashBytes('signed anew'), folder });
  const rows = [...renderPage(evidence, 'en')].join('').split('</tr>');
  const rowOf = (place: string) => rows.find((one) => one.endsWith(`<td><code>${place}</code></td>`));
  assert.match(rowOf(shop.folder)!, /<tr><th scope="row"><bdi>shop@1\.4\.0<\/bdi>.*<bdi>release<\/bdi>/);
  assert.match(rowOf(folder)!, /<tr class="bad">.*no signature in the pack/);
});

test('the page shows the media of a delivery also where only a note names them', async () => {
  const evidence: any = JSON.parse(await readFile(join(pack, 'evidence.json'), 'utf8'));
  const manifest = hashBytes('noted');
  const { id } = evidence.deliveries[0];
  evidence.deliveries[0].media = [];
  const [line] = evidence.ledgers[0].lines;
  evidence.ledgers[0].lines = [
    { ...line, details: { delivery: id }, subjects: [{ name: 'media.jsonl', digest: manifest }] },
  ];
  const page = [...renderPage(evidence, 'en')].join('');
  assert.match(page, new RegExp(`<bdi>${id}</bdi></th>.*<td><div><code>${manifest}</code></div></td></tr>`));
});

test('the guide names the signatures that no key of the pack verifies', async () => {
  await using other = await openSignedEvidence();
  await rm(other.path('state/custody/keys'), { recursive: true });
  const without = await other.packDelivery();
  const guide = await readFile(join(without, 'VERIFY.md'), 'utf8');
  assert.match(guide, /Ask for the public keys of their signers[^#]*- `statements\/approval-shop[^`]*\.sig`/);
  assert.equal((await other.verify(without)).exitCode, 0);
});

test('what was signed by a key that is not given is a finding with its fingerprint', async () => {
  const { exitCode, stderr } = await site.verify(pack, ['release.pub', 'zone-b=zone-b.pub']);
  assert.equal(exitCode, 4);
  assert.match(
    stderr.replaceAll(/\s+/g, ' '),
    new RegExp(
      `approval-\\S+\\.sig - no given key verifies it: it names the key with SHA-256 ${site.signers.board!.fingerprint}`,
    ),
  );
});

test('the key of a site that is given without its name counts for nothing, and the command says how to give it', async () => {
  const { exitCode, stderr } = await site.verify(pack, ['release.pub', 'board.pub', 'zone-b.pub']);
  assert.equal(exitCode, 4);
  assert.match(stderr.replaceAll(/\s+/g, ' '), /it is a statement of zone-b.*--key zone-b=\S+zone-b\.pub/);
});

test('a key has one role, and a site a name', async () => {
  for (const [keys, pattern] of [
    [['zone-b.pub', 'zone-b=zone-b.pub'], /one key in two roles/],
    [['approver:zone-b.pub', 'zone-b=zone-b.pub'], /one key in two roles/],
    [['zone-b='], /the file of a key is missing/],
    [['approver:'], /the file of a key is missing/],
    [['Zone B=zone-b.pub'], /no name of a site/],
    [['=zone-b.pub'], /no name of a site/],
  ] as const) {
    const { exitCode, stderr } = await site.verify(pack, keys);
    assert.equal(exitCode, 2, stderr);
    assert.match(stderr.replaceAll(/\s+/g, ' '), pattern);
  }
  // the same role twice is one key, and a sign = belongs to a path with a folder
  await cp(site.path('release.pub'), site.path('a=b.pub'));
  const again = [
    'evidence',
    'verify',
    pack,
    '--key',
    site.path('a=b.pub'),
    '--key',
    site.path('release.pub'),
  ];
  const { exitCode } = await runCommand([...again, '--output', 'json']);
  assert.equal(exitCode, 4);
});

test('one key may be that of several sites, and then none of them vouches for another', async () => {
  const keys = [...site.keys, 'zone-a=zone-b.pub'];
  const { exitCode, stdout, stderr } = await site.verify(pack, keys, '--output', 'json');
  assert.equal(exitCode, 0, stderr);
  assert.deepEqual(JSON.parse(stdout).witnessed, { own: 2, others: [] });
  assert.match(stderr.replaceAll(/\s+/g, ' '), /no verified statement of another site names a line/);
});

test('the page and the guide of another version are not compared, and the command says so', async () => {
  await cp(pack, forged, { recursive: true });
  await forger.edit((evidence) => Object.assign(evidence, { version: '0.0.1' }));
  await writeFile(forger.at('index.html'), 'another page');
  await forger.reseal();
  const { exitCode, stderr } = await site.verify(forged);
  assert.equal(exitCode, 0, stderr);
  assert.match(stderr.replaceAll(/\s+/g, ' '), /were not compared, and must not be trusted/);
  const { page } = JSON.parse((await site.verify(forged, site.keys, '--output', 'json')).stdout);
  assert.equal(page, 'uncompared');
  await rm(forged, { recursive: true });
});

test('a site that wrote its ledger anew is found by the lines that two of its checkpoints vouch for', async () => {
  await using other = await openSignedEvidence();
  await other.addPart('peer-anew', 'mallory');
  const both = await other.packDelivery();
  const { exitCode, stderr } = await other.verify(both);
  assert.equal(exitCode, 4);
  assert.match(stderr.replaceAll(/\s+/g, ' '), /its line 1 of zone-b is another one than in statements\//);
});
