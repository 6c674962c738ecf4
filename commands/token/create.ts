import { type Role, roles } from '../../src/account/model.ts';
import { fr } from '../../src/text/language.ts';
import { BaseCommand } from '../cli/base-command.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { argument, flag } from '../cli/inputs.ts';
import { parseArgument } from '../cli/parse-argument.ts';
import { changeAccounts } from '../user/change-accounts.ts';

export class TokenCreateCommand extends BaseCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Writes to the state folder directly, also while an instance is running. The secret of the token is printed on stdout, once: it is stored nowhere. A program sends it as a bearer token, as the password of any user name, or to svc in SVC_API_TOKEN. The name of a token is used once; a revoked token keeps it.',
        fr`Écrit directement dans le dossier d’état, même pendant qu’une instance tourne. Le secret du jeton est affiché une fois, sur la sortie standard : il n’est conservé nulle part. Un programme l’envoie comme jeton porteur, comme mot de passe d’un nom d’utilisateur quelconque, ou à svc par SVC_API_TOKEN. Le nom d’un jeton sert une seule fois ; un jeton révoqué le garde.`,
      ],
    ],
    examples: [
      [
        ['A token that may only read', fr`Un jeton qui peut seulement lire`],
        '(umask 077; svc token create dashboard > token)',
      ],
      [
        ['A token that starts synchronizations', fr`Un jeton qui lance des synchronisations`],
        '(umask 077; svc token create pipeline --role operator > token)',
      ],
    ],
  };

  name: string = argument.text(['name', fr`nom`]);
  role: Role | undefined = flag.choice('--role', roles, [
    'role of the token (viewer)',
    fr`rôle du jeton (viewer)`,
  ]);

  async run(): Promise<number> {
    const { name, role = 'viewer' } = this;
    const { parseName } = await import('../../src/account/credential-rules.ts');
    await parseArgument(['a token name', fr`un nom de jeton`], name, parseName);
    const { config } = await this.loadConfig('user');
    const report = await this.openReport();
    const token = await changeAccounts({
      stateRoot: config.state.root,
      actor: this.actor,
      report,
      action: 'token.create',
      target: name,
      apply: (accounts) => accounts.tokens.create({ name, role }),
      describe: (created) => ({ role: created.role }),
    });
    if (this.format === 'json') await this.printDocument(token);
    else {
      this.printLine([
        `svc: token ${name} (${role}); its secret is shown this once`,
        fr`svc: jeton ${name} (${role}) ; son secret n’est affiché que cette fois`,
      ]);
      this.context.stdout.write(`${token.secret}\n`);
      await this.suggestNext(
        [
          'save it in the file token (umask 077; cat > token), then use it, for example:',
          fr`enregistrez-le dans le fichier token (umask 077; cat > token), puis utilisez-le, par exemple :`,
        ],
        'svc task list --token-file token',
      );
    }
    return 0;
  }
}
