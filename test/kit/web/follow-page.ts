import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { svcCommand, svcEnvironment, trackChild } from '../program/svc.ts';
import { listening, watchOutput } from '../program/watch-output.ts';

// Runs the commands of the pages as a reader types them. Blocks marked `sh` are run line by line. A comment `# exits N`
// names the exit code, 0 otherwise. A `svc serve`, or a quickstart with `--serve`, runs on until the page ends. An
// `export` holds for the lines after it. The address of the default listener is replaced by that of this run. Blocks
// marked `yaml` whose first line is a comment with a file name are written under that name. Commands for another machine
// are marked `shell` and are not run, unless the caller has these machines; its lines that are comments are left out.

const root = join(import.meta.dirname, '..', '..', '..');
/** The address of the default listener, as pages name it. */
const defaultAddress = '127.0.0.1:8080';

export interface Block {
  readonly language: string;
  readonly text: string;
}

export function parseBlocks(markdown: string): Block[] {
  return [...markdown.matchAll(/^```([a-z]*)\n(.*?)^```$/gms)].map(([, language, text]) => ({
    language: language!,
    text: text!,
  }));
}

export interface PageOptions {
  /** Working folder of its commands. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Makes a file or a command of the page fit for this machine. */
  readonly fit?: (text: string) => string;
  /** Called after each command that ended. */
  readonly after?: (command: string, stdout: string) => Promise<void>;
  /** Before a command that this fits, running servers are ended, as the page asks for. */
  readonly endsServing?: RegExp;
  /** The heading of the only section to follow. */
  readonly section?: string;
  /** Whether blocks marked `shell` are run too. */
  readonly elsewhere?: boolean;
  /** Called when a `svc serve` of the page answers. */
  readonly onServing?: (url: string) => Promise<void>;
}

/** Follows the steps of a page, in its order. @returns the commands that were run */
export async function followPage(path: string, options: PageOptions): Promise<string[]> {
  const { folder, env, fit = (text) => text, after, endsServing, section, onServing } = options;
  const languages = options.elsewhere ? ['sh', 'shell'] : ['sh'];
  const [command, ...first] = svcCommand();
  const quoted = [command, ...first].map((part) => `'${part.replaceAll("'", `'\\''`)}'`).join(' ');
  for (const place of ['dist', 'bin']) {
    await mkdir(join(folder, place), { recursive: true });
    await writeFile(join(folder, place, 'svc'), `#!/bin/sh\nexec ${quoted} "$@"\n`);
    await chmod(join(folder, place, 'svc'), 0o755);
  }
  const environment = svcEnvironment(env);
  environment.PATH = `${join(folder, 'bin')}:${environment.PATH}`;
  const run: string[] = [];
  const serving: ChildProcess[] = [];
  const end = async (): Promise<void> => {
    for (const child of serving.splice(0)) {
      child.kill('SIGINT');
      if (child.exitCode === null) await once(child, 'exit');
      assert.equal(child.exitCode, 0);
    }
  };
  try {
    const page = await readFile(join(root, path), 'utf8');
    for (const { language, text } of parseBlocks(
      section === undefined ? page : selectSection(page, section),
    )) {
      const name = /^# ([a-z-]+\.yaml)$/.exec(text.split('\n')[0]!)?.[1];
      if (language === 'yaml' && name !== undefined) await writeFile(join(folder, name), fit(text));
      if (!languages.includes(language)) continue;
      for (const line of text.split('\n').filter((one) => one.trim() !== '' && !one.startsWith('# '))) {
        run.push(line);
        const fitted = fit(line).replaceAll(defaultAddress, environment.SVC_SERVER_ADDR ?? defaultAddress);
        const exported = /^export ([A-Z_]+)=/.exec(line)?.[1];
        if (endsServing?.test(line)) await end();
        const isServe = /^\S*svc (serve\b|quickstart .*--serve\b)/.test(line);
        const child = trackChild(
          spawn('/bin/sh', ['-c', toShell(fitted, isServe, exported)], {
            cwd: folder,
            env: environment,
            stdio: ['ignore', 'pipe', 'pipe'],
          }),
        );
        if (isServe) {
          serving.push(child);
          const url = await untilListening(child);
          await onServing?.(url);
          continue;
        }
        const { exitCode, stdout, stderr } = await untilClosed(child);
        const expected = Number(/# exits ([0-5])\b/.exec(line)?.[1] ?? 0);
        assert.equal(exitCode, expected, `${path}: ${line}\n${stdout}\n${stderr}`);
        if (exported !== undefined) environment[exported] = stdout;
        await after?.(line, stdout);
      }
    }
  } finally {
    await end();
  }
  return run;
}

/** The text of a page from a heading to the next one of its level. @throws when the page has no such heading */
function selectSection(page: string, heading: string): string {
  const found = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  assert.ok(found, `no section ${heading}`);
  return found;
}

/** The text that the shell runs for a line: a server by `exec`, so that a signal reaches it and not only the shell. */
function toShell(line: string, isServe: boolean, exported: string | undefined): string {
  if (isServe) return `exec ${line}`;
  return exported === undefined ? line : `${line}; printf %s "$${exported}"`;
}

async function untilClosed(
  child: ChildProcess,
): Promise<{ exitCode: number | null; stdout: string; stderr: string }> {
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]!.setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  }
  const [exitCode] = await once(child, 'close');
  return { exitCode, ...said };
}

/** The URL of an instance once it answers. */
async function untilListening(child: ChildProcess): Promise<string> {
  return (await watchOutput(child, listening).found)[1]!;
}

export async function takeFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
