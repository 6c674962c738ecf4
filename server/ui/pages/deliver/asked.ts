import type { QueryOf } from '../../../../src/contract/operation.ts';
import { planMedia as operation, type planMedia } from '../../../../src/contract/operations/media.ts';
import { sorting } from '../../../../src/contract/operations/sorting.ts';
import { oneOf, text } from '../../../../src/contract/schema.ts';
import { type SvcError, svcError } from '../../../../src/text/error.ts';
import { fr } from '../../../../src/text/language.ts';
import { type Rule, rule } from '../../../../src/text/rule.ts';
import { parseByteSizes, toPlainSize } from '../../../../src/text/size.ts';
import { missingField } from '../../faults.ts';
import type { PageCall, PageFields } from '../../ui-route.ts';

/** Kinds of disks that people carry, with the size as it is written after `--volume-size`. */
export const disks = {
  any: {},
  dvd: { size: '4.7GB' },
  bd: { size: '25GB' },
  stick: { size: '32GB', isFat32: true },
  own: {},
  mounted: {},
} as const satisfies Readonly<Record<string, { readonly size?: string; readonly isFat32?: true }>>;
export type DiskKind = keyof typeof disks;
const kinds = Object.keys(disks) as readonly DiskKind[];

const order = sorting(['place', 'name', 'state', 'full', 'left', 'carried']);

/** The parameters of the page. An empty one is absent. */
export const deliverQuery = {
  'plan-sort': order.sort,
  'plan-order': order.order,
  zone: { schema: text({ maxLength: 1024 }) },
  base: operation.query.base,
  recipes: { schema: text({ maxLength: 65_536 }) },
  wanted: { schema: oneOf('true') },
  disk: { schema: oneOf(...kinds) },
  size: { schema: text({ maxLength: 1024 }) },
  fat32: { schema: oneOf('true') },
  mounted: { schema: text({ maxLength: 65_536 }) },
} as const satisfies PageFields;

export type DeliverCall = PageCall<QueryOf<typeof deliverQuery>>;

/** What the form asks for. */
export interface Asked {
  /** Empty before the form was sent. */
  readonly zone: string;
  readonly base: 'latest' | 'sent' | 'none';
  /** `<name>` or `<name>@<version>`. */
  readonly recipes: readonly string[];
  /** Without recipes: those that the zone wants and lacks, and not all of the store. */
  readonly wanted: boolean;
  readonly disk: DiskKind;
  /** The size of a disk of one's own, as it was typed. */
  readonly size: string;
  readonly fat32: boolean;
  /** Folders of mounted disks. */
  readonly mounted: readonly string[];
}

/** The lines of a text area that have something. */
const toLines = (text: string): readonly string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Reads the parameters of the page, or the form that starts the task when it is shown again. */
export function readAsked({ posted, search, field }: PageCall): Asked {
  const given = (name: string, own = name): string =>
    posted === undefined ? (search.get(name) ?? '') : field(own);
  const base = given('base');
  const size = given('size', '_size').trim();
  const chosen = kinds.find((kind) => kind === given('disk', '_disk')) ?? 'any';
  return {
    zone: given('zone').trim(),
    base: base === 'sent' || base === 'none' ? base : 'latest',
    recipes: toLines(given('recipes')),
    wanted: given('wanted') === 'true',
    // a typed size is a choice, where no other one was made
    disk: chosen === 'any' && size !== '' ? 'own' : chosen,
    size,
    fat32: given('fat32', '_fat32') === 'true',
    mounted: toLines(given('mounted', '_mounted')),
  };
}

/** The disks that the plan counts. */
export interface AskedDisk {
  /** As it is written after `--volume-size`, one or several sizes; absent: of any size. */
  readonly size?: string;
  readonly isFat32: boolean;
  /** Folders of mounted disks. Absent: the disks are not there yet. */
  readonly folders?: readonly string[];
}

/** The rule of a size beside disks of which the size is known. */
const beside = rule([
  'must be empty beside the disks that are selected; it counts for “another size”',
  fr`doit être vide avec les disques choisis ; elle vaut pour « une autre taille »`,
]);

const wrongSize = (broken: Rule): SvcError =>
  svcError('SVC-VAL-001', { file: 'form', path: '/size', rule: broken });

/** @throws SVC-VAL-001 for a size beside other disks, for a size that is none, and for mounted disks without a folder */
export function toDisk({ disk, size, fat32, mounted }: Asked): AskedDisk {
  if (disk === 'mounted' && size === '') {
    if (mounted.length > 0) return { isFat32: false, folders: mounted };
    throw missingField('mounted');
  }
  if (disk !== 'own' && size !== '') throw wrongSize(beside);
  if (disk !== 'own') return { isFat32: false, ...disks[disk] };
  const plain = size
    .split(';')
    .map(toPlainSize)
    .filter((one) => one !== '')
    .join(',');
  if (parseByteSizes(plain) === undefined)
    throw wrongSize(rule(['must be a size such as 64GB', fr`doit être une taille, par exemple 64 Go`]));
  return { size: plain, isFat32: fat32 };
}

/** The request of the API for a plan. */
export function toPlanQuery(
  { zone, base, recipes }: Asked,
  { size, isFat32, folders }: AskedDisk,
): QueryOf<typeof planMedia.query> {
  return {
    zone,
    ...(base === 'latest' ? {} : { base }),
    ...(recipes.length === 0 ? {} : { recipe: recipes }),
    ...(folders === undefined ? {} : { folder: folders }),
    ...(size === undefined ? {} : { volumeBytes: parseByteSizes(size)! }),
    ...(isFat32 ? { filesystem: 'fat32' } : {}),
  };
}

/** Whether the parts are made in one folder, to be burnt: a mounted disk has a folder for each. */
export const isBurnt = ({ size, isFat32 }: AskedDisk): boolean => size !== undefined && !isFat32;
