import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** What a module imports. */
export interface Import {
  /** As the module writes it: a package, or a path relative to the module. */
  readonly name: string;
  /** Whether only types are imported, which Node erases. */
  readonly isType: boolean;
  /** Whether the import is a call, which runs when its code does. */
  readonly isCall: boolean;
}

const importPattern =
  /(?:^|\n)\s*(?:import|export)\s([^;'"]*?)from\s*['"]([^'"]+)['"]|import\s*\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)import\s*['"]([^'"]+)['"]/g;

/** Lists the imports of a module. @param text the source of the module */
export function listImports(text: string): Import[] {
  return [...text.matchAll(importPattern)].map(([, clause, from, call, bare]) => ({
    name: (from ?? call ?? bare)!,
    isType: clause?.startsWith('type ') === true,
    isCall: call !== undefined,
  }));
}

/** A path as code writes it: parts of a call of `join`, or one text. */
const pathPattern = /(?:'[\w.-][\w./-]*',\s*)*'[\w.-][\w./-]*'/g;

/** Files of the project that a test reads by a pattern. */
const globPattern = /'(\{?(?:commands|deploy|docs|scripts|server|src|test)\b[^'\n]*\*[^'\n]*)'/g;

/** The table of commands: a process loads only the command that its arguments name. */
const commandTable = 'commands/command-index.ts';

/** Modules of the program; the others are tests, helpers of tests, scripts and documents. */
const isProgram = (file: string): boolean => /^(?:src|commands|server)\/.*\.ts$/.test(file);

/** The files that each file of the project loads, starts or reads by itself. */
export interface Graph {
  readonly edges: ReadonlyMap<string, ReadonlySet<string>>;
  /** The module of each command, with a pattern of the text that names the command. */
  readonly commands: ReadonlyMap<string, RegExp>;
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
  const commands = new Map<string, RegExp>();
  for (const file of known) {
    const text = readFileSync(join(root, file), 'utf8');
    const reached = new Set<string>();
    texts.set(file, text);
    edges.set(file, reached);
    if (!/\.(?:ts|mjs)$/.test(file)) continue;
    for (const { name, isType, isCall } of listImports(text)) {
      const path = join(dirname(file), name);
      if (isType || !name.startsWith('.')) continue;
      if (file === commandTable && isCall) commands.set(path, toCommandPattern(path));
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
  return { edges, commands, texts };
}

/** Visits all that some files reach along edges. */
function visit(edges: ReadonlyMap<string, Iterable<string>>, start: Iterable<string>): Set<string> {
  const reached = new Set(start);
  for (const file of reached) for (const other of edges.get(file) ?? []) reached.add(other);
  return reached;
}

/**
 * Selects the tests that reach one of some files. A test that reads the table of commands itself reaches each command,
 * any other one those that it, its helpers or the documents that it reads name.
 *
 * @param changed paths in the project, which may be gone
 * @param tests paths in the project
 */
export function selectReaching(graph: Graph, changed: readonly string[], tests: readonly string[]): string[] {
  const sources = new Map<string, string[]>();
  for (const [file, reached] of graph.edges)
    for (const other of reached) sources.set(other, [...(sources.get(other) ?? []), file]);
  const reaching = visit(sources, changed);
  const commands = [...graph.commands].filter(([file]) => reaching.has(file));
  const runsCommands = commands.length === 0 ? new Set() : visit(sources, [commandTable]);
  const ofTests = new Map(
    [...graph.edges]
      .filter(([file]) => !isProgram(file))
      .map(([file, reached]) => [file, [...reached].filter((other) => !isProgram(other))]),
  );
  return tests.filter((test) => {
    if (reaching.has(test)) return true;
    if (!runsCommands.has(test)) return false;
    const parts = [...visit(ofTests, [test])];
    return (
      parts.some((file) => file.startsWith('test/') && graph.edges.get(file)?.has(commandTable)) ||
      commands.some(([, pattern]) => parts.some((file) => pattern.test(graph.texts.get(file) ?? '')))
    );
  });
}
