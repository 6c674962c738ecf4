import { lastLine, type OutsideResult, runOutside } from '../../src/program/run-outside.ts';
import { fr } from '../../src/text/language.ts';
import { type Rule, rule } from '../../src/text/rule.ts';
import type { ClientCheck, Sandbox } from './model.ts';

/** Milliseconds for one reference: an image may be large. */
const patience = 15 * 60_000;

type RunOptions = {
  /** Returns why a run failed, where the last line that it printed does not say so. */
  readonly explain?: (result: OutsideResult) => Rule | string | undefined;
  readonly program?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
};

/** Runs the client in the sandbox; its failure is a result, not an error. */
export function runClient(
  { program: own, env, folder, signal }: Sandbox,
  args: readonly string[],
  { program = own, env: more = {}, cwd = folder }: RunOptions = {},
): Promise<OutsideResult> {
  return runOutside(program, args, { env: { ...env, ...more }, cwd, signal, timeout: patience });
}

/** Removes the secret from the output of a program. */
const conceal = (text: string, token: string | undefined): string =>
  token === undefined ? text : text.replaceAll(token, 'REDACTED');

const toExitRule = ({ exitCode }: OutsideResult): Rule =>
  rule(['exit code {exitCode}', fr`code de sortie {exitCode}`], { exitCode });

/**
 * Runs a client for one reference and judges the result. A client that asks another host has fallen back, even when it
 * got the content then.
 *
 * @param judge returns why a run that ended with success is none; undefined: it is one
 */
export async function runCheck(
  sandbox: Sandbox,
  { reference, resolved }: Pick<ClientCheck, 'reference' | 'resolved'>,
  args: readonly string[],
  judge: (result: OutsideResult) => Promise<Rule | string | undefined> | Rule | string | undefined = () =>
    undefined,
  options: RunOptions = {},
): Promise<ClientCheck> {
  const { gate, token } = sandbox;
  gate.takeRefused();
  const started = performance.now();
  const result = await runClient(sandbox, args, options);
  const milliseconds = Math.round(performance.now() - started);
  const refused = gate.takeRefused();
  const shared = { reference, resolved, milliseconds };
  if (refused.length > 0)
    return {
      ...shared,
      outcome: 'fallback',
      detail: rule(['asked {refused}', fr`a interrogé {refused}`], { refused: refused.join(', ') }),
    };
  if (result.exitCode !== 0) {
    const said = [options.explain?.(result), lastLine(result.stderr), lastLine(result.stdout)].find(Boolean);
    const detail = typeof said === 'string' ? conceal(said, token) : (said ?? toExitRule(result));
    return { ...shared, outcome: 'failed', detail };
  }
  const fault = await judge(result);
  return fault === undefined
    ? { ...shared, outcome: 'pulled' }
    : { ...shared, outcome: 'failed', detail: fault };
}

/** The detail of a check whose client got other content than the pinned or listed one. */
export const toOtherContent = (actual: string, digest: string): Rule =>
  rule(['got {actual} in place of {digest}', fr`a reçu {actual} au lieu de {digest}`], { actual, digest });
