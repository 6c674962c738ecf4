import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { root } from '../bundle-options.ts';
import { UsageError } from '../parse-flags.ts';
import { parseReleaseArguments, usage } from './arguments.ts';
import { checkRelease } from './check-release.ts';
import { requireDebianPackages } from './inputs.ts';
import { requireGpgKey } from './packages/repositories.ts';
import { type ReleaseBuild, runRelease } from './run-release.ts';
import { openSource, RefusedError, toReason } from './source.ts';
import { toBuildEnvironment } from './tools/environment.ts';
import { hasTool } from './tools/run-tool.ts';

/** Programs that a release needs beside the packages of npm. */
const programs: Readonly<Record<string, string>> = {
  git: 'git',
  tar: 'tar',
  xz: 'xz-utils',
  rpmbuild: 'rpm',
  createrepo_c: 'createrepo-c',
};

function requirePrograms(gpgKey: string | undefined): void {
  const needed = Object.entries({ ...programs, ...(gpgKey === undefined ? {} : { gpg: 'gnupg' }) });
  const missing = needed.filter(([name]) => !hasTool(name));
  if (missing.length === 0) return;
  const list = missing.map(([name, debian]) => `${name} (Debian: ${debian})`).join(', ');
  throw new RefusedError(`not installed: ${list}`);
}

interface ReleaseCommand extends ReleaseBuild {
  /** Prints a line for the releaser; default: on stderr. */
  readonly say?: (line: string) => void;
}

/**
 * Makes or checks a release of the sources that this file belongs to. Every reason why not is printed. No package is
 * loaded here: the installed ones may differ from the pinned ones. The build has these in a tree of its own.
 *
 * @param args as `usage` describes them
 * @returns the exit code: 0 success, 1 refused, failed or not the same, 2 wrong arguments
 */
export async function runReleaseCommand(
  args: readonly string[],
  { say = (line) => void process.stderr.write(`release: ${line}\n`), ...build }: ReleaseCommand,
): Promise<number> {
  // modes of files do not depend on the user's umask
  process.umask(0o022);
  // git and tar are those of the machine, even where a package has a program of that name
  process.env.PATH = toBuildEnvironment(process.env).PATH;
  const places: string[] = [tmpdir()];
  try {
    const parsed = parseReleaseArguments(args, process.env, root);
    if (parsed === 'help') {
      process.stdout.write(usage);
      return 0;
    }
    if (parsed.mode !== 'check') places.unshift(dirname(parsed.out));
    requirePrograms(parsed.gpgKey);
    const source = openSource(root, parsed.version);
    requireDebianPackages(parsed.platforms, parsed.inputs);
    if (parsed.gpgKey !== undefined) requireGpgKey(parsed.gpgKey, source);
    if (parsed.mode === 'check') return (await checkRelease(parsed, source, build, say)) ? 0 : 1;
    await runRelease(parsed, source, build, say);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`release: ${error.message}\n\n${usage}`);
      return 2;
    }
    // nobody reads stderr any more
    if (error instanceof Error && 'code' in error && error.code === 'EPIPE') return 1;
    const reason = toReason(error, places);
    if (reason === undefined) throw error;
    say(reason);
    return 1;
  }
}
