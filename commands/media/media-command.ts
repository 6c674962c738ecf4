import { Option } from 'clipanion';
import type { MediumWaivers } from '../../src/operation/verify-medium.ts';
import { BaseCommand } from '../cli/base-command.ts';

/** What the commands that handle a carried medium have in common. */
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

  /** Whoever may run a command on the machine counts as its administrator. */
  protected get waivers(): MediumWaivers {
    return { allowZoneMismatch: this.allowZoneMismatch, allowStale: this.allowStale };
  }
}
