import { existsSync } from 'node:fs';
import type { Config } from '../../src/config/model.ts';
import { findOpenMode } from '../../src/disk/named-file.ts';
import { isSvcError } from '../../src/text/error.ts';
import { escapeText } from '../../src/text/escape.ts';
import { fr } from '../../src/text/language.ts';
import { BaseCommand } from '../cli/base-command.ts';
import { flag } from '../cli/inputs.ts';
import type { InstanceClient } from './instance-client.ts';

/** Base class of the commands that ask a running instance. */
export abstract class InstanceCommand extends BaseCommand {
  instance: string | undefined = flag.text(
    '--instance',
    [
      'URL of the instance (SVC_INSTANCE_URL, else the configured listener on this machine)',
      fr`URL de l’instance (SVC_INSTANCE_URL, sinon l’écoute configurée sur cette machine)`,
    ],
    'url',
  );
  tokenFile: string | undefined = flag.text(
    '--token-file',
    [
      'file with an API token (else SVC_API_TOKEN)',
      fr`fichier contenant un jeton d’API (sinon SVC_API_TOKEN)`,
    ],
    'file',
  );
  requestTimeout: number | undefined = flag.duration('--request-timeout', [
    'timeout of each request (30s)',
    fr`délai maximal de chaque requête (30s)`,
  ]);

  /** Path of the token that quickstart made for this instance, where the command was given none. */
  #unusedToken: string | undefined;

  protected override async checkFlags(): Promise<void> {
    await super.checkFlags();
    if (this.instance === undefined) return;
    const { requireInstanceUrl } = await import('./instance-address.ts');
    requireInstanceUrl(this.instance);
  }

  /** An instance that is named needs no configuration. */
  protected override get readsConfig(): boolean {
    return this.instance === undefined && !this.context.env.SVC_INSTANCE_URL;
  }

  /**
   * Opens the client of the instance. Warns when the token would be sent without TLS.
   *
   * @param config default: the configuration, of which the client uses the network settings
   * @throws CommandLineError for an invalid flag, SVC-CFG-001
   */
  protected async connect(config?: Config): Promise<InstanceClient> {
    const { requestTimeout = 30_000 } = this;
    const settings = config ?? (await this.loadConfig('ask-instance')).config;
    const { selectInstance, isLoopback } = await import('./instance-address.ts');
    const { readToken, toTokenFile } = await import('./read-token.ts');
    const { openInstanceClient } = await import('./instance-client.ts');
    const { env, signal } = this.context;
    const address = selectInstance(this.instance, env, settings);
    const token = await readToken(this.tokenFile, env);
    if (this.tokenFile !== undefined && (await findOpenMode(this.tokenFile)) !== undefined) {
      const path = escapeText(this.tokenFile);
      this.warn([
        `other users can read or change the token file ${path}: chmod 600 protects it`,
        fr`d’autres utilisateurs peuvent lire ou modifier le fichier de jeton ${path} : chmod 600 le protège`,
      ]);
    }
    const { root } = settings.state;
    if (token === undefined && address.isDerived && root !== undefined) this.#unusedToken = toTokenFile(root);
    if (token !== undefined && address.url.startsWith('http:') && !isLoopback(new URL(address.url))) {
      this.warn([
        `the token is sent to ${address.url} without TLS`,
        fr`le jeton est envoyé à ${address.url} sans TLS`,
      ]);
    }
    const { toShellWord } = await import('../../src/text/shell-word.ts');
    const path = this.configPath;
    const start = `svc serve${path === undefined ? '' : ` --config ${toShellWord(path)}`}`;
    return openInstanceClient({ address, config: settings, token, start, requestTimeout, signal, env });
  }

  /** Beside the refusal of a request without a token, names the one that quickstart made. */
  protected override async fail(error: unknown): Promise<number> {
    const exitCode = await super.fail(error);
    const path = this.#unusedToken;
    if (path === undefined || !isSvcError(error, 'SVC-AUTH-002') || !existsSync(path)) return exitCode;
    const { toShellWord } = await import('../../src/text/shell-word.ts');
    const flag = `--token-file ${toShellWord(path)}`;
    this.printLine([
      `svc: no token was given; quickstart made one for svc sync: add ${flag}`,
      fr`svc: aucun jeton n’a été donné ; quickstart en a fait un pour svc sync : ajoutez ${flag}`,
    ]);
    return exitCode;
  }
}
