import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { listImports } from '../../scripts/test/import-graph.ts';

const root = join(import.meta.dirname, '..', '..');
/** Lines of a file that is too small to stand alone beside its only user. */
const small = 45;
/** Lines of a file that takes no more in. */
const long = 300;
/** Siblings of a file that only lists them: error families, rules, routes. */
const listed = 5;

const texts = new Map(
  globSync('{src,commands,server,scripts,test}/**/*.ts', { cwd: root }).map((file) => [
    file,
    readFileSync(join(root, file), 'utf8'),
  ]),
);
const program = [...texts.keys()].filter((file) => /^(?:src|commands|server)\//.test(file));
const linesOf = (file: string): number => texts.get(file)!.split('\n').length - 1;

/** The files that import each file, and those of them that load it when they need it. */
function readUsers(): { readonly users: Map<string, Set<string>>; readonly late: ReadonlySet<string> } {
  const users = new Map<string, Set<string>>();
  const late = new Set<string>();
  for (const [file, text] of texts) {
    for (const { name } of listImports(text)) {
      const path = join(dirname(file), name);
      users.set(path, (users.get(path) ?? new Set()).add(file));
    }
    for (const [, name] of text.matchAll(/import\(\s*'([^']+)'\s*\)/g)) late.add(join(dirname(file), name!));
  }
  return { users, late };
}

test('a small file with one user in its folder is part of that user', () => {
  const { users, late } = readUsers();
  const onlyUserOf = (file: string): string | undefined => {
    const [user, ...others] = users.get(file) ?? [];
    return others.length === 0 && user !== undefined && dirname(user) === dirname(file) ? user : undefined;
  };
  const siblings = new Map<string, number>();
  for (const file of program) {
    const user = onlyUserOf(file);
    if (user !== undefined) siblings.set(user, (siblings.get(user) ?? 0) + 1);
  }
  // a bundle replaces the module that finds the code of a thread
  const isReplaced = (file: string): boolean =>
    texts.get('scripts/single-file.ts')!.includes(`'${basename(file)}'`);
  const wrong = program.filter((file) => {
    const user = onlyUserOf(file);
    if (user === undefined || linesOf(file) >= small) return false;
    if (late.has(file) || isReplaced(file) || linesOf(user) > long) return false;
    return siblings.get(user)! < listed || linesOf(user) > 100;
  });
  assert.deepEqual(wrong, []);
});
