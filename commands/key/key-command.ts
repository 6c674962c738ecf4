import type { Config } from '../../src/config/model.ts';
import type { Signer } from '../../src/signing/signer.ts';
import { svcError } from '../../src/text/error.ts';
import { fr, type Sentence } from '../../src/text/language.ts';
import { BaseCommand } from '../cli/base-command.ts';
import type { CommandContext } from '../cli/command-context.ts';
import { CommandLineError } from '../cli/command-line-error.ts';
import { flag } from '../cli/inputs.ts';
import { readPassword } from '../user/read-password.ts';
import { readPasswordFile } from '../user/read-password-file.ts';

/** Base class of commands that open a signing key: the flags of its password. */
export abstract class KeyCommand extends BaseCommand {
  keyPasswordFile: string | undefined = flag.text(
    '--key-password-file',
    [
      'file whose first line is the password of the key (else SVC_SIGNING_PASSWORD)',
      fr`fichier dont la première ligne est le mot de passe de la clé (sinon SVC_SIGNING_PASSWORD)`,
    ],
    'file',
  );
  passwordStdin: boolean = flag.present('--password-stdin', [
    'read the password of the key from the first line of stdin',
    fr`lire le mot de passe de la clé sur la première ligne de l’entrée standard`,
  ]);

  /**
   * Reads the password of a key; undefined when none is given.
   *
   * @param configured password file of the configuration, for the key of the configuration
   */
  protected async readKeyPassword(config: Config, configured?: string): Promise<string | undefined> {
    const { keyPasswordFile: file, passwordStdin: stdin } = this;
    if (file !== undefined) await requireOutsideStore(file, config);
    const warn = (sentence: Sentence): void => this.warn(sentence);
    return readKeyPassword(this.context, { file, stdin, configured, warn });
  }

  /**
   * Opens a signing key.
   *
   * @throws SVC-CFG-002 for a key inside the store, SVC-SGN-001, SVC-FIL-005, the errors of the password
   */
  protected async openSigner(file: string, config: Config, configured?: string): Promise<Signer> {
    await requireOutsideStore(file, config);
    const password = await this.readKeyPassword(config, configured);
    const { readKeyFile } = await import('../../src/signing/read-key-file.ts');
    const { toSigner } = await import('../../src/signing/signer.ts');
    return toSigner(await readKeyFile(file, password));
  }

  /**
   * Warns when the configuration has trust roots, and the key is none of them: this instance would refuse signatures of the key.
   *
   * @throws SVC-CFG-001 for an unusable root
   */
  protected async warnUntrusted({ fingerprint }: Signer, config: Config): Promise<void> {
    if (config.trust.roots.length === 0) return;
    const { loadPolicy } = await import('../../src/operation/load-policy.ts');
    const { roots, missing } = await loadPolicy(config, await this.openReport());
    if (missing.length > 0 || roots.some((root) => root.fingerprint === fingerprint)) return;
    this.warn([
      `the key ${fingerprint} is none of trust.roots: an instance with this configuration refuses its signatures`,
      fr`la clé ${fingerprint} ne fait pas partie de trust.roots : une instance avec cette configuration refuse ce qu’elle signe`,
    ]);
  }
}

/** @throws SVC-CFG-002 for a file below the store: a medium would carry it */
export async function requireOutsideStore(file: string, { storage }: Config): Promise<void> {
  if (storage.root === undefined) return;
  const { isInside, resolveLinks } = await import('../../src/config/resolve-links.ts');
  const { resolve } = await import('node:path');
  const [path, store] = await Promise.all([resolveLinks(resolve(file)), resolveLinks(storage.root)]);
  if (isInside(path, store)) throw svcError('SVC-CFG-002', { path: file, root: storage.root });
}

interface PasswordSources {
  /** File given by a flag. */
  readonly file?: string | undefined;
  readonly stdin: boolean;
  /** File of the configuration, for the key of the configuration. */
  readonly configured?: string | undefined;
  /** Prints a warning. */
  readonly warn: (sentence: Sentence) => void;
}

/**
 * Reads the password of a signing key: the file or stdin that a flag names, else SVC_SIGNING_PASSWORD, else the file of
 * the configuration. Never asked for, and never the value of a flag.
 *
 * @returns undefined when none is given
 * @throws CommandLineError for both flags, and for an empty file or stdin; the errors of `readPasswordFile`
 */
async function readKeyPassword(
  context: CommandContext,
  { file, stdin, configured, warn }: PasswordSources,
): Promise<string | undefined> {
  if (file !== undefined && stdin)
    throw new CommandLineError([
      '--key-password-file and --password-stdin are two ways to give the password: use one',
      fr`--key-password-file et --password-stdin sont deux manières de donner le mot de passe : utilisez-en une`,
    ]);
  if (stdin) return readPassword(context, true);
  if (file !== undefined) return readPasswordFile(file, warn);
  const { SVC_SIGNING_PASSWORD: variable } = context.env;
  if (variable !== undefined && variable !== '') return variable;
  return configured === undefined ? undefined : readPasswordFile(configured, warn);
}
