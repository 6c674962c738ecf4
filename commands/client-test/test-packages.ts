import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { secretPlaceholder } from '../../src/client/model.ts';
import { isAbsent } from '../../src/disk/is-absent.ts';
import { toNamedFileError } from '../../src/disk/named-file-error.ts';
import { readPlainText } from '../../src/disk/plain-file.ts';
import { findProgram } from '../../src/program/find-program.ts';
import { lastLine } from '../../src/program/run-outside.ts';
import { fr } from '../../src/text/language.ts';
import { rule } from '../../src/text/rule.ts';
import { selectSources } from './apt-sources.ts';
import type { ClientCheck, Sandbox } from './model.ts';
import { explainSignature, placeKeys } from './package-keys.ts';
import { judgeSignature, readSettings } from './package-signatures.ts';
import { runCheck, runClient } from './run-check.ts';

/**
 * Writes the files of the configuration with the token in its places, and with the keys of a folder where one is named.
 *
 * @returns path of a public key that is not there
 */
async function writeFiles(
  { config, token = '', keys, folder }: Sandbox,
  into: string,
): Promise<string | undefined> {
  const { place, missing } = await placeKeys(config, keys, folder);
  for (const { path, content, mode } of config.files) {
    const filled = content.replaceAll(
      new RegExp(`(password[ =])${secretPlaceholder}$`, 'gm'),
      (_, before: string) => before + token,
    );
    await mkdir(dirname(join(into, path)), { recursive: true });
    await writeFile(join(into, path), place(filled), { mode: mode === '0600' ? 0o600 : 0o644 });
  }
  return missing;
}

/** Files of sources that apt reads in `sources.list.d` (sources.list(5)). */
const sourceFile = /^[A-Za-z0-9_.-]+\.(?:list|sources)$/;

/**
 * Copies the sources of this machine that can be tested.
 *
 * @param etc the folder of apt
 * @param into the folder of their copies
 * @returns a check for each source that is left out
 * @throws SVC-FIL-005 for a file that cannot be read
 */
async function copySources(etc: string, into: string): Promise<readonly ClientCheck[]> {
  const folder = join(etc, 'sources.list.d');
  const parts = await readdir(folder).catch((error: unknown) => {
    if (isAbsent(error)) return [];
    throw toNamedFileError(error, folder);
  });
  const names = ['sources.list', ...parts.filter((name) => sourceFile.test(name)).map(toPart)];
  await mkdir(join(into, 'sources.list.d'), { recursive: true });
  const untested: ClientCheck[] = [];
  for (const name of names) {
    const path = join(etc, name);
    const text = await readPlainText(path).catch((error: unknown) => {
      if (isAbsent(error)) return '';
      throw toNamedFileError(error, path);
    });
    const selected = selectSources(name, text);
    await writeFile(join(into, name), selected.content);
    for (const { line, uri, isUnread, detail } of selected.untested)
      untested.push({
        reference: `${path}:${line}`,
        resolved: uri,
        outcome: isUnread ? 'failed' : 'skipped',
        milliseconds: 0,
        detail,
      });
  }
  return untested;
}

const toPart = (name: string): string => join('sources.list.d', name);

/** The failed check of a client that has nothing to read on this machine. */
const toWithoutSource = (program: string, folder: string): ClientCheck => ({
  reference: folder,
  resolved: '',
  outcome: 'failed',
  milliseconds: 0,
  detail: rule(
    [
      '{program} has no source that is enabled in {folder}',
      fr`{program} n’a pas de source activée dans {folder}`,
    ],
    { program, folder },
  ),
});

/** Whether the copies have no source. */
async function isWithoutSources(folder: string): Promise<boolean> {
  const parts = await readdir(join(folder, 'sources.list.d'));
  const texts = await Promise.all(
    ['sources.list', ...parts.map(toPart)].map((name) => readFile(join(folder, name), 'utf8')),
  );
  return texts.every((text) => text.trim() === '');
}

/** apt: reads every source and verifies its signature, then downloads packages, which apt checks against the index. */
export async function testApt(sandbox: Sandbox): Promise<readonly ClientCheck[]> {
  const { folder, config, installed, gate, env } = sandbox;
  const etc = installed ?? join(folder, 'etc');
  for (const path of ['etc', 'state/lists/partial', 'cache/archives/partial', 'log', 'out'])
    await mkdir(join(folder, path), { recursive: true });
  await writeFile(join(folder, 'status'), '');
  const missing = installed === undefined ? await writeFiles(sandbox, etc) : undefined;
  const sources = join(folder, 'etc');
  const untested = installed === undefined ? [] : await copySources(etc, sources);
  const ca = env.SSL_CERT_FILE;
  const settings = [
    `Dir::State "${folder}/state"; Dir::State::status "${folder}/status"; Dir::Cache "${folder}/cache"; Dir::Log "${folder}/log";`,
    // the files of the machine are not read unless they are tested
    ...(installed !== undefined
      ? []
      : [
          `Dir::Etc "${etc}"; Dir::Etc::SourceList "/dev/null"; Dir::Etc::SourceParts "${etc}/sources.list.d"; Dir::Etc::Parts "-"; Dir::Etc::Main "-";`,
          `Dir::Etc::Netrc "/dev/null"; Dir::Etc::NetrcParts "${etc}/auth.conf.d";`,
        ]),
    'APT::Sandbox::User "root"; Acquire::Languages "none"; Acquire::Retries "0";',
    `Acquire::http::Proxy "${gate.url}"; Acquire::https::Proxy "${gate.url}";`,
    ...(ca === undefined ? [] : [`Acquire::https::CaInfo "${ca}";`]),
  ];
  const configuration = join(folder, 'apt.conf');
  await writeFile(configuration, `${settings.join('\n')}\n`);
  const options = { env: { APT_CONFIG: configuration }, cwd: join(folder, 'out') };
  // a file of the machine is read after this one, and may name a proxy around the gate
  const gated = ['http', 'https'].flatMap((scheme) => [
    ...['-o', `Acquire::${scheme}::Proxy=${gate.url}`],
    ...['-o', `Acquire::${scheme}::Proxy-Auto-Detect=`],
  ]);
  // after the files of the machine too, which may name other folders of sources
  if (installed !== undefined)
    gated.push(
      ...['-o', `Dir::Etc::SourceList=${join(sources, 'sources.list')}`],
      ...['-o', `Dir::Etc::SourceParts=${join(sources, 'sources.list.d')}`],
    );
  const where = [
    ...new Set(
      config.files.flatMap(({ content }) => [...content.matchAll(/^URIs: (.+)$/gm)].map(([, url]) => url!)),
    ),
  ];
  // without any, apt has nothing to do and ends with success
  if (installed !== undefined && (await isWithoutSources(sources)))
    return untested.length > 0 ? untested : [toWithoutSource('apt', etc)];
  const update = await runCheck(
    sandbox,
    { reference: 'apt-get update', resolved: where.join(' ') },
    [...gated, 'update', '--error-on=any', '--quiet=2'],
    undefined,
    { ...options, explain: (result) => explainSignature(result, missing) },
  );
  const cache = findProgram('apt-cache', { PATH: sandbox.path });
  const checks = [...untested, update];
  if (update.outcome !== 'pulled' || cache === undefined) return checks;
  const { stdout } = await runClient(sandbox, [...gated, 'pkgnames'], { program: cache, ...options });
  for (const name of stdout.split('\n').filter(Boolean).sort().slice(0, sandbox.sample)) {
    const printed = await runClient(
      sandbox,
      [...gated, 'download', '--print-uris', '--quiet=2', name],
      options,
    );
    const resolved = /^'([^']*)'/m.exec(printed.stdout)?.[1] ?? '';
    checks.push(
      await runCheck(
        sandbox,
        { reference: name, resolved },
        [...gated, 'download', '--quiet=2', name],
        undefined,
        options,
      ),
    );
  }
  return checks;
}

/** Further folders that dnf reads when no setting names others (dnf.conf(5), reposdir). */
const otherRepositories = ['/etc/yum/repos.d', '/etc/distro.repos.d'];

/**
 * Finds why dnf would read nothing, or leave out a file with a warning and end with success.
 *
 * @param args those that list the repositories, which contacts none of them
 */
async function findUnread(
  sandbox: Sandbox,
  args: readonly string[],
  folder: string,
): Promise<ClientCheck | undefined> {
  const listed = await runClient(sandbox, args);
  const said = `${listed.stderr}\n${listed.stdout}`
    .split('\n')
    .find((line) => /failed (?:loading|to load)/i.test(line));
  const without = toWithoutSource('dnf', folder);
  if (said !== undefined) return { ...without, detail: lastLine(said) };
  return listed.exitCode === 0 && listed.stdout.trim() === '' ? without : undefined;
}

/**
 * dnf: reads the metadata of every repository and verifies its signature. Then downloads packages, and judges the
 * signature of each as the settings of its repository ask.
 */
export async function testDnf(sandbox: Sandbox): Promise<readonly ClientCheck[]> {
  const { folder, config, installed, gate, env } = sandbox;
  const repositories = installed ?? join(folder, 'repos');
  const folders = installed === undefined ? [repositories] : [repositories, ...otherRepositories];
  const missing = installed === undefined ? await writeFiles(sandbox, repositories) : undefined;
  const main = [
    ...[
      `reposdir=${folders.join(',')}`,
      `cachedir=${join(folder, 'cache')}`,
      `persistdir=${join(folder, 'persist')}`,
    ],
    ...[`logdir=${join(folder, 'log')}`, `installroot=${join(folder, 'install')}`, `proxy=${gate.url}`],
    ...['retries=1', 'assumeyes=1', 'pluginconfpath=/nonexistent'],
    ...(env.SSL_CERT_FILE === undefined ? [] : [`sslcacert=${env.SSL_CERT_FILE}`]),
  ];
  const path = join(folder, 'dnf.conf');
  await writeFile(path, `[main]\n${main.join('\n')}\n`);
  const plain = [
    '--config',
    path,
    '--releasever',
    '1',
    // a repository of the machine may name a proxy around the gate
    `--setopt=*.proxy=${gate.url}`,
    // nor does one count as read that dnf leaves out when it cannot be reached
    '--setopt=*.skip_if_unavailable=0',
    '--disableplugin=*',
    '--enableplugin=download',
  ];
  if (installed !== undefined) {
    const fault = await findUnread(sandbox, [...plain, 'repolist', '--enabled'], installed);
    if (fault !== undefined) return [fault];
  }
  const options = [...plain, '--quiet'];
  const where = config.files.flatMap(({ content }) =>
    [...content.matchAll(/^baseurl=(.+)$/gm)].map(([, url]) => url!),
  );
  const refresh = await runCheck(
    sandbox,
    { reference: 'dnf makecache', resolved: where.join(' ') },
    [...options, 'makecache', '--refresh'],
    undefined,
    { explain: (result) => explainSignature(result, missing) },
  );
  if (refresh.outcome !== 'pulled') return [refresh];
  const query = ['repoquery', '--latest-limit=1', '--queryformat', '%{name} %{repoid}\n'];
  const { stdout } = await runClient(sandbox, [...options, ...query]);
  const checks = [refresh];
  const found = new Map(
    stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(' ') as [name: string, id: string]),
  );
  const names = [...found.keys()].sort().slice(0, sandbox.sample);
  const settings = await readSettings(folders, installed !== undefined);
  // a plugin that distributions package apart; the metadata is checked without it
  const download = await runClient(sandbox, [...options, 'download', '--help']);
  if (download.exitCode !== 0) return checks;
  for (const name of names) {
    const out = join(folder, 'out', name);
    const args = [...options, 'download', '--destdir', out, name];
    checks.push(
      await runCheck(sandbox, { reference: name, resolved: where.join(' ') }, args, async () => {
        const [file] = await readdir(out).catch(() => []);
        if (file === undefined) return rule(['no package came', fr`aucun paquet n’est venu`]);
        const id = found.get(name) ?? '';
        return judgeSignature(sandbox, join(out, file), id, settings.get(id));
      }),
    );
  }
  return checks;
}
