/**
 * A version in the form in which Debian and RPM order it: a pre-release comes before its release (deb-version(7),
 * rpm-version(7)), which `-` does not do there.
 *
 * @param version a semantic version without build metadata
 */
export function toPackageVersion(version: string): string {
  const [core, ...pre] = version.split('-');
  return pre.length === 0 ? core! : `${core}~${pre.join('.').replaceAll('-', '.')}`;
}

/** Whether it is a semantic version without build metadata, which no tag of a registry can hold. */
export function isReleaseVersion(version: string): boolean {
  const number = '(?:0|[1-9]\\d*)';
  const part = `(?:${number}|\\d*[A-Za-z-][0-9A-Za-z-]*)`;
  return new RegExp(`^${number}\\.${number}\\.${number}(?:-${part}(?:\\.${part})*)?$`).test(version);
}
