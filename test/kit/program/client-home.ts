import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type ProgramOptions, type ProgramResult, runProgram } from './run-program.ts';

/** A home of its own for outside clients: no other client and no other test sees their logins. */
export interface ClientHome {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs a program here, with any exit code. */
  try(program: string, args: readonly string[], options?: ClientOptions): Promise<ProgramResult>;
  /** Runs a program here; throws with everything it said when it fails. Returns its trimmed stdout. */
  run(program: string, args: readonly string[], options?: ClientOptions): Promise<string>;
}

export type ClientOptions = Omit<ProgramOptions, 'env'> & { readonly env?: Readonly<Record<string, string>> };

export async function openClientHome(folder: string, name: string = 'home'): Promise<ClientHome> {
  const path = join(folder, name);
  await mkdir(join(path, 'docker'), { recursive: true });
  await mkdir(join(path, 'tmp'), { recursive: true });
  const env = {
    PATH: process.env.PATH ?? '',
    LC_ALL: 'C.UTF-8',
    HOME: path,
    TMPDIR: join(path, 'tmp'),
    XDG_CONFIG_HOME: join(path, 'config'),
    XDG_CACHE_HOME: join(path, 'cache'),
    XDG_DATA_HOME: join(path, 'data'),
    XDG_RUNTIME_DIR: join(path, 'run'),
    DOCKER_CONFIG: join(path, 'docker'),
    REGISTRY_AUTH_FILE: join(path, 'docker', 'config.json'),
    REGCTL_CONFIG: join(path, 'regctl.json'),
  };
  const attempt: ClientHome['try'] = (program, args, options = {}) =>
    runProgram(program, args, { cwd: path, ...options, env: { ...env, ...options.env } });
  return {
    path,
    env,
    try: attempt,
    run: async (program, args, options) => {
      const result = await attempt(program, args, options);
      if (result.exitCode !== 0) {
        throw new Error(
          `${basename(program)} ${args.join(' ')}: exit ${result.exitCode}\n${result.stderr}${result.stdout}`,
        );
      }
      return result.stdout.trim();
    },
  };
}
