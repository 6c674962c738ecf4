import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildImage } from '../../../test/kit/content/content.ts';
import { pushArtifactOverHttp } from '../../../test/kit/content/push-artifact.ts';
import { toRetriever } from '../../../test/kit/content/retriever.ts';
import { trackChild } from '../../../test/kit/program/svc.ts';
import { listening, watchOutput } from '../../../test/kit/program/watch-output.ts';
import { languages, runLine, toEnvironment, toSubject } from '../run-line.ts';
import type { Side } from '../side.ts';
import type { Subject } from '../subject.ts';
import type { SceneOrigin } from './origin.ts';
import { linesAfter, linesBefore, linesOfInstance, type SceneLine } from './scene-lines.ts';

export const roles = ['viewer', 'operator', 'admin'] as const;
export type Role = (typeof roles)[number];

/** Accounts of the scene, by their role. The first account of an instance is an administrator. */
export const accounts: Readonly<Record<Role, string>> = { admin: 'alice', operator: 'olga', viewer: 'vera' };
export const password = 'a good password of the scene';

/** A running instance of one side, in the state that the same command lines bring about on both. */
export interface Scene extends AsyncDisposable {
  readonly side: Side;
  readonly url: string;
  /** Secret of an API token of each role. */
  readonly tokens: Readonly<Record<Role, string>>;
  /** Identifier of the synchronization. */
  readonly task: string;
  /** The output of the command lines, by name. */
  readonly lines: Map<string, Subject>;
  /** Ends the instance, and runs the lines that need its store. */
  finish(): Promise<void>;
}

function writeFiles({ folder }: Side, { host, publicKey }: SceneOrigin): string {
  const at = (name: string): string => join(folder, name);
  const recipes = ['shop', 'unsigned'].map((name) => ({ name, version: '^7.1' }));
  writeFileSync(at('retriever.yaml'), toRetriever({ cookbook: `${host}/cookbook`, recipes }, 'zone-b'));
  writeFileSync(at('release.pub'), publicKey);
  writeFileSync(at('password'), `${password}\n`, { mode: 0o600 });
  mkdirSync(at('manuals'));
  writeFileSync(join(at('manuals'), 'pump.txt'), 'Open the valve, then start the pump.\n');
  const config = {
    mode: 'mirror',
    storage: { root: at('store') },
    state: { root: at('state') },
    server: { addr: '127.0.0.1:0' },
    retriever: { source: at('retriever.yaml') },
    registries: { insecure: [host] },
    trust: { roots: [{ name: 'release', keyFile: at('release.pub') }] },
    files: { packRoots: [at('manuals')] },
    // one after another, in an order that is the same each time
    sync: { interval: '0', retries: 0, parallelism: 1 },
  };
  writeFileSync(at('config.yaml'), JSON.stringify(config));
  return at('config.yaml');
}

/** Opens the scene of a side. */
export async function openScene(side: Side, origin: SceneOrigin, stop: AbortSignal): Promise<Scene> {
  const configPath = writeFiles(side, origin);
  const lines = new Map<string, Subject>();
  const env: Record<string, string> = { SVC_CONFIG: configPath };
  const stored = origin.host.replace(':', '_');
  for (const host of [origin.host, stored]) side.placeholders.set(host, '<origin>');
  const names = { origin: origin.host, stored, task: '' };

  const run = async ({ line, isOnce }: SceneLine): Promise<string> => {
    const filled = line.replace(/\{(\w+)\}/g, (_, name: keyof typeof names) => names[name]);
    let first = '';
    const variants = languages.map((language) => ({ language, args: filled.split(' '), isDocument: false }));
    const document = {
      language: 'en' as const,
      args: [...filled.split(' '), '--output', 'json'],
      isDocument: true,
    };
    for (const { language, args, isDocument } of isOnce ? [document] : [...variants, document]) {
      stop.throwIfAborted();
      const printed = await runLine(side, { args, language, cwd: side.folder, env });
      for (const [, secret] of printed.stdout.matchAll(/"secret": ?"([^"]+)"/g))
        side.placeholders.set(secret!, '<secret>');
      const name = `svc ${line}${isDocument ? ' --output json' : ''} (scene, ${language})`;
      const known = lines.has(name) ? `${name}, again` : name;
      lines.set(known, toSubject(side, printed, isDocument));
      first ||= printed.stdout;
    }
    return first;
  };

  const tokens: Record<string, string> = {};
  for (const one of linesBefore) {
    const printed = await run(one);
    const role = /^token create (\w+)/.exec(one.line)?.[1];
    if (role !== undefined) tokens[role] = /"secret": ?"([^"]+)"/.exec(printed)?.[1] ?? '';
  }
  const { child, url } = await startInstance(side, env);
  side.placeholders.set(new URL(url).host, '<instance>');
  Object.assign(env, { SVC_INSTANCE_URL: url, SVC_API_TOKEN: tokens.admin });
  await run({ line: 'sync --dry-run', isOnce: true });
  const synchronized = await run({ line: 'sync --wait', isOnce: true });
  names.task = /"(tsk_[^"]+)"/.exec(synchronized)?.[1] ?? 'tsk_000000000000';
  const authorization = `Basic ${Buffer.from(`${accounts.admin}:${password}`).toString('base64')}`;
  await pushArtifactOverHttp(
    { registry: url, repository: 'pushed/tool', authorization },
    buildImage('pushed tool'),
    '7.31.0',
  );
  for (const one of linesOfInstance) await run(one);
  const end = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    child.kill('SIGTERM');
    await closed;
  };
  return {
    side,
    url,
    tokens: tokens as Record<Role, string>,
    task: names.task,
    lines,
    finish: async () => {
      await end();
      delete env.SVC_INSTANCE_URL;
      for (const one of linesAfter) await run(one);
    },
    [Symbol.asyncDispose]: end,
  };
}

async function startInstance(
  side: Side,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const child = trackChild(
    spawn(side.program, ['serve'], {
      env: { ...toEnvironment(side, 'en'), ...env },
      cwd: side.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  const [, url] = await watchOutput(child, listening).found;
  return { child, url: url! };
}
