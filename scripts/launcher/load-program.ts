// Loads the scripts of the program, with the compiled form that an earlier run of the same command left. The runtime's
// own cache keeps only the few functions that were compiled while a script was loaded.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import type * as program from '../../commands/program.ts';
import { openCodeFolder, readCompiledCode, writeCompiledCode } from './compiled-code.ts';

/** Identifies the scripts beside this one. */
declare const SVC_SCRIPTS: string;
/** Commands, as `fileset pack`. */
declare const SVC_COMMANDS: readonly string[];

type Wrapper = (
  exports: object,
  require: (name: string) => unknown,
  module: { exports: object },
  url: string,
  folder: string,
  importBeside: (name: string) => Promise<unknown>,
) => void;

const compiledFile = findCompiledFile();
const compiled = compiledFile === undefined ? undefined : readCompiledCode(compiledFile);
const scripts = new Map<string, Script>();
const modules = new Map<string, { exports: object }>();
const requireOutside = createRequire(join(__dirname, 'program.cjs'));
const importBeside = (name: string): Promise<unknown> => import(pathToFileURL(join(__dirname, name)).href);
let isComplete = compiled !== undefined;

/** The first words of the command line name the command; other words have no file of their own. */
function findCompiledFile(): string | undefined {
  const words = process.argv.slice(2, 5);
  for (; words.length > 0; words.pop()) {
    const command = words.join(' ');
    if (!SVC_COMMANDS.includes(command)) continue;
    const folder = openCodeFolder(process.env, SVC_SCRIPTS);
    return folder && join(folder, words.join('-'));
  }
  return undefined;
}

function requireScript(name: string): unknown {
  if (!name.startsWith('./')) return requireOutside(name);
  const known = modules.get(name);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  modules.set(name, module);
  const path = join(__dirname, name);
  // tagged templates have letters beyond ASCII, which nothing can escape there
  const source = readFileSync(path, 'utf8');
  const cachedData = compiled?.get(name);
  const script = new Script(source, { filename: path, ...(cachedData ? { cachedData } : {}) });
  if (script.cachedDataRejected !== false) isComplete = false;
  scripts.set(name, script);
  const wrapper = script.runInThisContext() as Wrapper;
  wrapper(module.exports, requireScript, module, pathToFileURL(path).href, __dirname, importBeside);
  return module.exports;
}

function keepCompiled(): void {
  if (compiledFile === undefined || isComplete) return;
  writeCompiledCode(
    compiledFile,
    new Map([...scripts].map(([name, script]) => [name, script.createCachedData()])),
  );
}

export const runProgram: typeof program.runProgram = () => {
  process.once('exit', keepCompiled);
  return (requireScript('./program-code.cjs') as typeof program).runProgram();
};
