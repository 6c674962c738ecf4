import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { html, renderHtml } from '../../../server/ui/html.ts';
import { bandOf, sideLine } from '../../../server/ui/side.ts';
import { bands, type Side, type SideFacts, toSide } from '../../../server/views/side.ts';
import { accents, patterns } from '../../../src/config/ui-band.ts';
import { pageWords } from '../../../src/text/words/words.ts';
import { startTestServer } from '../../kit/instance/server.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { openBrowserSession } from '../../kit/web/browser-session.ts';
import { contrast } from '../../kit/web/contrast.ts';
import { toPageText } from '../../kit/web/page-text.ts';

const bare: SideFacts = {
  mode: 'passthrough',
  hasZone: false,
  isCarried: false,
  hasSource: false,
  upstreams: [],
  zones: [],
};

const sides: readonly (readonly [
  name: string,
  facts: Partial<SideFacts>,
  role: Side['role'],
  en: string,
  fr: string,
])[] = [
  [
    'a mirror of one zone',
    { mode: 'mirror', hasSource: true, retriever: 'zone-b' },
    'source',
    'source for zone-b',
    'source pour zone-b',
  ],
  [
    'a mirror with several zones',
    { mode: 'mirror', hasSource: true, retriever: 'zone-b', zones: ['zone-c', 'zone-d', 'zone-e'] },
    'source',
    'source for zone-c, zone-d, +1',
    'source pour zone-c, zone-d, +1',
  ],
  ['a mirror that has not run', { mode: 'mirror' }, 'source', 'source of media', 'source de supports'],
  [
    'a mirror named as its zone',
    { mode: 'mirror', hasZone: true, hasSource: true },
    'source',
    'source of media',
    'source de supports',
  ],
  [
    'a carried store',
    { mode: 'mirror', hasZone: true, isCarried: true, hasSource: true },
    'disk',
    'fed by disk',
    'alimentée par disque',
  ],
  ['a zone that waits for its first disk', { hasZone: true }, 'disk', 'fed by disk', 'alimentée par disque'],
  [
    'a zone behind another instance',
    { hasZone: true, hasSource: true, upstreams: ['zone-a.example'] },
    'network',
    'fed by zone-a.example over the network',
    'alimentée par zone-a.example par le réseau',
  ],
  [
    'a zone with origins of its own',
    { hasSource: true },
    'network',
    'fed over the network',
    'alimentée par le réseau',
  ],
  [
    'a zone that passes on',
    { hasZone: true, hasSource: true, upstreams: ['a', 'b'], zones: ['zone-c'] },
    'network',
    'fed by a, b over the network · source for zone-c',
    'alimentée par a, b par le réseau · source pour zone-c',
  ],
  ['a registry by itself', {}, 'alone', '', ''],
];

test('an instance says on which side it is, by its configuration and its store', () => {
  for (const [name, facts, role, en, fr] of sides) {
    const side = toSide({ ...bare, ...facts });
    assert.equal(side.role, role, name);
    for (const [language, expected] of [
      ['en', en],
      ['fr', fr],
    ] as const) {
      const line = sideLine({ words: pageWords[language] }, side);
      // the button of a phone says the side in a word, and a wide header has all names
      const text =
        typeof line === 'string'
          ? line
          : renderHtml(line)
              .replace(/<button[\s\S]*<\/button>/, '')
              .replace(/<span class="side-long">.*?<\/bdi><\/span> /, '')
              .replaceAll(/<[^>]+>/g, '');
      assert.equal(text, expected, name);
    }
  }
});

test('a wide header names all zones', () => {
  const zones = ['zone-c', 'zone-d', 'zone-e'];
  const line = sideLine({ words: pageWords.en }, { role: 'source', zones, upstreams: [] });
  const [, long = ''] = /side-long">(.*?)<\/bdi>/.exec(renderHtml(html`${line}`)) ?? [];
  assert.match(toPageText(long), /zone-c, zone-d, zone-e$/);
});

test('no two sides look alike, and the settings have the last word', () => {
  const looks = Object.values(bands).map(({ accent, pattern }) => `${accent} ${pattern}`);
  assert.equal(new Set(looks).size, looks.length);
  const side = toSide(bare);
  assert.deepEqual(bandOf({}, side), bands.alone);
  assert.deepEqual(bandOf({ accent: 'ochre', pattern: 'checks' }, side), {
    accent: 'ochre',
    pattern: 'checks',
  });
});

test('each accent has its contrast on the grounds of all four themes, and each pattern its rule', () => {
  const read = (name: string) =>
    readFileSync(join(import.meta.dirname, '../../../server/ui/assets', name), 'utf8');
  const css = read('side.css');
  const pairs = [
    ...read('tokens.css').matchAll(/--(?:page|raised): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g),
  ];
  assert.ok(pairs.length >= 4, 'grounds of the themes');
  const grounds = { light: pairs.map(([, light]) => light!), dark: pairs.map(([, , dark]) => dark!) };
  const found = [
    ...css.matchAll(
      /\[data-accent="([a-z]+)"\] \{\s*--zone-accent: light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g,
    ),
  ];
  assert.deepEqual(
    found.map(([, name]) => name),
    [...accents],
  );
  for (const [, name, light, dark] of found)
    for (const [colour, all] of [
      [light!, grounds.light],
      [dark!, grounds.dark],
    ] as const)
      for (const ground of all) assert.ok(contrast(colour, ground) >= 4.5, `${name}: ${colour} on ${ground}`);
  const ruled = [...css.matchAll(/\[data-pattern="([a-z]+)"\]/g)].map(([, name]) => name);
  assert.deepEqual(
    ruled,
    patterns.filter((name) => name !== 'solid'),
  );
});

test('header and title of each page carry the site and its side; only an administrator sees hosts of the configuration', async () => {
  await using folder = await openTempFolder();
  await using server = await startTestServer({
    folder: folder.path,
    zone: 'zone-b',
    ui: { pattern: 'bars' },
  });
  const admin = openBrowserSession(server);
  const before = await (await admin.get('/login')).text();
  assert.match(before, /<title>[^<]+ · zone-b · by network<\/title>/);
  assert.match(before, /data-accent="teal" data-pattern="bars"/);
  assert.doesNotMatch(before, /class="side"/, 'a visitor who is not signed in');
  await admin.signIn('admin', 'admin password');
  for (const [language, title, line] of [
    ['en', 'by network', 'fed over the network'],
    ['fr', 'par réseau', 'alimentée par le réseau'],
  ] as const) {
    const text = await (await admin.get('/tasks', { 'accept-language': language })).text();
    assert.match(text, new RegExp(`<title>[^<]+ · zone-b · ${title}</title>`));
    assert.match(text, new RegExp(`class="side" id="side" popover><bdi translate="no">${line}</bdi>`));
  }
});
