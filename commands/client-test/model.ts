import type { PulledReference } from '../../src/client/model.ts';
import type { RegistryBase } from '../../src/client/node-mirrors.ts';
import type { ClientConfig } from '../../src/contract/recipe.ts';
import type { Rule } from '../../src/text/rule.ts';
import type { Gate } from './gate.ts';
import type { Lookout } from './lookout.ts';

/** Clients that can be tested, each with the program that is run. CRI-O has no pull of its own: Podman reads its files by the same library. */
export const testedClients = {
  containerd: 'ctr',
  crio: 'podman',
  podman: 'podman',
  helm: 'helm',
  apt: 'apt-get',
  dnf: 'dnf',
} as const;
export type TestedClient = keyof typeof testedClients;

/**
 * Outcome of one reference. `pulled`: the client got the pinned or listed content; `failed`: nothing, or other content.
 * `fallback`: a request, a file or an answer leads to a host other than the registry and the instance. `skipped`: the
 * client was not run: its requests bypass the gate, or only the instance names the registry.
 */
export type CheckOutcome = 'pulled' | 'failed' | 'fallback' | 'skipped';

export interface ClientCheck {
  /** As a node names it. */
  readonly reference: string;
  /** Where the configuration leads, as far as it is known. */
  readonly resolved: string;
  readonly outcome: CheckOutcome;
  readonly milliseconds: number;
  /** The last output of the client, or the addresses that it asked. */
  readonly detail?: Rule | string;
}

export interface ClientTestReport {
  readonly client: TestedClient;
  /** The program that was run. */
  readonly program: string;
  /** That of the program. */
  readonly version: string;
  readonly checks: readonly ClientCheck[];
}

/** The tools of a test of one client. */
export interface Sandbox {
  /** Path of the program. */
  readonly program: string;
  /** A folder of its own that only this user may read. */
  readonly folder: string;
  /** The environment of the programs: a home of its own, and the gate as the only way out. */
  readonly env: Readonly<Record<string, string>>;
  /** Environment of the caller, to find further programs. */
  readonly path: string;
  readonly gate: Gate;
  readonly lookout: Pick<Lookout, 'followUrl' | 'followPull'>;
  readonly signal: AbortSignal;
  /** Configuration that the instance makes. */
  readonly config: ClientConfig;
  /** Path of the real files of the node, where these are tested: helm's list, or the folder of another client. */
  readonly installed: string | undefined;
  /** Registry and instance as nodes reach them. */
  readonly registry: RegistryBase | undefined;
  /** Addresses that the operator gave. The token is for these, and for no other that a file names. */
  readonly places: readonly RegistryBase[];
  readonly token: string | undefined;
  readonly references: readonly PulledReference[];
  /** Number of references, charts or packages. */
  readonly sample: number;
  /** Folder with public keys of packages. Default: where the files name them. */
  readonly keys: string | undefined;
}
