import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { parseAllDocuments, stringify } from 'yaml';
import { openTempFolder } from '../instance/temp-folder.ts';
import { openClientHome } from '../program/client-home.ts';
import { needs } from '../program/peers.ts';

/** The chart of the sources. */
export const chartFolder: string = join(import.meta.dirname, '..', '..', '..', 'deploy', 'chart');

/** The rendered chart, and the options; the chart of the sources as the release `zone` unless named. */
interface RenderOptions {
  readonly chart?: string;
  readonly release?: string;
}

export interface Helm extends AsyncDisposable {
  readonly folder: string;
  /** Renders the chart with values; rejects with the output of helm. */
  render(values?: object, options?: RenderOptions): Promise<Rendered>;
  lint(values?: object): Promise<void>;
  /** Runs helm, with any exit code. */
  run(...args: readonly string[]): Promise<string>;
}

/** Objects by kind and the end of their name. */
export type Rendered = Readonly<Record<string, any>>;

/** Opens helm with a home of its own; undefined, and the test is listed as not run, where there is none. */
export async function openHelm(t: TestContext): Promise<Helm | undefined> {
  const helm = needs(t, 'helm');
  if (helm === undefined) return undefined;
  const folder = await openTempFolder();
  const home = await openClientHome(folder.path);
  const values = join(folder.path, 'values.yaml');
  const run = async (command: readonly string[], given: object): Promise<string> => {
    await writeFile(values, stringify(given));
    return home.run(helm, [...command, '--values', values]);
  };
  return {
    folder: folder.path,
    render: async (given = {}, { chart = chartFolder, release = 'zone' } = {}) => {
      const text = await run(['template', release, chart, '--namespace', 'delivery'], given);
      const objects = parseAllDocuments(text).map((document) => document.toJS());
      return Object.fromEntries(
        objects.map((one) => [`${one.kind}${one.metadata.name.replace(`${release}-svc`, '')}`, one]),
      );
    },
    lint: async (given = {}) => {
      await run(['lint', '--strict', chartFolder], given);
    },
    run: (...args) => home.run(helm, args),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
