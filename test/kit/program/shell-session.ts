import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { svcCommand, trackChild } from './svc.ts';

export interface ShellSession {
  /** The program of util-linux that makes the terminal. */
  readonly script: string;
  readonly shell: 'bash' | 'zsh';
  readonly path: string;
  /** An empty folder, in which the shell works. */
  readonly folder: string;
  readonly completion: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Puts a `svc` that runs this program into a folder. @returns the folder, for PATH */
export async function putProgram(folder: string): Promise<string> {
  const bin = join(folder, '.bin');
  await mkdir(bin, { recursive: true });
  const quoted = svcCommand().map((word) => `'${word}'`);
  await writeFile(join(bin, 'svc'), `#!/bin/sh\nexec ${quoted.join(' ')} "$@"\n`);
  await chmod(join(bin, 'svc'), 0o755);
  return bin;
}

/**
 * Types lines, TAB characters and all, at the prompt of a real shell on a terminal of its own. There, `svc` only notes
 * its arguments.
 *
 * @returns the completion of each line: its words, joined by `|`
 */
export async function typeLines(session: ShellSession, lines: readonly string[]): Promise<string[]> {
  const { script, shell, path, folder, completion, env = {} } = session;
  const bin = await putProgram(folder);
  const out = join(folder, '.out');
  await writeFile(out, '');
  await writeFile(join(folder, '.completion'), completion);
  const common = `PS1='READY> '\nsvc() { local IFS='|'; printf '%s\\n' "$*" >> '${out}'; }\n`;
  const zsh = `unsetopt BEEP\nautoload -Uz compinit && compinit -D -u\n`;
  const setup = `${shell === 'zsh' ? zsh : ''}${common}. '${join(folder, '.completion')}'\n`;
  await writeFile(join(folder, '.zshrc'), setup);
  const start = shell === 'bash' ? `'${path}' --rcfile '${join(folder, '.zshrc')}' -i` : `'${path}' -d -i`;
  const child = trackChild(
    spawn(script, ['-qec', `stty cols 200; exec ${start}`, '/dev/null'], {
      cwd: folder,
      env: {
        PATH: `${bin}:${process.env.PATH ?? ''}`,
        HOME: folder,
        ZDOTDIR: folder,
        TERM: 'dumb',
        LC_ALL: 'C.UTF-8',
        ...env,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: 60_000,
    }),
  );
  let screen = '';
  let sent = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
    // one line at each prompt: the terminal would echo a line typed ahead of it
    if (screen.split('READY> ').length - 1 <= sent) return;
    const next = lines[sent] ?? 'exit';
    sent += 1;
    child.stdin.write(`${next}\r`);
  });
  await once(child, 'close');
  const noted = (await readFile(out, 'utf8')).split('\n').slice(0, -1);
  if (noted.length !== lines.length)
    throw new Error(`${noted.length} of ${lines.length} lines ran:\n${screen}`);
  return noted;
}
