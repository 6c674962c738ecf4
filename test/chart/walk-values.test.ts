import assert from 'node:assert/strict';
import { test } from 'node:test';
import { walkValues } from '../../src/chart/walk-values.ts';
import { readImageName } from '../../src/recipe/draft/image-name.ts';
import { readYaml, type YamlMap } from '../../src/recipe/read-yaml.ts';

const walk = (members: string) => {
  const values = readYaml(Buffer.from(`image: {repository: team/app, ${members}}`), 'values') as YamlMap;
  return walkValues(values, '9.9.9', values).map(({ image }) => image);
};

test('an image whose members make no name is returned with its text, which no reader takes as a name', () => {
  for (const [members, image] of [
    [`tag: "\${VERSION}"`, `team/app:\${VERSION}`],
    ['tag: "{{ .Values.v }}"', 'team/app:{{ .Values.v }}'],
    ['registry: "https://docker.io", tag: "1"', 'https://docker.io/team/app:1'],
    ['tag: "1.16\\n- x"', 'team/app:1.16 - x'],
    ['tag: [1]', 'team/app:[…]'],
    ['tag: {a: 1}', 'team/app:{…}'],
    [`tag: "${'1{'.repeat(600)}"`, `team/app:${'1{'.repeat(600)}`.slice(0, 256).concat('…')],
  ] as const) {
    assert.deepEqual(walk(members), [image], members);
    assert.ok('rule' in readImageName(image), image);
  }
});

test('a tag that is true is printed as templates print it, and one that is empty or false is the application version', () => {
  assert.deepEqual(walk('tag: true'), ['team/app:true']);
  for (const tag of ['""', 'false', 'null', '"{{ .Chart.AppVersion }}"'])
    assert.deepEqual(walk(`tag: ${tag}`), ['team/app:9.9.9']);
});
