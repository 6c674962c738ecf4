import { fr, say } from '../../src/text/language.ts';
import { BaseCommand } from '../cli/base-command.ts';
import type { CommandHelp } from '../cli/command-definition.ts';
import { argument } from '../cli/inputs.ts';
import { changeAccounts } from '../user/change-accounts.ts';

export class TokenRevokeCommand extends BaseCommand {
  static override help: CommandHelp = {
    details: [
      [
        'Writes to the state folder directly, also while an instance is running: the token is refused from the next request on. A revoked token cannot be made valid again. Revoking it twice is no error.',
        fr`Écrit directement dans le dossier d’état, même pendant qu’une instance tourne : le jeton est refusé dès la requête suivante. Un jeton révoqué ne redevient jamais valide. Le révoquer deux fois n’est pas une erreur.`,
      ],
    ],
    examples: [
      [['Revoke a token', fr`Révoquer un jeton`], 'svc token revoke pipeline --state-root /var/lib/svc'],
    ],
  };

  name: string = argument.text(['name', fr`nom`]);

  async run(): Promise<number> {
    const { config } = await this.loadConfig('user');
    const report = await this.openReport();
    const { name } = this;
    const { role } = await changeAccounts({
      stateRoot: config.state.root,
      actor: this.actor,
      report,
      action: 'token.revoke',
      target: name,
      apply: (accounts) => accounts.tokens.revoke(name),
      describe: (revoked) => ({ ...revoked }),
    });
    if (this.format === 'json') await this.printDocument({ name, role });
    else {
      const done = say(
        [`${name} (${role}): token revoked`, fr`${name} (${role}) : jeton révoqué`],
        this.language,
      );
      this.context.stdout.write(`${done}\n`);
    }
    return 0;
  }
}
