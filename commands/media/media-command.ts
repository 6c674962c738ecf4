import { Option } from 'clipanion';
import type { MediumWaivers } from '../../src/operation/verify-medium.ts';
import { BaseCommand } from '../cli/base-command.ts';

/** Base class of the commands for a carried medium. */
export abstract class MediaCommand extends BaseCommand {
  zone: string | undefined = Option.String('--zone', {
    description: 'the zone that the medium must be addressed to',
  });
  allowZoneMismatch: boolean = Option.Boolean('--allow-zone-mismatch', false, {
    description: 'waive the zone guard (audited)',
  });
  allowStale: boolean = Option.Boolean('--allow-stale', false, {
    description: 'waive the freshness guard (audited)',
  });

  protected override get flags(): Record<string, string | undefined> {
    return { ...super.flags, zone: this.zone };
  }

  /** A local user who may run the command has the rights of an administrator. */
  protected get waivers(): MediumWaivers {
    return { allowZoneMismatch: this.allowZoneMismatch, allowStale: this.allowStale };
  }
}
