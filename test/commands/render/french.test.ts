import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderMediumReport } from '../../../commands/media/render-medium.ts';
import { renderExport, renderImport, renderLayoutPlan } from '../../../commands/render/layout.ts';
import { renderPlan } from '../../../commands/render/plan.ts';
import { renderProjection, renderPruned } from '../../../commands/render/prune.ts';
import { renderFailures, renderLowered, renderTask, renderWarnings } from '../../../commands/render/task.ts';
import { renderCheck } from '../../../commands/store/render-check.ts';
import { toReason } from '../../../src/engine/layout/select-entries.ts';
import { svcError, toErrorRecord } from '../../../src/text/error.ts';
import { fr, type Language } from '../../../src/text/language.ts';
import { rule } from '../../../src/text/rule.ts';
import { findEnglish } from '../../kit/program/run-command.ts';

const digest = `sha256:${'a'.repeat(64)}` as const;
const time = '2026-01-01T00:00:00Z';
/** Texts of the program, as another process sends them. */
const texts = {
  noPart: rule(['no part of the index is in the store', fr`aucune partie de l’index n’est dans le stockage`]),
  noFolder: rule(['not a folder', fr`pas un dossier`]),
  unknownLimits: rule(
    [
      'the filesystem ({type}) is not one whose limits are known: they are not checked',
      fr`le système de fichiers ({type}) n’est pas de ceux dont les limites sont connues ; elles ne sont pas contrôlées`,
    ],
    { type: 'x' },
  ),
  damaged: rule(['{path}: damaged at byte {byte}', fr`{path} : abîmé à l’octet {byte}`], {
    path: 'ledger/content',
    byte: 7,
  }),
  unwritable: rule([
    'the store is not writable: the lock is shared',
    fr`le stockage est en lecture seule ; le verrou est partagé`,
  ]),
  otherDigest: rule(['its bytes have the digest {digest}', fr`ses octets ont l’empreinte {digest}`], {
    digest: 'sha256:0',
  }),
  foreignFile: rule(['it is not part of a store', fr`il ne fait pas partie d’un stockage`]),
};
const missing = [{ repository: 'a', digest, ...toReason(texts.noPart) }];
const pruneItem = { repository: 'a', tag: '1', digest, recipe: 'r@1', sizeBytes: 5, restored: digest };
const failure = toErrorRecord(svcError('SVC-STO-001', { path: 'x', detail: texts.noFolder }));
const problem = { code: 'SVC-REG-002', class: 'failure', params: { host: 'h.example' }, subject: 's' };
const ingredient = {
  name: 'app',
  repository: 'reg.example/app',
  version: '1',
  digest,
  status: 'new',
  destinationStatus: 'outdated',
  signatures: 'new',
  transferBytes: 1536,
  absentLayers: [digest],
};
const recipe = {
  name: 'shop',
  requested: '^1',
  resolved: '1.2',
  digest,
  ingredients: [ingredient],
  transferBytes: 2,
};
const check = {
  target: 'store',
  path: '/x',
  filesystem: { type: 'ext4', identified: false },
  freeBytes: 9,
  marginPercent: 10,
  usableBytes: 8,
  projectedBytes: 20,
  shortfallBytes: 12,
  refusalCode: 'SVC-STO-004',
  warnings: [String(texts.unknownLimits)],
  warningRules: [texts.unknownLimits],
};
const plan = {
  mode: 'mirror',
  source: '/z.yaml',
  zone: 'b',
  destination: 'd.example',
  outcome: 'changes-planned',
  recipes: ['verified', 'unsigned-admitted', 'refused', 'not-evaluated'].map((signature) => ({
    ...recipe,
    signature,
    signatures: 'new',
    trustScope: 'lab',
  })),
  totals: {
    recipes: 4,
    ingredients: 1,
    new: 2,
    outdated: 1,
    upToDate: 0,
    storeBytes: 1,
    projectedStoreBytes: 9,
    transferBytes: 8,
    totalBytes: 9,
  },
  policy: {
    allowlistDeclared: false,
    hosts: [{ host: 'h', role: 'cookbook', allowed: false }],
    unmatchedScopes: ['lab'],
  },
  prune: { evaluated: true, items: [pruneItem], totalBytes: 5 },
  checks: [check],
  problems: [problem],
};
const task = {
  id: 'tsk_0',
  status: 'failed',
  items: [
    { name: 'a', status: 'failed', error: failure },
    { name: 'b', status: 'done', warning: failure },
  ],
  counts: { total: 3, done: 1, skipped: 1, failed: 1 },
  progress: { bytesDone: 1536 },
  pruned: [pruneItem],
};
const medium = {
  verdict: 'partial',
  medium: { mediaId: 'id', writtenAt: time, producedBy: { version: '1' }, zone: 'c' },
  zone: { expected: 'b', found: 'c', match: false },
  freshness: { resolvedAt: time },
  checked: { files: 2, bytes: 1536 },
  recipes: [
    { name: 'shop', version: '1', pushable: true, files: 1, bytes: 1 },
    {
      name: 'lab',
      version: '1',
      pushable: false,
      files: 1,
      bytes: 1,
      reason: { code: 'SVC-SIG-001', params: { subject: 'lab', reason: 'none' } },
    },
  ],
  blocks: [{ code: 'SVC-MED-006', params: { expected: 'b', found: 'c' }, waived: true }],
  findings: Array.from({ length: 22 }, () => ({ code: 'SVC-MED-020', params: { path: 'x' } })),
};
const step = { checked: 1, bytes: 1536, milliseconds: 1250, problems: 1 };
const store = {
  verdict: 'damaged',
  root: '/x',
  mediaId: 'id',
  standing: 'foreign',
  reason: 'altered',
  notices: [texts.damaged, texts.unwritable].map(String),
  noticeRules: [texts.damaged, texts.unwritable],
  steps: ['ledgers', 'folders', 'manifests', 'reachability', 'rest'].map((name) => ({ name, ...step })),
  findings: [
    {
      ...toErrorRecord(svcError('SVC-STO-009', { path: 'x', detail: texts.otherDigest })),
      affects: Array.from({ length: 6 }, () => ({ repository: 'a', tag: '1', recipes: ['r@1'] })),
      quarantined: '_svc/quarantine/x',
    },
    {
      ...toErrorRecord(svcError('SVC-STO-012', { path: 'y', detail: texts.foreignFile })),
      affects: [],
    },
  ],
  quarantine: { files: 1, bytes: 5, added: 1 },
  checked: { files: 1, bytes: 5 },
  adopted: { tags: 2, blobs: 2, held: true },
  repair: {
    lost: [
      { path: 'l', offset: 0, bytes: 1 },
      { path: 'l', offset: 4, bytes: 1 },
    ],
    tags: [{ repository: 'a', tag: '1', from: 'recipes' }],
    gone: [{ repository: 'a', tag: '1', from: 'manifests' }],
    manifests: 1,
    held: true,
  },
};
const layout = {
  format: 'tar',
  references: ['a:1', 'b:1'],
  manifests: 1,
  blobs: 2,
  totalBytes: 1536,
  largestFileBytes: 5,
  missing,
};
const exported = { output: '/x.tar', references: ['a'], bytes: 5, missing };
const imported = {
  input: '/x.tar',
  entries: [{ reference: 'a' }, { reference: 'b', error: failure }],
  failed: 1,
  bytes: 5,
  movedBytes: 1,
};

const toOptions = (language: Language) => ({ language, width: Number.POSITIVE_INFINITY });

/** Every report, from values that show each of its lines. */
const reports: Readonly<Record<string, (language: Language) => string>> = {
  plan: (language) => renderPlan(plan as never, toOptions(language)),
  'plan of a Retriever that is not usable': (language) =>
    renderPlan(
      {
        ...plan,
        outcome: 'failed',
        recipes: [],
        prune: { evaluated: false, reason: 'no-retriever', items: [], totalBytes: 0 },
      } as never,
      toOptions(language),
    ),
  projection: (language) =>
    renderProjection(
      { items: [pruneItem], count: 60, totalBytes: 5, fingerprint: pruneItem.digest },
      true,
      toOptions(language),
    ),
  'projection that failed': (language) =>
    [true, false]
      .map((prunes) => renderProjection({ error: failure } as never, prunes, toOptions(language)))
      .join(''),
  'projection that leaves a recipe out': (language) =>
    renderProjection(
      {
        items: [],
        count: 0,
        totalBytes: 0,
        lowered: [{ cookbook: 'registry.example/c', name: 'shop', resolved: '1.0.0', here: '1.1.0' }],
        fingerprint: pruneItem.digest,
      },
      true,
      toOptions(language),
    ),
  'lower versions': (language) =>
    renderLowered(
      {
        resolutions: [
          { recipe: 'shop@1.0.0', requested: '^1', resolved: '1.0.0', lowerThan: '1.1.0', status: 'new' },
        ],
      } as never,
      language,
    ),
  pruned: (language) => renderPruned(task as never, language),
  task: (language) => renderTask(task as never, language),
  failures: (language) => renderFailures(task as never, language),
  warnings: (language) => renderWarnings(task as never, language),
  medium: (language) => renderMediumReport(medium as never, '/mnt', toOptions(language)),
  'check of a store': (language) => renderCheck(store as never, toOptions(language)),
  'plan of a layout': (language) => renderLayoutPlan(layout as never, language),
  export: (language) => renderExport(exported as never, language),
  import: (language) => renderImport(imported as never, language),
};

for (const [name, render] of Object.entries(reports)) {
  test(`no line of a report stays English for a French user: ${name}`, () => {
    const french = render('fr');
    assert.equal(findEnglish(french), undefined, french);
    assert.doesNotMatch(french, /\d(?:\.\d)? [KMG]?i?B\b/, 'sizes are in octets');
    assert.doesNotMatch(french, /\S [:;?](?: |$)/m, french);
    assert.ok(findEnglish(render('en')) !== undefined, `the words would be found: ${render('en')}`);
    assert.equal(french.split('\n').length, render('en').split('\n').length);
  });
}
