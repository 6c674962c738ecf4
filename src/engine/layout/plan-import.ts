import { isNameless, isUntagged, toEntryName } from '../../archive/entry-name.ts';
import type { LostEntry } from '../../archive/model.ts';
import type { Digest } from '../../base/digest.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import { isAttachmentTag } from '../../oci/reference.ts';
import { type SvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import type { EntryLinks } from './read-links.ts';

/** Destination of entries that do not name one. */
export interface ImportTarget {
  readonly repository?: string | undefined;
  /** For a single entry without a name. Default `latest`. */
  readonly tag?: string | undefined;
}

/** Planned import of one entry of a layout. */
export interface PlannedEntry {
  /** Names it in reports; unique. */
  readonly reference: string;
  readonly descriptor: Descriptor;
  /** Absent for an entry that goes to the repositories of its subject. */
  readonly repository?: string;
  readonly tag?: string;
  /** The manifest that it refers to, as signatures do; only for entries without a tag. */
  readonly subject?: Digest;
  /** Why it cannot be imported. */
  readonly error?: SvcError;
}

/** An entry of a layout that cannot be used, as reports name it. */
export interface LostPlan {
  /** Its position in `index.json`, and its name if it can be read; unique. */
  readonly reference: string;
  readonly digest?: Digest;
  readonly error: SvcError;
}

/** Names the unusable entries of a layout and says why they are lost. */
export function planLost(lost: readonly LostEntry[]): readonly LostPlan[] {
  return lost.map(({ position, name, digest, rule: broken }) => {
    const reference = `manifests[${position}]${name === undefined ? '' : ` (${name})`}`;
    return {
      reference,
      ...(digest === undefined ? {} : { digest }),
      error: svcError('SVC-REG-009', { reference, detail: broken }),
    };
  });
}

/**
 * Selects the entries that are imported by themselves. Tools list children of an index, and named content, a second
 * time without a name. The entry that reaches such an entry imports it too, without a tag.
 */
function selectOwn(entries: readonly Descriptor[], { children }: EntryLinks): readonly Descriptor[] {
  const named = new Set(entries.filter((entry) => !isNameless(entry)).map(({ digest }) => digest));
  return entries.filter(
    (entry) => !isNameless(entry) || !(children.has(entry.digest) || named.has(entry.digest)),
  );
}

/**
 * Decides where the entries of a layout go. Signatures come first, so that they are stored before their subjects.
 * Entries without a repository come last, attached to their subjects. Pure.
 *
 * @param lost unusable entries: one without a name could be the one that the target is meant for
 * @returns each name once; entries that use one name for different content are all refused
 */
export function planImport(
  entries: readonly Descriptor[],
  target: ImportTarget,
  links: EntryLinks,
  lost: readonly LostEntry[],
): readonly PlannedEntry[] {
  const { subjects } = links;
  const own = selectOwn(entries, links);
  const nameless = new Set(
    own.filter((one) => isUntagged(one) && !subjects.has(one.digest)).map(({ digest }) => digest),
  );
  const unclear = nameless.size + lost.filter(({ name }) => name === undefined).length;
  const planned = new Map<string, PlannedEntry>();
  for (const descriptor of own) {
    const entry = planEntry(descriptor, target, subjects.get(descriptor.digest), unclear);
    const known = planned.get(entry.reference);
    if (known === undefined) planned.set(entry.reference, entry);
    else if (known.descriptor.digest !== descriptor.digest)
      planned.set(
        entry.reference,
        refuse(
          entry,
          rule([
            'the layout has this name for more than one content',
            fr`la disposition donne ce nom à plus d’un contenu`,
          ]),
        ),
      );
  }
  return [...planned.values()].sort((a, b) => rank(a) - rank(b));
}

function planEntry(
  descriptor: Descriptor,
  target: ImportTarget,
  subject: Digest | undefined,
  nameless: number,
): PlannedEntry {
  const { digest } = descriptor;
  const { text, repository, tag, rule: broken } = toEntryName(descriptor);
  if (broken !== undefined) return refuse({ reference: `${text} (${digest})`, descriptor }, broken);
  const place = repository ?? target.repository;
  if (tag !== undefined) {
    if (place === undefined)
      return refuse(
        { reference: tag, descriptor },
        rule([
          'it names only a tag: pass --repository',
          fr`elle ne nomme qu’une étiquette ; passez --repository`,
        ]),
      );
    return { reference: `${place}:${tag}`, descriptor, repository: place, tag };
  }
  if (subject !== undefined) {
    const where = repository === undefined ? {} : { repository };
    return {
      reference: repository === undefined ? digest : `${repository}@${digest}`,
      descriptor,
      ...where,
      subject,
    };
  }
  const unnamed = { reference: repository === undefined ? digest : `${repository}@${digest}`, descriptor };
  if (nameless > 1)
    return refuse(
      unnamed,
      rule([
        'it has no tag, as others in this layout',
        fr`elle n’a pas d’étiquette, comme d’autres de cette disposition`,
      ]),
    );
  if (place === undefined)
    return refuse(
      unnamed,
      rule([
        'it has no name: pass --repository <repository>:<tag>',
        fr`elle n’a pas de nom ; passez --repository <dépôt>:<étiquette>`,
      ]),
    );
  const given = target.tag ?? 'latest';
  return { reference: `${place}:${given}`, descriptor, repository: place, tag: given };
}

function refuse(entry: PlannedEntry, broken: Rule): PlannedEntry {
  return { ...entry, error: svcError('SVC-REG-001', { reference: entry.reference, rule: broken }) };
}

function rank({ repository, tag }: PlannedEntry): number {
  if (repository === undefined) return 2;
  return tag === undefined || isAttachmentTag(tag) ? 0 : 1;
}
