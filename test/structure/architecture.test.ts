import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { listImports } from '../../scripts/test/import-graph.ts';

// The floors of the house, from the ground up, with the outside packages each folder may use.
const floors: readonly Readonly<Record<string, readonly string[]>>[] = [
  { 'src/text': [] },
  { 'src/base': [] },
  { 'src/contract': [] },
  { 'src/oci': [], 'src/disk': [], 'src/program': [], 'src/yaml': ['yaml'] },
  {
    'src/recipe': ['yaml', 'semver'],
    'src/config': ['yaml'],
    'src/client': [],
    'src/ledger': [],
    'src/link': [],
    'src/attest': ['@sigstore/bundle'],
    'src/certificate': [],
  },
  { 'src/catalog': [] },
  {
    'src/store': [],
    'src/remote': ['undici'],
    'src/chart': ['semver'],
    'src/trust': [],
    'src/signing': ['@noble/ciphers'],
    'src/archive': [],
    'src/fileset': [],
    'src/account': ['@node-rs/argon2'],
    'src/task': [],
    'src/log': ['consola'],
    'src/zone': [],
    'src/custody': [],
  },
  { 'src/engine': [] },
  { 'src/operation': [] },
  { 'src/view': [] },
  { 'src/authoring': ['yaml'] },
  {
    commands: ['clipanion', 'ink', 'react', 'undici', 'yaml'],
    server: ['h3', 'prom-client', 'yaml'],
  },
];

/** Rooms beside the core, with the one module of each that others import. */
const doors: Readonly<Record<string, string>> = {
  'src/authoring/': 'src/authoring/door.ts',
  'commands/client-test/': 'commands/client-test/test.ts',
};

const root = join(import.meta.dirname, '..', '..');
const floorOf = new Map(
  floors.flatMap((folders, floor) => Object.keys(folders).map((folder) => [folder, floor])),
);
const packagesOf = new Map(floors.flatMap((folders) => Object.entries(folders)));
const files = [...globSync('{src,commands,server}/**/*.ts', { cwd: root })];

function folderOf(path: string): string {
  const parts = path.split('/');
  return parts[0] === 'src' ? `src/${parts[1]}` : parts[0]!;
}

const importsOf = (file: string): string[] =>
  listImports(readFileSync(join(root, file), 'utf8')).map(({ name }) => name);

test('every source file stands in a folder of the house', () => {
  for (const file of files) assert.ok(floorOf.has(folderOf(file)), `${file} stands on no floor`);
});

test('a folder of the program and of its tests holds at most thirty files', () => {
  const counts = new Map<string, number>();
  for (const file of [...files, ...globSync('{scripts,test}/**/*.ts', { cwd: root })])
    counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  assert.deepEqual(
    [...counts].filter(([, count]) => count > 30),
    [],
  );
});

test('imports go down only, and folders on one floor do not import each other', () => {
  const wrong: string[] = [];
  for (const file of files) {
    const own = folderOf(file);
    for (const target of importsOf(file).filter((name) => name.startsWith('.'))) {
      const path = relative(root, join(root, dirname(file), target));
      if (!existsSync(join(root, path))) wrong.push(`${file} imports ${target}, which does not exist`);
      const other = folderOf(path);
      // serve runs the server; version prints the schema of documents, most of them those of the API. quickstart tests
      // the address of the server
      const serving = [
        'commands/serve.ts',
        'commands/version.ts',
        'commands/quickstart/checks/check-address.ts',
      ];
      const mayServe = serving.includes(file) && other === 'server';
      if (other !== own && !mayServe && !((floorOf.get(other) ?? 99) < floorOf.get(own)!))
        wrong.push(`${file} imports ${path}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test('a room is entered through its door', () => {
  const rooms = Object.keys(doors);
  const roomOf = (path: string): string | undefined => rooms.find((room) => path.startsWith(room));
  const wrong = files.flatMap((file) =>
    importsOf(file)
      .filter((name) => name.startsWith('.'))
      .map((name) => join(dirname(file), name))
      .filter((path) => {
        const room = roomOf(path);
        return room !== undefined && room !== roomOf(file) && path !== doors[room];
      })
      .map((path) => `${file} imports ${path}`),
  );
  assert.deepEqual(wrong, []);
  for (const door of Object.values(doors)) assert.ok(existsSync(join(root, door)), door);
});

test('a folder uses only the outside packages that are its own', () => {
  const wrong: string[] = [];
  for (const file of files) {
    for (const name of importsOf(file).filter(
      (target) => !target.startsWith('.') && !target.startsWith('node:'),
    )) {
      const bare = name.startsWith('@') ? name.split('/').slice(0, 2).join('/') : name.split('/')[0]!;
      if (!packagesOf.get(folderOf(file))!.includes(bare)) wrong.push(`${file} imports ${name}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test('a package that a folder may use is used there', () => {
  const used = new Set(
    files.flatMap((file) =>
      importsOf(file)
        .filter((target) => !target.startsWith('.') && !target.startsWith('node:'))
        .map(
          (name) =>
            `${folderOf(file)} ${name
              .split('/')
              .slice(0, name.startsWith('@') ? 2 : 1)
              .join('/')}`,
        ),
    ),
  );
  const allowed = [...packagesOf].flatMap(([folder, names]) => names.map((name) => `${folder} ${name}`));
  assert.deepEqual(
    allowed.filter((row) => !used.has(row)),
    [],
  );
});

test('src never reads the process and never speaks HTTP as a server', () => {
  const wrong = files.filter((file) => {
    if (!file.startsWith('src/')) return false;
    const text = readFileSync(join(root, file), 'utf8');
    return (
      /\bprocess\.(?:env|argv|stdin|stdout|stderr|exit|exitCode|cwd)\b/.test(text) ||
      /\bcreateServer\b/.test(text)
    );
  });
  assert.deepEqual(wrong, []);
});

test('what is inside an open store is read by the verbs of the store alone', () => {
  const wrong = files.filter((file) => {
    if (file.startsWith('src/store/')) return false;
    const text = readFileSync(join(root, file), 'utf8');
    return /\bstore\??\.core\b|\{ core \}/.test(text);
  });
  assert.deepEqual(wrong, []);
});

test('the system clock is read in one place', () => {
  const wrong = files.filter(
    (file) =>
      file !== 'src/base/clock.ts' &&
      !file.startsWith('server/ui/assets/') &&
      /\bDate\.now\b|\bnew Date\(\)/.test(readFileSync(join(root, file), 'utf8')),
  );
  assert.deepEqual(wrong, []);
});

test('the views know nothing of the surfaces that show them', () => {
  const wrong = files
    .filter((file) => file.startsWith('server/views/'))
    .flatMap((file) =>
      importsOf(file)
        .filter((target) => target.startsWith('.'))
        .map((target) => relative(root, join(root, dirname(file), target)))
        .filter((path) => path.startsWith('server/api/') || path.startsWith('server/ui/'))
        .map((path) => `${file} imports ${path}`),
    );
  assert.deepEqual(wrong, []);
});
