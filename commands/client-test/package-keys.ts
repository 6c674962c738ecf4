import { access, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ClientConfig } from '../../src/contract/recipe.ts';
import { lastLine, type OutsideResult } from '../../src/program/run-outside.ts';
import { fr } from '../../src/text/language.ts';
import { type Rule, rule } from '../../src/text/rule.ts';

/** Path of a public key in the files of apt and dnf. */
const keyPath = /^(?:Signed-By: |gpgkey=file:\/\/)(\/.+)$/gm;

/** Puts the keys of a folder in the place of those that the files name. */
export interface KeyPlace {
  /** @returns a file of the configuration with the paths of the keys of that folder */
  place(content: string): string;
  /** Path of the first key that is not there, as the operator knows it; undefined: all are. */
  readonly missing: string | undefined;
}

/**
 * Links the folder of the keys below the sandbox: its own path may have characters that apt and dnf do not read.
 *
 * @param keys absolute path of the folder; undefined: the keys are where the files name them
 * @param folder the sandbox
 */
export async function placeKeys(
  { files }: Pick<ClientConfig, 'files'>,
  keys: string | undefined,
  folder: string,
): Promise<KeyPlace> {
  const link = join(folder, 'keys');
  if (keys !== undefined) await symlink(keys, link);
  const named = files.flatMap(({ content }) => [...content.matchAll(keyPath)].map(([, path]) => path!));
  let missing: string | undefined;
  for (const path of new Set(named)) {
    const at = keys === undefined ? path : join(keys, basename(path));
    missing ??= await access(at).then(
      () => undefined,
      () => at,
    );
  }
  return {
    place: (content) =>
      keys === undefined
        ? content
        : content.replaceAll(keyPath, (line, path: string) => line.replace(path, join(link, basename(path)))),
    missing,
  };
}

/** The detail of a check whose public key is not there. */
export const toMissingKey = (key: string): Rule =>
  rule(
    [
      'the public key {key} is not there: install it, or name the folder that has it with --keys',
      fr`la clé publique {key} n’est pas là : installez-la, ou nommez par --keys le dossier qui l’a`,
    ],
    { key },
  );

/** Lines in which apt gives the fault of a signature; its last line says only that there is none. */
const ofSignature = /NO_PUBKEY|GPG error|[A-Z]{3}(?:KEY)?SIG|signatures? (?:were|was|couldn't)/;

/**
 * Explains why packages were not accepted.
 *
 * @param missing path of a public key that is not there
 */
export function explainSignature(
  { stdout, stderr }: Pick<OutsideResult, 'stdout' | 'stderr'>,
  missing: string | undefined,
): Rule | string | undefined {
  if (missing !== undefined) return toMissingKey(missing);
  const line = `${stderr}\n${stdout}`.split('\n').find((each) => ofSignature.test(each));
  return line === undefined ? undefined : lastLine(line);
}
