import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mapRecipe } from '../../src/operation/map-recipe.ts';
import { toRecipeRecord } from '../kit/content/recipe-record.ts';

const reached = { scheme: 'http', host: '10.0.0.1:8080' } as const;
const records = [
  toRecipeRecord('shop', '1.0.0', [['docker.io/library/nginx', '1.27']]),
  toRecipeRecord('shop', '2.0.0', [
    ['docker.io/library/nginx', '1.28'],
    ['registry.example:5000/team/app', 'v2'],
  ]),
];
const plain = {
  storage: {},
  destination: { cookbook: 'cookbook' },
  registries: { insecure: [], substitutions: {} },
};

const names = (mapping: ReturnType<typeof mapRecipe>) =>
  mapping.versions.flatMap(({ ingredients }) =>
    ingredients.map(({ nominal, relocated }) => [nominal, relocated]),
  );

test('every version maps each nominal reference to its location; each host is redirected once', () => {
  const mapping = mapRecipe(plain, records, { recipe: 'shop', reached });
  assert.deepEqual(names(mapping), [
    ['docker.io/library/nginx:1.27', '10.0.0.1:8080/docker.io/library/nginx:1.27'],
    ['docker.io/library/nginx:1.28', '10.0.0.1:8080/docker.io/library/nginx:1.28'],
    ['registry.example:5000/team/app:v2', '10.0.0.1:8080/registry.example_5000/team/app:v2'],
  ]);
  assert.deepEqual(
    mapping.mirrors.hostsToml.map(({ host }) => host),
    ['docker.io', 'registry.example:5000'],
  );
  assert.match(mapping.mirrors.registriesYaml, /"http:\/\/10\.0\.0\.1:8080"/);
});

test('the names are those of this store, or of the destination where there is one; the two prefixes are never combined', () => {
  const storage = { basePrefix: 'local/base' };
  assert.deepEqual(
    names(mapRecipe({ ...plain, storage }, records.slice(0, 1), { recipe: 'shop', reached })),
    [['docker.io/library/nginx:1.27', '10.0.0.1:8080/local/base/docker.io/library/nginx:1.27']],
  );
  const destination = { registry: 'zone.example:5000', basePath: 'far', cookbook: 'cookbook' };
  const config = { ...plain, storage, destination };
  const secure = mapRecipe(config, records.slice(0, 1), { recipe: 'shop', reached });
  assert.deepEqual(names(secure), [
    ['docker.io/library/nginx:1.27', 'zone.example:5000/far/docker.io/library/nginx:1.27'],
  ]);
  assert.match(secure.mirrors.registriesYaml, /"https:\/\/zone\.example:5000"/);
  assert.match(secure.mirrors.registriesYaml, /"far\/docker\.io\/\$1"/);
  const insecure = { insecure: ['zone.example:5000'], substitutions: {} };
  const open = mapRecipe({ ...config, registries: insecure }, records, { recipe: 'shop', reached });
  assert.match(open.mirrors.hostsToml[0]!.content, /"http:\/\/zone\.example:5000\/v2\/far\/docker\.io"/);
});

test('the address at which nodes reach the registry can be given', () => {
  const registry = { scheme: 'https', host: 'mirror.example' } as const;
  const mapping = mapRecipe(plain, records.slice(0, 1), { recipe: 'shop', reached, registry });
  assert.deepEqual(names(mapping), [
    ['docker.io/library/nginx:1.27', 'mirror.example/docker.io/library/nginx:1.27'],
  ]);
  assert.match(mapping.mirrors.hostsToml[0]!.content, /"https:\/\/mirror\.example\/v2\/docker\.io"/);
});

test('the names of Docker Hub are one host', () => {
  const aliases = ['docker.io', 'index.docker.io', 'registry-1.docker.io'].map(
    (host) => [`${host}/library/x`, '1'] as const,
  );
  const mapping = mapRecipe(plain, [toRecipeRecord('hub', '1.0.0', aliases)], { recipe: 'hub', reached });
  assert.deepEqual(
    mapping.mirrors.hostsToml.map(({ directory }) => directory),
    ['docker.io'],
  );
  for (const [, relocated] of names(mapping)) assert.equal(relocated, '10.0.0.1:8080/docker.io/library/x:1');
});

test('a name that the registry does not allow is omitted; the other ingredients are mapped', () => {
  const long = `registry.example/${'a'.repeat(240)}`;
  const record = toRecipeRecord('long', '1.0.0', [
    [long, '1'],
    ['docker.io/library/x', '1'],
  ]);
  const mapping = mapRecipe({ ...plain, storage: { basePrefix: 'base' } }, [record], {
    recipe: 'long',
    reached,
  });
  assert.deepEqual(names(mapping), [
    [`${long}:1`, undefined],
    ['docker.io/library/x:1', '10.0.0.1:8080/base/docker.io/library/x:1'],
  ]);
});

test('an unknown recipe is an error', () => {
  assert.throws(() => mapRecipe(plain, [], { recipe: 'none', reached }), {
    code: 'SVC-REG-005',
    params: { reference: 'none', local: 'store' },
  });
});
