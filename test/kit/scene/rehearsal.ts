import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Task } from '../../../src/contract/task.ts';
import { writeRetriever } from '../content/retriever.ts';
import { createSigner, type Signer } from '../content/signer.ts';
import { adminPassword, type Instance, startInstance, writeConfig } from '../instance/instance.ts';
import { openMemoryFolder } from '../instance/memory-folder.ts';
import { openTempFolder } from '../instance/temp-folder.ts';
import { runCommand } from '../program/run-command.ts';
import { runSvc, type SvcOptions, type SvcResult } from '../program/svc.ts';
import {
  createRegistryDouble,
  type RegistryDouble,
  type RegistryDoubleOptions,
} from '../result/registry-double.ts';

type Settings = Readonly<Record<string, unknown>>;

export interface RetrieverSpec {
  readonly zone?: string;
  /** `host/path`. */
  readonly cookbook: string;
  readonly recipes: readonly { readonly name: string; readonly version: string }[];
}

/** Several instances and registries in one temporary folder, all ended and removed with it. */
export interface Rehearsal extends AsyncDisposable {
  readonly folder: string;
  readonly signer: Signer;
  /** The `trust` section that trusts the signer. */
  readonly trust: Settings;
  path(...parts: string[]): string;
  /** A running `svc serve` with its folder, `<folder>/<name>`; started again it finds its state. */
  start(name: string, config?: Settings, env?: Readonly<Record<string, string>>): Promise<Instance>;
  /** A configuration for commands that need no instance. */
  configure(name: string, config: Settings): Promise<string>;
  double(options?: RegistryDoubleOptions): Promise<RegistryDouble>;
  /** `registries` for hosts reached over plain HTTP as their administrator. */
  registries(hosts: readonly string[], more?: Settings): Promise<Settings>;
  retriever(name: string, spec: RetrieverSpec): Promise<string>;
  svc(args: readonly string[], options?: SvcOptions): Promise<SvcResult>;
  /** `svc sync --wait` as an operator. */
  sync(instance: Instance, ...args: readonly string[]): Promise<{ result: SvcResult; task: Task }>;
}

/**
 * @param options `inMemory`: syncs to the disk cost nothing, where the machine has such a folder. `inProcess`: commands
 * run in the process of the test, without the properties of a process of their own
 */
export async function openRehearsal(
  options: { readonly inMemory?: boolean; readonly inProcess?: boolean } = {},
): Promise<Rehearsal> {
  const folder = await (options.inMemory ? openMemoryFolder : openTempFolder)('svc-e2e-');
  const signer = createSigner();
  const started = new Set<AsyncDisposable>();
  const tokens = new WeakMap<Instance, string>();
  let credentials = 0;
  const path = (...parts: string[]): string => join(folder.path, ...parts);
  const svc: Rehearsal['svc'] = options.inProcess ? runCommand : runSvc;
  return {
    folder: folder.path,
    signer,
    trust: { roots: [{ name: 'release', key: signer.publicKeyPem }] },
    path,
    svc,
    async start(name, config = {}, env = {}) {
      await mkdir(path(name), { recursive: true });
      const instance = await startInstance({ folder: path(name), config, env });
      started.add(instance);
      return instance;
    },
    async configure(name, config) {
      await mkdir(path(name), { recursive: true });
      return writeConfig(path(name), config);
    },
    async double(options = {}) {
      const double = await createRegistryDouble(options);
      started.add(double);
      return double;
    },
    async registries(hosts, more = {}) {
      credentials += 1;
      const file = path(`docker-${credentials}.json`);
      const auth = Buffer.from(`admin:${adminPassword}`).toString('base64');
      const auths = Object.fromEntries(hosts.map((host) => [host, { auth }]));
      await writeFile(file, JSON.stringify({ auths }), { mode: 0o600 });
      return { insecure: hosts, credentialsFile: file, ...more };
    },
    async retriever(name, { zone = 'zone-b', cookbook, recipes }) {
      const file = path(`${name}.yaml`);
      await writeRetriever(file, { cookbook, recipes }, zone);
      return file;
    },
    async sync(instance, ...args) {
      let token = tokens.get(instance);
      if (token === undefined) {
        token = await instance.createToken('operator');
        tokens.set(instance, token);
      }
      const result = await svc(['sync', '--wait', '--instance', instance.url, '--output', 'json', ...args], {
        env: { SVC_API_TOKEN: token },
      });
      if (result.stdout === '') throw new Error(`no task: exit ${result.exitCode}\n${result.stderr}`);
      return { result, task: (JSON.parse(result.stdout) as { task: Task }).task };
    },
    async [Symbol.asyncDispose]() {
      await Promise.allSettled([...started].map((one) => one[Symbol.asyncDispose]()));
      await folder[Symbol.asyncDispose]();
    },
  };
}
