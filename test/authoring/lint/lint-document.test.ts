import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lintDocument } from '../../../src/authoring/lint/lint-document.ts';
import { isMovingTag } from '../../../src/authoring/lint/moving-tag.ts';
import { sayFinding } from '../../../src/authoring/lint/say-finding.ts';
import { selectFindings } from '../../../src/authoring/lint/select-findings.ts';
import { parseRecipe } from '../../../src/recipe/document.ts';
import { words } from '../../../src/text/words/words.ts';

const digest = (character: string, length = 64) => `sha${length * 4}:${character.repeat(length)}`;
const toRecipe = (ingredients: string) => `apiVersion: recipe.tobby.dev/v1alpha1
kind: Recipe
metadata: {name: shop, version: 1.0.0}
spec:
  ingredients:
${ingredients}`;

const plain = '    - {name: a, kind: ContainerImage, ref: registry.example/a, version: 1.0.0}\n';

async function lint(text: string, insecure: readonly string[] = []) {
  const { findings } = await lintDocument(Buffer.from(text), 'shop.yaml', { insecure });
  return findings;
}
const brief = (findings: Awaited<ReturnType<typeof lint>>) =>
  findings.map(({ rule, severity, path, line }) => [
    line,
    rule,
    severity,
    path.replace('spec.ingredients', ''),
  ]);

test('each rule names the member and its line', async () => {
  const text = toRecipe(`    - {name: a, kind: ContainerImage, ref: registry.example/a, version: latest}
    - {name: b, kind: ContainerImage, ref: 127.0.0.1:5000/b, version: 1.0.0, digest: "${digest('b')}"}
    - {name: c, kind: ContainerImage, ref: plain.example/c, version: 1.0.0, digest: "${digest('b')}"}
    - name: d
      kind: ContainerImage
      ref: registry.example/d
      version: 1.0.0-amd64
      platforms: [linux/amd64, linux/arm64]
    - {name: e, kind: OCIArtifact, ref: registry.example/e, version: ^1, digest: "${digest('e', 128)}"}
`);
  assert.deepEqual(brief(await lint(text, ['plain.example'])), [
    [6, 'moving-tag', 'warning', '[0].version'],
    [7, 'loopback-host', 'warning', '[1].ref'],
    [8, 'same-digest', 'warning', '[2].digest'],
    [8, 'insecure-host', 'warning', '[2].ref'],
    [13, 'single-platform', 'warning', '[3].platforms'],
    [14, 'sha512-signature', 'warning', '[4].digest'],
  ]);
});

test('characters that nobody sees are named, wherever a text of the author has them', async () => {
  const files = `    - {name: a, kind: FileSet, ref: registry.example/a, version: 1.0.0, extract: {paths: ["a\u200b/*"]}}\n`;
  const text = toRecipe(files).replace(
    'version: 1.0.0}',
    'version: 1.0.0, description: "line\\nof \u202egpj\u200b\u202e.exe", annotations: {"a.b/c": "x\u2060y", d: "été ❤️"}}',
  );
  const findings = await lint(text);
  assert.deepEqual(
    findings.map(({ rule, path, line, params }) => [rule, path, line, params.characters]),
    [
      ['unseen-character', 'metadata.description', 3, '\\u202e, \\u200b'],
      ['unseen-character', 'metadata.annotations["a.b/c"]', 3, '\\u2060'],
      ['unseen-character', 'spec.ingredients[0].extract.paths', 6, '\\u200b'],
    ],
  );
});

test('characters that nobody sees are named in comments and anchors too, each with its line, and in no value twice', async () => {
  const bidi = [
    '\u202a',
    '\u202b',
    '\u202c',
    '\u202d',
    '\u202e',
    '\u2066',
    '\u2067',
    '\u2068',
    '\u2069',
    '\u200e',
    '\u200f',
    '\u061c',
  ];
  for (const character of bidi)
    assert.equal(
      (await lint(`# x${character}\n${toRecipe(plain)}`))[0]?.rule,
      'unseen-comment',
      escape(character),
    );
  const text = `# plain\n# image: \u202e x\n${toRecipe(
    `    - {name: a, kind: ContainerImage, ref: registry.example/a, version: 1.0.0} # \u2066 the one\u2069\n`,
  ).replace(
    'metadata: {name: shop, version: 1.0.0}',
    `metadata:
  name: &n\u200b shop
  version: 1.0.0
  description: | # block \u200f
    # no comment \u202e
    text`,
  )}`;
  const findings = await lint(text);
  assert.deepEqual(
    findings.map(({ rule, path, line, params }) => [rule, path, line, params.characters]),
    [
      ['unseen-comment', 'line 2, column 1', 2, '\\u202e'],
      ['unseen-comment', 'line 6, column 9', 6, '\\u200b'],
      ['unseen-character', 'metadata.description', 8, '\\u202e'],
      ['unseen-comment', 'line 8, column 18', 8, '\\u200f'],
      ['unseen-comment', 'line 13, column 80', 13, '\\u2066, \\u2069'],
    ],
  );
  for (const language of ['en', 'fr'] as const)
    assert.match(
      sayFinding(findings[0]!, words[language]).message,
      /(?:comment|commentaire), .* \\u202e, (?:which|que) /,
    );
  const long = `${text}${'# é padding\n'.repeat(2000)}`;
  assert.equal((await lint(long)).length, findings.length, 'a large document is read in a thread');
  assert.deepEqual(await lint(`# été ❤️ 日本語\n${toRecipe(plain)}`), []);
});

test('a draft with constraints and a cooked recipe with exact tags have nothing to change', async () => {
  assert.deepEqual(
    await lint(
      toRecipe(`    - {name: a, kind: ContainerImage, ref: registry.example/a, version: ^1.4}
    - {name: b, kind: FileSet, ref: registry.example/b, version: "16.2", digest: "${digest('b')}"}
`),
    ),
    [],
  );
});

test('tags that move are told from tags of one release', () => {
  for (const tag of ['latest', 'Latest', 'stable-alpine', 'main', 'nightly', '16', 'v1', '3-slim'])
    assert.ok(isMovingTag(tag), tag);
  for (const tag of [
    '1.2.3',
    '16.2',
    '22.04',
    'v1.0',
    '20261122',
    '^1',
    '*',
    'release-7',
    'stablecoin',
    '7.x',
  ])
    assert.ok(!isMovingTag(tag), tag);
});

test('every broken rule of the format is an error with its line', async () => {
  const text = toRecipe(`    - {name: a, kind: ContainerImage, ref: registry.example/a, version: 1.10}
    - {name: a, kind: Image, ref: registry.example/a, version: ^1}
`).replace('version: 1.0.0', 'version: one');
  const findings = await lint(text);
  assert.deepEqual(brief(findings), [
    [3, 'format', 'error', 'metadata.version'],
    [6, 'format', 'error', '[0].version'],
    [7, 'format', 'error', '[1].kind'],
  ]);
  const broken = await lint('a: [');
  assert.deepEqual(
    broken.map(({ rule, severity }) => [rule, severity]),
    [['format', 'error']],
  );
});

test('two ingredients with one reference are found, unless they are the same content', async () => {
  const toItems = (digests: readonly string[]) =>
    digests
      .map(
        (digest, i) =>
          `    - {name: n${i}, kind: HelmChart, ref: registry.example/a, version: 1.0.0${digest}}\n`,
      )
      .join('');
  const ruleOf = async (digests: readonly string[]) =>
    (await lint(toRecipe(toItems(digests)))).map(({ rule, params }) => [rule, params?.name, params?.other]);
  const pin = (digit: string) => `, digest: "sha256:${digit.repeat(64)}"`;
  assert.deepEqual(await ruleOf([pin('1'), pin('2')]), [['same-reference', 'n1', 'n0']]);
  assert.deepEqual(await ruleOf(['', '']), [['same-reference', 'n1', 'n0']]);
  assert.deepEqual(await ruleOf([pin('1'), pin('1')]), [['same-digest', 'n1', 'n0']]);
  const names = ['docker.io', 'registry-1.docker.io'].map(
    (host, i) =>
      `    - {name: n${i}, kind: HelmChart, ref: ${host}/library/a, version: 1.0.0${pin(String(i))}}\n`,
  );
  const [finding] = await lint(toRecipe(names.join('')));
  assert.deepEqual(
    [finding?.rule, finding?.params?.reference],
    ['same-reference', 'docker.io/library/a:1.0.0'],
  );
});

test('a finding says what is wrong and what to do, in both languages', async () => {
  const [finding] = await lint(
    toRecipe('    - {name: a, kind: HelmChart, ref: registry.example/a, version: latest}\n'),
  );
  const english = sayFinding(finding!, words.en);
  assert.equal(
    english.message,
    'a has the tag latest, which usually moves: the tag does not tell which release the digest pins.',
  );
  assert.equal(english.fix, 'Name the tag of one release, or a constraint.');
  assert.match(sayFinding(finding!, words.fr).message, /^a a l’étiquette latest, qui se déplace/);
});

test('a document of anchors is refused as the format refuses it, and one that is too large is an error', async () => {
  const bomb = `a: &a ["x"]\n${Array.from({ length: 101 }, (_, i) => `b${i}: *a\n`).join('')}`;
  assert.deepEqual(
    (await lint(bomb)).map(({ rule }) => rule),
    ['format'],
  );
  await assert.rejects(lint('#'.repeat((4 << 20) + 1)), { code: 'SVC-VAL-002' });
});

test('of thousands of findings the first 1000 are listed, and all are counted', async () => {
  const count = 3000;
  const lines = Array.from(
    { length: count },
    (_, i) =>
      `    - {name: i${i}, kind: ContainerImage, ref: registry.example/a${i}, version: latest, digest: "${digest('a')}"}\n`,
  );
  const text = toRecipe(lines.join(''));
  const report = await lintDocument(Buffer.from(text), 'shop.yaml', { insecure: [] });
  const rules = report.findings.map(({ rule }) => rule);
  assert.equal(rules.length, 1000);
  assert.equal(report.omitted, report.errors + report.warnings - 1000);
  assert.ok(report.warnings >= 2 * count - 1);
  const found = report.findings.map(({ line }) => line!);
  assert.deepEqual(
    found,
    found.toSorted((a, b) => a - b),
  );
  assert.ok(found.at(-1)! < 1000);
  const { recipe } = await lintDocument(
    Buffer.from(text),
    'shop.yaml',
    { insecure: [] },
    { withRecipe: true },
  );
  assert.deepEqual(recipe, parseRecipe(Buffer.from(text), 'shop.yaml'));
});

test('the members of a map of thousands are found once each', async () => {
  const labels = Array.from({ length: 50 }, (_, i) => `k${i}: "a\\u200bb"`).join(', ');
  const text = `apiVersion: recipe.tobby.dev/v1alpha1
kind: Recipe
metadata: {name: shop, version: 1.0.0, annotations: {${labels}}}
spec:
  ingredients:
    - {name: a, kind: ContainerImage, ref: registry.example/a, version: 1.0.0}
`;
  const findings = await lint(text);
  assert.deepEqual(
    findings.map(({ rule, line }) => `${rule} ${line}`),
    Array.from({ length: 50 }, () => 'unseen-character 3'),
  );
});

test('of too many findings the errors are listed before the warnings', () => {
  const all = Array.from({ length: 2000 }, (_, i) => ({
    rule: 'moving-tag' as const,
    severity: i % 4 === 0 ? ('error' as const) : ('warning' as const),
    path: '',
    line: 2000 - i,
    params: {},
  }));
  const { findings, ...counts } = selectFindings(all);
  assert.deepEqual(counts, { errors: 500, warnings: 1500, omitted: 1000 });
  assert.equal(findings.filter(({ severity }) => severity === 'error').length, 500);
  const lines = findings.map(({ line }) => line!);
  assert.deepEqual(
    lines,
    lines.toSorted((a, b) => a - b),
  );
});
