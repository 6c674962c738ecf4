import { pace } from './common.ts';
import { code, params } from './error.ts';
import { PlanProblem } from './plan.ts';
import { rules } from './rule.ts';
import {
  choice,
  component,
  described,
  integer,
  list,
  object,
  string,
  type TypeOf,
  timestamp,
} from './schema.ts';

const step = choice('Step of the proof', {
  media: 'the files of every folder are hashed, and every absent blob has a place',
  trust: 'the recipes verify under the given trust roots, without a relaxed scope',
  import:
    'the recipes land in a registry in memory by the import of a zone, and a second import moves nothing',
  platforms: 'the images have the platforms of the zone',
  charts: 'the images that charts name are there',
  packages: 'the repositories of packages have every file that their indexes name',
  clients: 'the generated configurations lead to names that landed',
  capacity: 'the registry of the zone has room for the delivery, and accepts its content',
});

/** What is wrong with media. */
export const findings = described(
  'At most 1000, errors first',
  list(
    object({
      step,
      code,
      severity: choice('Severity of the finding', {
        error: 'the delivery is not proved',
        warning: 'a person decides; with `strict` the delivery is not proved',
      }),
      subject: described('The content at fault', string),
      detail: described('The sentence of the code', string),
      remedy: described('Repair, as text to paste where there is one', string),
      params,
      'rules?': rules,
    }),
  ),
);

/** Proof that a zone would come up from some media. */
export const MediumProof = component(
  'MediumProof',
  object({
    verdict: choice('Verdict about the delivery', {
      proved: 'the zone would come up from these folders',
      incomplete: 'everything would land, and something that is needed would be absent',
      refused: 'something would not land',
    }),
    against: described(
      'The assumed registry of the zone',
      object({
        kind: choice('Its content', {
          empty: 'nothing',
          receipt: 'the content of a receipt of the zone',
        }),
        'zone?': string,
        'sequence?': integer,
      }),
    ),
    steps: list(object({ name: step, checked: integer, bytes: integer, milliseconds: integer })),
    findings,
    limits: described(
      'Limits of the proof',
      list(
        object({
          name: described('Name of the limit', string),
          detail: described('The unknown content', string),
        }),
      ),
    ),
  }),
);
export type MediumProof = TypeOf<typeof MediumProof>;

const folders = described('Folders of the delivery; none: the store of the instance', list(string));

/** The proof under way on an instance, and the last one since it started. */
export const ProofState = component(
  'ProofState',
  object({
    'running?': described(
      'The proof under way',
      object({
        folders,
        startedAt: timestamp,
        'step?': step,
        files: described('Number of files that are hashed in the present folder', integer),
        bytes: described('Bytes of these files', integer),
        'totalBytes?': described('Bytes of the present folder; absent until they are counted', integer),
        ...pace,
        'secondsLeft?': described('Until the present folder is hashed', integer),
        'cancelledBy?': described('Who cancelled it; it ends when its work has stopped', string),
      }),
    ),
    'folders?': folders,
    'finishedAt?': timestamp,
    'proof?': described('The last proof', MediumProof),
    'failure?': described('Why the last one was broken off', PlanProblem),
  }),
);
export type ProofState = TypeOf<typeof ProofState>;
export type ProofFinding = MediumProof['findings'][number];
export type ProofStep = MediumProof['steps'][number]['name'];
/** The step that a proof is at, and how much of the present folder is hashed where that is the step. */
export type ProofProgress = { readonly step: ProofStep } & Partial<
  Pick<NonNullable<ProofState['running']>, 'files' | 'bytes' | 'totalBytes'>
>;

/** Whether the registry of the zone may refuse content of a delivery, which a warning of its proof names. */
export const mayBeRefused = (findings: readonly Pick<ProofFinding, 'code' | 'severity'>[]): boolean =>
  findings.some(({ code, severity }) => code === 'SVC-CLO-004' && severity === 'warning');
