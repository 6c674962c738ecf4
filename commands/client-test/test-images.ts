import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Digest, digestAlgorithm, hashBytes } from '../../src/base/digest.ts';
import { readerName } from '../../src/client/model.ts';
import { selectSample } from '../../src/client/select-sample.ts';
import { isAbsent } from '../../src/disk/is-absent.ts';
import { toNamedFileError } from '../../src/disk/named-file-error.ts';
import { findProgram } from '../../src/program/find-program.ts';
import { lastLine } from '../../src/program/run-outside.ts';
import { fr } from '../../src/text/language.ts';
import { rule } from '../../src/text/rule.ts';
import { copyPlain } from './copy-plain.ts';
import { isNamedUrl, toLed } from './find-strays.ts';
import type { ClientCheck, Sandbox } from './model.ts';
import { runCheck, runClient, toOtherContent } from './run-check.ts';

/**
 * Reads the folders with `hosts.toml` files from the configuration that `containerd config dump` prints. They are in
 * `config_path` of the registries of its CRI plugin, folders with a colon between them.
 *
 * @returns empty when containerd reads none
 */
function readConfigPath(dump: string): readonly string[] {
  const table = /^[ \t]*\[plugins\.(?:"[^"\n]*"|'[^'\n]*')\.registry\][ \t]*$/m.exec(dump);
  if (table === null) return [];
  const after = dump.slice(table.index + table[0].length);
  const next = /^[ \t]*\[/m.exec(after);
  const section = next === null ? after : after.slice(0, next.index);
  const [, double, single] = /^[ \t]*config_path = (?:"([^"\n]*)"|'([^'\n]*)')/m.exec(section) ?? [];
  return (double ?? single ?? '').split(':').filter((folder) => folder !== '');
}

const basic = (token: string): string => Buffer.from(`${readerName}:${token}`).toString('base64');

/** Adds credentials to the hosts of a `hosts.toml` that the operator gave, for a copy that only this user may read. */
function addCredentials(content: string, token: string, places: Sandbox['places']): string {
  const value = `authorization = ["Basic ${basic(token)}"]`;
  const isNamed = (quoted: string): boolean => isNamedUrl(quoted.slice(1, -1), places);
  const hosts = [...content.matchAll(/^\[host\.("(?:[^"\\]|\\.)*")\]/gm)].map(([, url]) => url!);
  // hosts whose settings are keys of their own, as IPv6 literals have them
  const keyed = content.replace(/^host\.("(?:[^"\\]|\\.)*")\.capabilities = .*$/gm, (line, url: string) =>
    isNamed(url) ? `${line}\nhost.${url}.header.${value}` : line,
  );
  const tables = hosts.filter(isNamed).map((url) => `[host.${url}.header]\n  ${value}\n`);
  // these are for the server, which is the nominal host where the file names none
  const server = /^server = ("(?:[^"\\\n]|\\.)*")[ \t]*$/m.exec(content)?.[1];
  const own = server !== undefined && isNamed(server) ? `[header]\n  ${value}\n` : '';
  return `${keyed}\n${own}${tables.join('')}`;
}

/**
 * containerd: `ctr` resolves and fetches the manifest of each reference by the files below `config_path`. It needs no daemon,
 * and the layers come from the same place as the manifest.
 */
export async function testContainerd(sandbox: Sandbox): Promise<readonly ClientCheck[]> {
  const { folder, config, installed, token, places } = sandbox;
  const hosts = join(folder, 'certs.d');
  if (installed !== undefined) {
    const refused = await copyInstalled(sandbox, installed, hosts);
    if (refused !== undefined) return [refused];
  } else
    for (const { path, content } of config.files) {
      await mkdir(dirname(join(hosts, path)), { recursive: true });
      await writeFile(join(hosts, path), content, { mode: 0o600 });
    }
  if (token !== undefined)
    for (const path of await readdir(hosts, { recursive: true }))
      if (path.endsWith('hosts.toml')) {
        const file = join(hosts, path);
        await writeFile(file, addCredentials(await readFile(file, 'utf8'), token, places), { mode: 0o600 });
      }
  const checks: ClientCheck[] = [];
  const kinds = ['ContainerImage', 'HelmChart', 'OCIArtifact', 'FileSet'];
  for (const { nominal, relocated = '', digest } of selectSample(sandbox.references, kinds, sandbox.sample)) {
    const led = await sandbox.lookout.followPull(relocated, digest, false);
    if (led !== undefined) {
      checks.push(toLed(nominal, relocated, led));
      continue;
    }
    const args = ['content', 'fetch-object', '--hosts-dir', hosts, nominal];
    checks.push(
      await runCheck(sandbox, { reference: nominal, resolved: relocated }, args, ({ stdout }) => {
        const actual = hashBytes(Buffer.from(stdout), digestAlgorithm(digest as Digest));
        return actual === digest ? undefined : toOtherContent(actual, digest);
      }),
    );
  }
  return checks;
}

/**
 * Copies the files that containerd reads on this machine, of which the first folder with a host counts.
 *
 * @param directory usual folder of containerd
 * @returns the failed check when containerd reads none
 * @throws SVC-FIL-005 for a folder that cannot be read
 */
async function copyInstalled(
  sandbox: Sandbox,
  directory: string,
  hosts: string,
): Promise<ClientCheck | undefined> {
  const folders = await listInstalled(sandbox, directory);
  const failed = { reference: directory, resolved: '', outcome: 'failed', milliseconds: 0 } as const;
  if (typeof folders === 'string') return { ...failed, detail: folders };
  if (folders.length === 0)
    return {
      ...failed,
      detail: rule([
        'containerd reads no hosts.toml: config_path is not set in its configuration',
        fr`containerd ne lit aucun hosts.toml : config_path n’est pas défini dans sa configuration`,
      ]),
    };
  await mkdir(hosts);
  for (const folder of folders) {
    const names = await readdir(folder).catch((error: unknown) => {
      if (folders.length > 1 && isAbsent(error)) return [];
      throw toNamedFileError(error, folder);
    });
    for (const name of names) await copyPlain(join(folder, name), join(hosts, name));
  }
  return undefined;
}

/** Lists the folders with `hosts.toml` files of containerd. @returns the error of containerd where it cannot read its configuration */
async function listInstalled(sandbox: Sandbox, directory: string): Promise<readonly string[] | string> {
  const program = findProgram('containerd', { PATH: sandbox.path });
  // without the daemon on this machine, its usual folder is tested
  if (program === undefined) return [directory];
  const run = (what: string) => runClient(sandbox, ['config', what], { program });
  const dump = await run('dump');
  if (dump.exitCode === 0) return readConfigPath(dump.stdout);
  // a daemon without a configuration has the default one
  const said = lastLine(dump.stderr);
  return said.endsWith('no such file or directory') ? readConfigPath((await run('default')).stdout) : said;
}

/** Podman and CRI-O, which read the same files: pulls each image into a storage below the sandbox. */
export async function testPodman(sandbox: Sandbox): Promise<readonly ClientCheck[]> {
  const { folder, env, config, installed, token, registry, places } = sandbox;
  const own = join(env.HOME!, '.config', 'containers');
  await mkdir(join(own, 'registries.conf.d'), { recursive: true });
  if (installed === undefined) {
    // with a file of the user, the files of the machine are not read
    await writeFile(join(own, 'registries.conf'), 'unqualified-search-registries = []\n');
    await writeFile(join(own, 'policy.json'), '{"default": [{"type": "insecureAcceptAnything"}]}\n');
    for (const { path, content } of config.files)
      await writeFile(join(own, 'registries.conf.d', path), content);
  }
  const auth = join(folder, 'auth.json');
  const isNamed = registry !== undefined && isNamedUrl(`${registry.scheme}://${registry.host}`, places);
  const auths = token === undefined || !isNamed ? {} : { [registry.host]: { auth: basic(token) } };
  await writeFile(auth, JSON.stringify({ auths }), { mode: 0o600 });
  const base = [
    ...['--root', join(folder, 'root'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs'],
    ...['--cgroup-manager', 'cgroupfs', '--events-backend', 'none'],
  ];
  const checks: ClientCheck[] = [];
  for (const { nominal, relocated = '', digest } of selectSample(
    sandbox.references,
    ['ContainerImage'],
    sandbox.sample,
  )) {
    const led = await sandbox.lookout.followPull(relocated, digest, true);
    if (led !== undefined) {
      checks.push(toLed(nominal, relocated, led));
      continue;
    }
    const args = [...base, 'pull', '--quiet', '--authfile', auth, nominal];
    checks.push(
      await runCheck(sandbox, { reference: nominal, resolved: relocated }, args, async () => {
        const format = '{{range .RepoDigests}}{{.}} {{end}}';
        const { stdout } = await runClient(sandbox, [
          ...base,
          'image',
          'inspect',
          '--format',
          format,
          nominal,
        ]);
        return stdout.includes(`@${digest}`) ? undefined : toOtherContent(stdout.trim(), digest);
      }),
    );
    await runClient(sandbox, [...base, 'rmi', '--force', nominal]);
  }
  return checks;
}
