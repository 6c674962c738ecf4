import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  destinationRecipeRepository,
  destinationRepository,
  hostSegment,
  localRepository,
  recipeRepository,
} from '../../src/recipe/relocation.ts';
import { isSvcError } from '../../src/text/error.ts';

const refused = (error: unknown) => isSvcError(error, 'SVC-DST-001');

test('the nominal host becomes the first segment, with its port behind an underscore', () => {
  assert.equal(hostSegment('Registry.Example:5000'), 'registry.example_5000');
  assert.equal(hostSegment('index.docker.io'), 'docker.io');
  assert.equal(hostSegment('registry-1.docker.io'), 'docker.io');
  assert.equal(hostSegment('hub.docker.com'), 'hub.docker.com');
  assert.throws(() => hostSegment('[::1]:5000'), refused);
  assert.throws(() => hostSegment('::1'), refused);
});

test('store and destination use the same path, behind their own base', () => {
  const nominal = { host: 'r.example:5000', repository: 'a/b' };
  assert.equal(localRepository(nominal), 'r.example_5000/a/b');
  assert.equal(localRepository(nominal, 'zone/x'), 'zone/x/r.example_5000/a/b');
  assert.equal(destinationRepository({}, nominal), 'r.example_5000/a/b');
  assert.equal(destinationRepository({ basePath: 'mirror' }, nominal), 'mirror/r.example_5000/a/b');
});

test('recipes follow the cookbook: with their host in a store, without it at a destination', () => {
  const cookbook = { host: 'r.example', repository: 'team/cookbook' };
  const nominal = recipeRepository(cookbook, 'web');
  assert.deepEqual(nominal, { host: 'r.example', repository: 'team/cookbook/web' });
  assert.equal(localRepository(nominal), 'r.example/team/cookbook/web');
  assert.equal(destinationRecipeRepository('cookbook', 'web'), 'cookbook/web');
});

test('a name that does not fit is an error that says the limit, never a shorter name', () => {
  const fits = { host: 'r.example', repository: 'a'.repeat(245) };
  assert.equal(localRepository(fits).length, 255);
  assert.throws(
    () => localRepository(fits, 'x'),
    (error: unknown) => refused(error) && /255.*257/.test(String(isSvcError(error) && error.params.limit)),
  );
  assert.throws(() => destinationRepository({ basePath: 'x'.repeat(200) }, fits), refused);
  assert.throws(
    () => recipeRepository({ host: 'r.example', repository: 'a'.repeat(250) }, 'recipe'),
    refused,
  );
  assert.throws(() => destinationRecipeRepository('a'.repeat(250), 'recipe'), refused);
  assert.throws(
    () => destinationRepository({ basePath: 'UPPER' }, { host: 'r.example', repository: 'a' }),
    refused,
  );
});
