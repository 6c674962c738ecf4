import { createHash } from 'node:crypto';
import { tlsPair } from '../program/tls-pair.ts';
import { createRegistryDouble, type RegistryDouble } from '../result/registry-double.ts';

export interface ListedChart {
  readonly name: string;
  readonly version: string;
  readonly archive: Buffer;
  /** Where the index says it lies; beside the index by default. */
  readonly url?: string;
  /** Its digest in the index; its own by default, `''` for none. */
  readonly digest?: string;
}

/** A classic chart repository over https with the certificate of the tests, that misbehaves on command. */
export interface ChartServer extends AsyncDisposable {
  /** `127.0.0.1:<port>` */
  readonly host: string;
  /** `https://127.0.0.1:<port>/charts` */
  readonly base: string;
  /** Requests, interceptions and failures; it answers as a registry below `/v2/`. */
  readonly web: RegistryDouble;
  /** The served files, by path. */
  readonly files: Map<string, Buffer>;
  /** Puts charts beside a fresh index that lists them. */
  list(charts: readonly ListedChart[]): void;
}

/** An index as `helm repo index` writes it. */
export function toIndex(charts: readonly ListedChart[]): string {
  const names = [...new Set(charts.map(({ name }) => name))].sort();
  const entry = ({ name, version, archive, url, digest }: ListedChart): string => {
    const hash = digest ?? createHash('sha256').update(archive).digest('hex');
    return [
      '  - apiVersion: v2',
      '    created: "2026-01-01T00:00:00.000000000Z"',
      '    description: |-',
      '      A chart: with',
      '',
      '      # no comment',
      ...(hash === '' ? [] : [`    digest: ${hash}`]),
      `    name: ${name}`,
      '    urls:',
      `    - ${url ?? `${name}-${version}.tgz`}`,
      `    version: ${version}`,
    ].join('\n');
  };
  const lists = names.map(
    (name) =>
      `  ${name}:\n${charts
        .filter((chart) => chart.name === name)
        .map(entry)
        .join('\n')}`,
  );
  const generated = 'generated: "2026-01-01T00:00:00.000000000Z"\n';
  return `apiVersion: v1\nentries:\n${lists.join('\n')}\n${generated}`;
}

export async function openChartServer(): Promise<ChartServer> {
  const web = await createRegistryDouble({ tls: tlsPair });
  const files = new Map<string, Buffer>();
  web.intercept((request, response) => {
    const path = decodeURIComponent(request.path.split('?')[0]!);
    if (path.startsWith('/v2/')) return false;
    const file = files.get(path);
    if (file === undefined) response.writeHead(404).end('not here');
    else response.writeHead(200, { 'content-length': file.length }).end(file);
    return true;
  });
  return {
    host: web.host,
    base: `${web.origin}/charts`,
    web,
    files,
    list: (charts) => {
      files.set('/charts/index.yaml', Buffer.from(toIndex(charts)));
      for (const { name, version, archive, url } of charts)
        if (url === undefined) files.set(`/charts/${name}-${version}.tgz`, archive);
    },
    [Symbol.asyncDispose]: () => web.close(),
  };
}
