import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Digest, hashBytes, parseDigest } from '../../src/base/digest.ts';
import { readerName, secretPlaceholder } from '../../src/client/model.ts';
import { selectSample } from '../../src/client/select-sample.ts';
import { toNamedFileError } from '../../src/disk/named-file-error.ts';
import { readPlain } from '../../src/disk/plain-file.ts';
import { lastLine } from '../../src/program/run-outside.ts';
import { parseYamlTree } from '../../src/recipe/read-yaml.ts';
import { fr } from '../../src/text/language.ts';
import { type Rule, rule } from '../../src/text/rule.ts';
import { yamlLimits } from '../../src/yaml/compose-yaml.ts';
import { isNamedUrl, toLed, toStray } from './find-strays.ts';
import { formatHelmList, readHelmList, toIndexUrl } from './helm-list.ts';
import type { ClientCheck, Sandbox } from './model.ts';
import { runCheck, runClient, toOtherContent } from './run-check.ts';

/** helm: pulls charts of each repository of the list; without one, charts of the registry. */
export async function testHelm(sandbox: Sandbox): Promise<readonly ClientCheck[]> {
  const { folder, config, installed, token = '', sample, places } = sandbox;
  const [file] = config.files;
  const path = join(folder, 'repositories.yaml');
  const listed =
    installed !== undefined
      ? readHelmList(await readInstalled(installed), installed)
      : file === undefined
        ? []
        : readHelmList(Buffer.from(file.content), file.path);
  // judged before the token is written, and before helm asks: it asks hosts on loopback beside the gate
  const strays = listed.filter(({ url }) => !isNamedUrl(url, places));
  if (strays.length > 0) return strays.map(({ name, url }) => toStray(name, url));
  if (listed.length === 0) return testOci(sandbox);
  const entries = listed.map((entry) => {
    const { password } = entry.settings;
    return password === secretPlaceholder
      ? { ...entry, settings: { ...entry.settings, password: token } }
      : entry;
  });
  await writeFile(path, formatHelmList(entries), { mode: 0o600 });
  const urls = new Map(entries.map(({ name, url }) => [name, toIndexUrl(url)]));
  const options = ['--repository-config', path, '--repository-cache', join(folder, 'cache')];
  const checks: ClientCheck[] = [];
  for (const [name, index] of urls) {
    const led = await sandbox.lookout.followUrl(index);
    if (led !== undefined) {
      checks.push(toLed(name, index, led));
      continue;
    }
    const update = await runCheck(
      sandbox,
      { reference: name, resolved: index },
      ['repo', 'update', name, ...options],
      // helm ends with success where it could not read one
      ({ stdout }) => (/Successfully got an update/.test(stdout) ? undefined : readRefusal(stdout)),
    );
    if (update.outcome !== 'pulled') checks.push(update);
    else
      for (const stray of findIndexStrays(sandbox, name, await readIndexUrls(sandbox, name, index)))
        checks.push(stray);
  }
  // an index can lead elsewhere too, and helm asks hosts on loopback beside the gate
  if (checks.some(({ outcome }) => outcome === 'fallback')) return checks;
  const found = await runClient(sandbox, ['search', 'repo', '--output', 'json', ...options]);
  const charts = (found.exitCode === 0 ? JSON.parse(found.stdout) : []) as {
    name: string;
    version: string;
  }[];
  for (const { name, version } of charts.slice(0, sample)) {
    const [repository = '', chart = ''] = name.split('/');
    const index = urls.get(repository) ?? '';
    const resolved = URL.parse(`${chart}-${version}.tgz`, index)?.href ?? '';
    const indexed = (await readIndexUrls(sandbox, repository, index)).filter(
      (each) => each.chart === chart && each.version === version,
    );
    const led = await followCharts(sandbox, indexed);
    if (led !== undefined) {
      checks.push(toLed(`${name}:${version}`, resolved, led));
      continue;
    }
    const args = ['pull', name, '--version', version, '--destination', folder, ...options];
    checks.push(
      await runCheck(sandbox, { reference: `${name}:${version}`, resolved }, args, () =>
        compareArchives(folder, indexed),
      ),
    );
  }
  return checks;
}

/** A version of a chart in an index, and where it is. */
interface IndexedUrl {
  readonly chart: string;
  readonly version: string;
  readonly url: string;
  /** SHA-256 of the archive, where the index has it. */
  readonly digest: Digest | undefined;
}

/**
 * Reads where the charts of the index are that helm fetched.
 *
 * @param base URL of the index, to which addresses in it are relative
 */
async function readIndexUrls(
  { folder }: Sandbox,
  name: string,
  base: string,
): Promise<readonly IndexedUrl[]> {
  const path = join(folder, 'cache', `${name}-index.yaml`);
  const index = toIndex(await readFile(path), path);
  const listed = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
  return Object.entries(index?.entries ?? {}).flatMap(([chart, versions]) =>
    listed(versions).flatMap((each) => {
      const { version, urls, digest } = (each ?? {}) as {
        version?: unknown;
        urls?: unknown;
        digest?: unknown;
      };
      return listed(urls).map((url) => ({
        chart,
        version: String(version),
        url: URL.parse(String(url), base)?.href ?? String(url),
        // some tools write the algorithm in front
        digest: parseDigest(`sha256:${String(digest).replace(/^sha256:/, '')}`),
      }));
    }),
  );
}

/** Charts of an index which lead to an address that the operator did not give. */
function findIndexStrays(
  { places }: Sandbox,
  name: string,
  found: readonly IndexedUrl[],
): readonly ClientCheck[] {
  const strays = [...new Set(found.map(({ url }) => url))].filter((url) => !isNamedUrl(url, places));
  return strays.slice(0, 10).map((url) => toStray(name, url));
}

/** Follows where the addresses of a chart lead, of which helm takes the first that answers. */
async function followCharts(
  { lookout }: Sandbox,
  listed: readonly IndexedUrl[],
): Promise<string | undefined> {
  for (const { url } of listed) {
    const led = await lookout.followUrl(url);
    if (led !== undefined) return led;
  }
  return undefined;
}

/**
 * Compares the downloads of helm with the index: helm itself does not, so that an index and an archive of another day pass.
 *
 * @returns why it is not the chart that the index names
 */
async function compareArchives(folder: string, listed: readonly IndexedUrl[]): Promise<Rule | undefined> {
  for (const { url, digest } of listed) {
    if (digest === undefined) continue;
    const bytes = await readFile(join(folder, basename(new URL(url).pathname))).catch(() => undefined);
    if (bytes === undefined) continue;
    const actual = hashBytes(bytes);
    if (actual !== digest) return toOtherContent(actual, digest);
  }
  return undefined;
}

/**
 * Reads the file that helm accepted as an index. That of an instance is JSON; another one is read within the limits of a document.
 *
 * @throws SVC-VAL-001, SVC-VAL-002 for one that is neither
 */
function toIndex(bytes: Buffer, path: string): { readonly entries?: object } | null {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return parseYamlTree(bytes, path).document.toJS({ maxAliasCount: yamlLimits.aliases });
  }
}

/** Why helm could not read a repository: it says so before its last line, which is the same after a success. */
function readRefusal(stdout: string): string {
  return /Unable to get an update from [^\n]*:\n\s*([^\n]+)/.exec(stdout)?.[1] ?? lastLine(stdout);
}

async function readInstalled(path: string): Promise<Buffer> {
  try {
    return await readPlain(path);
  } catch (error) {
    throw toNamedFileError(error, path);
  }
}

async function testOci(sandbox: Sandbox): Promise<readonly ClientCheck[]> {
  const { folder, token, registry, places } = sandbox;
  const credentials = join(folder, 'registry.json');
  const auth = Buffer.from(`${readerName}:${token ?? ''}`).toString('base64');
  const isNamed = registry !== undefined && isNamedUrl(`${registry.scheme}://${registry.host}`, places);
  const auths = token === undefined || !isNamed ? {} : { [registry.host]: { auth } };
  await writeFile(credentials, JSON.stringify({ auths }), { mode: 0o600 });
  const checks: ClientCheck[] = [];
  for (const { nominal, relocated = '', digest } of selectSample(
    sandbox.references,
    ['HelmChart'],
    sandbox.sample,
  )) {
    const place = `${registry?.scheme ?? 'https'}://${relocated.slice(0, relocated.indexOf('/'))}`;
    if (!isNamedUrl(place, places)) {
      checks.push(toStray(nominal, place));
      continue;
    }
    const led = await sandbox.lookout.followPull(relocated, digest, true);
    if (led !== undefined) {
      checks.push(toLed(nominal, relocated, led));
      continue;
    }
    const colon = relocated.lastIndexOf(':');
    const args = [
      ...[
        'pull',
        `oci://${relocated.slice(0, colon)}`,
        '--version',
        relocated.slice(colon + 1).replaceAll('_', '+'),
      ],
      ...['--registry-config', credentials, '--destination', folder],
      ...(registry?.scheme === 'http' ? ['--plain-http'] : []),
    ];
    checks.push(
      await runCheck(sandbox, { reference: nominal, resolved: relocated }, args, ({ stdout, stderr }) =>
        `${stdout}${stderr}`.includes(digest)
          ? undefined
          : rule(['it is not {digest}', fr`ce n’est pas {digest}`], { digest }),
      ),
    );
  }
  return checks;
}
