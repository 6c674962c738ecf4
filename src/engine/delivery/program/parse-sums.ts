import { type Digest, isDigest } from '../../../base/digest.ts';
import { fr } from '../../../text/language.ts';
import { RuleError, rule } from '../../../text/rule.ts';

/** The signed list of a release, and its signatures, which it cannot name. */
export const sumsPath = 'SHA256SUMS';
export const signaturePath = 'SHA256SUMS.sig';
export const bundlePath = 'SHA256SUMS.sigstore.json';

/** Most files that a list may name. */
const mostFiles = 10_000;

/** The signed list of a release. */
export interface ReleaseSums {
  readonly version: string;
  /** Digests by path, relative to the folder of the release. */
  readonly digests: ReadonlyMap<string, Digest>;
  /** Programs in one file, by name. */
  readonly programs: readonly string[];
}

/** Thrown for a list that is not that of a release. */
export class SumsError extends RuleError {
  override name = 'SumsError';
}

const version = '[0-9][0-9A-Za-z.-]{0,99}';
const recipeName = new RegExp(`^svc-(${version})\\.recipe\\.yaml$`);
/** First line of the list of the FileSet `svc-files`, which has the programs of a release. */
const heading = new RegExp(`^# svc-files (${version}): [^\\n]*\\n`);

/**
 * Parses the list of a release, or of its FileSet `svc-files`: the lines of `sha256sum` with relative paths. The signature is
 * verified before.
 *
 * @throws SumsError
 */
export function parseSums(text: string): ReleaseSums {
  const [head = '', ofFiles] = heading.exec(text) ?? [];
  const lines = text.slice(head.length).split('\n');
  if (lines.pop() !== '' || lines.length > mostFiles) throw toLineError(lines.length + 1);
  const digests = new Map<string, Digest>();
  // FAT and others tell no upper case from lower case
  const known = new Set([sumsPath, signaturePath, bundlePath].map((name) => name.toLowerCase()));
  for (const [i, line] of lines.entries()) {
    const [, hex, path = ''] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
    const digest = `sha256:${hex}`;
    if (!isDigest(digest) || !isCarriable(path) || known.has(path.toLowerCase()))
      throw toLineError(i + 1 + (head === '' ? 0 : 1));
    known.add(path.toLowerCase());
    digests.set(path, digest);
  }
  const paths = [...digests.keys()];
  const ofRelease = paths.flatMap((path) => recipeName.exec(path)?.[1] ?? []);
  const versions = ofFiles === undefined ? ofRelease : [ofFiles];
  const programs = paths.filter((path) => /^svc-linux-[a-z0-9]{1,20}$/.test(path)).sort();
  if (versions.length !== 1 || programs.length === 0)
    throw new SumsError(
      rule([
        'its SHA256SUMS is not the list of a release of svc',
        fr`son SHA256SUMS n’est pas la liste d’une version de svc`,
      ]),
    );
  return { version: versions[0]!, digests, programs };
}

function toLineError(line: number): SumsError {
  return new SumsError(
    rule(
      [
        'line {line} of its SHA256SUMS is not a digest with a new relative path',
        fr`la ligne {line} de son SHA256SUMS n’est pas une empreinte avec un nouveau chemin relatif`,
      ],
      { line },
    ),
  );
}

/** Whether a path can be one of a medium, on every filesystem. */
function isCarriable(path: string): boolean {
  if (path.length > 900 || /[\\:*?"<>|]|\p{Cc}/u.test(path)) return false;
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}
