import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openRepository } from '../../src/store/open-repository.ts';
import { pushArtifact, seededBytes } from '../kit/content/content.ts';
import { toFilesetImage, toLayer } from '../kit/content/fileset-image.ts';
import { toArchive } from '../kit/content/tar-archive.ts';
import { damageFile } from '../kit/hostile/damage-file.ts';
import { buildEndlessImage, carryEndless } from '../kit/hostile/endless-layer.ts';
import { eventually } from '../kit/instance/eventually.ts';
import { type Instance, startInstance } from '../kit/instance/instance.ts';
import { openTempFolder, type TempFolder } from '../kit/instance/temp-folder.ts';
import { carry } from '../kit/scene/carried-medium.ts';
import { type BuiltMedium, buildMedium, defaultRecipes, type MediumRecipe } from '../kit/scene/medium.ts';
import { untilJudged } from '../kit/scene/until-judged.ts';

const large = seededBytes('large', 3 << 20);
const plain = toLayer(toArchive({ large, small: 'small', other: 'other' }));
const packed = toLayer(toArchive({ tool: 'a tool' }), 'gzip');
const stowaway = toFilesetImage([toLayer(toArchive({ small: 'of nobody' }))]);

const toRecipe = (name: string, layer: typeof plain): MediumRecipe => ({
  name,
  version: '1.0.0',
  layout: 'classic',
  ingredients: [
    {
      name: 'files',
      kind: 'FileSet',
      ref: `origin.example:5000/filesets/${name}`,
      tag: '1.0.0',
      artifact: toFilesetImage([layer]),
    },
  ],
});

let medium: BuiltMedium;
let folder: TempFolder;
before(async () => {
  medium = await buildMedium({
    recipes: [toRecipe('debian', plain), toRecipe('tools', packed)],
    also: async (store) => {
      // nobody signed these: not alone, and not as a higher version of a signed one
      const owner = { provenance: 'import' } as const;
      for (const [repository, tag] of [
        ['origin.example_5000/filesets/stowaway', '1.0.0'],
        ['origin.example_5000/filesets/debian', '9.0.0'],
      ] as const)
        await pushArtifact(openRepository(store, repository, { owner, kind: 'FileSet' }), stowaway, tag);
    },
  });
  folder = await openTempFolder('svc-files-gate-');
});
after(async () => {
  await folder[Symbol.asyncDispose]();
  await medium[Symbol.asyncDispose]();
});

/** Serves a carried medium in a zone, its FileSets open to anonymous clients: the gate does not depend on the caller. */
async function serve(root: string, name: string, zone = 'zone-b'): Promise<Instance> {
  const own = join(folder.path, name);
  await mkdir(own, { recursive: true });
  const toFileset = (one: string) => ({
    name: one,
    ref: `origin.example:5000/filesets/${one}`,
    anonymous: true,
  });
  return startInstance({
    folder: own,
    config: {
      mode: 'mirror',
      zone,
      storage: { root },
      trust: { roots: [{ name: 'release', key: medium.signer.publicKeyPem }] },
      files: {
        filesets: [
          ...['debian', 'tools', 'stowaway'].map(toFileset),
          { ...toFileset('debian'), name: 'pinned', version: '9.0.0' },
        ],
      },
    },
  });
}

/** The bytes that arrive of a file, and whether they are all. */
function get(instance: Instance, path: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; bytes: Buffer; isWhole: boolean; code?: string }>((resolve) => {
    const asked = request(`${instance.url}/files/${path}`, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => {});
      response.on('close', () => {
        const bytes = Buffer.concat(chunks);
        const isProblem = response.headers['content-type'] === 'application/problem+json';
        resolve({
          status: response.statusCode!,
          bytes,
          isWhole: response.complete,
          ...(isProblem ? { code: JSON.parse(bytes.toString()).code } : {}),
        });
      });
    });
    // a small file is known to be wrong before anything of the answer has left
    asked.on('error', () => resolve({ status: 0, bytes: Buffer.alloc(0), isWhole: false }));
    asked.end();
  });
}

const codeOf = async (instance: Instance, path: string): Promise<string | undefined> =>
  (await get(instance, path)).code;
const listed = async (instance: Instance) => (await instance.api('GET', '/filesets')).body.filesets;

test('while the walk of a carried medium is under way, its files are closed and lists show names', async () => {
  const web = defaultRecipes()[0]!.ingredients[0]!;
  const endless: MediumRecipe = {
    name: 'endless',
    version: '1.0.0',
    layout: 'classic',
    ingredients: [{ ...web, artifact: buildEndlessImage() }],
  };
  await using slow = await carryEndless(
    [toRecipe('debian', plain), toRecipe('tools', packed), endless],
    medium.signer,
  );
  await using instance = await serve(slow.carried.root, 'endless');
  for (const path of ['debian/small', 'tools/tool', 'pinned/small', 'debian/nothing'])
    assert.equal(await codeOf(instance, path), 'SVC-MED-030', path);
  for (const one of await listed(instance)) {
    assert.deepEqual(one.versions, []);
    assert.equal(one.version, undefined);
  }
  assert.ok((await instance.api('GET', '/media/verification')).body.running, 'the walk has no end');
});

test('an instance in a zone serves what was verified of the files of a carried medium', async (t) => {
  const carried = await carry(medium);
  await using instance = await serve(carried.root, 'gated');
  let log = '';
  instance.process.stderr?.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });

  await untilJudged(instance);

  await t.test('the log and the status name what is configured and not served', async () => {
    const unserved = await eventually('the FileSets were judged', async () => {
      const { body } = await instance.api('GET', '/status');
      return body.notices.includes('filesets-unserved') && body.unservedFilesets;
    });
    assert.deepEqual(unserved, [
      { name: 'stowaway', code: 'SVC-MED-032' },
      { name: 'pinned', code: 'SVC-MED-032' },
    ]);
    for (const name of ['stowaway', 'pinned'])
      await eventually('the log has it', () =>
        log.split('\n').some((line) => /"FileSet cannot be served"/.test(line) && line.includes(`"${name}"`)),
      );
  });

  await t.test(
    'after: files of verified recipes, whole and in parts, of plain and of packed layers',
    async () => {
      const whole = await get(instance, 'debian/large');
      assert.deepEqual([whole.status, whole.isWhole, whole.bytes.equals(large)], [200, true, true]);
      const part = await get(instance, 'debian/large', { range: 'bytes=10-19' });
      assert.deepEqual([part.status, part.bytes.equals(large.subarray(10, 20))], [206, true]);
      assert.equal((await get(instance, 'tools/tool')).bytes.toString(), 'a tool');
      assert.equal((await get(instance, 'tools/tool', { range: 'bytes=2-' })).bytes.toString(), 'tool');
    },
  );

  await t.test('what nobody signed is not served, be it the highest version', async () => {
    assert.equal((await get(instance, 'debian/small')).bytes.toString(), 'small');
    assert.equal(await codeOf(instance, 'pinned/small'), 'SVC-MED-032');
    assert.equal(await codeOf(instance, 'stowaway/small'), 'SVC-MED-032');
    const [debian, tools, unsigned, pinned, ...others] = await listed(instance);
    assert.deepEqual([debian.versions, debian.version, debian.signed], [['1.0.0'], '1.0.0', false]);
    assert.deepEqual([tools.versions, tools.provenance], [['1.0.0'], ['recipe']]);
    assert.deepEqual([unsigned.versions, unsigned.error.code], [[], 'SVC-MED-032']);
    assert.equal(pinned.error.code, 'SVC-MED-032');
    assert.deepEqual(others, []);
  });

  await t.test(
    'of a layer that was changed since, no part is sent but what is still right, whole',
    async () => {
      await damageFile(carried.blob(plain.descriptor.digest), 600);
      const untouched = await get(instance, 'debian/small', { range: 'bytes=1-2' });
      assert.deepEqual([untouched.status, untouched.bytes.toString()], [200, 'small']);
    },
  );

  await t.test(
    'a file that was altered is not sent to its end, and its recipe is withdrawn by name',
    async () => {
      const altered = await get(instance, 'debian/large', { range: 'bytes=1000000-1000009' });
      assert.equal(altered.isWhole, false);
      assert.ok(altered.bytes.length < large.length, 'the last chunk was withheld');
      await eventually('the withdrawal', () => instance.log().includes('recipe withdrawn'));
      assert.match(instance.log(), /"recipe":"debian@1.0.0"/);
      assert.equal(await codeOf(instance, 'debian/small'), 'SVC-MED-032');
      assert.equal((await get(instance, 'tools/tool')).bytes.toString(), 'a tool');
    },
  );

  await t.test('it closes on restart', async () => {
    assert.equal(await instance.stop(), 0);
    await using again = await serve(carried.root, 'gated');
    assert.equal(await codeOf(again, 'tools/tool'), 'SVC-MED-030');
    assert.equal(await again.stop(), 0);
  });
});

test('a layer that was altered between the verification and the first request is refused, and its recipe withdrawn', async () => {
  const carried = await carry(medium);
  await using instance = await serve(carried.root, 'altered');
  await untilJudged(instance);
  await damageFile(carried.blob(plain.descriptor.digest), 600);
  await damageFile(carried.blob(packed.descriptor.digest), 30);
  for (const [fileset, path] of [
    ['debian', 'small'],
    ['tools', 'tool'],
  ] as const) {
    const { status, code } = await get(instance, `${fileset}/${path}`);
    assert.deepEqual([status, code], [422, 'SVC-SIG-002']);
    assert.match(instance.log(), new RegExp(`"recipe":"${fileset}@1.0.0"`));
    assert.equal(await codeOf(instance, `${fileset}/${path}`), 'SVC-MED-032');
  }
});

test('files of a medium for another zone stay closed', async () => {
  const { root } = await carry(medium);
  await using instance = await serve(root, 'elsewhere', 'zone-c');
  const { serving } = await untilJudged(instance);
  assert.equal(serving, 'closed');
  assert.equal(await codeOf(instance, 'tools/tool'), 'SVC-MED-032');
});
