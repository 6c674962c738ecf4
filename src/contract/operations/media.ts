import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { custodyLimits } from '../custody.ts';
import { Delivery, DeliveryList } from '../delivery.ts';
import { Media, MediumReport, VerificationState } from '../medium.ts';
import { field, operation } from '../operation.ts';
import { hostPath, platformText, zoneName } from '../patterns.ts';
import { MediumProof, ProofState } from '../proof.ts';
import {
  anyOf,
  boolean,
  choice,
  described,
  digest,
  list,
  object,
  oneOf,
  text,
  whole,
  worded,
} from '../schema.ts';

import { TaskAnswer } from '../task.ts';
import { MediumWriting } from '../write-medium.ts';
import { contacting, queueing, reading, showing, writing } from './error-codes.ts';
import { exampleFingerprint } from './example-documents.ts';
import { taskSteps } from './next-steps.ts';

const waivers = {
  'allowZoneMismatch?': boolean,
  'allowStale?': boolean,
  'reason?': described(
    'Why a guard is waived: stands in the audit record and the custody ledger. Only beside a waiver',
    worded(
      rule(['must not be white space alone', fr`ne doit pas être fait d’espaces seulement`]),
      text({ minLength: 1, maxLength: custodyLimits.reason, pattern: '[^\\s]' }),
    ),
  ),
};

export const getMedium = operation({
  id: 'getMedium',
  method: 'GET',
  path: '/media',
  floor: 'operator',
  errors: ['SVC-CFG-001', 'SVC-STO-001'],
  polled: true,
  summary: 'The medium and the last import for this zone',
  answer: { status: 200, description: 'The record', schema: Media },
});

export const getVerification = operation({
  id: 'getVerification',
  method: 'GET',
  path: '/media/verification',
  floor: 'operator',
  errors: ['SVC-CFG-001'],
  polled: true,
  summary: 'Serving gate, verification under way, last report',
  answer: { status: 200, description: 'The state', schema: VerificationState },
});

export const listDeliveries = operation({
  id: 'listDeliveries',
  method: 'GET',
  path: '/media/deliveries',
  floor: 'operator',
  errors: ['SVC-CFG-001', 'SVC-STO-001'],
  polled: true,
  summary: 'Deliveries that arrived, with the parts that are missing',
  answer: { status: 200, description: 'The deliveries, incomplete ones first', schema: DeliveryList },
});

export const forgetDelivery = operation({
  id: 'forgetDelivery',
  method: 'DELETE',
  path: '/media/deliveries/{delivery}',
  floor: 'admin',
  errors: [
    ...writing,
    'SVC-CFG-001',
    'SVC-REG-005',
    'SVC-SRV-007',
    'SVC-STO-001',
    'SVC-STO-007',
    'SVC-TSK-003',
  ],
  summary: 'Forgets a delivery whose missing disks will not come; its content in the registry stays',
  body: {
    schema: object({ 'fingerprint?': digest }),
    examples: {
      forget: { summary: 'Forgets the delivery', value: {} },
      shown: { summary: 'Forgets the delivery as it was shown', value: { fingerprint: exampleFingerprint } },
    },
  },
  answer: {
    status: 200,
    description: 'The delivery was forgotten',
    schema: object({ delivery: described('Its last record', Delivery) }),
  },
});

export const verifyMedium = operation({
  id: 'verifyMedium',
  method: 'POST',
  path: '/media/verify',
  floor: 'operator',
  errors: [
    ...reading,
    ...writing,
    'SVC-CFG-001',
    'SVC-CUS-001',
    'SVC-MED-031',
    'SVC-STO-007',
    'SVC-STO-020',
    'SVC-TSK-003',
    'SVC-TSK-004',
  ],
  summary: 'Verifies the medium without pushing anything',
  body: {
    schema: object({
      ...waivers,
      'wait?': described('false: answers immediately with the state; the verification continues', {
        ...boolean,
        default: true,
      }),
    }),
    examples: {
      report: { summary: 'Verifies, and waits for the report', value: {} },
      begin: { summary: 'Begins a verification', value: { wait: false } },
    },
  },
  answer: {
    status: 200,
    description: 'The report, with any verdict; without waiting for it, the state of the verification',
    schema: anyOf(MediumReport, VerificationState),
  },
});

export const cancelVerification = operation({
  id: 'cancelVerification',
  method: 'POST',
  path: '/media/verify/cancel',
  floor: 'operator',
  errors: ['SVC-CFG-001'],
  summary: 'Cancels the verification that runs; does nothing when none runs, and during that of an import',
  body: {
    schema: object({}),
    examples: { cancel: { summary: 'Cancels the verification', value: {} } },
  },
  answer: {
    status: 200,
    description: 'The state; a verification that runs ends when its work has stopped',
    schema: VerificationState,
  },
});

export const importMedium = operation({
  id: 'importMedium',
  method: 'POST',
  path: '/media/import',
  floor: 'operator',
  errors: [...queueing, 'SVC-CFG-001', 'SVC-MED-031'],
  summary: 'Verifies the medium and pushes the recipes that pass to the registry of the zone',
  body: {
    schema: object(waivers),
    examples: {
      strict: { summary: 'Imports a medium for this zone', value: {} },
      waived: {
        summary: 'Imports although the medium is older than the freshest one',
        value: { allowStale: true, reason: 'restores the state before the incident of 4 July' },
      },
    },
  },
  answer: { status: 201, description: 'The created task', schema: TaskAnswer, next: taskSteps },
});

/** What a zone is believed to have. */
const base = choice('Content in the zone', {
  latest: 'the content that its last receipt states',
  sent: 'the content of earlier deliveries',
  none: 'nothing',
});
const recipeName = text({ minLength: 1, maxLength: 512 });
const diskBytes = whole({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const diskSizes = { ...list(diskBytes), minItems: 1, maxItems: 999 };

export const planMedia = operation({
  id: 'planMedia',
  method: 'GET',
  path: '/media/plan',
  floor: 'operator',
  errors: [
    ...contacting,
    ...showing,
    'SVC-CFG-001',
    'SVC-FIL-003',
    'SVC-FIL-005',
    'SVC-MED-025',
    'SVC-MED-046',
    'SVC-STO-010',
    'SVC-STO-014',
  ],
  summary: 'Plans media for a zone: the content to carry, and the number of disks',
  query: {
    zone: { ...field(zoneName, 'The zone that receives the media', 'zone-b'), required: true },
    base: field({ ...base, default: 'latest' }, 'The content that the zone is assumed to have', 'none'),
    recipe: field(list(recipeName), 'Only these recipes, `name` or `name@version`', ['platform']),
    wanted: field(
      oneOf('true'),
      'Only the recipes that the Retriever of the zone wants and the zone lacks, by its board; a zone of `zones`, and without `recipe`',
      'true',
    ),
    folder: field(
      // all parameters together must fit into the head of a request
      { ...list({ ...hostPath, maxLength: 512 }), maxItems: 32 },
      'Folders of mounted disks on the host of the instance, whose room decides. With `volumeBytes` one folder for all parts',
      ['/mnt/disk-1/delivery', '/mnt/disk-2/delivery'],
    ),
    volumeBytes: field(
      { ...diskSizes, maxItems: 99 },
      'Bytes of each disk; several sizes in the order of the disks, of which the last one repeats. Default: one disk of any size',
      [4_700_000_000],
    ),
    filesystem: field(
      {
        ...choice('Filesystem of the disks', { any: 'without limits', fat32: 'files below 4 GiB' }),
        default: 'any',
      },
      'Limits of files and folders',
      'fat32',
    ),
  },
  answer: {
    status: 200,
    description: 'The plan, as a dry run of `svc media write` prints it; the paths of the disks are relative',
    schema: MediumWriting,
  },
});

export const writeMedia = operation({
  id: 'writeMedia',
  method: 'POST',
  path: '/media/write',
  floor: 'admin',
  errors: [
    ...queueing,
    'SVC-CFG-001',
    'SVC-FIL-003',
    'SVC-FIL-005',
    'SVC-MED-030',
    'SVC-MED-032',
    'SVC-REG-005',
    'SVC-STO-001',
  ],
  summary: 'Writes media for a zone on the host of the instance',
  body: {
    schema: object({
      folders: described('The disks; with `volumeBytes` one folder for all parts', {
        ...list(hostPath),
        minItems: 1,
        maxItems: 999,
      }),
      zone: described('The zone that receives the media', zoneName),
      'base?': { ...base, default: 'latest' },
      'recipes?': described('Names of recipes, `name` or `name@version`; default: all', list(recipeName)),
      'wanted?': described(
        'true: only the recipes that the Retriever of the zone wants and the zone lacks, by its board; a zone of `zones`, and without `recipes`',
        { ...boolean, default: false },
      ),
      'volumeBytes?': described(
        'Bytes of each medium; or several sizes in the order of the media, of which the last one repeats',
        anyOf(diskBytes, diskSizes),
      ),
    }),
    required: true,
    examples: {
      delta: {
        summary: 'Writes the content that the zone lacks onto one disk',
        value: { folders: ['/srv/usb/delivery'], zone: 'zone-b' },
      },
      wanted: {
        summary: 'Writes what the Retriever of the zone wants and the zone lacks',
        value: { folders: ['/srv/usb/delivery'], zone: 'zone-b', wanted: true },
      },
      discs: {
        summary: 'Makes folders to burn onto discs',
        value: { folders: ['/srv/discs'], zone: 'zone-b', base: 'none', volumeBytes: 4_700_000_000 },
      },
    },
  },
  answer: { status: 201, description: 'The created task', schema: TaskAnswer, next: taskSteps },
});

export const proveMedium = operation({
  id: 'proveMedium',
  method: 'POST',
  path: '/media/prove',
  floor: 'operator',
  errors: [
    ...reading,
    'SVC-CFG-001',
    'SVC-CUS-001',
    'SVC-FIL-003',
    'SVC-FIL-005',
    'SVC-RCP-001',
    'SVC-SRV-006',
    'SVC-STO-002',
    'SVC-STO-004',
    'SVC-STO-007',
    'SVC-STO-014',
    'SVC-STO-019',
  ],
  summary: 'Proves before departure that a zone would come up from media on the host of the instance',
  body: {
    schema: object({
      'folders?': described('All folders of the delivery, in any order. Default: the store of the instance', {
        ...list(hostPath),
        minItems: 1,
        maxItems: 999,
      }),
      'zone?': described(
        'Default: the zone that the media are addressed to',
        text({ minLength: 1, maxLength: 255 }),
      ),
      'trustRoots?': described('Public keys of the zone in PEM. Default: `trust.roots`', {
        ...list({ ...text({ minLength: 1, maxLength: 65_536 }), contentMediaType: 'application/x-pem-file' }),
        minItems: 1,
        maxItems: 100,
      }),
      'against?': described(
        'The assumed registry of the zone: `empty`; `zone:NAME`, by the last receipt of a zone that the instance knows; or the path of a receipt on the host',
        text({ pattern: '^(?:empty|zone:[^\\u0000]+|/[^\\u0000]*)$', minLength: 1, maxLength: 4096 }),
      ),
      'platforms?': described('Platforms of nodes of the zone, which every image must have', {
        ...list(platformText),
        maxItems: 20,
      }),
      'strict?': described('Whether a warning counts like an error', { ...boolean, default: false }),
      'wait?': described('false: answers immediately with the state; the proof continues', {
        ...boolean,
        default: true,
      }),
    }),
    examples: {
      disk: { summary: 'Proves one disk', value: { folders: ['/media/usb/store'] } },
      parts: {
        summary: 'Proves a delivery of two disks',
        value: { folders: ['/media/disk-1', '/media/disk-2'], zone: 'zone-b', strict: true },
      },
      begin: { summary: 'Begins a proof of the store of the instance', value: { wait: false } },
    },
  },
  answer: {
    status: 200,
    description: 'The proof, with any verdict; without waiting for it, the state of the proof',
    schema: anyOf(MediumProof, ProofState),
  },
});

export const getProof = operation({
  id: 'getProof',
  method: 'GET',
  path: '/media/proof',
  floor: 'operator',
  errors: [],
  polled: true,
  summary: 'The proof under way, and the last one that nobody waited for',
  answer: { status: 200, description: 'The state', schema: ProofState },
});

export const cancelProof = operation({
  id: 'cancelProof',
  method: 'POST',
  path: '/media/proof/cancel',
  floor: 'operator',
  errors: [],
  summary: 'Cancels a proof that was begun with `wait` false; does nothing when none runs',
  body: {
    schema: object({}),
    examples: { cancel: { summary: 'Cancels the proof', value: {} } },
  },
  answer: {
    status: 200,
    description: 'The state; a proof that runs ends when its work has stopped',
    schema: ProofState,
  },
});
