import { Command, Option, type Usage } from 'clipanion';
import { fr, say } from '../../src/text/language.ts';
import { BaseCommand } from '../cli/base-command.ts';
import { changeAccounts } from '../user/change-accounts.ts';

export class TokenRevokeCommand extends BaseCommand {
  static override paths: string[][] = [['token', 'revoke']];
  static override usage: Usage = Command.Usage({
    description: 'Revoke an API token',
    details: `
      Writes to the state folder directly, also while an instance is running: the token is refused from the next
      request on. A revoked token cannot be made valid again. Revoking it twice is no error.
    `,
    examples: [['Revoke a token', 'svc token revoke pipeline --state-root /var/lib/svc']],
  });

  name: string = Option.String({ name: 'name', required: true });

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
