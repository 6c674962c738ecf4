import { spawn } from 'node:child_process';
import { collectOutput } from '../program/collect-output.ts';
import { svcCommand, svcEnvironment, trackChild } from '../program/svc.ts';

/** Number of a user whom the folders of another one keep out. */
export const stranger = 54_321;

/** Runs the program as that user; the test must run as root. */
export async function runAsStranger(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const [command, ...first] = svcCommand();
  const options = { env: svcEnvironment({ HOME: '/', ...env }), cwd: '/', uid: stranger, gid: stranger };
  const child = trackChild(spawn(command, [...first, ...args], options));
  return collectOutput(child);
}
