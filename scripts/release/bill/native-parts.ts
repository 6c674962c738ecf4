import { RefusedError } from '../source.ts';

/** Code of another project in a native file. */
export interface Part {
  readonly name: string;
  /** Absent where the file does not tell it. */
  readonly version?: string;
  /** Expression of SPDX. */
  readonly license: string;
  /** Package URL. */
  readonly purl: string;
}

/** The parts of the native files of one processor. */
export interface NativeParts {
  readonly runtime: readonly Part[];
  readonly addon: readonly Part[];
}

/** Parts that name themselves in the file, without a version: a text that only they have. */
interface Marked {
  readonly name: string;
  readonly license: string;
  readonly mark: string;
}

/** Parts of the runtime that neither `process.versions` nor its change log names. */
const ofRuntime: readonly Marked[] = [
  { name: 'abseil', license: 'Apache-2.0', mark: '_ZN4absl' },
  { name: 'fast_float', license: 'MIT OR Apache-2.0 OR BSL-1.0', mark: '_ZN10fast_float' },
  { name: 'HdrHistogram_c', license: 'CC0-1.0 OR BSD-2-Clause', mark: 'hdr_value_at_percentile' },
  { name: 'inspector_protocol', license: 'BSD-3-Clause', mark: '_ZN5crdtp' },
  { name: 'sfparse', license: 'MIT', mark: 'sfparse_parser_list' },
  { name: 'SipHash', license: 'CC0-1.0', mark: 'halfsiphash' },
];

/** Parts of the password hash that are not Rust. */
const ofAddon: readonly Marked[] = [{ name: 'mimalloc', license: 'MIT', mark: 'mimalloc: warning: ' }];

/** Licenses of the crates, as their registry has them. */
const crateLicenses: Readonly<Record<string, string>> = {
  addr2line: 'Apache-2.0 OR MIT',
  'argon2-rust': 'MIT',
  gimli: 'MIT OR Apache-2.0',
  hashbrown: 'MIT OR Apache-2.0',
  miniz_oxide: 'MIT OR Zlib OR Apache-2.0',
  napi: 'MIT',
  rand: 'MIT OR Apache-2.0',
  'rustc-demangle': 'MIT OR Apache-2.0',
};

/**
 * Lists the parts of a runtime.
 *
 * @throws RefusedError when one that is expected is not found: the list has to be revised for a new runtime
 */
export function listRuntimeParts(runtime: Buffer): readonly Part[] {
  return listMarked(runtime, ofRuntime, 'the runtime');
}

/**
 * Lists the parts of a native password hash. They are the crates that a message of a panic can name, the standard library
 * of Rust, and the libraries linked to them. A crate whose code cannot panic leaves no trace.
 *
 * @throws RefusedError for a crate whose license is not known here, and when a part that is expected is not found
 */
export function listAddonParts(addon: Buffer): readonly Part[] {
  const text = addon.toString('latin1');
  const [, commit] = /\/rustc\/([0-9a-f]{40})\/library\//.exec(text) ?? [];
  // Cargo unpacks a crate into a folder with its name and version; those of the standard library lie elsewhere
  const folders =
    /(?:\/registry\/src\/[^/\0]+|\/rust\/deps)\/([a-z][\w-]*?)-(\d+\.\d+\.\d+[\w.+-]*)\/src\//gi;
  const crates = new Map<string, Part>();
  for (const [, name, version] of text.matchAll(folders)) {
    const license = crateLicenses[name!];
    if (license === undefined) {
      throw new RefusedError(`the license of ${name} ${version}, a part of the password hash, is not listed`);
    }
    const purl = `pkg:cargo/${name}@${encodeURIComponent(version!)}`;
    crates.set(purl, { name: name!, version: version!, license, purl });
  }
  if (commit === undefined || crates.size === 0) {
    throw new RefusedError('the password hash does not tell its crates: revise the list of its parts');
  }
  const standard: Part = {
    name: 'rust',
    version: commit,
    license: 'MIT OR Apache-2.0',
    purl: `pkg:github/rust-lang/rust@${commit}`,
  };
  return [...crates.values(), standard, ...listMarked(addon, ofAddon, 'the password hash')];
}

function listMarked(file: Buffer, marked: readonly Marked[], what: string): readonly Part[] {
  return marked.map(({ name, license, mark }) => {
    if (!file.includes(mark)) {
      throw new RefusedError(`${name} was not found in ${what}: revise the list of its parts`);
    }
    return { name, license, purl: `pkg:generic/${encodeURIComponent(name)}` };
  });
}
