import { lastLine, type OutsideResult, runOutside } from '../../src/program/run-outside.ts';
import type { ClientCheck, Sandbox } from './model.ts';

/** Milliseconds for one reference: an image may be large. */
const patience = 15 * 60_000;

type RunOptions = {
  /** Returns why a run failed, where the last line that it printed does not say so. */
  readonly explain?: (result: OutsideResult) => string | undefined;
  readonly program?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
};

/** Runs the client in the sandbox, whatever it answers. */
export function runClient(
  { program: own, env, folder, signal }: Sandbox,
  args: readonly string[],
  { program = own, env: more = {}, cwd = folder }: RunOptions = {},
): Promise<OutsideResult> {
  return runOutside(program, args, { env: { ...env, ...more }, cwd, signal, timeout: patience });
}

/** Removes the secret from what a program said. */
const conceal = (text: string, token: string | undefined): string =>
  token === undefined ? text : text.replaceAll(token, 'REDACTED');

/**
 * Runs a client for one reference and judges what became of it. A client that asks another host has fallen back, even when it got
 * the content then.
 *
 * @param judge returns why a run that ended with success is none; undefined: it is one
 */
export async function runCheck(
  sandbox: Sandbox,
  { reference, resolved }: Pick<ClientCheck, 'reference' | 'resolved'>,
  args: readonly string[],
  judge: (result: OutsideResult) => Promise<string | undefined> | string | undefined = () => undefined,
  options: RunOptions = {},
): Promise<ClientCheck> {
  const { gate, token } = sandbox;
  gate.takeRefused();
  const started = performance.now();
  const result = await runClient(sandbox, args, options);
  const milliseconds = Math.round(performance.now() - started);
  const refused = gate.takeRefused();
  const shared = { reference, resolved, milliseconds };
  if (refused.length > 0) return { ...shared, outcome: 'fallback', detail: `asked ${refused.join(', ')}` };
  if (result.exitCode !== 0) {
    const said = [options.explain?.(result), lastLine(result.stderr), lastLine(result.stdout)].find(Boolean);
    return { ...shared, outcome: 'failed', detail: conceal(said ?? `exit code ${result.exitCode}`, token) };
  }
  const fault = await judge(result);
  return fault === undefined
    ? { ...shared, outcome: 'pulled' }
    : { ...shared, outcome: 'failed', detail: fault };
}
