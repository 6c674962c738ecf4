/** The requirements of dnf for the packages of a repository. */
export interface RepositorySettings {
  /** Whether dnf refuses a package without an acceptable signature of its own. */
  readonly gpgcheck: boolean;
  /** Addresses of public keys. */
  readonly keys: readonly string[];
}

/** Values of one section; a line that begins with a blank continues the value before it (dnf.conf(5)). */
type Section = ReadonlyMap<string, string>;

function readSections(text: string): ReadonlyMap<string, Section> {
  const sections = new Map<string, Map<string, string>>();
  let section: Map<string, string> | undefined;
  let last: string | undefined;
  for (const line of text.split('\n')) {
    if (/^\s*(?:[#;].*)?$/.test(line)) continue;
    const [, name] = /^\[(.*)\]\s*$/.exec(line) ?? [];
    if (name !== undefined) {
      section = sections.get(name) ?? new Map();
      sections.set(name, section);
      last = undefined;
    } else if (/^\s/.test(line)) {
      if (last !== undefined) section?.set(last, `${section.get(last)} ${line.trim()}`);
    } else {
      const [, key, value = ''] = /^([^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
      last = key;
      if (key !== undefined) section?.set(key, value);
    }
  }
  return sections;
}

const isOn = (value: string | undefined): boolean => /^(?:1|yes|true|on)$/i.test(value ?? '');

/**
 * Reads the requirements of dnf for the packages of each repository.
 *
 * @param main text of `dnf.conf`, which has the value of a repository that has none
 * @param files texts of the files with repositories
 */
export function readRepositorySettings(
  main: string,
  files: readonly string[],
): ReadonlyMap<string, RepositorySettings> {
  const general = readSections(main).get('main')?.get('gpgcheck');
  return new Map(
    files.flatMap((text) =>
      [...readSections(text)].map(([id, values]) => [
        id,
        {
          gpgcheck: isOn(values.get('gpgcheck') ?? general),
          keys: (values.get('gpgkey') ?? '').split(/[\s,]+/).filter(Boolean),
        },
      ]),
    ),
  );
}
