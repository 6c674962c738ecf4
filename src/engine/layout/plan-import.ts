import { isNameless, isUntagged, toEntryName } from '../../archive/entry-name.ts';
import type { Digest } from '../../base/digest.ts';
import { type SvcError, svcError } from '../../base/error.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import { isAttachmentTag } from '../../oci/reference.ts';
import type { EntryLinks } from './read-links.ts';

/** Where entries go that do not say it themselves. */
export interface ImportTarget {
  readonly repository?: string | undefined;
  /** For a single entry without any name. Default `latest`. */
  readonly tag?: string | undefined;
}

/** What shall become of one entry of a layout. */
export interface PlannedEntry {
  /** Names it in reports; unique. */
  readonly reference: string;
  readonly descriptor: Descriptor;
  /** Absent for what goes wherever its subject went. */
  readonly repository?: string;
  readonly tag?: string;
  /** The manifest that it refers to, as signatures do; only of entries without a tag. */
  readonly subject?: Digest;
  /** Why it cannot be brought. */
  readonly error?: SvcError;
}

/**
 * The entries that are something of their own. Tools list the children of an index, and what has a name, once more without
 * one: such a nameless entry comes with the entry that reaches it, under no tag of its own.
 */
function selectOwn(entries: readonly Descriptor[], { children }: EntryLinks): readonly Descriptor[] {
  const named = new Set(entries.filter((entry) => !isNameless(entry)).map(({ digest }) => digest));
  return entries.filter(
    (entry) => !isNameless(entry) || !(children.has(entry.digest) || named.has(entry.digest)),
  );
}

/**
 * Decides where the entries of a layout go. Signatures come first, so that they are there before what they sign; what
 * says no repository comes last, attached to what has come. Pure.
 *
 * @returns each name once; entries that name one place for different content are all refused
 */
export function planImport(
  entries: readonly Descriptor[],
  target: ImportTarget,
  links: EntryLinks,
): readonly PlannedEntry[] {
  const { subjects } = links;
  const own = selectOwn(entries, links);
  const nameless = new Set(
    own.filter((one) => isUntagged(one) && !subjects.has(one.digest)).map(({ digest }) => digest),
  );
  const planned = new Map<string, PlannedEntry>();
  for (const descriptor of own) {
    const entry = planEntry(descriptor, target, subjects.get(descriptor.digest), nameless.size);
    const known = planned.get(entry.reference);
    if (known === undefined) planned.set(entry.reference, entry);
    else if (known.descriptor.digest !== descriptor.digest)
      planned.set(entry.reference, refuse(entry, 'the layout has this name for more than one content'));
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
  const { text, repository, tag, rule } = toEntryName(descriptor);
  if (rule !== undefined) return refuse({ reference: `${text} (${digest})`, descriptor }, rule);
  const place = repository ?? target.repository;
  if (tag !== undefined) {
    if (place === undefined)
      return refuse({ reference: tag, descriptor }, 'it names only a tag: pass --repository');
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
  if (nameless > 1) return refuse(unnamed, 'it has no tag, as others in this layout');
  if (place === undefined) return refuse(unnamed, 'it has no name: pass --repository <repository>:<tag>');
  const given = target.tag ?? 'latest';
  return { reference: `${place}:${given}`, descriptor, repository: place, tag: given };
}

function refuse(entry: PlannedEntry, rule: string): PlannedEntry {
  return { ...entry, error: svcError('SVC-REG-001', { reference: entry.reference, rule }) };
}

function rank({ repository, tag }: PlannedEntry): number {
  if (repository === undefined) return 2;
  return tag === undefined || isAttachmentTag(tag) ? 0 : 1;
}
