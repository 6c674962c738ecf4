import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientHome } from '../../kit/program/client-home.ts';

/** Where rows are made: a registry, and the programs that make them. */
export interface Bench {
  readonly host: string;
  /** `http://<host>` */
  readonly url: string;
  readonly folder: string;
  readonly home: ClientHome;
  /** Runs a program in the folder; throws with everything it said when it fails. */
  run(program: string, ...args: readonly string[]): Promise<string>;
  /** Writes a file of the folder. @returns its absolute path */
  write(name: string, content: Buffer | string): Promise<string>;
}

/** One form of content as it is found in the world. */
export interface Row {
  readonly name: string;
  /** Default `ContainerImage`. */
  readonly kind?: 'HelmChart' | 'OCIArtifact';
  /** Default `1.0`. */
  readonly tag?: string;
  readonly platforms?: readonly string[];
  /** Text that its manifest must have, so that the row matches its name. */
  readonly has?: RegExp;
  /** The code by which a sync refuses it. Default: it travels bit-exact. */
  readonly refusal?: string;
  /** Registries that do not take it. */
  readonly notAt?: readonly ('registry' | 'docker-registry')[];
  /**
   * Puts it into the registry of the bench.
   *
   * @param at `<host>/<repository>`
   * @param tag of the row
   */
  make(bench: Bench, at: string, tag: string): Promise<unknown>;
}

export function openBench(host: string, folder: string, home: ClientHome): Bench {
  return {
    host,
    url: `http://${host}`,
    folder,
    home,
    run: (program, ...args) => home.run(program, args, { cwd: folder }),
    write: async (name, content) => {
      const path = join(folder, name);
      await writeFile(path, content);
      return path;
    },
  };
}
