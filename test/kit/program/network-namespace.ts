import { spawnSync } from 'node:child_process';
import type { TestContext } from 'node:test';
import { onPath } from './peers.ts';

/** A network of its own with one neighbour, this machine's end of a cable, and no way anywhere else. */
export interface NetworkNamespace extends Disposable {
  readonly name: string;
  /** Addresses of the two ends. */
  readonly here: string;
  readonly inside: string;
  /** The words before a command that runs inside. */
  readonly enter: readonly string[];
}

function ip(...args: readonly string[]): { readonly ok: boolean; readonly said: string } {
  const { status, stdout, stderr } = spawnSync('ip', args, { encoding: 'utf8' });
  return { ok: status === 0, said: `${stdout}${stderr}` };
}

/** Where `ip` or the privilege is missing the test is skipped by name, and must return. */
export function openNetworkNamespace(context: Pick<TestContext, 'skip'>): NetworkNamespace | undefined {
  const program = onPath('ip');
  if (program === undefined) {
    context.skip('not run: needs ip');
    return undefined;
  }
  const number = process.pid % 16_000;
  const name = `svc-${process.pid}`;
  const cable = `sv${process.pid}`;
  const base = `10.203.${number >> 6}`;
  const here = `${base}.${((number & 63) << 2) + 1}`;
  const inside = `${base}.${((number & 63) << 2) + 2}`;
  const remove = (): void => {
    // the cable goes with its far end
    ip('netns', 'del', name);
  };
  const steps: readonly (readonly string[])[] = [
    ['netns', 'add', name],
    ['link', 'add', `${cable}a`, 'type', 'veth', 'peer', 'name', `${cable}b`, 'netns', name],
    ['addr', 'add', `${here}/30`, 'dev', `${cable}a`],
    ['link', 'set', `${cable}a`, 'up'],
    ['-n', name, 'addr', 'add', `${inside}/30`, 'dev', `${cable}b`],
    ['-n', name, 'link', 'set', `${cable}b`, 'up'],
    ['-n', name, 'link', 'set', 'lo', 'up'],
  ];
  for (const step of steps) {
    const { ok, said } = ip(...step);
    if (ok) continue;
    remove();
    context.skip(`not run: needs the privilege to make network namespaces (${said.trim().slice(0, 100)})`);
    return undefined;
  }
  return {
    name,
    here,
    inside,
    enter: [program, 'netns', 'exec', name],
    [Symbol.dispose]: remove,
  };
}
