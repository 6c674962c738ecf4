import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** One import of a module. */
export interface Import {
  /** As the module writes it: a package, or a path relative to the module. */
  readonly name: string;
  /** Whether only types are imported, which Node erases. */
  readonly isType: boolean;
}

const importPattern =
  /(?:^|\n)\s*(?:import|export)\s([^;'"]*?)from\s*['"]([^'"]+)['"]|import\s*\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)import\s*['"]([^'"]+)['"]/g;

/** Lists the imports of a module. @param text the source of the module */
export function listImports(text: string): Import[] {
  return [...text.matchAll(importPattern)].map(([, clause, from, call, bare]) => ({
    name: (from ?? call ?? bare)!,
    isType: clause?.startsWith('type ') === true,
  }));
}

/** A path as code writes it: parts of a call of `join`, or one text. */
const pathPattern = /(?:'[\w.-][\w./-]*',\s*)*'[\w.-][\w./-]*'/g;

/** Files of the project that a test reads by a pattern. */
const globPattern = /'(\{?(?:commands|deploy|docs|scripts|server|src|test)\b[^'\n]*\*[^'\n]*)'/g;

/** Tables of modules that tests reach by name only: a command by its arguments, a page by its path. */
const tables: Readonly<Record<string, (file: string, texts: ReadonlyMap<string, string>) => RegExp>> = {
  'commands/command-index.ts': toCommandPattern,
  'server/ui/routes.ts': toPagePattern,
};

/** Modules of the program; the others are tests, helpers of tests, scripts and documents. */
const isProgram = (file: string): boolean => /^(?:src|commands|server)\/.*\.ts$/.test(file);

/** A module that a table lists. */
interface Entry {
  readonly table: string;
  /** A pattern of the text that names the contents of the module. */
  readonly pattern: RegExp;
}

/** The files that each file of the project loads, starts or reads by itself. */
export interface Graph {
  readonly edges: ReadonlyMap<string, ReadonlySet<string>>;
  /** The modules that tables list. */
  readonly entries: ReadonlyMap<string, Entry>;
  readonly texts: ReadonlyMap<string, string>;
}

/** `commands/media/verify.ts` is `media verify`, and `commands/client-test/test.ts` is `client test`. */
function toCommandPattern(file: string): RegExp {
  const words = file
    .replace(/^commands\/|\.ts$/g, '')
    .split(/[/-]/)
    .filter((word, index, all) => word !== all[index - 1]);
  return words.length === 1
    ? new RegExp(`(?:['"\`]|\\bsvc )${words[0]}\\b`)
    : new RegExp(`\\b${words.join('\\W{1,4}')}\\b`);
}

/** Matches the first segment of each path that a page, or another file of its folder, has. */
function toPagePattern(file: string, texts: ReadonlyMap<string, string>): RegExp {
  const folder = dirname(file) === 'server/ui/pages' ? file : `${dirname(file)}/`;
  const segments = [...texts]
    .filter(([path]) => path.startsWith(folder))
    .flatMap(([, text]) => [...text.matchAll(/\bpath: '\/([\w-]*)/g)].map(([, segment]) => segment!));
  const named = [...new Set(segments)].map((segment) =>
    segment === '' ? '[\'"`]/[\'"`]' : `(?<!/v1)/${segment}\\b`,
  );
  return new RegExp(named.join('|'));
}

/**
 * Reads which files of the project load, start or read which others.
 *
 * @param root the folder of the project
 */
export function readGraph(root: string): Graph {
  const modules = globSync('{src,commands,server,scripts,test}/**/*.{ts,mjs}', { cwd: root });
  const documents = globSync(
    ['*.*', '{docs,deploy,man,completions,test,server,scripts}/**/*.{css,json,md,yaml,[0-9]}'],
    { cwd: root },
  );
  const known = new Set([...modules, ...documents]);
  // a test that names a folder of documents reads them all
  const folders = new Map<string, string[]>();
  for (const document of documents)
    for (let folder = dirname(document); folder !== '.'; folder = dirname(folder))
      folders.set(folder, [...(folders.get(folder) ?? []), document]);
  for (const module of modules)
    for (let folder = dirname(module); folder !== '.'; folder = dirname(folder)) folders.delete(folder);

  const texts = new Map<string, string>();
  const edges = new Map<string, Set<string>>();
  const listed = new Map<string, string>();
  for (const file of known) {
    const text = readFileSync(join(root, file), 'utf8');
    const reached = new Set<string>();
    texts.set(file, text);
    edges.set(file, reached);
    if (!/\.(?:ts|mjs)$/.test(file)) continue;
    for (const { name, isType } of listImports(text)) {
      const path = join(dirname(file), name);
      if (isType || !name.startsWith('.')) continue;
      if (file in tables) listed.set(path, file);
      else reached.add(path);
    }
    const code = text.replaceAll(importPattern, '');
    if (!isProgram(file))
      for (const [, glob] of code.matchAll(globPattern))
        for (const path of globSync(glob!, { cwd: root })) if (known.has(path)) reached.add(path);
    for (const [parts] of code.matchAll(pathPattern)) {
      const path = parts.replaceAll(/',\s*'/g, '/').slice(1, -1);
      for (const candidate of [join(dirname(file), path), normalize(path)]) {
        if (known.has(candidate) && (!isProgram(file) || isProgram(candidate))) reached.add(candidate);
        if (!isProgram(file)) for (const document of folders.get(candidate) ?? []) reached.add(document);
      }
    }
  }
  const entries = new Map(
    [...listed].map(([file, table]) => [file, { table, pattern: tables[table]!(file, texts) }]),
  );
  return { edges, entries, texts };
}

/** Visits all that some files reach along edges. */
function visit(edges: ReadonlyMap<string, Iterable<string>>, start: Iterable<string>): Set<string> {
  const reached = new Set(start);
  for (const file of reached) for (const other of edges.get(file) ?? []) reached.add(other);
  return reached;
}

/**
 * Selects the tests that reach one of some files. A test that reads a table itself reaches all entries of the table. Any
 * other one reaches the files that it, its helpers or the documents that it reads name.
 *
 * @param changed paths in the project, which may be gone
 * @param tests paths in the project
 */
export function selectReaching(graph: Graph, changed: readonly string[], tests: readonly string[]): string[] {
  const sources = new Map<string, string[]>();
  for (const [file, reached] of graph.edges)
    for (const other of reached) sources.set(other, [...(sources.get(other) ?? []), file]);
  const reaching = visit(sources, changed);
  const ofTests = new Map(
    [...graph.edges]
      .filter(([file]) => !isProgram(file))
      .map(([file, reached]) => [file, [...reached].filter((other) => !isProgram(other))]),
  );
  const named = Object.keys(tables).map((table) => ({
    table,
    users: visit(sources, [table]),
    patterns: [...graph.entries]
      .filter(([file, entry]) => entry.table === table && reaching.has(file))
      .map(([, { pattern }]) => pattern),
  }));
  const names = (test: string): boolean => {
    const parts = [...visit(ofTests, [test])];
    return named.some(
      ({ table, users, patterns }) =>
        patterns.length > 0 &&
        users.has(test) &&
        parts.some(
          (file) =>
            (file.startsWith('test/') && graph.edges.get(file)?.has(table)) ||
            patterns.some((pattern) => pattern.test(graph.texts.get(file) ?? '')),
        ),
    );
  };
  return tests.filter((test) => reaching.has(test) || names(test));
}
