import { type Role, roles } from '../../src/account/model.ts';
import { fr } from '../../src/text/language.ts';
import { BaseCommand } from '../cli/base-command.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { CommandLineError } from '../cli/command-line-error.ts';
import { argument, flag } from '../cli/inputs.ts';
import { parseArgument } from '../cli/parse-argument.ts';
import { createAccount, createFirstAccount } from './create-account.ts';
import { readPassword } from './read-password.ts';
import { readPasswordFile } from './read-password-file.ts';

export class UserAddCommand extends BaseCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Writes to the state folder directly, also while an instance is running. The first account is always an administrator; later accounts are viewers unless --role is given. The password is typed twice on the terminal, or read from the first line of stdin with --password-stdin, or of a file with --password-file.',
        fr`Écrit directement dans le dossier d’état, même pendant qu’une instance tourne. Le premier compte est toujours administrateur ; les suivants ont le rôle viewer, sauf si --role est donné. Le mot de passe est saisi deux fois sur le terminal, ou lu sur la première ligne de l’entrée standard avec --password-stdin, ou d’un fichier avec --password-file.`,
      ],
      [
        'With --first, nothing is read or changed when there is an account, and the exit code is 0: a script that prepares a machine or a pod can run the command at each start.',
        fr`Avec --first, rien n’est lu ni modifié s’il existe un compte, et le code de sortie est 0 : ce qui prépare une machine ou un pod peut lancer la commande à chaque démarrage.`,
      ],
    ],
    examples: [
      [
        ['Create an operator without a terminal', fr`Créer un opérateur sans terminal`],
        'svc user add ci --role operator --password-stdin < secret',
      ],
      [
        [
          'Create the first account of a pod from a mounted secret',
          fr`Créer le premier compte d’un pod avec un secret monté`,
        ],
        'svc user add admin --first --password-file /run/secrets/svc/first-account/password',
      ],
    ],
  };

  name: string = argument.text(['name', fr`nom`]);
  role: Role | undefined = flag.choice('--role', roles, [
    'role of the account (viewer; the first account is always admin)',
    fr`rôle du compte (viewer ; le premier compte est toujours admin)`,
  ]);
  passwordStdin: boolean = flag.present('--password-stdin', [
    'read the password from the first line of stdin',
    fr`lit le mot de passe sur la première ligne de l’entrée standard`,
  ]);
  passwordFile: string | undefined = flag.text(
    '--password-file',
    [
      'read the password from the first line of this file',
      fr`lit le mot de passe sur la première ligne de ce fichier`,
    ],
    'file',
  );
  first: boolean = flag.present('--first', [
    'create the account only if there is none yet',
    fr`ne crée le compte que s’il n’en existe aucun`,
  ]);

  async run(): Promise<number> {
    const { parseName } = await import('../../src/account/credential-rules.ts');
    await parseArgument(['a user name', fr`un nom d’utilisateur`], this.name, parseName);
    if (this.passwordFile !== undefined && this.passwordStdin)
      throw new CommandLineError([
        '--password-file and --password-stdin are two ways to give the password: use one',
        fr`--password-file et --password-stdin sont deux manières de donner le mot de passe : utilisez-en une`,
      ]);
    const { config } = await this.loadConfig('user');
    const stateRoot = config.state.root;
    // a password that is not needed may be gone by now
    if (this.first && !(await isEmpty(stateRoot))) return this.#endWithout(stateRoot);
    const { name, role: asked, actor } = this;
    const password = await this.#readPassword();
    const report = await this.openReport();
    const { passwordMinLength } = config.auth;
    const account = { stateRoot, passwordMinLength, name, password, actor, report };
    const created = this.first
      ? await createFirstAccount(account)
      : await createAccount({ ...account, role: asked });
    if (created === undefined) return this.#endWithout(stateRoot);
    const { role } = created.account;
    const { first } = created;
    if (first && asked !== undefined && asked !== role) {
      this.printLine([
        `svc: the first account is always an administrator: ${name} has the role ${role}, not ${asked}`,
        fr`svc: le premier compte est toujours administrateur : ${name} a le rôle ${role}, pas ${asked}`,
      ]);
    }
    if (this.format === 'json') await this.printDocument({ name, role, first });
    else this.context.stdout.write(`${name} (${role})\n`);
    // without an account the instance could not start; the command has to work as it is printed
    const isServable = config.mode !== undefined && config.storage.root !== undefined;
    if (first && isServable)
      await this.suggestNext(['start the instance with:', fr`démarrez l’instance avec :`], 'svc serve');
    return 0;
  }
  #readPassword(): Promise<string> {
    const { passwordFile, context, passwordStdin } = this;
    return passwordFile === undefined
      ? readPassword(context, passwordStdin)
      : readPasswordFile(passwordFile, (sentence) => this.warn(sentence));
  }

  /** Ends `--first` where there is an account. */
  async #endWithout(stateRoot: string): Promise<number> {
    this.printLine([
      `svc: ${stateRoot} already has accounts; no account was added`,
      fr`svc: ${stateRoot} contient déjà des comptes ; aucun compte n’a été ajouté`,
    ]);
    if (this.format === 'json') await this.printDocument({ name: this.name, first: false });
    return 0;
  }
}

async function isEmpty(stateRoot: string): Promise<boolean> {
  const { openAccounts } = await import('../../src/account/accounts.ts');
  await using accounts = openAccounts({ stateRoot });
  return await accounts.isEmpty();
}
