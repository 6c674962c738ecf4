import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseFlags, UsageError } from '../parse-flags.ts';
import { type Architecture, architectures } from './arch.ts';

export const usage = `Usage: npm run release -- VERSION (--key FILE | --unsigned | --check) [flag…]

Makes all files of a release from the current commit, without a network: single files, packages, image, chart,
repositories, bill of materials, provenance and sums.

  --key FILE                sign with this private key (PEM or cosign), ECDSA or RSA
  --key-password-file FILE  its password; default: the variable SVC_SIGNING_PASSWORD
  --gpg-key FPR             sign the apt and rpm repositories with this key of gpg
  --unsigned                make the files without signatures
  --check                   build twice, under another path, user, umask, locale, time zone and clock, and compare
  --out DIR                 folder of the release, which must not exist (default: release)
  --inputs DIR              pinned packages of npm and Debian (default: ~/.cache/svc-release);
                            npm run release:inputs brings them
  --platform x64|arm64      only this processor; repeatable (default: both)
  --registry NAME           registry and folder of the names in the recipe (default: registry.example/svc)
  --help                    print this text
`;

export interface ReleaseArguments {
  readonly version: string;
  readonly mode: 'signed' | 'unsigned' | 'check';
  readonly key: string | undefined;
  readonly passwordFile: string | undefined;
  readonly gpgKey: string | undefined;
  readonly out: string;
  readonly inputs: string;
  readonly platforms: readonly Architecture[];
  readonly registry: string;
}

/** The folder of inputs where none is named. */
export function defaultInputs(env: NodeJS.ProcessEnv): string {
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'svc-release');
}

/**
 * Parses the arguments of a release.
 *
 * @returns the arguments, or `help` where the usage is asked for
 * @throws UsageError
 */
export function parseReleaseArguments(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  root: string,
): ReleaseArguments | 'help' {
  const text = { type: 'string' } as const;
  const yes = { type: 'boolean', default: false } as const;
  const options = {
    key: text,
    'key-password-file': text,
    'gpg-key': text,
    unsigned: yes,
    check: yes,
    out: text,
    inputs: text,
    platform: { type: 'string', multiple: true },
    registry: text,
    help: { ...yes, short: 'h' },
  } as const;
  const { values, positionals } = parseFlags(args, options);
  if (values.help) return 'help';
  const [version] = positionals;
  if (version === undefined || positionals.length > 1) throw new UsageError('exactly one version is needed');
  const modes = [values.key !== undefined, values.unsigned, values.check].filter(Boolean);
  if (modes.length === 0) {
    throw new UsageError(
      'no key: a release is signed with --key FILE (svc key new makes one); --unsigned makes one that nobody can verify',
    );
  }
  if (modes.length > 1) throw new UsageError('only one of --key, --unsigned and --check');
  const platforms = [...new Set(values.platform ?? Object.keys(architectures))];
  for (const platform of platforms) {
    if (!(platform in architectures)) throw new UsageError(`${platform}: the platforms are x64 and arm64`);
  }
  const registry = values.registry ?? 'registry.example/svc';
  if (!/^[a-z0-9.-]+(?::\d+)?(?:\/[a-z0-9]+(?:[._-][a-z0-9]+)*)+$/.test(registry)) {
    throw new UsageError(`${registry} is not a registry with a folder, such as registry.example/svc`);
  }
  const toPath = (name: string | undefined): string | undefined =>
    name === undefined ? undefined : resolve(name);
  return {
    version,
    mode: values.check ? 'check' : values.unsigned ? 'unsigned' : 'signed',
    // the build has another working folder
    key: toPath(values.key),
    passwordFile: toPath(values['key-password-file']),
    gpgKey: values['gpg-key'],
    out: resolve(root, values.out ?? 'release'),
    inputs: resolve(values.inputs ?? defaultInputs(env)),
    platforms: platforms as Architecture[],
    registry,
  };
}
