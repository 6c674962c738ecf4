import type { ConfigFor } from '../../src/config/requirements.ts';
import { isSvcError } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import type { OpenedView } from '../../src/view/open-view.ts';
import { getBuildInfo } from '../build-info.ts';
import { CommandLineError } from '../cli/command-line-error.ts';
import { flag } from '../cli/inputs.ts';
import { showVerification } from '../show-verification.ts';
import { InstanceCommand } from './instance-command.ts';
import type { WrittenPlaces } from './judge-places.ts';

/**
 * Base class of the commands that show a running instance, or a store of this machine without one. A store is read
 * without a lock, also while an instance serves it.
 */
export abstract class PlaceCommand extends InstanceCommand {
  override instance: string | undefined = flag.text(
    '--instance',
    [
      'URL of a running instance (SVC_INSTANCE_URL); without one, the store of the configuration',
      fr`URL d’une instance en cours d’exécution (SVC_INSTANCE_URL) ; sans elle, le stockage de la configuration`,
    ],
    'url',
  );

  /**
   * Whether an instance is asked: `--instance`, or `SVC_INSTANCE_URL` unless `--storage-root` names a store.
   *
   * @throws CommandLineError when both flags are given
   */
  protected get asksInstance(): boolean {
    if (this.instance !== undefined && this.storageRoot !== undefined)
      throw new CommandLineError([
        '--instance and --storage-root cannot be used together: one names a running instance, the other a store of this machine',
        fr`--instance et --storage-root sont incompatibles : l’une nomme une instance en cours d’exécution, l’autre un stockage de cette machine`,
      ]);
    const variable = this.context.env.SVC_INSTANCE_URL ?? '';
    return this.instance !== undefined || (variable !== '' && this.storageRoot === undefined);
  }

  /** Beside the refusal of a carried medium, names the command that prints why. */
  protected override async fail(error: unknown): Promise<number> {
    const exitCode = await super.fail(error);
    if (isSvcError(error, 'SVC-MED-032') && !this.asksInstance)
      await this.suggestNext(['see why with:', fr`voyez pourquoi avec :`], 'svc media verify');
    return exitCode;
  }

  /** Names the command that verifies the carried medium of which only names are shown. */
  protected async suggestVerification(): Promise<void> {
    await this.suggestNext(['verify the medium with:', fr`vérifiez le support avec :`], 'svc media verify');
  }

  /** Warns of addresses that are written for nodes and that nodes may not reach. */
  protected async warnOfPlaces(written: WrittenPlaces): Promise<void> {
    const { judgePlaces } = await import('./judge-places.ts');
    const { warnings, notes } = judgePlaces(written);
    for (const sentence of warnings) this.warn(sentence);
    for (const [english, french] of notes) this.printLine([`svc: ${english}`, fr`svc: ${french}`]);
  }

  /**
   * Opens the store of the configuration to show it.
   *
   * @param verifies whether a carried medium, of which otherwise only names are shown, is verified first, as for an export
   * @throws SVC-STO-001 when there is none, SVC-CFG-001
   */
  protected async openPlace(
    verifies = false,
  ): Promise<OpenedView & { readonly config: ConfigFor<'show-store'> }> {
    const { config } = await this.loadConfig('show-store');
    const { openView } = await import('../../src/view/open-view.ts');
    const { openProgress } = await import('../cli/progress.ts');
    const { language, actor } = this;
    const { stderr, signal } = this.context;
    using progress = openProgress({ stderr, language });
    const report = await this.openReport(progress);
    const onProgress = showVerification(progress, language);
    const opened = await openView(config, {
      report,
      version: getBuildInfo().version,
      ...(verifies ? { verify: { actor, signal, onProgress } } : {}),
    });
    progress.stop();
    return { ...opened, config };
  }
}
