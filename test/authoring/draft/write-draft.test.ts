import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameCandidates } from '../../../src/authoring/draft/name-ingredients.ts';
import { mergeCandidates, toCandidates } from '../../../src/authoring/draft/to-candidates.ts';
import { writeDraft } from '../../../src/authoring/draft/write-draft.ts';
import type { Candidate } from '../../../src/authoring/foreign/model.ts';
import { parseRecipe } from '../../../src/recipe/document.ts';

const image = (
  repository: string,
  version: string | undefined,
  more: Partial<Candidate> = {},
): Candidate => ({
  kind: 'ContainerImage',
  reference: { host: 'quay.io', repository },
  version,
  platforms: [],
  origins: ['a.yaml: image'],
  ...more,
});
const digest = `sha256:${'b'.repeat(64)}` as const;

test('candidates that are the same are one, and what is certain once is certain', () => {
  const merged = mergeCandidates([
    image('app', '1', { doubt: 'values-only', origins: ['chart: values image'] }),
    image('app', '1', { origins: ['list:1'] }),
    image('app', '1', {
      reference: { host: 'quay.io', repository: 'app', digest },
      origins: ['lock: images[0]'],
    }),
    image('app', '2'),
  ]);
  assert.deepEqual(
    merged.map(({ version, doubt, reference, origins }) => [version, doubt, reference.digest, origins]),
    [
      ['1', undefined, digest, ['list:1', 'lock: images[0]']],
      ['2', undefined, undefined, ['a.yaml: image']],
    ],
  );
});

test('no platform in one source means all platforms', () => {
  const of = (a: readonly string[], b: readonly string[]) =>
    mergeCandidates([image('app', '1', { platforms: a }), image('app', '1', { platforms: b })])[0]?.platforms;
  assert.deepEqual(of(['linux/amd64'], ['linux/arm64']), ['linux/amd64', 'linux/arm64']);
  assert.deepEqual(of(['linux/amd64'], []), []);
  const [own] = toCandidates([{ image: 'a:1', where: 'x', others: 2, platform: 'linux/arm64' }], 's', []);
  assert.deepEqual([own?.platforms, own?.origins], [['linux/arm64'], ['s: x (+2)']]);
  const [given] = toCandidates([{ image: 'a:1', where: ':3', others: 0, platform: 'linux/arm64' }], 's', [
    'linux/amd64',
  ]);
  assert.deepEqual([given?.platforms, given?.origins], [['linux/amd64'], ['s:3']]);
});

test('names are unique, and the certain ones get the plain name', () => {
  const named = nameCandidates([
    image('team/web', '1', { doubt: 'disabled' }),
    image('web', '1'),
    image('web', '2'),
    image('other/web', '1', { kind: 'HelmChart' }),
    image('other/web', '3', { reference: { host: 'ghcr.io', repository: 'other/web' } }),
    image('a/My_App', '1'),
    image(`${'x'.repeat(80)}`, '1'),
  ]).map(({ name, taken }) => [name, taken]);
  assert.deepEqual(named, [
    ['web-team', 'web'],
    ['web', undefined],
    ['web-2', 'web'],
    ['web-chart', 'web'],
    ['web-other', 'web'],
    ['my-app', undefined],
    ['x'.repeat(63), undefined],
  ]);
});

test('a thousand images of one name have a thousand names', () => {
  const named = nameCandidates(Array.from({ length: 1000 }, (_, i) => image(`same/p${i % 3}/web`, `v${i}`)));
  assert.equal(new Set(named.map(({ name }) => name)).size, 1000);
});

test('the draft is a valid document, whatever the sources are called, and proposals are comments', () => {
  const ingredients = nameCandidates([
    image('app', '1.10', {
      origins: ['a\nspec: {}\u202e: x', '# more'],
      platforms: ['linux/amd64', 'linux/arm/v6'],
    }),
    image('yes', 'on', { reference: { host: 'quay.io', repository: 'yes', digest } }),
    image('off', undefined, { doubt: 'no-tag' }),
    image('chart', '^1.2', { kind: 'HelmChart' }),
  ]);
  for (const language of ['en', 'fr'] as const) {
    const text = writeDraft({ name: 'shop', ingredients }, language);
    const recipe = parseRecipe(Buffer.from(text), 'draft');
    assert.deepEqual(
      recipe.ingredients.map(({ name, version, digest: own, platforms }) => [
        name,
        version,
        own,
        platforms.length,
      ]),
      [
        ['app', '1.10', undefined, 2],
        ['yes', 'on', digest, 0],
        ['chart', '^1.2', undefined, 0],
      ],
    );
    assert.match(text, /^ {4}#- name: "off"$/m);
    // the author accepts a proposal by removing its #
    const taken = parseRecipe(
      Buffer.from(text.replaceAll(/^ {4}#(?=- | {2})/gm, '    ').replace(/version:$/m, 'version: "1"')),
      'draft',
    );
    assert.equal(taken.ingredients.length, recipe.ingredients.length + 1);
    assert.match(text, /^ {4}# a\\u000aspec: \{\}\\u202e: x$/m);
  }
});
