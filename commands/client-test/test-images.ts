import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Digest, digestAlgorithm, hashBytes } from '../../src/base/digest.ts';
import { readerName } from '../../src/client/model.ts';
import { selectSample } from '../../src/client/select-sample.ts';
import { toNamedFileError } from '../../src/disk/named-file-error.ts';
import type { ClientCheck, Sandbox } from './model.ts';
import { runCheck, runClient } from './run-check.ts';

const basic = (token: string): string => Buffer.from(`${readerName}:${token}`).toString('base64');

/** Adds credentials to each host of a `hosts.toml`, for a copy that only this user may read. */
function addCredentials(content: string, token: string): string {
  const value = `authorization = ["Basic ${basic(token)}"]`;
  const hosts = [...content.matchAll(/^\[host\.("(?:[^"\\]|\\.)*")\]/gm)].map(([, url]) => url!);
  const tables = hosts.map((url) => `[host.${url}.header]\n  ${value}\n`);
  return `${content}\n[header]\n  ${value}\n${tables.join('')}`;
}

/**
 * containerd: `ctr` resolves and fetches the manifest of each reference by the files below `config_path`. It needs no daemon,
 * and the layers come from the same place as the manifest.
 */
export async function testContainerd(sandbox: Sandbox): Promise<readonly ClientCheck[]> {
  const { folder, config, installed, token } = sandbox;
  const hosts = join(folder, 'certs.d');
  if (installed)
    await cp(config.directory, hosts, { recursive: true, dereference: true }).catch((error: unknown) => {
      throw toNamedFileError(error, config.directory);
    });
  else
    for (const { path, content } of config.files) {
      await mkdir(dirname(join(hosts, path)), { recursive: true });
      await writeFile(join(hosts, path), content, { mode: 0o600 });
    }
  if (token !== undefined)
    for (const path of await readdir(hosts, { recursive: true }))
      if (path.endsWith('hosts.toml')) {
        const file = join(hosts, path);
        await writeFile(file, addCredentials(await readFile(file, 'utf8'), token), { mode: 0o600 });
      }
  const checks: ClientCheck[] = [];
  const kinds = ['ContainerImage', 'HelmChart', 'OCIArtifact', 'FileSet'];
  for (const { nominal, relocated = '', digest } of selectSample(sandbox.references, kinds, sandbox.sample)) {
    const args = ['content', 'fetch-object', '--hosts-dir', hosts, nominal];
    checks.push(
      await runCheck(sandbox, { reference: nominal, resolved: relocated }, args, ({ stdout }) => {
        const actual = hashBytes(Buffer.from(stdout), digestAlgorithm(digest as Digest));
        return actual === digest ? undefined : `got ${actual} in place of ${digest}`;
      }),
    );
  }
  return checks;
}

/** Podman: pulls each image into a storage below the sandbox. */
export async function testPodman(sandbox: Sandbox): Promise<readonly ClientCheck[]> {
  const { folder, env, config, installed, token, registry } = sandbox;
  const own = join(env.HOME!, '.config', 'containers');
  await mkdir(join(own, 'registries.conf.d'), { recursive: true });
  if (!installed) {
    // with a file of the user, the files of the machine are not read
    await writeFile(join(own, 'registries.conf'), 'unqualified-search-registries = []\n');
    await writeFile(join(own, 'policy.json'), '{"default": [{"type": "insecureAcceptAnything"}]}\n');
    for (const { path, content } of config.files)
      await writeFile(join(own, 'registries.conf.d', path), content);
  }
  const auth = join(folder, 'auth.json');
  const auths =
    token === undefined || registry === undefined ? {} : { [registry.host]: { auth: basic(token) } };
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
        return stdout.includes(`@${digest}`) ? undefined : `got ${stdout.trim()} in place of ${digest}`;
      }),
    );
    await runClient(sandbox, [...base, 'rmi', '--force', nominal]);
  }
  return checks;
}
