import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readerName, secretPlaceholder } from '../../src/client/model.ts';
import { selectSample } from '../../src/client/select-sample.ts';
import { toNamedFileError } from '../../src/disk/named-file-error.ts';
import { readPlainText } from '../../src/disk/plain-file.ts';
import { lastLine } from '../../src/program/run-outside.ts';
import type { ClientCheck, Sandbox } from './model.ts';
import { runCheck, runClient } from './run-check.ts';

/** helm: pulls charts of each repository of the list; without one, charts of the registry. */
export async function testHelm(sandbox: Sandbox): Promise<readonly ClientCheck[]> {
  const { folder, config, installed, token = '', sample } = sandbox;
  const [file] = config.files;
  const path = join(folder, 'repositories.yaml');
  const content = installed
    ? await readInstalled(join(config.directory, 'repositories.yaml'))
    : (file?.content ?? '');
  await writeFile(
    path,
    content.replaceAll(`password: ${secretPlaceholder}`, `password: ${JSON.stringify(token)}`),
    {
      mode: 0o600,
    },
  );
  const urls = new Map(
    [...content.matchAll(/^ *- name: "?([^"\n]+)"?\n +url: "?([^"\n]+)"?$/gm)].map(([, name, url]) => [
      name!,
      url!,
    ]),
  );
  if (urls.size === 0) return testOci(sandbox);
  const options = ['--repository-config', path, '--repository-cache', join(folder, 'cache')];
  const checks: ClientCheck[] = [];
  for (const [name, url] of urls) {
    const update = await runCheck(
      sandbox,
      { reference: name, resolved: `${url}/index.yaml` },
      ['repo', 'update', name, ...options],
      // helm ends with success where it could not read one
      ({ stdout }) => (/Successfully got an update/.test(stdout) ? undefined : readRefusal(stdout)),
    );
    if (update.outcome !== 'pulled') checks.push(update);
  }
  const found = await runClient(sandbox, ['search', 'repo', '--output', 'json', ...options]);
  const charts = (found.exitCode === 0 ? JSON.parse(found.stdout) : []) as {
    name: string;
    version: string;
  }[];
  for (const { name, version } of charts.slice(0, sample)) {
    const [repository = '', chart = ''] = name.split('/');
    const resolved = `${urls.get(repository) ?? ''}/${chart}-${version}.tgz`;
    const args = ['pull', name, '--version', version, '--destination', folder, ...options];
    checks.push(await runCheck(sandbox, { reference: `${name}:${version}`, resolved }, args));
  }
  return checks;
}

/** Why helm could not read a repository: it says so before its last line, which is the same after a success. */
function readRefusal(stdout: string): string {
  return /Unable to get an update from [^\n]*:\n\s*([^\n]+)/.exec(stdout)?.[1] ?? lastLine(stdout);
}

async function readInstalled(path: string): Promise<string> {
  try {
    return await readPlainText(path);
  } catch (error) {
    throw toNamedFileError(error, path);
  }
}

async function testOci(sandbox: Sandbox): Promise<readonly ClientCheck[]> {
  const { folder, token, registry } = sandbox;
  const credentials = join(folder, 'registry.json');
  const auth = Buffer.from(`${readerName}:${token ?? ''}`).toString('base64');
  const auths = token === undefined || registry === undefined ? {} : { [registry.host]: { auth } };
  await writeFile(credentials, JSON.stringify({ auths }), { mode: 0o600 });
  const checks: ClientCheck[] = [];
  for (const { nominal, relocated = '', digest } of selectSample(
    sandbox.references,
    ['HelmChart'],
    sandbox.sample,
  )) {
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
        `${stdout}${stderr}`.includes(digest) ? undefined : `it is not ${digest}`,
      ),
    );
  }
  return checks;
}
