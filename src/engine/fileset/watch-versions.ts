import type { Report } from '../../base/report.ts';
import type { Store } from '../../store/model.ts';
import { type FilesetGate, type FilesetSetting, selectFileset } from './select-fileset.ts';

interface WatchOptions {
  readonly store: Store;
  readonly gate: FilesetGate;
  readonly settings: ReadonlyMap<string, FilesetSetting>;
  readonly basePrefix: string | undefined;
  readonly report: Report;
}

/** Versions that FileSets serve, from one review to the next. */
export interface VersionWatch {
  /**
   * Logs and audits every FileSet that serves another version, digest or provenance than at the last review.
   *
   * @param actor actor of the change of the store
   * @param origin client address of the change
   */
  review(actor: string, origin?: string): void;
}

export function watchVersions({ store, gate, settings, basePrefix, report }: WatchOptions): VersionWatch {
  /** Describes the served version of a FileSet; undefined while it serves nothing. */
  const describe = (setting: FilesetSetting) => {
    try {
      const { repository, tag: version, digest } = selectFileset(store, gate, setting, basePrefix);
      const { owners = [] } = store.index.tag(repository, version) ?? {};
      const provenance = [...new Set(owners.map((owner) => owner.provenance))].sort().join(', ');
      return { version, digest, provenance };
    } catch {
      return undefined;
    }
  };
  const reviewed = new Map([...settings.values()].map((setting) => [setting.name, describe(setting)]));
  return {
    review: (actor, origin) => {
      for (const setting of settings.values()) {
        const { name } = setting;
        const [before, now] = [reviewed.get(name), describe(setting)];
        reviewed.set(name, now);
        // the first served version of a FileSet is no change
        if (before === undefined || JSON.stringify(before) === JSON.stringify(now)) continue;
        report.log('warn', 'the content of a FileSet changed', { fileset: name, actor, before, now });
        report.audit({
          actor,
          action: 'fileset.change',
          target: name,
          outcome: 'success',
          origin,
          details: { before, now },
        });
      }
    },
  };
}
