import type { LoadedConfig } from '../../src/config/load-config.ts';
import type { ConfigFor } from '../../src/config/requirements.ts';
import { custodyLimits } from '../../src/contract/custody.ts';
import type { MediumWaivers } from '../../src/operation/verify-medium.ts';
import { isSvcError } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { BaseCommand } from '../cli/base-command.ts';
import { CommandLineError } from '../cli/command-line-error.ts';
import { flag } from '../cli/inputs.ts';

/** Base class of the commands for a carried medium. */
export abstract class MediaCommand extends BaseCommand {
  zone: string | undefined = flag.text(
    '--zone',
    ['the zone that the medium must be addressed to', fr`zone à laquelle le support doit être destiné`],
    'name',
  );
  allowZoneMismatch: boolean = flag.present('--allow-zone-mismatch', [
    'waive the zone guard (audited)',
    fr`déroge au contrôle de la zone (audité)`,
  ]);
  allowStale: boolean = flag.present('--allow-stale', [
    'waive the freshness guard (audited)',
    fr`déroge au contrôle de fraîcheur (audité)`,
  ]);

  reason: string | undefined = flag.text(
    '--reason',
    ['why a guard is waived (audited)', fr`pourquoi il est dérogé à un contrôle (audité)`],
    'text',
  );

  protected override get flags(): Record<string, string | undefined> {
    return { ...super.flags, zone: this.zone };
  }

  protected override get repeatedFlags(): Readonly<Record<string, string | undefined>> {
    return { ...super.repeatedFlags, '--zone': this.zone };
  }

  /**
   * As `loadConfig`. A wrong folder may contain the keys of the settings, as the working directory does: the error is then that
   * it is no medium.
   *
   * @throws SVC-MED-001, and the errors of `loadConfig`
   */
  protected async loadMediumConfig<S extends 'media-import' | 'media-verify'>(
    scope: S,
  ): Promise<LoadedConfig & { readonly config: ConfigFor<S> }> {
    try {
      return await this.loadConfig(scope);
    } catch (error) {
      if (isSvcError(error, 'SVC-CFG-002') && this.storageRoot !== undefined) {
        const { readHeaderOf } = await import('../../src/engine/medium/find-medium.ts');
        await readHeaderOf(this.storageRoot);
      }
      throw error;
    }
  }

  /**
   * Warns when no import was recorded in the state folder: a medium older than the freshest import, or a mistyped folder, is not
   * recognized then.
   */
  protected async warnOfNewState(stateRoot: string | undefined): Promise<void> {
    if (stateRoot === undefined) return;
    const { hasFreshness } = await import('../../src/engine/medium/freshness.ts');
    const { hasArrivals } = await import('../../src/zone/arrivals.ts');
    if ((await hasFreshness(stateRoot)) || (await hasArrivals(stateRoot))) return;
    this.warn([
      `no import is recorded in the state folder ${stateRoot}, as before every first import: a medium older than the freshest import is not recognized`,
      fr`aucun import n’est enregistré dans le dossier d’état ${stateRoot}, comme avant tout premier import : un support plus ancien que l’import le plus récent n’est pas reconnu`,
    ]);
  }

  /** A local user with the right to run the command has the rights of an administrator. */
  protected get waivers(): MediumWaivers {
    const { allowZoneMismatch, allowStale, reason } = this;
    if (reason !== undefined) {
      if (!allowZoneMismatch && !allowStale)
        throw new CommandLineError([
          '--reason needs --allow-zone-mismatch or --allow-stale',
          fr`--reason exige --allow-zone-mismatch ou --allow-stale`,
        ]);
      if (reason.trim() === '' || reason.length > custodyLimits.reason)
        throw new CommandLineError([
          `--reason takes 1 to ${custodyLimits.reason} characters`,
          fr`--reason prend de 1 à ${custodyLimits.reason} caractères`,
        ]);
    }
    return { allowZoneMismatch, allowStale, reason };
  }
}
