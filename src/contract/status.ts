import { loweredRecipes, mode, serving, syncOutcome } from './common.ts';
import { Link } from './link.ts';
import {
  boolean,
  choice,
  component,
  described,
  digest,
  integer,
  list,
  object,
  type Schema,
  string,
  type TypeOf,
  timestamp,
} from './schema.ts';
import { TaskSummary } from './task.ts';

export const notice = choice('Notice', {
  draining: 'the instance is shutting down: it completes work under way and accepts no new work',
  'store-away': 'the folder of the store is absent, was replaced, or does not answer',
  'state-away': 'the folder of the state is absent, was replaced, or does not answer',
  'store-new': 'the store is new and empty, although this instance wrote another one before',
  'authentication-disabled': 'every client is an administrator',
  'occupancy-exceeded': 'the store is larger than its threshold',
  'anonymous-filesets': 'some files are served without a credential',
  'relaxed-scopes': 'unsigned recipes are admitted somewhere',
  'gate-closed': 'content is withheld',
  'recipes-blocked': 'recipes of the medium did not pass its verification and are withheld',
  'recipes-lowered':
    'a source offered a lower version of a recipe at the last run than is here: it takes the zone back',
  'filesets-unserved': 'FileSets that are configured cannot be served',
  'store-foreign': 'the store was made by another instance and is served unverified',
  'store-read-only': 'the store cannot be changed',
  'link-damaged':
    'a cap or windows that an administrator set cannot be read: the configuration holds in their place',
  'store-full': 'the volume of the store is nearly full: pushes are refused',
  'state-full': 'the volume of the state is nearly full: tasks may fail',
  'certificate-early': 'the certificate of the listener is not valid yet',
  'certificate-expired': 'the certificate of the listener has expired',
  'preflight-disabled': 'a run that does not fit is reported only',
});
export type Notice = TypeOf<typeof notice>;
const notices: Schema<readonly Notice[]> = {
  type: 'array',
  description: 'Notices about the instance, the most important first',
  items: notice,
};

const mediumDelivery = object({
  id: string,
  part: described('Number of the medium that is here', integer),
  imported: described('Whether the medium that is here was imported', boolean),
  needed: described('Parts with content that is not in the zone, in ascending order', list(integer)),
  complete: described('Whether every recipe of the delivery is in the zone', boolean),
  recipes: described('Number of its recipes', integer),
  'overtakenBy?': described(
    'Identifier of a newer medium that was imported since: the import refuses the disks of this incomplete delivery',
    string,
  ),
});

const owedRecipe = object({
  name: string,
  version: string,
  state: choice('Why it is not here', {
    missing: 'nothing has brought it yet',
    blocked: 'a rule or a verification refused it',
  }),
  'code?': described('Error of the last run that did not bring it', string),
  'delivery?': described(
    'The open delivery that is to bring it',
    object({
      id: string,
      writtenAt: timestamp,
      parts: described('Number of its disks', integer),
      needed: described('Parts with content of the recipe that is not in the zone', list(integer)),
    }),
  ),
  'task?': described('The run that did not bring it, where no delivery is to', string),
});

const landedRecipe = object({ name: string, version: string });

const arrivedRecipe = object({
  name: string,
  version: string,
  digest,
  delivery: described('Identifier of the delivery', string),
  'landedAt?': described('When the delivery was complete, else when its last disk was imported', timestamp),
});

/** The instance as a whole. */
export const Status = component(
  'Status',
  object({
    version: string,
    mode,
    'zone?': string,
    authentication: object({ disabled: boolean }),
    gate: object({
      guarded: boolean,
      serving,
      'code?': choice('Why the gate is closed', {
        'SVC-MED-030': 'the medium is not verified',
        'SVC-MED-032': 'the verification refused it, or with `awaits` no recipe is whole on it',
        'SVC-MED-033': 'it was replaced or changed, and is opened again',
      }),
      'reasons?': described(
        'Codes for which the last verification refused the medium, each once; absent where it did not',
        list(string),
      ),
      'awaits?': described(
        'Where the medium passed and no recipe is whole on it: the parts of the delivery that have the rest; empty where the registry of the zone has it',
        list(integer),
      ),
    }),
    occupancy: object({ bytes: integer, 'thresholdBytes?': integer, monitored: boolean, exceeded: boolean }),
    'volume?': described(
      'Volume of the store; absent while it is away',
      object({ freeBytes: integer, totalBytes: described('Size of the volume in bytes', integer) }),
    ),
    'lastSync?': object({
      runId: string,
      resolvedAt: timestamp,
      'outcome?': syncOutcome,
    }),
    'lastImport?': described(
      'The last recorded import of the medium that is here, also by the command; absent without one',
      object({
        mediaId: string,
        importedAt: timestamp,
        'runId?': described('Absent for a part of a delivery whose recipes wait for others', string),
      }),
    ),
    'nextSync?': described(
      'When the next synchronization of the schedule starts; absent when none will',
      timestamp,
    ),
    'link?': described('How fast, and when, transfers with other hosts run', Link),
    'lastTask?': TaskSummary,
    'running?': TaskSummary,
    pending: integer,
    verifying: boolean,
    'delivery?': described(
      'The delivery of which the medium that is here is a part, as the zone has received it; absent before the import of a part',
      mediumDelivery,
    ),
    'owed?': described(
      'Recipes that the zone still waits for, whichever medium was imported last: of open deliveries, and of earlier runs; absent where that is not known',
      list(owedRecipe),
    ),
    'landed?': described(
      'Recipes that the last run did not bring and that are in the zone all the same: from other media; absent where that is not known',
      list(landedRecipe),
    ),
    'arrived?': described(
      'Recipes that recorded deliveries brought into the zone, whichever medium was imported last; absent where that is not known',
      list(arrivedRecipe),
    ),
    unimported: described('Whether the medium was verified and has not been imported yet', boolean),
    'lowered?': described(
      'Recipes of which the source offered, at the last run, a lower version than is here; absent: none',
      loweredRecipes,
    ),
    notices,
    'unservedFilesets?': described(
      'Configured FileSets that cannot be served; absent without one',
      list(object({ name: string, code: described('Why', string) })),
    ),
  }),
);
export type Status = TypeOf<typeof Status>;
/** The delivery of the medium that is here. */
export type MediumDelivery = NonNullable<Status['delivery']>;
/** A recipe that the zone still waits for. */
export type OwedRecipe = TypeOf<typeof owedRecipe>;
export type LandedRecipe = TypeOf<typeof landedRecipe>;
export type ArrivedRecipe = TypeOf<typeof arrivedRecipe>;
export type UnservedFileset = NonNullable<Status['unservedFilesets']>[number];
export type Volume = NonNullable<Status['volume']>;
