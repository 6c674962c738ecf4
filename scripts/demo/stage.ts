// The common parts of the chapters of the demo: one folder, one password of administrators, and the commands run so far.
import { randomInt } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Instance, startInstance } from '../../test/kit/instance/instance.ts';
import { runSvc, type SvcResult } from '../../test/kit/program/svc.ts';
import { printCommand, type Step } from './story.ts';

export interface Stage {
  /** Everything that the demo writes is below it. */
  readonly folder: string;
  /** Password of `admin` at every instance, generated for this run. */
  readonly password: string;
  readonly steps: readonly Step[];
  /** Set by the signal that asked for the end, or by a reader that went away. */
  interruption?: { readonly signal: NodeJS.Signals | undefined };
  /** @throws if the end was asked for */
  stopWhenInterrupted(): void;
  /** Runs one command and checks its exit code. */
  run(
    step: string,
    args: readonly string[],
    expected: number,
    options?: { readonly bytes?: (result: SvcResult) => number },
  ): Promise<SvcResult>;
  /** Starts `svc serve` in the folder of this name; started again it finds its state. */
  start(name: string, config: Readonly<Record<string, unknown>>): Promise<Instance>;
}

/** Generates a password that can be read aloud and typed: 16 letters of 23, 72 bits. */
export function generatePassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz';
  const group = (): string => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('');
  return [group(), group(), group(), group()].join('-');
}

export async function openStage(folder: string): Promise<Stage> {
  // compiled code is cached there, and not in the user's own cache folder
  const env = { XDG_CACHE_HOME: join(folder, 'cache') };
  await mkdir(env.XDG_CACHE_HOME);
  const steps: Step[] = [];
  /** Formats a command as a user would type it, without the configuration and format flags of the demo. */
  const show = (args: readonly string[]): string => {
    const hidden = ['--config', '--token-file', '--output'];
    const shown = args.filter((arg, i) => !hidden.includes(arg) && !hidden.includes(args[i - 1] ?? ''));
    return `svc ${shown.join(' ')}`.replaceAll(folder, '…');
  };
  const stage: Stage = {
    folder,
    password: generatePassword(),
    steps,
    stopWhenInterrupted() {
      if (stage.interruption) throw new Error('interrupted');
    },
    async run(step, args, expected, options = {}) {
      stage.stopWhenInterrupted();
      const result = await runSvc(args, { env });
      const { exitCode, milliseconds, stdout, stderr } = result;
      if (exitCode !== expected)
        throw new Error(`${show(args)}\nexit ${exitCode} instead of ${expected}\n${stdout}\n${stderr}`);
      printCommand(show(args), exitCode, milliseconds);
      const bytes = options.bytes?.(result);
      const command = show(args).split(' ').slice(0, 3).join(' ');
      steps.push({ step, command, exitCode, ...(bytes === undefined ? {} : { bytes }), milliseconds });
      return result;
    },
    async start(name, config) {
      stage.stopWhenInterrupted();
      const own = join(folder, name);
      await mkdir(own, { recursive: true });
      return startInstance({ folder: own, config, password: stage.password, env });
    },
  };
  return stage;
}
